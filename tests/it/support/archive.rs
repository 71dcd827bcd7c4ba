//! Archives, byte by byte: what programs write, and what none would.

use std::io::Write;

use flate2::write::{DeflateEncoder, GzEncoder};
use flate2::{Compression, Crc};

/// An entry of a zip archive; every field can be made a lie.
#[derive(Debug, Clone)]
pub(crate) struct ZipEntry {
    /// In the list.
    pub(crate) name: Vec<u8>,
    /// In the header before the data; the same unless it is said.
    pub(crate) local_name: Option<Vec<u8>>,
    pub(crate) flags: u16,
    pub(crate) method: u16,
    /// What stands in the archive.
    pub(crate) packed: Vec<u8>,
    pub(crate) crc: u32,
    /// As it is declared.
    pub(crate) size: u32,
    /// In the header before the data.
    pub(crate) local_size: Option<u32>,
    /// In the header before the data, whose sizes are then those for which there is no room.
    pub(crate) local_extra: Vec<u8>,
    /// Upper half of the outer attributes.
    pub(crate) mode: u16,
    /// Where the header is, in the list; where it is unless it is said.
    pub(crate) header: Option<u32>,
    /// What comes after the data.
    pub(crate) after: Vec<u8>,
}

pub(crate) fn crc(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

pub(crate) fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

impl ZipEntry {
    /// As it is.
    pub(crate) fn stored(name: &str, bytes: &[u8]) -> Self {
        Self {
            name: name.as_bytes().to_vec(),
            local_name: None,
            flags: 0,
            method: 0,
            packed: bytes.to_vec(),
            crc: crc(bytes),
            size: u32::try_from(bytes.len()).unwrap(),
            local_size: None,
            local_extra: Vec::new(),
            mode: 0o100_644,
            header: None,
            after: Vec::new(),
        }
    }

    /// Compressed.
    pub(crate) fn packed(name: &str, bytes: &[u8]) -> Self {
        Self { method: 8, packed: deflated(bytes), ..Self::stored(name, bytes) }
    }

    /// A folder.
    pub(crate) fn folder(name: &str) -> Self {
        Self { mode: 0o040_755, ..Self::stored(&format!("{name}/"), b"") }
    }

    /// With its sizes after the data, as programs write that do not know them before.
    pub(crate) fn streamed(name: &str, bytes: &[u8]) -> Self {
        let entry = Self::packed(name, bytes);
        let packed = u32::try_from(entry.packed.len()).unwrap();
        let mut after = b"PK\x07\x08".to_vec();
        for number in [entry.crc, packed, entry.size] {
            after.extend(number.to_le_bytes());
        }
        Self { flags: 8, after, ..entry }
    }
}

fn put(bytes: &mut Vec<u8>, short: &[u16]) {
    for number in short {
        bytes.extend(number.to_le_bytes());
    }
}

fn put_long(bytes: &mut Vec<u8>, long: &[u32]) {
    for number in long {
        bytes.extend(number.to_le_bytes());
    }
}

/// The end of a zip archive; every field can be made a lie.
#[derive(Debug, Clone, Default)]
pub(crate) struct ZipEnd {
    pub(crate) entries: Option<u16>,
    pub(crate) list: Option<u32>,
    pub(crate) list_bytes: Option<u32>,
    pub(crate) comment: Vec<u8>,
    /// Before it.
    pub(crate) before: Vec<u8>,
}

pub(crate) fn zip(entries: &[ZipEntry]) -> Vec<u8> {
    zip_ending(entries, &ZipEnd::default())
}

pub(crate) fn zip_ending(entries: &[ZipEntry], end: &ZipEnd) -> Vec<u8> {
    let len = |bytes: &[u8]| u16::try_from(bytes.len()).unwrap();
    let long = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap();
    let (mut bytes, mut list) = (Vec::new(), Vec::new());
    for entry in entries {
        let header = entry.header.unwrap_or(long(&bytes));
        let name = entry.local_name.as_ref().unwrap_or(&entry.name);
        let sizes = if !entry.local_extra.is_empty() {
            [entry.crc, u32::MAX, u32::MAX]
        } else if entry.flags & 8 == 0 {
            [entry.crc, long(&entry.packed), entry.local_size.unwrap_or(entry.size)]
        } else {
            [0, 0, entry.local_size.unwrap_or(0)]
        };
        bytes.extend(b"PK\x03\x04");
        put(&mut bytes, &[20, entry.flags, entry.method, 0, 0x21]);
        put_long(&mut bytes, &sizes);
        put(&mut bytes, &[len(name), len(&entry.local_extra)]);
        bytes.extend(name);
        bytes.extend(&entry.local_extra);
        bytes.extend(&entry.packed);
        bytes.extend(&entry.after);
        list.extend(b"PK\x01\x02");
        put(&mut list, &[0x031e, 20, entry.flags, entry.method, 0, 0x21]);
        put_long(&mut list, &[entry.crc, long(&entry.packed), entry.size]);
        put(&mut list, &[len(&entry.name), 0, 0, 0, 0]);
        put_long(&mut list, &[u32::from(entry.mode) << 16, header]);
        list.extend(&entry.name);
    }
    let at = long(&bytes);
    bytes.extend(&list);
    bytes.extend(&end.before);
    bytes.extend(b"PK\x05\x06");
    let count = end.entries.unwrap_or(u16::try_from(entries.len()).unwrap());
    put(&mut bytes, &[0, 0, count, count]);
    put_long(&mut bytes, &[end.list_bytes.unwrap_or(long(&list)), end.list.unwrap_or(at)]);
    put(&mut bytes, &[len(&end.comment)]);
    bytes.extend(&end.comment);
    bytes
}

/// A header of a tar archive, and what follows it up to the next.
pub(crate) fn tar_entry(name: &[u8], kind: u8, bytes: &[u8]) -> Vec<u8> {
    let size = format!("{:011o}\0", bytes.len());
    tar_sized(name, kind, size.as_bytes(), bytes)
}

/// The same, with a size that may be a lie.
pub(crate) fn tar_sized(name: &[u8], kind: u8, size: &[u8], bytes: &[u8]) -> Vec<u8> {
    let header = |checksum: &[u8]| {
        let mut header = Vec::new();
        for (field, end) in [
            (name, 100),
            (b"0000644".as_slice(), 124),
            (size, 148),
            (checksum, 156),
            (&[kind], 257),
            (b"ustar\x0000", 512),
        ] {
            header.extend(field);
            header.resize(end, 0);
        }
        header
    };
    let sum: u32 = header(b"        ").iter().map(|byte| u32::from(*byte)).sum();
    let mut entry = header(format!("{sum:06o}\0 ").as_bytes());
    entry.extend(bytes);
    entry.resize(entry.len().next_multiple_of(512), 0);
    entry
}

/// A record of an extended header.
pub(crate) fn pax(key: &str, value: impl AsRef<[u8]>) -> Vec<u8> {
    let rest = [b" ", key.as_bytes(), b"=", value.as_ref(), b"\n"].concat();
    let mut length = rest.len() + 1;
    while length.to_string().len() + rest.len() != length {
        length += 1;
    }
    [length.to_string().as_bytes(), &rest].concat()
}

/// Entries, and the end.
pub(crate) fn tar(entries: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = entries.concat();
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}
