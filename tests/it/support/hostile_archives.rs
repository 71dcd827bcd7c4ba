//! The archives of the attack corpus, each made of a submission's files.

use crate::support::archive::{ZipEntry, gzipped, pax, tar, tar_entry, zip};

/// Path below the submission → what it holds.
pub(crate) type Files = Vec<(String, Vec<u8>)>;

/// More than any archive may unpack to.
const BOMB_BYTES: usize = 96 << 20;

/// More entries than any archive may hold.
const CROWD: usize = 20_000;

fn entries(files: &Files) -> Vec<ZipEntry> {
    files.iter().map(|(name, bytes)| ZipEntry::packed(name, bytes)).collect()
}

fn zip_with(files: &Files, more: Vec<ZipEntry>) -> Vec<u8> {
    zip(&[entries(files), more].concat())
}

fn tar_with(files: &Files, more: &[Vec<u8>]) -> Vec<u8> {
    let entry = |(name, bytes): &(String, Vec<u8>)| tar_entry(name.as_bytes(), b'0', bytes);
    let all: Vec<Vec<u8>> = files.iter().map(entry).chain(more.iter().cloned()).collect();
    gzipped(&tar(&all))
}

/// A link of a tar archive: a header that says where it leads, then the link.
fn tar_link(name: &str, kind: u8, to: &str) -> Vec<Vec<u8>> {
    vec![
        tar_entry(b"x", b'x', &pax("linkpath", to)),
        tar_entry(name.as_bytes(), kind, b""),
        tar_entry(format!("{name}/softmark-attack-archive").as_bytes(), b'0', b"x"),
    ]
}

/// The archive of that kind: how its name ends, and its bytes. `told` puts in what an attack knows.
pub(crate) fn made(
    kind: &str,
    files: &Files,
    told: &dyn Fn(&str) -> String,
) -> (&'static str, Vec<u8>) {
    let one = |name: &str, text: &str| ZipEntry::stored(&told(name), told(text).as_bytes());
    let linked = |mode, name: &str, to: &str| ZipEntry { mode, ..one(name, to) };
    let mark = "softmark-attack-archive";
    let bytes = match kind {
        "zip-slip" => zip_with(files, vec![one("../../softmark-attack-archive", "x")]),
        "zip-absolute" => zip_with(files, vec![one("@DESK@/softmark-attack-archive", "x")]),
        "zip-backslash" => zip_with(files, vec![one("..\\..\\softmark-attack-archive", "x")]),
        "zip-link" => zip_with(
            files,
            vec![linked(0o120_777, "out", "@DESK@"), one("out/softmark-attack-archive", "x")],
        ),
        "zip-link-for-a-file" => {
            let others: Files =
                files.iter().filter(|(name, _)| !name.ends_with("attention.rs")).cloned().collect();
            let to = "@HOME@/solutions/attention/src/attention.rs";
            zip_with(&others, vec![linked(0o120_777, "src/attention.rs", to)])
        }
        "zip-device" => zip_with(files, vec![linked(0o020_666, "zero", "")]),
        "zip-twice" => zip_with(files, vec![one("src/attention.rs", "// another one\n")]),
        "zip-case" => zip_with(files, vec![one("src/Attention.rs", "// another one\n")]),
        "zip-two-names" => {
            let mut all = entries(files);
            if let Some(first) = all.first_mut() {
                first.local_name = Some(format!("../../{mark}").into_bytes());
            }
            zip(&all)
        }
        "zip-not-utf-8" => {
            zip_with(files, vec![ZipEntry { name: b"src/\xff\xfe.rs".to_vec(), ..one("x", "") }])
        }
        "zip-escapes" => zip_with(files, vec![one("\u{1b}[2J\u{1b}]0;x\u{7}.rs", "")]),
        "zip-bomb" => zip_with(files, vec![ZipEntry::packed("zeros", &vec![0; BOMB_BYTES])]),
        "zip-liar" => {
            // In the place of a file that is taken: what is not taken is never unpacked.
            let bomb = ZipEntry::packed("src/attention.rs", &vec![b' '; BOMB_BYTES]);
            let liar = ZipEntry { size: 10, local_size: Some(10), ..bomb };
            let others = entries(files).into_iter().filter(|it| it.name != liar.name);
            zip(&others.chain([liar.clone()]).collect::<Vec<_>>())
        }
        "zip-overlap" => {
            // Each entry of the list has the data of one and the same.
            let shared = ZipEntry::packed("a", &vec![0; 1 << 20]);
            let again = (0..200).map(|number| ZipEntry {
                name: format!("a{number}").into_bytes(),
                header: Some(0),
                packed: Vec::new(),
                ..shared.clone()
            });
            zip(&[vec![shared.clone()], entries(files), again.collect()].concat())
        }
        "zip-crowd" => {
            let crowd = (0..CROWD).map(|number| one(&format!("f{number}"), "")).collect();
            zip_with(files, crowd)
        }
        "zip-deep" => zip_with(files, vec![one(&format!("{}x", "d/".repeat(2000)), "")]),
        "zip-in-zip" => zip(&[ZipEntry::stored("submission.zip", &zip(&entries(files)))]),
        "tar-slip" => tar_with(files, &[tar_entry(b"../../softmark-attack-archive", b'0', b"x")]),
        "tar-link" => tar_with(files, &tar_link("out", b'2', &told("@DESK@"))),
        "tar-hard-link" => tar_with(files, &tar_link("out", b'1', &told("@DESK@/private.txt"))),
        "tar-pipe" => tar_with(files, &[tar_entry(b"pipe", b'6', b"")]),
        "gzip-bomb" => gzipped(&vec![0; BOMB_BYTES]),
        "no-archive" => told("#!/bin/sh\ntouch @DESK@/softmark-attack-archive\n").into_bytes(),
        other => panic!("no archive is called {other}"),
    };
    let ending = if kind.starts_with("zip") || kind == "no-archive" { "zip" } else { "tar.gz" };
    (ending, bytes)
}
