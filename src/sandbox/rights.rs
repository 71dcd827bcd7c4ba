//! The rights that a process gives up.

use std::io;

use nix::sys::prctl;
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities,
};

/// Gives up every capability for good, and the gaining of any by starting a program.
///
/// That is what makes a superuser an ordinary one, who still owns files; so it takes a user name
/// space, Landlock or a filter of system calls to keep it from those.
///
/// # Errors
///
/// When the kernel does not let go of them.
pub(crate) fn drop_all() -> io::Result<()> {
    prctl::set_no_new_privs()?;
    let had = capabilities(None)?;
    if had.effective.contains(CapabilitySet::SETPCAP) {
        for capability in CapabilitySet::all().iter() {
            // One that this kernel does not know cannot be gained either.
            remove_capability_from_bounding_set(capability).ok();
        }
    }
    clear_ambient_capability_set()?;
    let none = CapabilitySet::empty();
    Ok(set_capabilities(
        None,
        CapabilitySets { effective: none, permitted: none, inheritable: none },
    )?)
}
