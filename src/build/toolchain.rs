//! Location and version of the compiler and of cargo.

use std::path::{Path, PathBuf};

use crate::build::error::BuildError;
use crate::build::tools::Tools;

/// Rust toolchain.
#[derive(Debug, Clone)]
pub(crate) struct Toolchain {
    /// Path of the compiler itself rather than of the rustup proxy, which would cost time for every
    /// submission.
    pub(crate) rustc: PathBuf,
    /// Path of cargo, from the same toolchain if it has one.
    pub(crate) cargo: PathBuf,
    /// Folder that the toolchain is installed in.
    pub(crate) sysroot: PathBuf,
    /// Output of `rustc -vV`.
    pub(crate) version: String,
}

impl Toolchain {
    /// Finds the toolchain that `rustc` selects in the folder `home`.
    pub(crate) fn find(tools: &Tools, home: &Path) -> Result<Self, BuildError> {
        let proxy = tools.find("rustc")?;
        let sysroot = tools.run(&proxy, &["--print", "sysroot"], home)?;
        let sysroot = PathBuf::from(String::from_utf8_lossy(&sysroot).trim());
        let own = |name: &str| Some(sysroot.join("bin").join(name)).filter(|path| path.is_file());
        let rustc = own("rustc").unwrap_or(proxy);
        let cargo = own("cargo").map_or_else(|| tools.find("cargo"), Ok)?;
        let version = tools.run(&rustc, &["-vV"], home)?;
        let version = String::from_utf8_lossy(&version).into_owned();
        Ok(Self { rustc, cargo, sysroot, version })
    }

    /// Returns the first line of `rustc -vV`.
    pub(crate) fn release(&self) -> &str {
        self.version.lines().next().unwrap_or_default()
    }

    /// Returns the version number of the compiler, such as `1.95.0`.
    pub(crate) fn number(&self) -> Option<&str> {
        self.version.lines().find_map(|line| line.strip_prefix("release: "))
    }

    /// Returns the name of the machine that the toolchain runs on, such as `x86_64-unknown-linux-gnu`.
    pub(crate) fn host(&self) -> Option<&str> {
        self.version.lines().find_map(|line| line.strip_prefix("host: "))
    }

    /// Returns the linker that comes with the toolchain, if one does.
    pub(crate) fn linker(&self) -> Option<PathBuf> {
        let machine = self.host()?;
        let linker = self.sysroot.join("lib/rustlib").join(machine).join("bin/rust-lld");
        linker.is_file().then_some(linker)
    }
}
