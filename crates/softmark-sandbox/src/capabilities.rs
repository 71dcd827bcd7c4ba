//! Linux capabilities.

use std::io;

use nix::sys::prctl;
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities,
};

/// Drops every capability permanently, and sets `no_new_privs` so that `exec` grants none.
///
/// After that root is an ordinary user, who still owns root's files. A user namespace, Landlock or a
/// seccomp filter must protect those.
///
/// # Errors
///
/// Fails if the kernel refuses to drop a capability.
pub(crate) fn drop_all() -> io::Result<()> {
    prctl::set_no_new_privs()?;
    let current = capabilities(None)?;
    if current.effective.contains(CapabilitySet::SETPCAP) {
        for capability in CapabilitySet::all().iter() {
            // Fails for capabilities that this kernel does not have; nobody can gain those.
            remove_capability_from_bounding_set(capability).ok();
        }
    }
    clear_ambient_capability_set()?;
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    Ok(set_capabilities(None, sets)?)
}
