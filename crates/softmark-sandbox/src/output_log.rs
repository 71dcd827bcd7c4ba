//! Bounded log of a program's output.

use std::collections::VecDeque;
use std::io::{self, Read};

/// Keeps the start and the end of an output, and omits the middle.
#[derive(Debug)]
pub(crate) struct OutputLog {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    half: usize,
    written: u64,
    /// Number of bytes written after the output limit.
    ignored: u64,
}

/// Contents of a complete log.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LogContents {
    /// Bytes that were kept, with a note in place of the omitted part.
    pub(crate) bytes: Vec<u8>,
    /// True if a part is omitted.
    pub(crate) truncated: bool,
}

impl OutputLog {
    /// Creates a log that keeps at most `bytes` bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self { head: Vec::new(), tail: VecDeque::new(), half: bytes / 2, written: 0, ignored: 0 }
    }

    /// Reads `source` to its end; calls `on_excess` once, as soon as more than `limit` bytes have
    /// arrived.
    ///
    /// Bytes after the limit are counted but never kept: how many of them arrive before the program is
    /// killed differs from run to run, and the log must not.
    pub(crate) fn drain(
        mut self,
        source: &mut impl Read,
        limit: u64,
        mut on_excess: impl FnMut(),
    ) -> Self {
        let mut buffer = vec![0; 64 * 1024];
        let mut exceeded = false;
        loop {
            match source.read(&mut buffer) {
                Ok(0) => return self,
                Ok(count) => {
                    let room = limit.saturating_sub(self.written);
                    let kept = count.min(usize::try_from(room).unwrap_or(usize::MAX));
                    self.push(buffer.get(..kept).unwrap_or_default());
                    self.written += (count - kept) as u64;
                    self.ignored += (count - kept) as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return self,
            }
            if !exceeded && self.written > limit {
                exceeded = true;
                on_excess();
            }
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        self.written += bytes.len() as u64;
        let room = self.half.saturating_sub(self.head.len()).min(bytes.len());
        let (head, rest) = bytes.split_at(room);
        self.head.extend_from_slice(head);
        let (_, kept) = rest.split_at(rest.len().saturating_sub(self.half));
        let excess = (self.tail.len() + kept.len()).saturating_sub(self.half);
        self.tail.drain(..excess.min(self.tail.len()));
        self.tail.extend(kept);
    }

    /// Returns the number of bytes written in all.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    /// Returns the bytes that were kept.
    pub(crate) fn into_contents(self) -> LogContents {
        let omitted = self.written - self.ignored - (self.head.len() + self.tail.len()) as u64;
        let mut bytes = self.head;
        if omitted > 0 {
            bytes.extend_from_slice(format!("\n[{omitted} bytes left out]\n").as_bytes());
        }
        bytes.extend(self.tail);
        LogContents { bytes, truncated: omitted > 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(output: &[u8], bytes: usize) -> (String, bool) {
        let log = OutputLog::new(bytes).drain(&mut &*output, u64::MAX, || ());
        let contents = log.into_contents();
        (String::from_utf8(contents.bytes).unwrap(), contents.truncated)
    }

    fn numbers() -> Vec<u8> {
        (0..200_000_u32).map(|i| (i % 251) as u8).collect()
    }

    #[test]
    fn omits_the_middle() {
        assert_eq!(kept(b"0123456789", 10), ("0123456789".to_owned(), false));
        assert_eq!(kept(b"0123456789", 4), ("01\n[6 bytes left out]\n89".to_owned(), true));
        assert_eq!(kept(b"", 4), (String::new(), false));
    }

    #[test]
    fn contents_do_not_depend_on_the_sizes_of_writes() {
        let output = numbers();
        let whole = OutputLog::new(1000).drain(&mut output.as_slice(), u64::MAX, || ());
        let mut pieces = OutputLog::new(1000);
        for piece in output.chunks(77) {
            pieces.push(piece);
        }
        assert_eq!(pieces.into_contents(), whole.into_contents());
    }

    #[test]
    fn reports_excess_output_once() {
        let mut calls = 0;
        let output = vec![b'x'; 300_000];
        let log = OutputLog::new(10).drain(&mut output.as_slice(), 1000, || calls += 1);
        assert_eq!((calls, log.written()), (1, 300_000));
    }

    fn contents_of_excess(output: &[u8]) -> LogContents {
        OutputLog::new(100).drain(&mut &*output, 99_999, || ()).into_contents()
    }

    #[test]
    fn contents_do_not_depend_on_the_size_of_the_excess() {
        let output = numbers();
        assert_eq!(contents_of_excess(&output[..100_001]), contents_of_excess(&output));
        assert_ne!(contents_of_excess(&output[..99_998]), contents_of_excess(&output));
    }
}
