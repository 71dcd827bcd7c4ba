//! Archives: of one student, and bulk downloads.

use std::collections::BTreeMap;
use std::path::{Component, PathBuf};

use flate2::Crc;
use softmark::intake::archive::{Contents, Limits, Offence, read_bytes};

use super::super::builders::{ZipEntry, pax, tar, tar_entry, zip};

/// How an archive is read: by [`read_bytes`], or by it and an eye on its memory.
pub type Reader = fn(&[u8], &Limits, &[PathBuf], u64) -> Result<Contents, Offence>;

/// Limits that a few kilobytes reach, the tightest first.
const LIMITS: [Limits; 3] = [
    Limits {
        archive_bytes: 3000,
        entries: 40,
        total_bytes: 1 << 16,
        ratio: 20,
        depth: 4,
        path_bytes: 60,
    },
    Limits::SUBMISSION,
    Limits::BULK,
];

/// Of how many files the contents are asked for, and up to which size.
const MOST_FILES: usize = 4;
const MOST_BYTES: u64 = 600;

/// What leads elsewhere is never found, whatever an archive calls its files.
const ELSEWHERE: [&str; 5] = ["", ".", "..", "../a", "/a"];

/// Bytes are an archive or none; what is accepted has names that are safe, and one meaning.
pub fn archive(data: &[u8]) {
    archive_by(data, read_bytes);
}

/// The same, with another reader.
pub fn archive_by(data: &[u8], read: Reader) {
    under_all_limits(data, read);
    if let Some(mended) = with_checksums(data) {
        under_all_limits(&mended, read);
    }
    in_all_formats(&entries(data), read);
}

fn under_all_limits(data: &[u8], read: Reader) {
    let found = LIMITS.map(|limits| under(data, &limits, read));
    for pair in found.windows(2) {
        match pair {
            // Wider limits accept the same and more.
            [Ok(contents), wider] => assert_eq!(wider.as_ref(), Ok(contents)),
            [Err(offence), Ok(_)] => assert!(
                matches!(
                    offence,
                    Offence::Large { .. }
                        | Offence::Entries { .. }
                        | Offence::Total { .. }
                        | Offence::Ratio { .. }
                        | Offence::LongPath { .. }
                        | Offence::Deep { .. }
                ),
                "no limit, and another verdict: {offence:?}"
            ),
            _ => {}
        }
    }
    if let [_, Ok(contents), _] = &found {
        packed_again(contents, read);
    }
}

/// Reads the list, then the first files; what is said of both.
fn under(data: &[u8], limits: &Limits, read: Reader) -> Result<Contents, Offence> {
    let listed = read(data, limits, &[], MOST_BYTES);
    assert_eq!(read(data, limits, &[], MOST_BYTES), listed, "it is read in two ways");
    let Contents { names, files } = listed.inspect_err(one_line)?;
    assert!(files.is_empty(), "nothing was asked for");
    safe(&names, limits);
    let mut wanted: Vec<PathBuf> = names.iter().take(MOST_FILES).cloned().collect();
    wanted.extend(ELSEWHERE.map(PathBuf::from));
    let taken = read(data, limits, &wanted, MOST_BYTES).inspect_err(|offence| {
        one_line(offence);
        let of_content = matches!(offence, Offence::Damaged { .. } | Offence::Broken(_));
        assert!(of_content, "the list was accepted: {offence:?}");
    })?;
    assert_eq!(taken.names, names);
    for (path, bytes) in &taken.files {
        assert!(names.contains(path), "{} is not listed", path.display());
        let size = bytes.len() as u64;
        assert!(size <= MOST_BYTES, "{} has {size} bytes", path.display());
    }
    // Taken where so many bytes may be taken, and not where one less may: it is as long as it was
    // said to be.
    if let Some((path, bytes)) = taken.files.last_key_value() {
        let size = bytes.len() as u64;
        let alone = |most| read(data, limits, std::slice::from_ref(path), most).map(|it| it.files);
        assert_eq!(alone(size), Ok(BTreeMap::from([(path.clone(), bytes.clone())])));
        if let Some(less) = size.checked_sub(1) {
            assert_eq!(alone(less), Ok(BTreeMap::new()));
        }
    }
    Ok(taken)
}

fn one_line(offence: &Offence) {
    let text = offence.to_string();
    assert!(!text.chars().any(char::is_control) && text.len() < 2000, "{text:?}");
}

/// Names lead to one place each, below a folder, wherever they are unpacked.
fn safe(names: &[PathBuf], limits: &Limits) {
    assert!(names.len() <= limits.entries);
    assert!(names.is_sorted_by(|one, next| one < next), "a name stands twice");
    // As it is where capitals make no difference → as it is written.
    let mut prefixes: BTreeMap<String, String> = BTreeMap::new();
    for name in names {
        let Some(text) = name.to_str() else { panic!("{} is no text", name.display()) };
        assert!(text.len() <= limits.path_bytes, "{text:?} is too long");
        assert!(!text.contains('\\') && !text.chars().any(char::is_control), "{text:?}");
        assert!(text.as_bytes().get(1) != Some(&b':'), "{text:?} may name a drive");
        let parts: Vec<&str> = text.split('/').collect();
        assert!(parts.len() <= limits.depth + 1, "{text:?} is too deep");
        let plain = |part| matches!(part, Component::Normal(_));
        assert!(name.components().all(plain), "{text:?} leads elsewhere");
        assert_eq!(name.components().count(), parts.len(), "{text:?}");
        for (at, part) in parts.iter().enumerate() {
            // What tools leave behind is not used.
            if *part == "target" || *part == "__MACOSX" || part.starts_with('.') {
                break;
            }
            let prefix = parts.iter().take(at + 1).copied().collect::<Vec<_>>().join("/");
            let folded = prefix.to_uppercase().to_lowercase();
            let other = prefixes.entry(folded).or_insert_with(|| prefix.clone());
            assert_eq!(*other, prefix, "two names clash");
        }
        let mut above = name.ancestors().skip(1);
        let file = above.find(|folder| names.iter().any(|other| other == folder));
        assert_eq!(file, None, "it is a file and a folder");
    }
}

/// What was taken, as an archive of its own, reads the same.
fn packed_again(contents: &Contents, read: Reader) {
    // Zero bytes alone are a tar archive of nothing, and might be anything.
    if contents.files.is_empty() {
        return;
    }
    let entry = |(path, bytes): (&PathBuf, &Vec<u8>)| {
        let name = path.as_os_str().as_encoded_bytes();
        tar_named(name, b'0', bytes)
    };
    let packed = tar(&contents.files.iter().map(entry).collect::<Vec<_>>());
    let names: Vec<PathBuf> = contents.files.keys().cloned().collect();
    let again = read(&packed, &Limits::SUBMISSION, &names, MOST_BYTES);
    assert_eq!(again, Ok(Contents { names, files: contents.files.clone() }));
}

/// A tar archive's entry whose name may be any bytes.
fn tar_named(name: &[u8], kind: u8, bytes: &[u8]) -> Vec<u8> {
    [tar_entry(b"x", b'x', &pax("path", name)), tar_entry(b"x", kind, bytes)].concat()
}

/// The bytes with the checksum of every block that may be a header of a tar archive: whoever
/// changes bytes by chance would hardly hit it.
fn with_checksums(data: &[u8]) -> Option<Vec<u8>> {
    let mut mended = data.to_vec();
    for block in mended.chunks_exact_mut(512) {
        if block.get(257..262) == Some(b"ustar") {
            let Some(field) = block.get_mut(148..156) else { continue };
            field.copy_from_slice(b"        ");
            let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
            let Some(field) = block.get_mut(148..156) else { continue };
            field.copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        }
    }
    (mended != data).then_some(mended)
}

/// What an archive of any format could hold.
struct Entry {
    name: Vec<u8>,
    /// What it is, and how it is packed in a zip archive.
    kind: u8,
    bytes: Vec<u8>,
}

/// The bytes, taken for a list: what it is; how long the name is, and the name; how long it is
/// itself, and what it holds.
fn entries(mut data: &[u8]) -> Vec<Entry> {
    let mut found = Vec::new();
    let mut take = |bytes: usize| {
        let (taken, rest) = data.split_at_checked(bytes)?;
        data = rest;
        Some(taken)
    };
    let mut next = || {
        let (kind, name) = (*take(1)?.first()?, *take(1)?.first()?);
        // Eight times the same is deep, or long, and is soon written.
        let times = if name & 0x80 == 0 { 1 } else { 8 };
        let name = take(usize::from(name & 0x7f))?.repeat(times);
        // Only files hold something: readers of tar archives do not agree on the others.
        let bytes = if kind % 4 == 0 { usize::from(*take(1)?.first()?) } else { 0 };
        Some(Entry { name, kind, bytes: take(bytes)?.to_vec() })
    };
    // So many as are soon packed.
    while let Some(entry) = (found.len() < 24).then(&mut next).flatten() {
        found.push(entry);
    }
    found
}

/// The same entries are the same, or the same offence, however they are packed.
fn in_all_formats(entries: &[Entry], read: Reader) {
    // As above.
    if entries.is_empty() {
        return;
    }
    let zipped: Vec<ZipEntry> = entries.iter().map(zip_entry).collect();
    let tarred: Vec<Vec<u8>> = entries.iter().map(in_tar).collect();
    let (zipped, tarred) = (zip(&zipped), tar(&tarred));
    let found = under(&zipped, &Limits::SUBMISSION, read);
    // A file may hold what ends an archive, and a name what stands before the end of a large one.
    let is_named = |mark: &[u8]| {
        entries.iter().any(|entry| entry.name.windows(mark.len()).any(|part| part == mark))
    };
    if found == Err(Offence::Broken("it has two ends"))
        || (found == Err(Offence::Zip64) && is_named(b"PK\x06\x07"))
    {
        return;
    }
    let names = found.as_ref().map_or(&[][..], |contents| &contents.names);
    let wanted = names.get(..MOST_FILES).unwrap_or(names);
    for (format, bytes) in [("tar", &tarred), ("tar.gz", &gzipped(&tarred))] {
        let other = read(bytes, &Limits::SUBMISSION, wanted, MOST_BYTES);
        assert_eq!(other, found, "as .{format}, and as .zip");
    }
}

/// Packed by gzip, and not compressed: a compressor would take most of a fuzzer's time.
fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut packed = b"\x1f\x8b\x08\0\0\0\0\0\0\xff".to_vec();
    for block in bytes.chunks(usize::from(u16::MAX)) {
        let size = u16::try_from(block.len()).unwrap_or(u16::MAX);
        packed.push(0);
        packed.extend([size, !size].into_iter().flat_map(u16::to_le_bytes));
        packed.extend(block);
    }
    // The last block is one of nothing.
    packed.extend(b"\x01\0\0\xff\xff");
    let mut crc = Crc::new();
    crc.update(bytes);
    packed.extend([crc.sum(), crc.amount()].into_iter().flat_map(u32::to_le_bytes));
    packed
}

fn zip_entry(entry: &Entry) -> ZipEntry {
    let made = match entry.kind / 4 % 4 {
        _ if entry.bytes.is_empty() => ZipEntry::stored("", b""),
        0 => ZipEntry::packed("", &entry.bytes),
        1 => ZipEntry::streamed("", &entry.bytes),
        _ => ZipEntry::stored("", &entry.bytes),
    };
    let mode = match entry.kind % 4 {
        0 => 0o100_644,
        1 => 0o040_755,
        2 => 0o120_777,
        _ => 0o010_644,
    };
    ZipEntry { name: entry.name.clone(), mode, ..made }
}

fn in_tar(entry: &Entry) -> Vec<u8> {
    let kind = match entry.kind % 4 {
        0 => b'0',
        1 => b'5',
        2 => b'2',
        _ => b'6',
    };
    tar_named(&entry.name, kind, &entry.bytes)
}
