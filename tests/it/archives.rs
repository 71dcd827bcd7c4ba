//! An archive is what its folder was, or is rejected: every offence, from real and from hand-made
//! bytes.

mod any_bytes;
mod as_folders;
mod limits;

use std::collections::BTreeMap;
use std::path::PathBuf;

use softmark::assignment::{Assignment, Deadline};
use softmark::intake::archive::{Contents, Limits, Offence, read_bytes};
use softmark::model::Points;
use softmark_sandbox::Limits as WorkerLimits;

use crate::support::archive::{
    ZipEnd, ZipEntry, gzipped, pax, tar, tar_entry, tar_sized, zip, zip_ending,
};

fn assignment() -> Assignment {
    Assignment {
        id: "demo".to_owned(),
        title: "Demo".to_owned(),
        points: Points::ZERO,
        tasks: Vec::new(),
        collect: vec!["one.rs".to_owned(), "deep/two.rs".to_owned()],
        provided: BTreeMap::from([("lib.rs".to_owned(), b"// ours\n".to_vec())]),
        skeleton: BTreeMap::new(),
        answers: Vec::new(),
        written: Vec::new(),
        uploads: Vec::new(),
        data: Vec::new(),
        worker: WorkerLimits::generous(),
        training: None,
        deadline: Deadline::generous(),
        sha256: String::new(),
    }
}

fn taken(bytes: &[u8]) -> Result<Contents, Offence> {
    taken_within(bytes, &Limits::SUBMISSION)
}

fn taken_within(bytes: &[u8], limits: &Limits) -> Result<Contents, Offence> {
    let wanted = ["src/one.rs", "src/deep/two.rs"].map(PathBuf::from);
    read_bytes(bytes, limits, &wanted, 1 << 18)
}

fn offence(bytes: &[u8]) -> Offence {
    let offence = taken(bytes).unwrap_err();
    let text = offence.to_string();
    assert!(!text.contains(char::is_control), "{text:?}");
    offence
}

/// The same entries as each kind of archive.
fn all_kinds(files: &[(&str, &str)]) -> Vec<(&'static str, Vec<u8>)> {
    let of = |entry: fn(&str, &[u8]) -> ZipEntry| {
        zip(&files.iter().map(|(name, text)| entry(name, text.as_bytes())).collect::<Vec<_>>())
    };
    let entry = |(name, text): &(&str, &str)| tar_entry(name.as_bytes(), b'0', text.as_bytes());
    let plain = tar(&files.iter().map(entry).collect::<Vec<_>>());
    vec![
        ("stored", of(ZipEntry::stored)),
        ("packed", of(ZipEntry::packed)),
        ("streamed", of(ZipEntry::streamed)),
        ("tar.gz", gzipped(&plain)),
        ("tar", plain),
    ]
}

#[test]
fn every_kind_of_archive_is_read() {
    for (kind, bytes) in all_kinds(&[("src/one.rs", "one"), ("src/deep/two.rs", ""), ("x", "y")]) {
        let contents = taken(&bytes).unwrap_or_else(|offence| panic!("{kind}: {offence}"));
        let names = ["src/deep/two.rs", "src/one.rs", "x"].map(PathBuf::from);
        assert_eq!(contents.names, names, "{kind}");
        assert_eq!(contents.files[std::path::Path::new("src/one.rs")], b"one", "{kind}");
        assert_eq!(contents.files.len(), 2, "{kind}");
    }
}

#[test]
fn names_that_lead_elsewhere_are_rejected_in_every_kind() {
    let long = "a".repeat(Limits::SUBMISSION.path_bytes + 1);
    for (name, said) in [
        ("/etc/passwd", "absolute path `/etc/passwd`"),
        ("../x", "leads out of it by `..`"),
        ("src/../../x", "leads out of it by `..`"),
        ("src/..", "leads out of it by `..`"),
        ("target/../../x", "leads out of it by `..`"),
        ("C:/x", "names a drive"),
        ("C:x", "names a drive"),
        ("src\\one.rs", "a backslash"),
        ("..\\x", "a backslash"),
        ("a\u{1b}[2Jb", "`a%1B[2Jb`"),
        ("a\nb", "control character"),
        (&long, "longer than 400 bytes"),
        (&"d/".repeat(30), "more than 24 folders deep"),
    ] {
        let of_zip =
            offence(&zip(&[ZipEntry::packed("src/one.rs", b""), ZipEntry::packed(name, b"")]));
        assert!(of_zip.to_string().contains(said), "{of_zip}");
        // A header holds a hundred bytes of a name; the longer ones stand in one of their own.
        let entry = if name.len() > 100 {
            [tar_entry(b"x", b'L', name.as_bytes()), tar_entry(b"x", b'0', b"")].concat()
        } else {
            tar_entry(name.as_bytes(), b'0', b"")
        };
        let of_tar = offence(&gzipped(&tar(&[entry])));
        assert_eq!(of_tar, of_zip);
    }
    let broken = ZipEntry { name: b"caf\xe9".to_vec(), ..ZipEntry::stored("", b"") };
    assert!(offence(&zip(&[broken])).to_string().contains("`caf%E9`, which is not UTF-8"));
    assert!(matches!(offence(&tar(&[tar_entry(b"caf\xe9", b'0', b"")])), Offence::NotUtf8(_)));
    assert_eq!(offence(&zip(&[ZipEntry::stored("", b"")])), Offence::NoName);
    let zero = offence(&zip(&[ZipEntry::stored("src/one.rs\0.txt", b"")]));
    assert!(matches!(zero, Offence::Control(_)), "{zero}");
}

#[test]
fn names_stand_once_in_every_kind() {
    for (files, said) in [
        ([("src/one.rs", "1"), ("src/one.rs", "2")], "`src/one.rs` stands twice"),
        ([("src/one.rs", "1"), ("./src//one.rs", "2")], "`src/one.rs` stands twice"),
        ([("src/one.rs", "1"), ("src/One.rs", "2")], "differ in capitals only"),
        ([("src/one.rs", "1"), ("SRC/two.rs", "2")], "differ in capitals only"),
        ([("src", "1"), ("src/one.rs", "2")], "both a file and a folder"),
        ([("src/one.rs", "1"), ("src", "2")], "both a file and a folder"),
        ([("src/one.rs/", "1"), ("x", "2")], "both a file and a folder"),
    ] {
        for (kind, bytes) in all_kinds(&files) {
            let offence = offence(&bytes);
            assert!(offence.to_string().contains(said), "{kind}: {offence}");
        }
    }
}

#[test]
fn what_is_neither_file_nor_folder_is_rejected() {
    for mode in [0o120_777, 0o020_666, 0o060_660, 0o010_644, 0o140_755] {
        let entry = ZipEntry { mode, ..ZipEntry::stored("src/one.rs", b"/etc/passwd") };
        let offence = offence(&zip(&[entry]));
        let is_link = matches!(offence, Offence::Link(_));
        assert!(is_link == (mode == 0o120_777), "{mode:o}: {offence}");
        assert!(is_link || matches!(offence, Offence::Special(_)), "{mode:o}: {offence}");
    }
    for kind in [b'1', b'2'] {
        assert!(matches!(offence(&tar(&[tar_entry(b"a", kind, b"")])), Offence::Link(_)));
    }
    for kind in [b'3', b'4', b'6', b'D', b'V', b'M', b'N', 0xff] {
        assert!(matches!(offence(&tar(&[tar_entry(b"a", kind, b"")])), Offence::Special(_)));
    }
    for kind in [b'1', b'2', b'3', b'5', b'6'] {
        let bytes = tar(&[tar_entry(b"a", kind, b"x")]);
        assert!(matches!(offence(&bytes), Offence::Broken(_)), "{kind}");
    }
}

#[test]
fn litter_does_not_reject() {
    let link = |name| ZipEntry { mode: 0o120_777, ..ZipEntry::stored(name, b"x") };
    let one = ZipEntry::packed("src/one.rs", b"1");
    let litter = [one, link("target/debug/x"), link(".venv/bin/python"), link("__MACOSX/._src")];
    assert_eq!(taken(&zip(&litter)).unwrap().files.len(), 1);
    let hard = tar_entry(b"target/debug/x", b'1', b"");
    assert!(taken(&tar(&[hard])).is_ok());
    // No link is ever read, wherever it lies.
    let asked = PathBuf::from("target/debug/x");
    let contents = read_bytes(&zip(&litter), &Limits::SUBMISSION, &[asked], 100).unwrap();
    assert_eq!(contents.files, BTreeMap::new());
}

#[test]
fn what_is_packed_in_a_way_that_is_not_read_says_how() {
    let entry = ZipEntry::packed("src/one.rs", b"one");
    for flags in [1, 1 << 6 | 1, 1 << 13] {
        let offence = offence(&zip(&[ZipEntry { flags, ..entry.clone() }]));
        assert!(matches!(offence, Offence::Encrypted(_)), "{flags:x}: {offence}");
    }
    for (method, name) in
        [(9, "deflate64"), (12, "bzip2"), (14, "LZMA"), (93, "Zstandard"), (1, "method 1")]
    {
        let offence = offence(&zip(&[ZipEntry { method, ..entry.clone() }]));
        assert!(offence.to_string().contains(&format!("packed by {name}")), "{offence}");
    }
    for (bytes, format) in [
        (b"Rar!\x1a\x07\x01\0rest".as_slice(), "RAR"),
        (b"7z\xbc\xaf\x27\x1c\0\x04", "7-Zip"),
        (b"\xfd7zXZ\0\0", ".xz"),
        (b"BZh91AY", ".bz2"),
        (b"\x28\xb5\x2f\xfd", ".zst"),
    ] {
        assert_eq!(offence(bytes), Offence::Format(format));
    }
    assert_eq!(offence(b""), Offence::Empty);
    assert_eq!(offence(b"fn main() {}"), Offence::NoArchive);
    assert_eq!(offence(&[0; 2048]), Offence::NoArchive);
}

#[test]
fn a_zip_archive_has_one_list_and_one_end() {
    let entries = [ZipEntry::packed("src/one.rs", b"one"), ZipEntry::packed("x", b"y")];
    let good = zip(&entries);
    assert!(taken(&good).is_ok());
    let broken = |end: ZipEnd, said: &str| {
        let offence = offence(&zip_ending(&entries, &end));
        assert!(offence.to_string().contains(said), "{said}: {offence}");
    };
    let plain = ZipEnd::default;
    broken(ZipEnd { entries: Some(1), ..plain() }, "longer than it says");
    broken(ZipEnd { entries: Some(3), ..plain() }, "ends too early");
    broken(ZipEnd { entries: Some(u16::MAX), ..plain() }, "zip64");
    broken(ZipEnd { list: Some(0), ..plain() }, "not where it should be");
    broken(ZipEnd { list: Some(u32::MAX), ..plain() }, "zip64");
    broken(ZipEnd { list_bytes: Some(0), ..plain() }, "not where it should be");
    broken(ZipEnd { before: b"gap".to_vec(), ..plain() }, "not where it should be");
    let wide = [b"PK\x06\x07".as_slice(), &[0; 16]].concat();
    broken(ZipEnd { before: wide, ..plain() }, "zip64");
    // A comment may be anything but another end.
    let comment = ZipEnd { comment: b"handed in at last".to_vec(), ..plain() };
    assert!(taken(&zip_ending(&entries, &comment)).is_ok());
    broken(ZipEnd { comment: zip(&[]), ..plain() }, "two ends");
    let appended = [good.as_slice(), b"x"].concat();
    assert!(offence(&appended).to_string().contains("does not end as a zip archive does"));
    for cut in 1..good.len() {
        let (front, _) = good.split_at(cut);
        let offence = offence(front);
        assert!(matches!(offence, Offence::Broken(_) | Offence::NoArchive), "{cut}: {offence}");
    }
}

#[test]
fn the_list_and_the_headers_say_the_same() {
    let entry = || ZipEntry::packed("src/one.rs", b"one");
    let wrong = |entry: ZipEntry| offence(&zip(&[entry])).to_string();
    let other = Some(b"src/two.rs".to_vec());
    assert!(wrong(ZipEntry { local_name: other, ..entry() }).contains("two names"));
    assert!(wrong(ZipEntry { local_size: Some(9), ..entry() }).contains("two sizes"));
    let stored = ZipEntry { size: 9, ..ZipEntry::stored("a", b"b") };
    assert!(wrong(stored).contains("two sizes"));
    let after = ZipEntry {
        after: b"PK\x07\x08\0\0\0\0\0\0\0\0\0\0\0\0".to_vec(),
        ..ZipEntry::streamed("a", b"b")
    };
    assert!(wrong(after).contains("what follows it does not fit"));
    // Sizes that a program knew, and sizes of twice as many bytes.
    let known = |size| ZipEntry { local_size: Some(size), ..ZipEntry::streamed("a", b"b") };
    assert!(taken(&zip(&[known(1)])).is_ok());
    assert!(wrong(known(2)).contains("two sizes"));
    let wide = |size: u64| {
        let packed = entry().packed.len() as u64;
        let mut local_extra = vec![9, 9, 1, 0, 0, 1, 0, 16, 0];
        local_extra.extend(size.to_le_bytes());
        local_extra.extend(packed.to_le_bytes());
        ZipEntry { local_extra, ..entry() }
    };
    assert!(taken(&zip(&[wide(3)])).is_ok());
    assert!(wrong(wide(1 << 32 | 3)).contains("two sizes"));
    assert!(wrong(ZipEntry { local_extra: vec![1], ..entry() }).contains("two sizes"));
    // Two entries of one stretch of bytes: how small archives become endless ones.
    let twice = [
        entry(),
        ZipEntry {
            name: b"x".to_vec(),
            local_name: Some(b"x".to_vec()),
            header: Some(0),
            ..entry()
        },
    ];
    let offence = offence(&zip(&twice));
    assert!(offence.to_string().contains("on top of one another"), "{offence}");
}

#[test]
fn what_comes_out_is_what_was_declared() {
    let entry = || ZipEntry::packed("src/one.rs", b"one one one one one");
    let wrong = |entry: ZipEntry| offence(&zip(&[entry])).to_string();
    assert!(wrong(ZipEntry { size: 18, ..entry() }).contains("not as long as it says"));
    assert!(wrong(ZipEntry { size: 20, ..entry() }).contains("not as long as it says"));
    assert!(wrong(ZipEntry { crc: 7, ..entry() }).contains("checksum"));
    let mut long = entry();
    long.packed.push(0);
    assert!(wrong(long).contains("something follows it"));
    let mut cut = entry();
    cut.packed.pop();
    assert!(wrong(cut).contains("cannot be decompressed"));
    let noise = ZipEntry { packed: vec![0xff; 30], ..entry() };
    assert!(wrong(noise).contains("cannot be decompressed"));
    // Of what is not asked for nothing is decompressed, so that nothing of it is known.
    let other =
        ZipEntry { name: b"x".to_vec(), local_name: Some(b"x".to_vec()), crc: 7, ..entry() };
    assert!(taken(&zip(&[other])).is_ok());
}

#[test]
fn a_tar_archive_has_one_reading() {
    let one = || tar_entry(b"src/one.rs", b'0', b"one");
    let wrong = |bytes: Vec<u8>, said: &str| {
        for bytes in [gzipped(&bytes), bytes] {
            let offence = offence(&bytes);
            assert!(offence.to_string().contains(said), "{said}: {offence}");
        }
    };
    let named = |headers: &[Vec<u8>]| {
        let bytes = tar(&[headers, &[one()]]
            .concat()
            .concat()
            .chunks(512)
            .map(<[u8]>::to_vec)
            .collect::<Vec<_>>());
        taken(&bytes).map(|contents| contents.names)
    };
    // Names in headers of their own.
    assert_eq!(named(&[tar_entry(b"x", b'L', b"y/z\0")]).unwrap(), [PathBuf::from("y/z")]);
    let path = |name: &str| tar_entry(b"x", b'x', &pax("path", name));
    assert_eq!(named(&[path("y/z")]).unwrap(), [PathBuf::from("y/z")]);
    assert!(matches!(named(&[path("../z")]), Err(Offence::Parent(_))));
    assert!(matches!(named(&[path("y\n9 path=z")]), Err(Offence::Control(_))));
    // What they say besides is nobody's business, such as git's note of a commit.
    let comment = |kind| tar_entry(b"x", kind, &pax("comment", "0123456789abcdef"));
    assert_eq!(named(&[comment(b'g'), comment(b'x')]).unwrap(), [PathBuf::from("src/one.rs")]);
    wrong(tar(&[tar_entry(b"x", b'L', b"y"), path("z"), one()]), "two names");
    wrong(tar(&[path("y"), path("z"), one()]), "two names");
    wrong(tar(&[tar_entry(b"x", b'g', &pax("path", "y")), one()]), "all entries have one name");
    wrong(tar(&[one(), path("y")]), "says nothing of any file");
    wrong(tar(&[tar_entry(b"x", b'x', b"9 path=y"), one()]), "no list of values");
    wrong(tar(&[tar_entry(b"x", b'x', b"99 path=y\n"), one()]), "no list of values");
    wrong(tar(&[tar_entry(b"x", b'x', b"2 path=y\n"), one()]), "no list of values");
    wrong(tar(&[tar_entry(b"x", b'x', &pax("size", "-1")), one()]), "a size is no number");
    wrong(
        tar(&[tar_entry(b"x", b'x', &pax("size", "99999999999999999999")), one()]),
        "a size is no number",
    );
    let size = |size: &str| tar(&[tar_entry(b"x", b'x', &pax("size", size)), one()]);
    wrong(size("600"), "ends too early");
    wrong(size("0"), "no header where one should be");
    wrong(tar(&[tar_entry(b"x", b'x', &pax("GNU.sparse.major", "1")), one()]), "sparse");
    wrong(tar(&[tar_entry(b"src/one.rs", b'S', b"")]), "sparse");
    // Sizes.
    for (size, said) in [
        (b"0000000000z\0".as_slice(), "a size is no number"),
        (b"-0000000001\0", "a size is no number"),
        (&[0xff; 12], "a size is no number"),
        (&[0x80, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0], "a size is no number"),
        (&[0x80, 0, 0, 0, 0, 0xff, 0, 0, 0, 0, 0, 0], "unpacks to more than"),
        (b"77777777777\0", "unpacks to more than"),
    ] {
        wrong(tar(&[tar_sized(b"src/one.rs", b'0', size, b"")]), said);
    }
    let binary = [0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3];
    assert!(taken(&tar(&[tar_sized(b"src/one.rs", b'0', &binary, b"one")])).is_ok());
    // Ends.
    wrong(one(), "ends too early");
    wrong([one(), vec![0; 512]].concat(), "ends too early");
    wrong([one(), vec![0; 512], one(), vec![0; 1024]].concat(), "something follows its end");
    wrong([tar(&[one()]), one()].concat(), "something follows its end");
    assert!(taken(&[tar(&[one()]), vec![0; 10_240]].concat()).is_ok(), "padding is common");
    let mut header = tar(&[one(), one()]);
    header[512 + 512] ^= 1;
    wrong(header, "no header where one should be");
}

#[test]
fn a_gzip_file_is_one_piece() {
    let whole = gzipped(&tar(&[tar_entry(b"src/one.rs", b'0', b"one")]));
    for (rest, is_read) in [(vec![0; 100], true), (whole.clone(), false), (b"x".to_vec(), false)] {
        let bytes = [whole.clone(), rest].concat();
        assert_eq!(taken(&bytes).is_ok(), is_read);
    }
    for cut in 1..whole.len() {
        let (front, _) = whole.split_at(cut);
        assert!(taken(front).is_err(), "{cut}");
    }
    for at in 0..8 {
        // The checksum and the length at the end.
        let mut bytes = whole.clone();
        let last = bytes.len() - 1 - at;
        bytes[last] ^= 1;
        assert!(taken(&bytes).is_err(), "{at}");
    }
    assert!(offence(&gzipped(b"not tar")).to_string().contains("ends too early"));
}
