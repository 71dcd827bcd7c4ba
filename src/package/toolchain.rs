//! The toolchain of a package: its files and their checksums.

use std::fs;
use std::path::{Path, PathBuf};

use crate::build::Toolchain;
use crate::digest;
use crate::package::error::PackageError;
use crate::package::files::{Files, PackagedFile};

/// Returns the version number of a toolchain that can be downloaded.
///
/// # Errors
///
/// Fails if it is no stable release: other channels are called `1.97.0-nightly`.
pub(super) fn stable_version(toolchain: &Toolchain) -> Result<&str, PackageError> {
    let number = toolchain.number().filter(|number| !number.contains('-'));
    number.ok_or_else(|| PackageError::NotReleased { compiler: toolchain.release().to_owned() })
}

/// Returns the files that compiling and linking need, in the toolchain's folder.
///
/// # Errors
///
/// Fails if a folder cannot be read.
pub(super) fn files(toolchain: &Toolchain, host: &str) -> Result<Files, PackageError> {
    let mut files = Files::default();
    for program in ["bin/rustc", "bin/cargo"] {
        files.program(program, &toolchain.sysroot.join(program));
    }
    for library in libraries(&toolchain.sysroot)? {
        files.copy(&library, &toolchain.sysroot.join(&library))?;
    }
    let std = PathBuf::from("lib/rustlib").join(host).join("lib");
    files.copy(&std, &toolchain.sysroot.join(&std))?;
    let linker = toolchain.linker();
    let place = linker.as_deref().and_then(|it| it.strip_prefix(&toolchain.sysroot).ok());
    if let (Some(linker), Some(place)) = (&linker, place) {
        files.program(place, linker);
    }
    Ok(files)
}

/// Returns the paths of the compiler's own libraries.
fn libraries(sysroot: &Path) -> Result<Vec<PathBuf>, PackageError> {
    let folder = sysroot.join("lib");
    let failed = |source| PackageError::io("read", &folder, source);
    let mut found = Vec::new();
    for entry in fs::read_dir(&folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let is_library = name.to_string_lossy().contains(".so");
        if is_library && entry.path().is_file() {
            found.push(Path::new("lib").join(name));
        }
    }
    Ok(found)
}

/// Returns the checksums of the files, one a line, in the form that `sha256sum --check` reads.
///
/// # Errors
///
/// Fails if a file cannot be read.
pub(super) fn checksums(files: &Files) -> Result<String, PackageError> {
    let line = |(place, file): (&Path, &PackagedFile)| {
        Ok(format!("{}  {}\n", digest::checksum(&file.bytes()?), place.display()))
    };
    files.iter().map(line).collect()
}
