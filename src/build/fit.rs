//! Whether toolchain, pack and machine are fit to call a student's code wrong.
//!
//! A compiler fails at right code as well where the disk is full, where a library is damaged, and
//! where somebody has updated it since the pack was made; and it may say so at a line of the
//! student's. So before a submission is charged with a failed build, all of that is looked at.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::build::compile::{ProgramSpec, Source, folder};
use crate::build::pack::{BuildError, Pack};
use crate::build::rustc;

/// Right code that needs every library that a submission may name, and has to be linked.
const RIGHT: &str = "\
    use candle_core as _;\nuse candle_nn as _;\nuse softmark_kit as _;\n\
    pub fn right() -> candle_core::DType { candle_core::DType::F32 }\n";
const MAIN: &str = "fn main() { println!(\"{:?}\", submission::right()); }\n";

/// Where it is compiled.
const FOLDER: &str = "right";

/// Room that has to be left where a build failed, in bytes: a right submission takes 20 MiB, its
/// programs while they are linked included, and others may be compiled at the same time. A disk that
/// has less may have been full a moment ago.
const ROOM: u64 = 64 << 20;

impl Pack {
    /// Makes sure that a failed build is the code's own.
    ///
    /// # Errors
    ///
    /// When the pack is damaged, the compiler is another one, or it fails at code that is right.
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
        let program =
            ProgramSpec { name: "fit".to_owned(), main: MAIN.to_owned(), libraries: Vec::new() };
        let right = folder(scratch, FOLDER)?;
        match self.attempt(&source, &[program], &right, &rustc::first_limits())? {
            Ok(_) => Ok(()),
            Err(failure) => {
                let (scratch, message) = (scratch.to_owned(), failure.fault.message);
                Err(BuildError::Unfit { scratch, message: message.to_multiline() })
            }
        }
    }

    /// The first file of the pack that is not what was put there; looked for once in a run, for to
    /// read all of it takes a fifth of a second.
    fn damaged(&self) -> Option<&PathBuf> {
        self.damaged.get_or_init(|| self.index.damaged(&self.dir)).as_ref()
    }
}

/// Makes sure that there is room in `scratch`, by taking it for a moment: what a file system says of
/// its room is not what a quota allows.
fn room(scratch: &Path) -> Result<(), BuildError> {
    let path = scratch.join("room");
    let write = || -> io::Result<()> {
        let taken = io::copy(&mut io::repeat(1).take(ROOM), &mut File::create(&path)?);
        fs::remove_file(&path)?;
        taken.map(drop)
    };
    write().map_err(|source| BuildError::io("write", &path, source))
}
