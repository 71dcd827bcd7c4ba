//! Downloads of Canvas, Moodle, Gradescope and nbgrader, and names of one's own pattern.

use softmark::intake::{Candidate, IntakeError, Names, Platform, assignment_of, find};
use softmark::model::Record;
use softmark::report::page_names;

use crate::bulk::{Class, names, opens, rejected, work};
use crate::support::archive::{ZipEntry, zip};
use crate::support::records::record;

/// Returns the names of the pages for these submissions, and the platform of each.
fn pages(found: &[Candidate]) -> Vec<(String, Option<Platform>)> {
    let of = |one: &Candidate| Record {
        submission: one.name.clone(),
        entry: one.entry.clone(),
        ..record("full-marks")
    };
    let records: Vec<Record> = found.iter().map(of).collect();
    page_names(&records.iter().collect::<Vec<_>>())
        .into_iter()
        .map(|name| (name.file, name.platform))
        .collect()
}

/// Returns pages of one platform.
fn pages_for(platform: Option<Platform>, names: &[&str]) -> Vec<(String, Option<Platform>)> {
    names.iter().map(|name| ((*name).to_owned(), platform)).collect()
}

/// Returns the entries of a class's archive from Canvas.
fn canvas() -> Vec<ZipEntry> {
    vec![
        ZipEntry::stored("okaforamara_70311_5550123_hw1.zip", &work()),
        ZipEntry::stored("okaforamara_70311_5550199_hw1-2.zip", &work()),
        ZipEntry::stored("okaforamara_70311_5550177_hw1-1.zip", &work()),
        ZipEntry::stored("tranbao_LATE_70312_5550124_my work.zip", &work()),
        ZipEntry::stored("rossichiara_70313_5550125_report.pdf", b"%PDF"),
        ZipEntry::stored("rossichiara_70313_5550126_code.rar", b"Rar!\x1a\x07\x01\0"),
        ZipEntry::stored("haddadfarid_70314_5550127_a.zip", &work()),
        ZipEntry::stored("haddadfarid_70314_5550128_b.zip", &work()),
    ]
}

#[test]
fn canvas_is_understood_packed_and_unpacked() {
    let mut class = Class::new().with("submissions.zip", zip(&canvas()));
    for entry in canvas() {
        class = class
            .with(&format!("unpacked/{}", String::from_utf8(entry.name).unwrap()), entry.packed);
    }
    for path in ["submissions.zip", "unpacked"] {
        let found = class.find(path).unwrap();
        assert_eq!(
            names(&found),
            ["haddadfarid_70314", "okaforamara_70311", "rossichiara_70313", "tranbao_70312"]
        );
        let [farid, amara, chiara, bao] = found.as_slice() else { panic!("{found:?}") };
        let reason = assignment_of(farid).unwrap_err();
        let told = reason.to_string();
        assert!(matches!(reason, IntakeError::Undecided(_)), "{told}");
        assert!(told.contains("5550127_a.zip`") && told.contains("5550128_b.zip`"), "{told}");
        assert_eq!(amara.path, class.path(path).join("okaforamara_70311_5550199_hw1-2.zip"));
        assert_eq!(
            amara.notes,
            ["graded is the latest, `okaforamara_70311_5550199_hw1-2.zip`; also handed in: \
              `okaforamara_70311_5550123_hw1.zip` and `okaforamara_70311_5550177_hw1-1.zip`"]
        );
        assert!(opens(amara));
        assert!(rejected(chiara).contains("RAR"));
        assert_eq!(bao.notes, ["handed in late, as its name says"]);
        assert!(found.iter().all(|one| one.submitted.is_none()));
        let names = [
            "haddadfarid_70314_5550127_feedback.html",
            "okaforamara_70311_5550199_feedback.html",
            "rossichiara_70313_5550126_feedback.html",
            "tranbao_LATE_70312_5550124_feedback.html",
        ];
        assert_eq!(pages(&found), pages_for(Some(Platform::Canvas), &names));
    }
}

#[test]
fn one_of_a_bulk_download_can_be_named() {
    let class = Class::new().with("submissions.zip", zip(&canvas()));
    let whole = class.find("submissions.zip").unwrap();
    let one = find(&[whole[1].path.clone()], &Names::default()).unwrap();
    assert_eq!(names(&one), ["okaforamara_70311"]);
    assert!(opens(&one[0]));
    let both = [class.path("submissions.zip"), whole[1].path.clone()];
    assert_eq!(find(&both, &Names::default()).unwrap().len(), 4);
    assert!(matches!(class.find("submissions.zip/nobody"), Err(IntakeError::Missing(_))));
}

#[test]
fn moodle_is_understood() {
    let class = Class::new().with(
        "all.zip",
        zip(&[
            ZipEntry::packed("Zoë van Dam_1234567_assignsubmission_file_/hw.zip", &work()),
            ZipEntry::packed(
                "Zoë van Dam_1234567_assignsubmission_onlinetext_/onlinetext.html",
                b"",
            ),
            ZipEntry::packed("Amara Okafor_1234568_assignsubmission_file_/src/one.rs", b""),
            ZipEntry::packed("Bao Tran_1234569_assignsubmission_file_/a.zip", &work()),
            ZipEntry::packed("Bao Tran_1234569_assignsubmission_file_/b.zip", &work()),
            ZipEntry::packed("Chiara Rossi_1234570_assignsubmission_file_/notes.txt", b""),
        ]),
    );
    let found = class.find("all.zip").unwrap();
    assert_eq!(
        names(&found),
        ["Amara Okafor_1234568", "Bao Tran_1234569", "Chiara Rossi_1234570", "Zoë van Dam_1234567"]
    );
    let [_, bao, chiara, zoe] = found.as_slice() else { panic!("{found:?}") };
    assert!(opens(zoe));
    assert_eq!(zoe.notes.len(), 1, "{:?}", zoe.notes);
    assert!(zoe.notes[0].contains("graded is the only submission, `hw.zip`"), "{:?}", zoe.notes);
    let told = assignment_of(bao).unwrap_err().to_string();
    assert!(told.contains("`a.zip` and `b.zip`"), "{told}");
    let names = [
        "Amara Okafor_1234568_assignsubmission_file_feedback.html",
        "Bao Tran_1234569_assignsubmission_file_feedback.html",
        "Chiara Rossi_1234570_assignsubmission_file_feedback.html",
        "Zoë van Dam_1234567_assignsubmission_file_feedback.html",
    ];
    assert_eq!(pages(&found), pages_for(Some(Platform::Moodle), &names));
    assert_eq!(assignment_of(chiara).unwrap().into_result().unwrap(), None);
}

#[test]
fn gradescope_is_understood() {
    let entry = |name: &str| ZipEntry::packed(&format!("assignment_4_export/{name}"), b"");
    let class = Class::new().with(
        "export.zip",
        zip(&[
            entry("submission_metadata.yml"),
            entry("submission_101/src/one.rs"),
            entry("submission_102/hw/src/one.rs"),
        ]),
    );
    let found = class.find("export.zip").unwrap();
    assert_eq!(names(&found), ["101", "102"]);
    let inside = "export.zip/assignment_4_export/submission_102/hw";
    assert_eq!(found[1].path, class.path(inside));
    let names = ["submission_101.html", "submission_102.html"];
    assert_eq!(pages(&found), pages_for(Some(Platform::Gradescope), &names));
}

#[test]
fn nbgrader_is_understood() {
    let class = Class::new()
        .with("submitted/amara/ps1/src/one.rs", "")
        .with("submitted/amara/ps1/timestamp.txt", "2026-01-30 15:00:07.958203 UTC")
        .with("submitted/bao/ps1/src/one.rs", "")
        .with("submitted/bao/ps1/timestamp.txt", "soon")
        .with("zips/ps1_amara_attempt_2026-01-30-15-00-00_hw.zip", work())
        .with("zips/ps1_amara_attempt_2026-01-31-09-00-00_final.zip", work())
        .with("plain/amara/src/one.rs", "")
        .with("plain/amara/timestamp.txt", "2026-01-30 15:00:07 UTC")
        .with("plain/bao/src/one.rs", "");
    let found = class.find("submitted").unwrap();
    assert_eq!(names(&found), ["amara", "bao"]);
    assert_eq!(found[0].submitted.as_deref(), Some("2026-01-30T15:00:07.958203Z"));
    assert_eq!(found[1].submitted, None);
    assert_eq!(found[1].notes, ["when it was handed in cannot be read: `soon`"]);
    let found = class.find("zips").unwrap();
    assert_eq!(names(&found), ["amara"]);
    assert_eq!(found[0].entry, "ps1_amara_attempt_2026-01-31-09-00-00_final");
    assert_eq!(pages(&found), pages_for(None, &["amara.html"]));
    assert_eq!(found[0].submitted.as_deref(), Some("2026-01-31T09:00:00"));
    assert!(
        found[0].notes[0].as_raw().starts_with("graded is the latest, "),
        "{:?}",
        found[0].notes
    );
    // A student's own file of that name tells nothing.
    let found = class.find("plain").unwrap();
    assert_eq!(found[0].submitted, None);
}

#[test]
fn a_pattern_of_ones_own_is_understood() {
    let class = Class::new()
        .with("class/20260130_1500-amara.zip", work())
        .with("class/20260130_1700-amara.zip", work())
        .with("class/bao.zip", work());
    let plain = class.find("class").unwrap();
    assert_eq!(names(&plain), ["20260130_1500-amara", "20260130_1700-amara", "bao"]);
    let pattern = r"(?<time>\d{8}_\d{4})-(?<id>\w+)";
    let found = class.find_by("class", pattern).unwrap();
    assert_eq!(names(&found), ["amara", "bao"]);
    assert_eq!(found[0].submitted.as_deref(), Some("2026-01-30T17:00:00"));
    assert_eq!(found[1].notes, [format!("its name does not fit `--names {pattern}`")]);
    let error = class.find_by("class", "canvas").unwrap_err();
    assert!(matches!(&error, IntakeError::NoFit { pattern, .. } if pattern == "canvas"), "{error}");
    // Times in different zones have no order here.
    let zones = Class::new()
        .with("class/a_2026-01-30T15:00:00Z.zip", work())
        .with("class/a_2026-01-30T15:00:00+01:00.zip", work());
    let found = zones.find_by("class", "(?<id>[a-z]+)_(?<time>.+)").unwrap();
    assert!(matches!(assignment_of(&found[0]), Err(IntakeError::Undecided(_))));
}

/// Returns the times of the earlier versions of a candidate.
fn earlier(candidate: &Candidate) -> Vec<&str> {
    candidate.earlier.iter().filter_map(|it| it.submitted.as_deref()).collect()
}

#[test]
fn earlier_versions_are_kept_in_their_order() {
    let class = Class::new()
        .with("class/ps1_amara_attempt_2026-01-31-09-00-00_b.zip", work())
        .with("class/ps1_amara_attempt_2026-01-30-09-00-00_c.zip", work())
        .with("class/ps1_amara_attempt_2026-01-29-09-00-00_a.zip", work())
        .with("class/ps1_bao_attempt_2026-01-29-09-00-00_a.zip", work())
        .with("canvas/okaforamara_70311_5550123_hw1-2.zip", work())
        .with("canvas/okaforamara_70311_5550100_hw1.zip", work());
    let found = class.find("class").unwrap();
    assert_eq!(names(&found), ["amara", "bao"]);
    assert_eq!(earlier(&found[0]), ["2026-01-29T09:00:00", "2026-01-30T09:00:00"]);
    assert!(found[1].earlier.is_empty());
    let found = class.find("canvas").unwrap();
    assert_eq!(names(&found), ["okaforamara_70311"]);
    assert_eq!(found[0].earlier[0].entry, "okaforamara_70311_5550100_hw1");
}

/// Characters that are not seen are written in hexadecimal, once, whatever the rules.
#[test]
fn a_direction_mark_is_written_in_one_way() {
    let class = Class::new()
        .with("class/\u{200f}Noor_1_assignsubmission_file_hw.zip", work())
        .with("plain/\u{200f}Noor_1.zip", work());
    for (folder, rules) in [("class", "moodle"), ("plain", "plain")] {
        assert_eq!(names(&class.find_by(folder, rules).unwrap()), ["%E2%80%8FNoor_1"], "{rules}");
    }
}

#[test]
fn a_student_in_two_downloads_has_versions() {
    let of = |id: &str| {
        let manifest = format!("[package.metadata.softmark]\nassignment = \"{id}\"");
        zip(&[
            ZipEntry::packed("Cargo.toml", manifest.as_bytes()),
            ZipEntry::packed("src/one.rs", b""),
        ])
    };
    let class = Class::new()
        .with("first/ps1_amara_attempt_2026-01-29-09-00-00_a.zip", of("one"))
        .with("first/ps1_bao_attempt_2026-01-29-09-00-00_a.zip", of("one"))
        .with("second/ps1_amara_attempt_2026-01-31-09-00-00_a.zip", of("one"))
        .with("second/ps2_bao_attempt_2026-01-31-09-00-00_a.zip", of("two"));
    let both = [class.path("second"), class.path("first")];
    let found = find(&both, &Names::default()).unwrap();
    assert_eq!(names(&found)[0], "amara");
    assert_eq!(found[0].submitted.as_deref(), Some("2026-01-31T09:00:00"));
    assert_eq!(earlier(&found[0]), ["2026-01-29T09:00:00"]);
    // Two assignments have nothing to do with one another.
    assert_eq!(found.len(), 3);
    for one in &found[1..] {
        assert!(matches!(assignment_of(one), Err(IntakeError::Undecided(_))), "{one:?}");
    }
    // A submission of the first download may be named beside it.
    let one = class.path("first/ps1_amara_attempt_2026-01-29-09-00-00_a.zip");
    let found = find(&[class.path("first"), one], &Names::default()).unwrap();
    assert_eq!(names(&found), ["amara", "bao"]);
    assert!(found[0].earlier.is_empty());
}

#[test]
fn names_that_only_look_so_stay_as_they_are() {
    let class = Class::new()
        .with("class/okaforamara_70311_5550123_hw1.zip", work())
        .with("class/bao.zip", work());
    assert_eq!(names(&class.find("class").unwrap()), ["bao", "okaforamara_70311_5550123_hw1"]);
    let twice = Class::new().with("class/amara.zip", work()).with("class/amara/src/one.rs", "");
    let found = twice.find("class").unwrap();
    assert_eq!(names(&found), ["amara", "amara.zip"]);
    for one in &found {
        let undecided = assignment_of(one).unwrap_err();
        assert!(matches!(undecided, IntakeError::Undecided(_)), "{undecided}");
    }
}

#[test]
fn pages_of_names_that_clash_are_kept_apart() {
    let class = Class::new()
        .with("class/amara/src/one.rs", "")
        .with("class/Amara/src/one.rs", "")
        .with("class/a:b/src/one.rs", "")
        .with("class/a-b/src/one.rs", "");
    let found = class.find("class").unwrap();
    assert_eq!(names(&found), ["Amara", "a-b", "a:b", "amara"]);
    assert!(found.iter().all(|one| one.entry.is_empty()));
    let names = ["Amara.html", "a-b.html", "a-b-2.html", "amara-2.html"];
    assert_eq!(pages(&found), pages_for(None, &names));
}
