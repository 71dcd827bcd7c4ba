//! Bytes with random access: a file, or memory.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;

/// Bytes with random access.
pub(crate) trait Source {
    /// Returns the number of bytes.
    fn len(&self) -> io::Result<u64>;
    /// Reads bytes at offset `at`; returns 0 only at the end.
    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<usize>;
}

impl Source for File {
    fn len(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
        FileExt::read_at(self, buffer, at)
    }
}

impl Source for [u8] {
    fn len(&self) -> io::Result<u64> {
        Ok(<[u8]>::len(self) as u64)
    }

    fn read_at(&self, at: u64, mut buffer: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(at).ok().and_then(|at| self.get(at..)).unwrap_or_default();
        let from: &mut &[u8] = &mut &*rest;
        let most = buffer.len().min(from.len());
        let (now, _) = from.split_at(most);
        io::Write::write(&mut buffer, now)
    }
}

/// Sequential reader of a range of bytes.
#[derive(Clone, Copy)]
pub(crate) struct Window<'a, S: ?Sized> {
    source: &'a S,
    at: u64,
    end: u64,
}

impl<'a, S: Source + ?Sized> Window<'a, S> {
    /// From `at` to `end`.
    pub(crate) fn new(source: &'a S, at: u64, end: u64) -> Self {
        Self { source, at, end }
    }
}

impl<S: Source + ?Sized> Read for Window<'_, S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let most = buffer.len().min(left);
        let Some(buffer) = buffer.get_mut(..most).filter(|buffer| !buffer.is_empty()) else {
            return Ok(0);
        };
        let read = self.source.read_at(self.at, buffer)?;
        self.at += read as u64;
        Ok(read)
    }
}
