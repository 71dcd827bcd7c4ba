//! Faults of reading an archive: the archive's, or the machine's.

use std::io;

use crate::intake::archive::offence::Offence;

/// Reason why an archive or an entry was not read.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The archive is invalid.
    Offence(Offence),
    /// The machine failed to read it.
    Io(io::Error),
}

impl From<Offence> for Fault {
    fn from(offence: Offence) -> Self {
        Self::Offence(offence)
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Classifies an error of decompression: invalid data is the archive's error, any other is the machine's.
pub(crate) fn not_ours(error: io::Error, offence: impl FnOnce() -> Offence) -> Fault {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    if matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof) {
        offence().into()
    } else {
        error.into()
    }
}
