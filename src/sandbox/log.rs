//! A program's output: read to its end, kept in part.

use std::collections::VecDeque;
use std::io::{self, Read};

/// Keeps the beginning and the end of an output.
#[derive(Debug)]
pub(crate) struct Log {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    half: usize,
    written: u64,
    /// How much of that came after the flood.
    ignored: u64,
}

impl Log {
    /// Keeps at most `bytes` bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self { head: Vec::new(), tail: VecDeque::new(), half: bytes / 2, written: 0, ignored: 0 }
    }

    /// Reads to the end; calls `flood` once, as soon as more than `flood_bytes` have come.
    ///
    /// Of a flood, only those first bytes are looked at: how many more come before the program is
    /// ended is another number each time, and what is kept is to be the same.
    pub(crate) fn drain(
        mut self,
        from: &mut impl Read,
        flood_bytes: u64,
        mut flood: impl FnMut(),
    ) -> Self {
        let mut buffer = vec![0; 64 * 1024];
        let mut flooded = false;
        loop {
            match from.read(&mut buffer) {
                Ok(0) => return self,
                Ok(count) => {
                    let room = flood_bytes.saturating_sub(self.written);
                    let kept = count.min(usize::try_from(room).unwrap_or(usize::MAX));
                    self.push(buffer.get(..kept).unwrap_or_default());
                    self.written += (count - kept) as u64;
                    self.ignored += (count - kept) as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return self,
            }
            if !flooded && self.written > flood_bytes {
                flooded = true;
                flood();
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

    /// All that was written, in bytes.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    /// What was kept, and whether something was left out.
    pub(crate) fn finish(self) -> (Vec<u8>, bool) {
        let left_out = self.written - self.ignored - (self.head.len() + self.tail.len()) as u64;
        let mut log = self.head;
        if left_out > 0 {
            log.extend_from_slice(format!("\n[{left_out} bytes left out]\n").as_bytes());
        }
        log.extend(self.tail);
        (log, left_out > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(output: &[u8], bytes: usize) -> (String, bool) {
        let (log, truncated) = Log::new(bytes).drain(&mut &*output, u64::MAX, || ()).finish();
        (String::from_utf8(log).unwrap(), truncated)
    }

    #[test]
    fn the_middle_is_left_out() {
        assert_eq!(kept(b"0123456789", 10), ("0123456789".to_owned(), false));
        assert_eq!(kept(b"0123456789", 4), ("01\n[6 bytes left out]\n89".to_owned(), true));
        assert_eq!(kept(b"", 4), (String::new(), false));
    }

    #[test]
    fn what_is_kept_does_not_depend_on_how_it_came() {
        let output: Vec<u8> = (0..200_000_u32).map(|i| (i % 251) as u8).collect();
        let whole = Log::new(1000).drain(&mut output.as_slice(), u64::MAX, || ()).finish();
        let mut pieces = Log::new(1000);
        for piece in output.chunks(77) {
            pieces.push(piece);
        }
        assert_eq!(pieces.finish(), whole);
    }

    #[test]
    fn a_flood_is_told_once() {
        let mut told = 0;
        let output = vec![b'x'; 300_000];
        let log = Log::new(10).drain(&mut output.as_slice(), 1000, || told += 1);
        assert_eq!((told, log.written()), (1, 300_000));
    }

    #[test]
    fn what_is_kept_of_a_flood_does_not_depend_on_how_much_came() {
        let output: Vec<u8> = (0..200_000_u32).map(|i| (i % 251) as u8).collect();
        let kept = |bytes: usize| {
            let mut output = &output[..bytes];
            Log::new(100).drain(&mut output, 99_999, || ()).finish()
        };
        assert_eq!(kept(100_001), kept(200_000));
        assert_ne!(kept(99_998), kept(200_000));
    }
}
