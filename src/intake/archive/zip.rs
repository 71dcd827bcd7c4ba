//! Reads zip archives: checks the central directory against the local header of each file.

use std::io::{BufReader, Read};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use crate::intake::archive::fault::{Fault, not_ours};
use crate::intake::archive::index::{BytesAt, Index};
use crate::intake::archive::limits::Limits;
use crate::intake::archive::offence::Offence;
use crate::intake::archive::path::entry_name;
use crate::intake::archive::source::{Source, Window};
use crate::intake::open::{Content, Kind};

const END: &[u8] = b"PK\x05\x06";
const END_64: &[u8] = b"PK\x06\x07";
const LISTED: &[u8] = b"PK\x01\x02";
const LOCAL: &[u8] = b"PK\x03\x04";
const AFTER: &[u8] = b"PK\x07\x08";

/// Bytes of the end record without its comment.
const END_BYTES: u64 = 22;
/// Bytes of a local header without its name and extra field.
const LOCAL_BYTES: u64 = 30;

/// The largest list, in bytes: a kilobyte for each of the most entries there can be.
const MAX_LIST: u64 = 64 << 20;

const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// Flags: encrypted, sizes after the data, a patch, strongly encrypted, a masked header.
const ENCRYPTED: u16 = 1 | 1 << 6 | 1 << 13;
const SIZES_AFTER: u16 = 1 << 3;
const PATCH: u16 = 1 << 5;

/// Location, size, method and checksum of a file's data.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    name: Vec<u8>,
    flags: u16,
    method: u16,
    crc: u32,
    packed: u32,
    size: u32,
    /// Offset of the local header.
    header: u32,
    /// Offset of the data.
    data: u64,
}

/// Reader of little-endian numbers, and of names.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, bytes: usize) -> Result<&'a [u8], Offence> {
        let (taken, rest) =
            self.0.split_at_checked(bytes).ok_or(Offence::Broken("its list ends too early"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Offence> {
        self.take(N)?.try_into().map_err(|_| Offence::Broken("its list ends too early"))
    }

    fn u16(&mut self) -> Result<u16, Offence> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, Offence> {
        self.array().map(u32::from_le_bytes)
    }
}

/// End record of an archive.
struct End {
    entries: u16,
    list: u32,
    list_bytes: u32,
}

/// Reads exactly so many bytes at `at`.
fn exactly<S: Source + ?Sized>(source: &S, at: u64, bytes: u64) -> Result<Vec<u8>, Fault> {
    let mut read = Vec::new();
    Window::new(source, at, at.saturating_add(bytes)).read_to_end(&mut read)?;
    if read.len() as u64 == bytes {
        Ok(read)
    } else {
        Err(Offence::Broken("it ends too early").into())
    }
}

/// Finds the end record, which must reach to the last byte.
fn end<S: Source + ?Sized>(source: &S) -> Result<(End, u64), Fault> {
    let len = source.len()?;
    let tail = len.min(END_BYTES + u64::from(u16::MAX));
    let tail = exactly(source, len - tail, tail)?;
    let mut found = None;
    for (at, _) in tail.windows(END.len()).enumerate().filter(|(_, window)| *window == END) {
        let mut fields = Fields(tail.get(at + END.len()..).unwrap_or_default());
        let Ok(numbers) = fields.array::<16>() else { continue };
        let Ok(comment) = fields.u16() else { continue };
        if fields.0.len() == usize::from(comment) {
            let from_end = (tail.len() - at) as u64;
            if found.replace((numbers, len - from_end)).is_some() {
                return Err(Offence::Broken("it has two ends").into());
            }
        }
    }
    let Some((numbers, at)) = found else {
        return Err(Offence::Broken("it does not end as a zip archive does").into());
    };
    let mut fields = Fields(&numbers);
    let (disk, list_disk, here, entries) =
        (fields.u16()?, fields.u16()?, fields.u16()?, fields.u16()?);
    let (list_bytes, list) = (fields.u32()?, fields.u32()?);
    let is_64 = at.checked_sub(20).map(|at| exactly(source, at, 4)).transpose()?;
    if is_64.is_some_and(|four| four == END_64)
        || [here, entries].contains(&u16::MAX)
        || [list_bytes, list].contains(&u32::MAX)
    {
        return Err(Offence::Zip64.into());
    }
    if disk != 0 || list_disk != 0 || here != entries {
        return Err(Offence::Broken("it is one part of several").into());
    }
    Ok((End { entries, list, list_bytes }, at))
}

/// Reads the list into `index`, and holds it against the headers before the files.
pub(crate) fn scan<S: Source + ?Sized>(
    source: &S,
    limits: &Limits,
    index: &mut Index<'_>,
) -> Result<Vec<Entry>, Fault> {
    let (end, end_at) = end(source)?;
    if usize::from(end.entries) > limits.entries {
        return Err(Offence::Entries { limit: limits.entries }.into());
    }
    let (list, bytes) = (u64::from(end.list), u64::from(end.list_bytes));
    if list + bytes != end_at {
        return Err(Offence::Broken("its list is not where it should be").into());
    }
    if bytes > MAX_LIST {
        return Err(Offence::Entries { limit: limits.entries }.into());
    }
    let list_bytes = exactly(source, list, bytes)?;
    let mut fields = Fields(&list_bytes);
    let mut entries = Vec::new();
    for number in 0..u64::from(end.entries) {
        entries.push(listed(&mut fields, index, BytesAt(number))?);
    }
    if !fields.0.is_empty() {
        return Err(Offence::Broken("its list is longer than it says").into());
    }
    locate(source, &mut entries, index)?;
    apart(&entries, list)?;
    let total: u64 = entries.iter().map(|entry| u64::from(entry.size)).sum();
    if total > limits.may_hold(source.len()?) {
        return Err(Offence::Ratio { limit: limits.ratio }.into());
    }
    Ok(entries)
}

/// Reads one entry of the list.
fn listed(
    fields: &mut Fields<'_>,
    index: &mut Index<'_>,
    place: BytesAt,
) -> Result<Entry, Offence> {
    if fields.take(4)? != LISTED {
        return Err(Offence::Broken("its list holds something else"));
    }
    let (_made_by, _needs) = (fields.u16()?, fields.u16()?);
    let (flags, method, _time, _date) =
        (fields.u16()?, fields.u16()?, fields.u16()?, fields.u16()?);
    let (crc, packed, size) = (fields.u32()?, fields.u32()?, fields.u32()?);
    let (name_len, extra_len, comment_len) = (fields.u16()?, fields.u16()?, fields.u16()?);
    let (disk, _inner) = (fields.u16()?, fields.u16()?);
    let (outer, header) = (fields.u32()?, fields.u32()?);
    let name = fields.take(name_len.into())?;
    fields.take(extra_len.into())?;
    fields.take(comment_len.into())?;
    if [packed, size, header].contains(&u32::MAX) || disk == u16::MAX {
        return Err(Offence::Zip64);
    }
    if disk != 0 {
        return Err(Offence::Broken("it is one part of several"));
    }
    // The Unix file type is in the upper half, whatever system the entry names as its creator; other systems
    // leave it empty.
    let kind = match (outer >> 16) & 0o170_000 {
        0 | 0o100_000 | 0o040_000 if name.ends_with(b"/") => Kind::Folder,
        0 | 0o100_000 => Kind::File,
        0o040_000 => Kind::Folder,
        0o120_000 => Kind::Link,
        _ => Kind::Special,
    };
    let shown = || entry_name(name);
    if flags & ENCRYPTED != 0 {
        index.offend(name, Offence::Encrypted(shown()));
    } else if flags & PATCH != 0 || ![STORED, DEFLATED].contains(&method) {
        let method = if flags & PATCH == 0 { method_name(method) } else { "patching".to_owned() };
        index.offend(name, Offence::Method { name: shown(), method });
    } else if method == STORED && packed != size {
        index.offend(name, Offence::Damaged { name: shown(), why: "it has two sizes" });
    }
    index.add(name, kind, size.into(), place)?;
    let name = name.to_vec();
    Ok(Entry { name, flags, method, crc, packed, size, header, data: 0 })
}

fn method_name(method: u16) -> String {
    let name = match method {
        9 => "deflate64",
        12 => "bzip2",
        14 => "LZMA",
        93 => "Zstandard",
        95 => "xz",
        98 => "PPMd",
        99 => "AES encryption",
        _ => return format!("method {method}"),
    };
    name.to_owned()
}

/// Finds the offset of the data, and checks that the local header agrees with the list.
fn locate<S: Source + ?Sized>(
    source: &S,
    entries: &mut [Entry],
    index: &mut Index<'_>,
) -> Result<(), Fault> {
    for entry in entries {
        let header = u64::from(entry.header);
        let fixed = exactly(source, header, LOCAL_BYTES)?;
        let mut fields = Fields(&fixed);
        if fields.take(4)? != LOCAL {
            return Err(Offence::Broken("its list leads to no file").into());
        }
        let _needs = fields.u16()?;
        let (flags, method, _time, _date) =
            (fields.u16()?, fields.u16()?, fields.u16()?, fields.u16()?);
        let sizes = [fields.u32()?, fields.u32()?, fields.u32()?];
        let (name_len, extra_len) = (fields.u16()?, fields.u16()?);
        let name = exactly(source, header + LOCAL_BYTES, name_len.into())?;
        entry.data = header + LOCAL_BYTES + u64::from(name_len) + u64::from(extra_len);
        let extra = exactly(source, header + LOCAL_BYTES + u64::from(name_len), extra_len.into())?;
        let listed = [entry.crc, entry.packed, entry.size];
        let is_after = entry.flags & SIZES_AFTER != 0;
        let says = wide_sizes(sizes, &extra);
        // Where sizes come after the data, programs write here what they know already.
        let sizes_fit = says
            .iter()
            .zip(listed)
            .all(|(says, is)| *says == u64::from(is) || (is_after && *says == 0));
        let same_flags = (flags ^ entry.flags) & (ENCRYPTED | SIZES_AFTER | PATCH) == 0;
        let why = if name != entry.name {
            Some("it has two names")
        } else if !sizes_fit {
            Some("it has two sizes")
        } else if method != entry.method || !same_flags {
            Some("it is said to be packed in two ways")
        } else if is_after && !says_after(source, entry)? {
            Some("what follows it does not fit it")
        } else {
            None
        };
        if let Some(why) = why {
            let shown = entry_name(&entry.name);
            index.offend(&entry.name, Offence::Damaged { name: shown, why });
        }
    }
    Ok(())
}

/// The checksum and the sizes of a header: where a program did not know how large the file would
/// become, the sizes stand in the extra field, in twice as many bytes.
fn wide_sizes([crc, packed, size]: [u32; 3], extra: &[u8]) -> [u64; 3] {
    match (packed, size) {
        (u32::MAX, u32::MAX) => {
            let [size, packed] = in_extra_field(extra).unwrap_or([u64::MAX; 2]);
            [crc.into(), packed, size]
        }
        _ => [crc.into(), packed.into(), size.into()],
    }
}

/// Returns the size and the packed size that stand in the extra field of a header.
fn in_extra_field(extra: &[u8]) -> Option<[u64; 2]> {
    let mut fields = Fields(extra);
    loop {
        let (kind, bytes) = (fields.u16().ok()?, fields.u16().ok()?);
        let mut field = Fields(fields.take(bytes.into()).ok()?);
        if kind == 1 {
            let size = u64::from_le_bytes(field.array().ok()?);
            return Some([size, u64::from_le_bytes(field.array().ok()?)]);
        }
    }
}

/// True if the checksum and sizes that follow an entry's data equal those of the list.
fn says_after<S: Source + ?Sized>(source: &S, entry: &Entry) -> Result<bool, Fault> {
    let mut after = Vec::new();
    let at = entry.data + u64::from(entry.packed);
    Window::new(source, at, at + 24).read_to_end(&mut after)?;
    let narrow: Vec<u8> =
        [entry.crc, entry.packed, entry.size].iter().flat_map(|it| it.to_le_bytes()).collect();
    // Programs that do not know yet how large a file becomes write large numbers.
    let mut wide = entry.crc.to_le_bytes().to_vec();
    wide.extend([entry.packed, entry.size].iter().flat_map(|it| u64::from(*it).to_le_bytes()));
    let marked = after.strip_prefix(AFTER);
    let fits = |bytes: &[u8]| bytes.starts_with(&narrow) || bytes.starts_with(&wide);
    Ok(fits(&after) || marked.is_some_and(fits))
}

/// Checks that no two entries share bytes with one another or with the list.
fn apart(entries: &[Entry], list: u64) -> Result<(), Offence> {
    let mut ranges: Vec<(u64, u64)> = entries
        .iter()
        .map(|entry| (entry.header.into(), entry.data + u64::from(entry.packed)))
        .collect();
    ranges.sort_unstable();
    ranges.push((list, list));
    let mut free = 0;
    for (begin, end) in ranges {
        if begin < free {
            return Err(Offence::Broken("its files lie on top of one another"));
        }
        free = end;
    }
    Ok(())
}

/// Returns the content of an entry if it has at most `limit` bytes.
pub(crate) fn content<S: Source + ?Sized>(
    source: &S,
    entry: &Entry,
    limit: u64,
) -> Result<Content, Fault> {
    let size = u64::from(entry.size);
    if size > limit {
        return Ok(Content::TooLong);
    }
    let packed = Window::new(source, entry.data, entry.data + u64::from(entry.packed));
    let mut packed = BufReader::new(packed);
    let mut bytes = Vec::new();
    let damaged = |why| Offence::Damaged { name: entry_name(&entry.name), why };
    if entry.method == STORED {
        packed.take(size + 1).read_to_end(&mut bytes)?;
    } else {
        let mut decoder = DeflateDecoder::new(&mut packed);
        // One more than there should be, so that what is longer than it says is not read on.
        let read = decoder.by_ref().take(size + 1).read_to_end(&mut bytes);
        read.map_err(|error| not_ours(error, || damaged("it cannot be decompressed")))?;
        if bytes.len() as u64 == size && decoder.total_in() != u64::from(entry.packed) {
            return Err(damaged("something follows it").into());
        }
    }
    if bytes.len() as u64 != size {
        return Err(damaged("it is not as long as it says").into());
    }
    let mut crc = Crc::new();
    crc.update(&bytes);
    if crc.sum() != entry.crc {
        return Err(damaged("its checksum is wrong").into());
    }
    Ok(Content::Bytes(bytes))
}
