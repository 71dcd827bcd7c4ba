//! Decoding of bytes to text.

use crate::fault::{DataError, Location, Reason};

/// Character encoding of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8; invalid bytes are errors.
    Utf8,
    /// ISO 8859-1: each byte is the character of that number; there are no errors.
    Latin1,
    /// Windows-1252: Latin-1 except for 0x80 to 0x9f, which contain dashes and curly quotation marks.
    Windows1252,
}

/// The characters of Windows-1252 from 0x80 to 0x9f; all others equal Latin-1's. The five undefined bytes are
/// read as in Latin-1.
pub(crate) const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

impl Encoding {
    /// Decodes `bytes`, which are at `place`.
    ///
    /// # Errors
    ///
    /// Fails with [`Reason::NotUtf8`] and the column if UTF-8 was requested and the bytes are not UTF-8.
    pub fn decode(self, bytes: &[u8], place: &Location) -> Result<String, DataError> {
        match self {
            Self::Latin1 => Ok(latin1(bytes)),
            Self::Windows1252 => Ok(bytes.iter().map(|&byte| windows1252(byte)).collect()),
            Self::Utf8 => match std::str::from_utf8(bytes) {
                Ok(text) => Ok(text.to_owned()),
                Err(error) => {
                    let at = error.valid_up_to();
                    let byte = bytes.get(at).copied().unwrap_or_default();
                    Err(place.error(Reason::NotUtf8 { byte, column: at + 1 }))
                }
            },
        }
    }
}

/// Decodes Latin-1 (ISO 8859-1).
///
/// ```
/// use softmark_data::decode::latin1;
///
/// assert_eq!(latin1(b"na\xefve"), "naïve");
/// ```
pub fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

fn windows1252(byte: u8) -> char {
    let own = byte.checked_sub(0x80).and_then(|at| WINDOWS.get(usize::from(at)));
    own.copied().unwrap_or_else(|| char::from(byte))
}

/// Returns the lines of `bytes` with their places. Only the byte 0x0A ends a line: 8-bit text may contain
/// 0x85 inside a line, which some readers take for a line end.
///
/// A carriage return before the 0x0A is part of the line end. There is no empty line after the last 0x0A.
///
/// ```
/// use softmark_data::{Location, decode::lines};
///
/// let file = Location::file("f");
/// let lines: Vec<_> = lines(b"a\x85b\r\nc\n", &file).map(|(place, line)| (place.number(), line)).collect();
/// assert_eq!(lines, [(Some(1), b"a\x85b".as_slice()), (Some(2), b"c")]);
/// ```
pub fn lines<'b>(bytes: &'b [u8], file: &Location) -> impl Iterator<Item = (Location, &'b [u8])> {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let count = if bytes.is_empty() { 0 } else { usize::MAX };
    bytes
        .split(|&byte| byte == b'\n')
        .take(count)
        .enumerate()
        .map(|(index, line)| (file.line(index + 1), line.strip_suffix(b"\r").unwrap_or(line)))
}
