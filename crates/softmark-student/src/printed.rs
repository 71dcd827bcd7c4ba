//! Text that a student's code prints.

use std::io::{self, Read, Seek, SeekFrom};
use std::process::Stdio;

use tempfile::NamedTempFile;

/// Most bytes that are shown, from the end.
const SHOWN_BYTES: u64 = 4096;

/// Most lines that are shown, from the end.
const SHOWN_LINES: usize = 20;

/// File that takes what a process prints, and is removed afterwards.
#[derive(Debug)]
pub(crate) struct Printed(NamedTempFile);

impl Printed {
    /// Makes an empty file.
    pub(crate) fn new() -> io::Result<Self> {
        NamedTempFile::new().map(Self)
    }

    /// Returns the file as the output of a process.
    pub(crate) fn stdio(&self) -> io::Result<Stdio> {
        Ok(self.0.as_file().try_clone()?.into())
    }

    /// Returns the number of bytes printed.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.as_file().metadata().map_or(0, |it| it.len())
    }

    /// Returns the last lines of what was printed after the first `from` bytes.
    pub(crate) fn lines(&self, from: u64) -> Vec<String> {
        let text = self.tail(from).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().collect();
        let skipped = lines.len().saturating_sub(SHOWN_LINES);
        lines.into_iter().skip(skipped).map(str::to_owned).collect()
    }

    fn tail(&self, from: u64) -> io::Result<Vec<u8>> {
        let start = from.max(self.bytes().saturating_sub(SHOWN_BYTES));
        // A handle of its own: the process writes where the other one stands.
        let mut file = self.0.reopen()?;
        file.seek(SeekFrom::Start(start))?;
        let mut text = Vec::new();
        file.take(SHOWN_BYTES).read_to_end(&mut text)?;
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn the_end_of_what_was_printed_is_shown() {
        let printed = Printed::new().unwrap();
        let mut writer = printed.0.as_file().try_clone().unwrap();
        for line in 1..=30 {
            writeln!(writer, "line {line}").unwrap();
        }
        let lines = printed.lines(0);
        assert_eq!((lines.len(), lines[0].as_str()), (SHOWN_LINES, "line 11"));
        let before = printed.bytes();
        writeln!(writer, "last").unwrap();
        assert_eq!(printed.lines(before), ["last"]);
        writer.write_all(&[b'x'; 10_000]).unwrap();
        assert_eq!(printed.lines(before)[0].len() as u64, SHOWN_BYTES);
    }
}
