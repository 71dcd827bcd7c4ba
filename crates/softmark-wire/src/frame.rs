//! Frames: a four-byte magic number, a four-byte length, then the message.

use std::io::{self, Read, Write};

use thiserror::Error;

/// The maximum length of a message, in bytes.
///
/// The largest message of a correct worker holds the parameters of a small model; the limit is a hundred
/// times that.
pub const MAX_FRAME_BYTES: usize = 64 * 1024 * 1024;

/// Magic number at the start of every frame, which distinguishes messages from stray bytes.
const MARK: [u8; 4] = *b"SMK\x01";

/// Errors of reading or writing a frame.
#[derive(Debug, Error)]
pub enum FrameError {
    /// The other side closed the channel between two frames.
    #[error("the channel was closed")]
    Closed,
    /// The channel ended inside a frame.
    #[error("the channel ended inside a frame")]
    Cut,
    /// The bytes do not begin with the magic number.
    #[error("{0:02x?} does not open a frame")]
    Mark([u8; 4]),
    /// The length is above the limit.
    #[error("a frame of {claimed} bytes, at most {limit} are allowed")]
    TooLong {
        /// Length in the header.
        claimed: usize,
        /// Largest length allowed.
        limit: usize,
    },
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Sends one message.
///
/// # Errors
///
/// Fails if the message is longer than [`MAX_FRAME_BYTES`] or writing fails.
pub fn write_frame(to: &mut impl Write, message: &[u8]) -> Result<(), FrameError> {
    let too_long = || FrameError::TooLong { claimed: message.len(), limit: MAX_FRAME_BYTES };
    if message.len() > MAX_FRAME_BYTES {
        return Err(too_long());
    }
    let length = u32::try_from(message.len()).map_err(|_| too_long())?;
    // One write: the receiver would wake up for each part of a frame.
    let frame = [&MARK[..], &length.to_le_bytes(), message].concat();
    to.write_all(&frame)?;
    Ok(to.flush()?)
}

/// Receives one message of at most `limit` bytes.
///
/// Memory grows with the bytes that arrive, never with the length in the header.
///
/// # Errors
///
/// Fails if the channel is closed or cut, the frame is not valid or too long, or reading fails.
pub fn read_frame(from: &mut impl Read, limit: usize) -> Result<Vec<u8>, FrameError> {
    let mut header = [0_u8; 8];
    let mut filled = 0;
    while let Some(rest) = header.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match from.read(rest) {
            Ok(0) if filled == 0 => return Err(FrameError::Closed),
            Ok(0) => return Err(FrameError::Cut),
            Ok(n) => filled += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    let [m0, m1, m2, m3, l0, l1, l2, l3] = header;
    let mark = [m0, m1, m2, m3];
    if mark != MARK {
        return Err(FrameError::Mark(mark));
    }
    let claimed = usize::try_from(u32::from_le_bytes([l0, l1, l2, l3])).unwrap_or(usize::MAX);
    if claimed > limit {
        return Err(FrameError::TooLong { claimed, limit });
    }
    let mut message = Vec::new();
    from.take(claimed as u64).read_to_end(&mut message)?;
    if message.len() < claimed {
        return Err(FrameError::Cut);
    }
    Ok(message)
}
