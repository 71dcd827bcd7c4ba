//! Downloads of learning platforms: who is in them, when they handed in, and what counts.

mod platforms;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use softmark::intake::{Candidate, IntakeError, Names, assignment_of, find};
use tempfile::TempDir;

use crate::support::archive::{ZipEntry, deflated, gzipped, tar, tar_entry, zip};
use crate::support::grade::{Desk, Ran};
use crate::support::pack::pack;

/// A folder with files in it.
#[must_use]
struct Class(TempDir);

impl Class {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn with(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn find(&self, path: &str) -> Result<Vec<Candidate>, IntakeError> {
        find(&[self.path(path)], &Names::default())
    }

    fn find_by(&self, path: &str, names: &str) -> Result<Vec<Candidate>, IntakeError> {
        find(&[self.path(path)], &names.parse().unwrap())
    }
}

/// An archive of a submission that says it answers `demo`.
fn work() -> Vec<u8> {
    let manifest = b"[package.metadata.softmark]\nassignment = \"demo\"\n";
    zip(&[ZipEntry::packed("src/one.rs", b"// one\n"), ZipEntry::packed("Cargo.toml", manifest)])
}

fn names(found: &[Candidate]) -> Vec<&str> {
    found.iter().map(|one| one.name.as_raw()).collect()
}

/// True if a candidate can be read as far as its manifest.
fn opens(candidate: &Candidate) -> bool {
    assignment_of(candidate).unwrap().into_result().unwrap() == Some("demo".to_owned())
}

/// Returns the reason for which a candidate is rejected.
fn rejected(candidate: &Candidate) -> String {
    assignment_of(candidate).unwrap().into_result().unwrap_err().reason.as_raw().to_owned()
}

#[test]
fn a_class_may_mix_folders_and_archives() {
    let plain = tar(&[tar_entry(b"./amara/src/one.rs", b'0', b"")]);
    let class = Class::new()
        .with("class/amara/src/one.rs", "")
        .with("class/bao.zip", work())
        .with("class/chiara.tar.gz", gzipped(&plain))
        .with("class/dilnoza.TAR", &plain)
        .with("class/efua.rar", b"Rar!\x1a\x07\x01\0")
        .with("class/farid.tar.xz", b"\xfd7zXZ\0\0")
        .with("class/greta.zip", "")
        .with("class/hiroshi.zip", work().split_at(100).0)
        .with("class/imani.zip", zip(&[ZipEntry::stored("work.zip", &work())]))
        .with("class/notes.txt", "")
        .with("class/.hidden.zip", "");
    let found = class.find("class").unwrap();
    // What is hidden may be handed in all the same.
    let all = [
        ".hidden", "amara", "bao", "chiara", "dilnoza", "efua", "farid", "greta", "hiroshi",
        "imani",
    ];
    assert_eq!(names(&found), all);
    let found = &found[1..];
    assert!(opens(&found[1]));
    for (place, said) in [
        (4, "RAR archives are not read: hand in a .zip or a .tar.gz"),
        (5, ".xz archives are not read: hand in a .zip or a .tar.gz"),
        (6, "an empty file"),
        (7, "damaged or incomplete"),
    ] {
        assert!(rejected(&found[place]).contains(said), "{}", rejected(&found[place]));
    }
    // One archive in one's own is not looked into.
    assert!(!opens(&found[8]));
}

#[test]
fn one_archive_is_one_submission() {
    let class = Class::new()
        .with("amara.zip", work())
        .with("bao.zip", zip(&[ZipEntry::packed("bao/hw/src/one.rs", b"")]))
        .with("evil.zip", zip(&[ZipEntry::packed("../x", b"")]))
        .with("empty.zip", zip(&[ZipEntry::packed("notes.txt", b"")]))
        .with("chiara.7z", b"7z\xbc\xaf\x27\x1c");
    for name in ["amara.zip", "bao.zip", "evil.zip", "chiara.7z"] {
        let found = class.find(name).unwrap();
        assert_eq!(names(&found), [name.split('.').next().unwrap()]);
        assert_eq!(found[0].path, class.path(name));
    }
    assert!(opens(&class.find("amara.zip").unwrap()[0]));
    assert!(rejected(&class.find("evil.zip").unwrap()[0]).contains("leads out of it"));
    assert!(matches!(class.find("empty.zip"), Err(IntakeError::Empty(_))));
    assert!(matches!(class.find("amara.zip/src"), Err(IntakeError::Missing(_))));
}

#[test]
fn what_one_student_packs_rejects_nobody_else() {
    let link = ZipEntry { mode: 0o120_777, ..ZipEntry::stored("amara/src/one.rs", b"/etc/passwd") };
    let clash = ZipEntry::packed("chiara/SRC/two.rs", b"");
    let entries = [
        link,
        ZipEntry::packed("bao/src/one.rs", b""),
        ZipEntry::packed("chiara/src/one.rs", b""),
        clash,
    ];
    let class = Class::new()
        .with("class.zip", zip(&entries))
        .with("evil.zip", zip(&[&entries[..], &[ZipEntry::packed("../x", b"")]].concat()));
    let found = class.find("class.zip").unwrap();
    assert_eq!(names(&found), ["amara", "bao", "chiara"]);
    assert!(rejected(&found[0]).contains("is a link"));
    assert_eq!(assignment_of(&found[1]).unwrap().into_result().unwrap(), None);
    assert!(rejected(&found[2]).contains("differ in capitals only"));
    // What is nobody's is the download's own fault.
    assert!(matches!(class.find("evil.zip"), Err(IntakeError::Bulk { .. })));
}

#[test]
fn a_bulk_download_may_be_tar() {
    let entry = |name: &str, bytes: &[u8]| tar_entry(name.as_bytes(), b'0', bytes);
    let bytes = tar(&[entry("all/amara.zip", &work()), entry("all/bao/src/one.rs", b"")]);
    let class = Class::new().with("all.tgz", gzipped(&bytes)).with("all.tar", &bytes);
    for path in ["all.tgz", "all.tar"] {
        let found = class.find(path).unwrap();
        assert_eq!(names(&found), ["amara", "bao"]);
        assert!(opens(&found[0]));
    }
}

#[test]
fn a_folder_around_a_bulk_download_is_looked_into() {
    let files = ["amara.zip", "bao.zip"];
    let class = files
        .iter()
        .fold(Class::new(), |class, name| class.with(&format!("class/download/{name}"), work()));
    let packed = files.map(|name| ZipEntry::stored(&format!("download/{name}"), &work()));
    let class = class.with("class.zip", zip(&packed));
    for path in ["class", "class.zip"] {
        assert_eq!(names(&class.find(path).unwrap()), ["amara", "bao"], "{path}");
    }
}

#[test]
fn linked_archives_are_rejected_and_never_followed() {
    let class = Class::new().with("elsewhere/work.zip", work()).with("class/bao.zip", work());
    let link = class.path("class/amara.zip");
    std::os::unix::fs::symlink(class.path("elsewhere/work.zip"), &link).unwrap();
    let found = class.find("class").unwrap();
    assert_eq!(names(&found), ["amara", "bao"]);
    let rejection = softmark::intake::read(&found[0], &demo()).unwrap().into_result().unwrap_err();
    assert!(rejection.reason.contains("is a link"), "{}", rejection.reason);
    // What the instructor names may be one.
    assert!(opens(&find(&[link], &Names::default()).unwrap()[0]));
}

/// A folder of the project, packed into an archive, in a folder of its own as file managers do it.
fn packed(from: &str) -> Vec<u8> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join(from);
    let mut entries =
        vec![ZipEntry::packed("work/Cargo.toml", &fs::read(dir.join("Cargo.toml")).unwrap())];
    for file in fs::read_dir(dir.join("src")).unwrap() {
        let path = file.unwrap().path();
        let name = format!("work/src/{}", path.file_name().unwrap().to_str().unwrap());
        entries.push(ZipEntry::streamed(&name, &fs::read(&path).unwrap()));
    }
    zip(&entries)
}

#[test]
fn a_folder_and_its_archive_have_one_record() {
    pack();
    let desk = Desk::new().submission("class/amara", "fixtures/class/hiroshi");
    let first = desk.grade("class --format json").exit(0);
    let archive = "ps1_bao_attempt_2026-01-30-15-00-07_work.zip";
    let bulk = zip(&[
        ZipEntry::stored(archive, &packed("fixtures/class/hiroshi")),
        ZipEntry::stored("ps1_chiara_attempt_2026-01-30-15-00-08_work.zip", b"Rar!\x1a\x07\x01\0"),
    ]);
    fs::write(desk.path("bulk.zip"), bulk).unwrap();
    let second = desk.grade("bulk.zip --format json").exit(0);
    assert!(second.stderr.contains("1 record of 2"), "{second}");
    let records = |ran: &Ran| -> Vec<Value> {
        let document: Value = serde_json::from_str(&ran.stdout).unwrap();
        document["records"].as_array().unwrap().clone()
    };
    let (amara, others) = (records(&first), records(&second));
    let [bao, chiara] = others.as_slice() else { panic!("{second}") };
    assert_eq!(amara[0]["sha256"], bao["sha256"]);
    assert_eq!(amara[0]["points"], bao["points"]);
    assert_eq!(amara[0]["submitted"], Value::Null);
    assert_eq!(bao["submission"], "bao");
    assert_eq!(bao["entry"], archive.trim_end_matches(".zip"));
    assert_eq!(amara[0].get("entry"), None, "it is the submission's name");
    assert_eq!(bao["submitted"], "2026-01-30T15:00:07");
    assert_eq!(chiara["outcome"], "rejected");
    assert_eq!(chiara["submitted"], "2026-01-30T15:00:08");
    // What its record says to type grades it again.
    let replay = bao["tasks"][0]["checks"]
        .as_array()
        .unwrap()
        .iter()
        .find_map(|check| check["replay"].as_str());
    let replay = replay.unwrap().strip_prefix("grade ").unwrap();
    assert!(replay.starts_with(&format!("bulk.zip/{archive} --only ")), "{replay}");
    let again = desk.grade(&format!("{replay} --format json")).exit(0);
    assert_eq!(records(&again)[0]["submission"], "bao");
    let shown = desk.grade("show bao").exit(0).stdout;
    assert!(shown.contains("attention, handed in 2026-01-30T15:00:07, sha256 "), "{shown}");
    let gradebook = desk.read("results/gradebook.csv");
    assert!(gradebook.contains("\nbao,2026-01-30T15:00:07,attention,graded,"), "{gradebook}");
    assert!(gradebook.contains("\nchiara,2026-01-30T15:00:08,,rejected,"), "{gradebook}");
    desk.grade("bulk.zip --names [").exit(64);
    desk.grade("bulk.zip --names canvas").exit(64);
}

#[test]
fn a_bomb_in_a_class_is_a_rejection() {
    pack();
    let desk = Desk::new().submission("class/amara", "fixtures/class/chiara");
    // A thousandfold what it is packed to; and a terabyte, as its list says.
    let zeros = vec![0; 8 << 20];
    let header = tar_entry(b"src/attention.rs", b'0', &zeros);
    fs::write(desk.path("class/bao.tgz"), gzipped(&tar(&vec![header; 16]))).unwrap();
    let packed = deflated(&zeros);
    let entry = |i: usize| ZipEntry {
        packed: packed.clone(),
        size: 1 << 30,
        ..ZipEntry::packed(&format!("src/{i}"), b"")
    };
    let bytes = zip(&(0..1200).map(entry).collect::<Vec<_>>());
    fs::write(desk.path("class/chiara.zip"), bytes).unwrap();
    let ran = desk.grade("class --format json").exit(0);
    assert!(ran.stdout.contains("times its size, as no honest one does"), "{ran}");
    assert!(ran.stdout.contains("unpacks to more than 268435456 bytes"), "{ran}");
}

fn demo() -> softmark::assignment::Assignment {
    softmark::assignment::load(Path::new(env!("CARGO_MANIFEST_DIR")), "attention").unwrap()
}
