//! Tests that toolchain, pack and machine can compile correct code.
//!
//! A compiler also fails on correct code if the disk is full, a library is damaged, or the compiler
//! was updated after the pack was built; it may even report the error at a line of the student's.
//! All of that is tested before a failed build counts against a submission.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::build::code::Source;
use crate::build::compile::folder;
use crate::build::error::BuildError;
use crate::build::fault::Compiled;
use crate::build::pack::Pack;
use crate::build::rustc;
use crate::build::{ProgramSpec, StudentCrates};

/// Correct code that needs every library that a submission may name, and has to be linked.
const RIGHT: &str = "\
    use candle_core as _;\nuse candle_nn as _;\nuse softmark_kit as _;\n\
    pub fn right() -> candle_core::DType { candle_core::DType::F32 }\n";
const MAIN: &str = "fn main() { println!(\"{:?}\", submission::right()); }\n";

/// Name of the folder that the correct code is compiled in.
const FOLDER: &str = "right";

/// Free space, in bytes, that must be left after a failed build. A correct submission takes 20 MiB,
/// its programs included, and others may be compiled at the same time. A disk with less may have
/// been full a moment ago.
const ROOM: u64 = 64 << 20;

impl Pack {
    /// Tests that a failed build is the fault of the code.
    ///
    /// # Errors
    ///
    /// Fails if the pack is damaged, the compiler was replaced, or the compiler rejects correct
    /// code.
    pub(crate) fn is_fit(&self, scratch: &Path) -> Result<(), BuildError> {
        if let Some(file) = self.damaged() {
            return Err(BuildError::Damaged { file: file.clone(), pack: self.dir.clone() });
        }
        let version = self.tools.run(&self.toolchain.rustc, &["-vV"], scratch)?;
        if String::from_utf8_lossy(&version) != self.toolchain.version {
            return Err(BuildError::Replaced);
        }
        room(scratch)?;
        let source = Source::from([("lib.rs".to_owned(), RIGHT.into())]);
        let program = ProgramSpec {
            name: "fit".to_owned(),
            main: MAIN.to_owned(),
            libraries: Vec::new(),
            crates: StudentCrates::default(),
        };
        let right = folder(scratch, FOLDER)?;
        match self.attempt(&source, &[program], &right, &rustc::first_limits())? {
            Compiled::Built(_) => Ok(()),
            Compiled::Faulty(fault) => {
                let (scratch, message) = (scratch.to_owned(), fault.message);
                Err(BuildError::Unfit { scratch, message: message.to_multiline() })
            }
        }
    }

    /// Returns the first damaged file of the pack. The result is computed once per run, because
    /// reading the whole pack takes 0.2 s.
    fn damaged(&self) -> Option<&PathBuf> {
        self.damaged.get_or_init(|| self.index.damaged(&self.dir)).as_ref()
    }
}

/// Tests for free space in `scratch` by writing a file of that size, because the free space that a
/// file system reports ignores quotas.
fn room(scratch: &Path) -> Result<(), BuildError> {
    let path = scratch.join("room");
    let write = || -> io::Result<()> {
        let taken = io::copy(&mut io::repeat(1).take(ROOM), &mut File::create(&path)?);
        fs::remove_file(&path)?;
        taken.map(drop)
    };
    write().map_err(|source| BuildError::io("write", &path, source))
}
