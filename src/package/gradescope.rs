//! The archive that Gradescope's autograder is made of.
//!
//! Gradescope unpacks it into `/autograder/source`, runs `setup.sh` once when it builds the image, and `run_autograder` for
//! each submission. Everything runs as root in one container, so what keeps a submission from the other files is the
//! grader's sandbox alone.

use std::path::Path;

use crate::package::archive;
use crate::package::contents::Contents;
use crate::package::error::PackageError;
use crate::package::files::Files;
use crate::package::toolchain;

/// Minor version of glibc 2 in the platform's oldest image, Ubuntu 22.04.
const GLIBC: u32 = 35;

/// Machine of the platform.
const HOST: &str = "x86_64-unknown-linux-gnu";

/// Scripts of the archive.
const SETUP: &str = include_str!("../../templates/package/gradescope/setup.sh");
const RUN: &str = include_str!("../../templates/package/gradescope/run_autograder");

/// Source of the toolchain in the image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolchainSource {
    /// `setup.sh` downloads it; its version and the checksums of its files are in the archive.
    Download,
    /// The archive holds it.
    Bundle,
}

/// Archive for Gradescope.
#[derive(Debug)]
pub struct Gradescope<'a> {
    /// Program, course and libraries.
    pub contents: Contents<'a>,
    /// Source of the toolchain.
    pub toolchain: ToolchainSource,
}

impl Gradescope<'_> {
    /// Writes the archive to `path`, and returns its size in bytes.
    ///
    /// # Errors
    ///
    /// Fails if the platform could not run what is packaged, or a file cannot be read or written.
    pub fn write(&self, path: &Path) -> Result<u64, PackageError> {
        let toolchain = &self.contents.pack.toolchain;
        let host = toolchain.host().unwrap_or_default();
        if host != HOST {
            return Err(PackageError::Machine { host: host.to_owned(), needed: HOST });
        }
        self.contents.check_glibc(GLIBC)?;
        let version = match self.toolchain {
            ToolchainSource::Download => toolchain::stable_version(toolchain)?,
            ToolchainSource::Bundle => toolchain.number().unwrap_or_default(),
        };
        let tools = toolchain::files(toolchain, HOST)?;
        let mut files = Files::default();
        let place = Path::new("softmark");
        files.add_below(place, &self.contents.files()?);
        files.text(place.join("toolchain.sha256"), toolchain::checksums(&tools)?);
        if self.toolchain == ToolchainSource::Bundle {
            files.add_below(&place.join("rust"), &tools);
        }
        let filled = |script: &str| {
            let script = script.replace("@ASSIGNMENT@", self.contents.assignment);
            script.replace("@VERSION@", version).replace("@HOST@", HOST)
        };
        files.script("setup.sh", filled(SETUP));
        files.script("run_autograder", filled(RUN));
        archive::write(&files, path)
    }
}
