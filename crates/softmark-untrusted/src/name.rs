//! Names of files, folders and entries of archives.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::{self, Write as _};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Name of a file, a folder or an entry of an archive; it may be any bytes.
///
/// It prints with every byte that is not UTF-8, and every byte of a character that is not visible, as `%` and
/// two hexadecimal digits.
///
/// ```
/// use softmark_untrusted::UntrustedName;
///
/// let shown = |name: &[u8]| UntrustedName::from(name).to_string();
/// assert_eq!(shown("Zoë".as_bytes()), "Zoë");
/// assert_eq!(shown(b"a\nb\x1b[31m"), "a%0Ab%1B[31m");
/// assert_eq!(shown(b"caf\xe9"), "caf%E9");
/// assert_eq!(shown("evil\u{202e}sr.exe".as_bytes()), "evil%E2%80%AEsr.exe");
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UntrustedName(Vec<u8>);

impl UntrustedName {
    /// Returns true if a character of a name is printed as its bytes. The names of submissions depend on this
    /// list, so it stays as it is.
    pub fn is_hidden(character: char) -> bool {
        character.is_control()
            || matches!(character,
                '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}' // The two after it join letters, which some languages need.
                    | '\u{200e}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}')
    }
}

impl From<&[u8]> for UntrustedName {
    fn from(name: &[u8]) -> Self {
        Self(name.to_owned())
    }
}

impl From<Vec<u8>> for UntrustedName {
    fn from(name: Vec<u8>) -> Self {
        Self(name)
    }
}

impl From<&str> for UntrustedName {
    fn from(name: &str) -> Self {
        name.as_bytes().into()
    }
}

impl From<Cow<'_, str>> for UntrustedName {
    fn from(name: Cow<'_, str>) -> Self {
        Self(name.into_owned().into_bytes())
    }
}

impl From<&OsStr> for UntrustedName {
    fn from(name: &OsStr) -> Self {
        name.as_bytes().into()
    }
}

impl From<&Path> for UntrustedName {
    fn from(path: &Path) -> Self {
        path.as_os_str().into()
    }
}

impl fmt::Display for UntrustedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let escape = |f: &mut fmt::Formatter<'_>, bytes: &[u8]| {
            bytes.iter().try_for_each(|byte| write!(f, "%{byte:02X}"))
        };
        for chunk in self.0.utf8_chunks() {
            for character in chunk.valid().chars() {
                if Self::is_hidden(character) {
                    escape(f, character.encode_utf8(&mut [0; 4]).as_bytes())?;
                } else {
                    f.write_char(character)?;
                }
            }
            escape(f, chunk.invalid())?;
        }
        Ok(())
    }
}

impl fmt::Debug for UntrustedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn prints_no_hidden_character(name in prop::collection::vec(any::<u8>(), 0..60)) {
            let name = UntrustedName::from(name);
            for shown in [name.to_string(), format!("{name:?}")] {
                prop_assert!(!shown.contains(UntrustedName::is_hidden), "{}", shown);
            }
        }
    }
}
