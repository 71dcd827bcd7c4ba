//! Reads tar archives, compressed with gzip or not, header by header.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;

use crate::intake::archive::fault::{Fault, not_ours};
use crate::intake::archive::index::{BytesAt, Index, Node};
use crate::intake::archive::limits::Limits;
use crate::intake::archive::offence::Offence;
use crate::intake::archive::path::entry_name;
use crate::intake::archive::source::{Source, Window};
use crate::intake::open::Kind;

const BLOCK: usize = 512;
type Block = [u8; BLOCK];

/// The longest header that says more of the next one, in bytes: what systems keep beside a file
/// (rights, labels, small pictures) stands in it as well.
const MAX_EXTENDED: u64 = 1 << 20;

/// A number in octal digits, with spaces and zero bytes around it, or in binary where the first bit
/// says so.
fn number(field: &[u8]) -> Option<u64> {
    if let Some((first @ 0x80.., rest)) = field.split_first() {
        // Binary: anything that does not fit, and anything negative, is no size.
        let (high, low) = rest.split_last_chunk::<8>()?;
        let fits = *first == 0x80 && high.iter().all(|byte| *byte == 0);
        return fits.then(|| u64::from_be_bytes(*low));
    }
    let text = std::str::from_utf8(field).ok()?.trim_matches([' ', '\0']);
    match text {
        "" => Some(0),
        _ if text.bytes().all(|byte| matches!(byte, b'0'..=b'7')) => {
            u64::from_str_radix(text, 8).ok()
        }
        _ => None,
    }
}

/// A name up to the zero byte that ends it, if one does.
fn up_to_zero(field: &[u8]) -> &[u8] {
    field.split(|byte| *byte == 0).next().unwrap_or_default()
}

fn part(block: &[u8], from: usize, to: usize) -> &[u8] {
    block.get(from..to).unwrap_or_default()
}

/// True if a block has the checksum of a header.
pub(crate) fn is_header(block: &[u8]) -> bool {
    let sum = |field: &[u8]| field.iter().map(|byte| u64::from(*byte)).sum::<u64>();
    let checksum = part(block, 148, 156);
    // The checksum itself counts as spaces.
    let all = sum(part(block, 0, BLOCK)).saturating_sub(sum(checksum)) + 8 * u64::from(b' ');
    block.len() >= BLOCK && number(checksum) == Some(all)
}

/// Fields of a header.
struct Header {
    name: Vec<u8>,
    size: u64,
    kind: u8,
}

impl Header {
    fn of(block: &Block) -> Result<Self, Offence> {
        if !is_header(block) {
            return Err(Offence::Broken("there is no header where one should be"));
        }
        let mut name = up_to_zero(part(block, 0, 100)).to_vec();
        let prefix = up_to_zero(part(block, 345, 500));
        // Only there is the field a part of the name; GNU keeps times in it.
        if part(block, 257, 263) == b"ustar\0" && !prefix.is_empty() {
            name = [prefix, b"/", &name].concat();
        }
        let size = number(part(block, 124, 136));
        let size = size.ok_or(Offence::Broken("a size is no number"))?;
        Ok(Self { name, size, kind: part(block, 156, 157).first().copied().unwrap_or_default() })
    }
}

/// Bytes that are read from an archive, up to a limit.
struct Stream<R> {
    inner: R,
    at: u64,
    /// Most bytes that may be read.
    most: u64,
    too_much: Offence,
}

impl<R: Read> Stream<R> {
    /// Reads until `buffer` is full; how much of it is, at the end.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Fault> {
        let mut full = 0;
        while let Some(rest) = buffer.get_mut(full..).filter(|rest| !rest.is_empty()) {
            match self.inner.read(rest) {
                Ok(0) => break,
                Ok(read) => full += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let damaged = || Offence::Broken("it cannot be decompressed");
                    return Err(not_ours(error, damaged));
                }
            }
        }
        self.at = self.at.saturating_add(full as u64);
        if self.at > self.most { Err(self.too_much.clone().into()) } else { Ok(full) }
    }

    fn block(&mut self) -> Result<Block, Fault> {
        let mut block = [0; BLOCK];
        match self.fill(&mut block)? {
            BLOCK => Ok(block),
            _ => Err(Offence::Broken("it ends too early").into()),
        }
    }

    fn exactly(&mut self, bytes: u64) -> Result<Vec<u8>, Fault> {
        // Never more at once than there is.
        let mut read = Vec::new();
        let mut piece = vec![0; 1 << 16];
        let mut left = bytes;
        while left > 0 {
            let now = usize::try_from(left).unwrap_or(usize::MAX).min(piece.len());
            let piece = piece.get_mut(..now).unwrap_or_default();
            if self.fill(piece)? != now {
                return Err(Offence::Broken("it ends too early").into());
            }
            read.extend_from_slice(piece);
            left -= now as u64;
        }
        Ok(read)
    }

    /// Skips `bytes`, which may exceed the limit.
    fn skip(&mut self, bytes: u64) -> Result<(), Fault> {
        if bytes > self.most.saturating_sub(self.at) {
            return Err(self.too_much.clone().into());
        }
        let mut piece = vec![0; 1 << 16];
        let mut left = bytes;
        while left > 0 {
            let now = usize::try_from(left).unwrap_or(usize::MAX).min(piece.len());
            if self.fill(piece.get_mut(..now).unwrap_or_default())? != now {
                return Err(Offence::Broken("it ends too early").into());
            }
            left -= now as u64;
        }
        Ok(())
    }

    /// Reads the content of an entry, and the padding up to the next block.
    fn padded(&mut self, bytes: u64) -> Result<Vec<u8>, Fault> {
        let content = self.exactly(bytes)?;
        self.skip(padding(bytes))?;
        Ok(content)
    }

    /// Fails unless only zero bytes are left.
    fn rest(&mut self) -> Result<(), Fault> {
        let mut piece = vec![0; 1 << 16];
        loop {
            let read = self.fill(&mut piece)?;
            if part(&piece, 0, read).iter().any(|byte| *byte != 0) {
                return Err(Offence::Broken("something follows its end").into());
            }
            if read == 0 {
                return Ok(());
            }
        }
    }
}

/// Returns the number of padding bytes up to the next block.
fn padding(bytes: u64) -> u64 {
    let block = BLOCK as u64;
    (block - bytes % block) % block
}

/// Values that earlier headers set for the next entry.
#[derive(Default)]
struct Ahead {
    name: Option<Vec<u8>>,
    size: Option<u64>,
    /// True if the entry is a sparse file.
    is_sparse: bool,
    /// True if there was any such header.
    any: bool,
}

impl Ahead {
    fn set_name(&mut self, name: Vec<u8>) -> Result<(), Offence> {
        match self.name.replace(name) {
            None => Ok(()),
            Some(_) => Err(Offence::Broken("an entry has two names")),
        }
    }

    /// Reads the records of an extended header: `LENGTH KEY=VALUE\n`, the length being that of all.
    fn extend(&mut self, mut records: &[u8]) -> Result<(), Offence> {
        const BROKEN: Offence = Offence::Broken("an extended header is no list of values");
        while !records.is_empty() {
            let space = records.iter().take(20).position(|byte| *byte == b' ').ok_or(BROKEN)?;
            let digits = std::str::from_utf8(part(records, 0, space)).map_err(|_| BROKEN)?;
            let length: usize = digits.parse().map_err(|_| BROKEN)?;
            let (record, rest) = records.split_at_checked(length).ok_or(BROKEN)?;
            records = rest;
            let record = record.get(space + 1..).ok_or(BROKEN)?;
            let record = record.strip_suffix(b"\n").ok_or(BROKEN)?;
            let equals = record.iter().position(|byte| *byte == b'=').ok_or(BROKEN)?;
            let (key, value) = (part(record, 0, equals), part(record, equals + 1, record.len()));
            match key {
                b"path" => self.set_name(value.to_vec())?,
                b"size" => {
                    let text = std::str::from_utf8(value).ok();
                    let size = text.filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
                    let size = size.and_then(|text| text.parse().ok());
                    let size = size.ok_or(Offence::Broken("a size is no number"))?;
                    if self.size.replace(size).is_some() {
                        return Err(Offence::Broken("an entry has two sizes"));
                    }
                }
                _ if key.starts_with(b"GNU.sparse.") || key == b"SCHILY.realsize" => {
                    self.is_sparse = true;
                }
                // Where a link leads to, times, owners: nothing that matters here.
                _ => {}
            }
        }
        Ok(())
    }
}

/// Reads an archive's headers into `index`.
fn headers<R: Read>(stream: &mut Stream<R>, index: &mut Index<'_>) -> Result<(), Fault> {
    let mut ahead = Ahead::default();
    loop {
        let block = stream.block()?;
        if block == [0; BLOCK] {
            break;
        }
        let header = Header::of(&block)?;
        if matches!(header.kind, b'L' | b'K' | b'x' | b'X' | b'g') {
            if header.size > MAX_EXTENDED {
                return Err(Offence::Broken("an extended header is too long").into());
            }
            let text = stream.padded(header.size)?;
            match header.kind {
                b'L' => {
                    let name = text.strip_suffix(b"\0").unwrap_or(&text);
                    ahead.set_name(name.to_vec())?;
                }
                b'K' => {}
                b'g' => {
                    // A header for all entries may name their author, but not their names or sizes.
                    let mut all = Ahead::default();
                    all.extend(&text)?;
                    if all.name.is_some() || all.size.is_some() || all.is_sparse {
                        return Err(Offence::Broken("all entries have one name or size").into());
                    }
                    continue;
                }
                _ => ahead.extend(&text)?,
            }
            ahead.any = true;
            continue;
        }
        entry(stream, index, &header, &std::mem::take(&mut ahead))?;
    }
    if ahead.any {
        return Err(Offence::Broken("its last header says nothing of any file").into());
    }
    if stream.block()? != [0; BLOCK] {
        return Err(Offence::Broken("something follows its end").into());
    }
    stream.rest()
}

/// Adds an entry, and skips its content.
fn entry<R: Read>(
    stream: &mut Stream<R>,
    index: &mut Index<'_>,
    header: &Header,
    ahead: &Ahead,
) -> Result<(), Fault> {
    let name = ahead.name.as_deref().unwrap_or(&header.name);
    let size = ahead.size.unwrap_or(header.size);
    let kind = match header.kind {
        b'0' | b'\0' | b'7' => Kind::File,
        b'1' | b'2' => Kind::Link,
        b'5' => Kind::Folder,
        b'S' => {
            index.offend(name, Offence::Sparse(entry_name(name)));
            Kind::File
        }
        _ => Kind::Special,
    };
    if ahead.is_sparse {
        index.offend(name, Offence::Sparse(entry_name(name)));
    }
    // Readers differ in whether such an entry holds something.
    if kind != Kind::File && size > 0 {
        return Err(Offence::Broken("something that is no file has a size").into());
    }
    // More headers follow that say where the holes are; it is rejected as it is.
    if header.kind == b'S' {
        return Err(Offence::Sparse(entry_name(name)).into());
    }
    index.add(name, kind, size, BytesAt(stream.at))?;
    stream.skip(size.saturating_add(padding(size)))
}

/// Compression of an archive's tar data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    None,
    Gzip,
}

/// Reads an archive's headers into `index`, to its last byte.
pub(crate) fn scan<S: Source + ?Sized>(
    source: &S,
    packing: Packing,
    limits: &Limits,
    index: &mut Index<'_>,
) -> Result<(), Fault> {
    let len = source.len()?;
    let most = limits.may_hold(len);
    let too_much = if most < limits.total_bytes {
        Offence::Ratio { limit: limits.ratio }
    } else {
        Offence::Total { limit: limits.total_bytes }
    };
    let window = BufReader::with_capacity(1 << 16, Window::new(source, 0, len));
    match packing {
        Packing::None => headers(&mut Stream { inner: window, at: 0, most, too_much }, index),
        Packing::Gzip => {
            let inner = GzDecoder::new(window);
            let mut stream = Stream { inner, at: 0, most, too_much };
            headers(&mut stream, index)?;
            ends(stream.inner.into_inner())
        }
    }
}

/// Sees to it that nothing but zero bytes follows what was decompressed: neither a second piece,
/// which some readers go on with and some do not, nor anything else.
fn ends(mut packed: impl BufRead) -> Result<(), Fault> {
    loop {
        let rest = packed.fill_buf()?;
        if rest.iter().any(|byte| *byte != 0) {
            return Err(Offence::Broken("something follows its end").into());
        }
        let read = rest.len();
        if read == 0 {
            return Ok(());
        }
        packed.consume(read);
    }
}

/// Returns the contents of these files, which are in the order of their places.
pub(crate) fn contents<S: Source + ?Sized>(
    source: &S,
    packing: Packing,
    files: &[&Node],
) -> Result<Vec<Vec<u8>>, Fault> {
    let len = source.len()?;
    let mut found = Vec::new();
    if packing == Packing::None {
        for Node { place: BytesAt(at), size, .. } in files {
            let mut window = Window::new(source, *at, len);
            let mut bytes = Vec::new();
            if window.by_ref().take(*size).read_to_end(&mut bytes)? as u64 != *size {
                return Err(Offence::Broken("it ends too early").into());
            }
            found.push(bytes);
        }
        return Ok(found);
    }
    let window = BufReader::with_capacity(1 << 16, Window::new(source, 0, len));
    let too_much = Offence::Broken("it ends too early");
    let mut stream = Stream { inner: GzDecoder::new(window), at: 0, most: u64::MAX, too_much };
    for Node { place: BytesAt(at), size, .. } in files {
        let before = at.checked_sub(stream.at).ok_or(Offence::Broken("its files overlap"))?;
        stream.skip(before)?;
        found.push(stream.exactly(*size)?);
    }
    Ok(found)
}
