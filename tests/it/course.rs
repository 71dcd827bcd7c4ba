//! The marks of a course: from records, roster and policy to explanations and to a gradebook that the platform takes back.

mod file;
mod gradebooks;
mod zones;

use std::fs;
use std::os::unix::fs::symlink;

use softmark::course::Course;
use softmark::model::{Points, Record};
use softmark::store::{Folder, RecordKeys, Store};
use softmark_untrusted::Untrusted;

use crate::support::grade::{Desk, HOME};
use crate::support::records;

const COURSE: &str = "title = \"Transformers\"
roster = \"roster.csv\"

[late]
percent_per_day = 10
grace_minutes = 15
late_days = 3

[assignments.attention]
due = 2026-11-26T23:59:00+01:00
late_until = 2026-12-03T23:59:00+01:00

[assignments.encoder]
due = 2026-12-17
groups = true

[[extensions]]
student = \"chiara\"
assignment = \"attention\"
days = 4
";

const ROSTER: &str = "id,name,email,group
amara,Amara Okafor,amara@x.org,red
bao,Bao Tran,bao@x.org,red
chiara,Chiara Rossi,chiara@x.org,
dilnoza,=1+1,d@x.org,
";

const CANVAS: &str = "Student,ID,SIS User ID,SIS Login ID,Section,Attention (4711),Encoder (4712)\r
    Points Possible,,,,,30.00,20\r
\"Okafor, Amara\",70311,amara,,\"S1, S2\",,7\r
\"Tran, Bao\",70312,bao,,S1,\"\",\r
\"Rossi, Chiara\",70313,chiara,,S1,1,\r
=1+1,70314,dilnoza,,S1,,\r
\"Student, Test\",9,,test,S1,,\r
";

/// A desk with a course, whose assignments are those of the project, and a roster.
fn desk(course: &str) -> Desk {
    let desk = Desk::new()
        .file("home/softmark.toml", course)
        .file("home/roster.csv", ROSTER)
        .file("home/solutions/readme", "")
        .file("canvas.csv", CANVAS);
    symlink(format!("{HOME}/assignments"), desk.path("home/assignments")).unwrap();
    let home = desk.path("home");
    desk.env("SOFTMARK_HOME", home)
}

/// A record of a submission to `attention` or `encoder`.
fn record(submission: &str, assignment: &str, submitted: &str, hundredths: u32) -> Record {
    Record {
        submission: submission.into(),
        assignment: assignment.into(),
        submitted: (!submitted.is_empty()).then(|| submitted.into()),
        points: Points::from_hundredths(hundredths),
        max_points: Points::from_hundredths(3_000),
        ..records::record("full-marks")
    }
}

fn keep(desk: &Desk, folder: &str, records: &[Record]) {
    fs::create_dir_all(desk.path(folder)).unwrap();
    let folder = Folder::of(&desk.path(folder));
    for record in records {
        folder.write(&records::grader(), record).unwrap();
    }
}

/// The class: one late, one in time whose time has no offset, one with an extension, one who has not handed in, and one whom
/// nobody knows.
fn class(desk: &Desk) {
    keep(
        desk,
        "results/attention",
        &[
            record("okaforamara_70311", "attention", "2026-11-28T01:59:00+01:00", 2_850),
            record("bao", "attention", "2026-11-26T23:58:00", 1_400),
            record("chiara@x.org", "attention", "2026-11-30T20:00:00+01:00", 3_000),
            record("\u{1b}[2Jzoe", "attention", "", 100),
        ],
    );
}

#[test]
fn a_policy_is_explained_for_every_student() {
    let desk = desk(COURSE);
    class(&desk);
    keep(&desk, "results/encoder", &[record("bao", "encoder", "2026-12-19T12:00:00Z", 2_000)]);
    let told = desk.grade("course check").exit(0);
    assert_eq!(told.stderr, "");
    for line in [
        "attention, due 2026-11-26 23:59 +01:00",
        "  15 minutes of grace; 3 late days in the whole course; then 10 % of the points earned for each day late; \
         nothing for late submissions after 2026-12-03 23:59 +01:00; the latest submission counts",
        "  amara (Amara Okafor, red): 26 hours late, 2 of 3 late days used, 28.50",
        "  bao (Bao Tran, red): in time, 14.00",
        "  chiara (Chiara Rossi): extended to 2026-11-30 23:59 +01:00, in time, 30.00",
        "  dilnoza (=1+1): missing",
        // The group's mark: each member pays with the own late days that are left.
        "  amara (Amara Okafor, red): 36 hours 1 minute late, 1 late day, 3 of 3 late days used, \
         1 day at 10 %: 20.00 less 2.00, 18.00",
        "  bao (Bao Tran, red): 36 hours 1 minute late, 2 of 3 late days used, 20.00",
        "  ␛[2Jzoe: attention, 1.00",
    ] {
        assert!(told.stdout.lines().any(|it| it == line), "{line}\n{}", told.stdout);
    }
    let json = desk.grade("course check --format json").exit(0).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let amara = &json["assignments"][0]["students"][0];
    assert_eq!((&amara["id"], &amara["points"]), (&"amara".into(), &28.5.into()));
    assert_eq!((&amara["late_days"], &amara["outcome"]), (&2.into(), &"counted".into()));
    assert_eq!(json["unknown"][0]["submission"], "\u{1b}[2Jzoe");
}

#[test]
fn without_submissions_a_policy_is_explained_by_examples() {
    let desk = desk(COURSE);
    let told = desk.grade("course check").exit(0).stdout;
    assert!(
        told.contains(
            "no submissions yet; examples of one with 30.00 points:\n    in time, 30.00\n"
        ),
        "{told}"
    );
    assert!(told.contains("26 hours late, 2 days at 10 %: 30.00 less 6.00, 24.00\n"), "{told}");
}

#[test]
fn canvas_gets_its_gradebook_back_with_one_column_filled() {
    let desk = desk(COURSE);
    class(&desk);
    let fill = "course grades attention --format canvas --gradebook canvas.csv --out filled.csv";
    let told = desk.grade(fill).exit(0);
    let expected = CANVAS
        .replace("\"S1, S2\",,7", "\"S1, S2\",28.50,7")
        .replace("bao,,S1,\"\",", "bao,,S1,\"14.00\",")
        .replace("chiara,,S1,1,", "chiara,,S1,30.00,");
    assert_eq!(desk.read("filled.csv"), expected);
    for said in [
        "Attention (4711): 3 cells written, 0 had these points already\n",
        "1 student: no points, cell left as it was\n  dilnoza: missing\n",
        "1 student: not in the roster\n  ␛[2Jzoe\n",
    ] {
        assert!(told.stderr.contains(said), "{said}\n{}", told.stderr);
    }
    assert!(!told.stderr.contains("Test Student"), "{told}");
    // Filled again, nothing changes.
    let again = fill.replace("--gradebook canvas.csv", "--gradebook filled.csv");
    let told = desk.grade(&again).exit(0);
    assert!(told.stderr.contains("0 cells written, 3 had these points already"), "{}", told.stderr);
    assert_eq!(desk.read("filled.csv"), expected);
    // A zero is given only where it was asked for.
    let zero = desk.grade(&format!("{fill} --zero-missing")).exit(0);
    assert!(zero.stderr.contains("4 cells written"), "{}", zero.stderr);
    assert!(desk.read("filled.csv").contains("=1+1,70314,dilnoza,,S1,0.00,\r\n"));
}

#[test]
fn columns_that_do_not_match_are_refused() {
    let desk = desk(COURSE);
    class(&desk);
    let fill = "course grades attention --format canvas --gradebook canvas.csv --out filled.csv";
    for (more, said) in [
        (
            " --column Lab",
            "no column `Lab`; columns with grades: `Attention (4711)`, `Encoder (4712)`",
        ),
        (" --column 4712", "`Encoder (4712)` is worth 20.00 points, and the assignment 30.00"),
    ] {
        let told = desk.grade(&format!("{fill}{more}")).exit(64);
        assert!(told.stderr.contains(said), "{}", told.stderr);
    }
    let other = desk.grade(&fill.replace("format canvas", "format moodle")).exit(2);
    assert!(
        other.stderr.contains("no gradebook of Moodle, but a file of Canvas"),
        "{}",
        other.stderr
    );
    assert_eq!(desk.list("."), ["canvas.csv", "home", "results"], "nothing was written");
    desk.grade(&format!("{fill} --column 4712 --scale")).exit(0);
    assert!(desk.read("filled.csv").contains("\"S1, S2\",,19.00\r\n"));
}

#[test]
fn a_new_gradebook_starts_no_formula() {
    let desk = desk(COURSE);
    class(&desk);
    let told = desk.grade("course grades attention --format csv").exit(0);
    let lines: Vec<&str> = told.stdout.lines().collect();
    assert_eq!(
        lines[1],
        "amara,Amara Okafor,amara@x.org,red,attention,okaforamara_70311,2026-11-28T00:59:00Z,28.50,30.00,2,\
         \"26 hours late, 2 of 3 late days used, 28.50\""
    );
    assert_eq!(lines[4], "dilnoza,'=1+1,d@x.org,,attention,,,,30.00,0,missing");
}

#[test]
fn times_come_from_a_file_where_names_have_none() {
    let course = COURSE.replace("late_until =", "times = \"worksheet.csv\"\nlate_until =");
    let desk = desk(&course).file(
        "home/worksheet.csv",
        "Identifier,Full name,Email address,Grade,Last modified (submission)\n\
         Participant 7,Amara Okafor,amara@x.org,,\"Friday, 27 November 2026, 9:35 PM\"\n",
    );
    keep(&desk, "results", &[record("Amara Okafor_7", "attention", "", 3_000)]);
    let told = desk.grade("course check").exit(0).stdout;
    assert!(told.contains("): 21 hours 36 minutes late, 1 of 3 late days used, 30.00\n"), "{told}");
}

#[test]
fn an_earlier_submission_counts_where_the_best_does() {
    let desk = desk(&COURSE.replace("roster = ", "counts = \"best\"\nroster = "));
    let of = |time: &str, digest: &str, points| Record {
        sha256: Untrusted::from(digest),
        ..record("amara", "attention", time, points)
    };
    let first = of("2026-11-20T10:00:00Z", "first", 2_000);
    let last = of("2026-11-29T10:00:00Z", "last", 2_100);
    fs::create_dir_all(desk.path("results")).unwrap();
    let mut store = Store::open(&desk.path("results/softmark.db")).unwrap();
    for record in [&first, &last] {
        let run = store.begin_run(&records::grader(), "2026-12-01T00:00:00Z").unwrap();
        store.save(run, &RecordKeys::whole(record.sha256.as_raw()), record).unwrap();
    }
    keep(&desk, "results", &[last]);
    // The last one, three days late, would use all late days and still bring more.
    let told = desk.grade("course check").exit(0).stdout;
    assert!(told.contains("3 of 3 late days used, 21.00\n"), "{told}");
    fs::write(
        desk.path("home/softmark.toml"),
        COURSE.replace("late_days = 3", "").replace("roster = ", "counts = \"best\"\nroster = "),
    )
    .unwrap();
    let told = desk.grade("course check").exit(0).stdout;
    assert!(told.contains("amara (Amara Okafor, red): in time, 20.00\n"), "{told}");
}

#[test]
fn who_it_is_has_to_be_said_where_names_do_not_tell() {
    let desk = desk(COURSE).file("twins.csv", "id,name\n1,Bao Tran\n2,Bao Tran\nchiara,C\n");
    keep(
        &desk,
        "results",
        &[record("tranbao_70312_x", "attention", "", 3_000), record("tranbao", "attention", "", 1)],
    );
    let told = desk.grade("course check --roster twins.csv").exit(2).stderr;
    assert!(told.contains("`tranbao` may be `1` (Bao Tran) or `2` (Bao Tran)"), "{told}");
    assert!(told.contains("hint: say whose it is in softmark.toml"), "{told}");
    let course = format!("{COURSE}\n[submissions]\ntranbao = \"2\"\n");
    fs::write(desk.path("home/softmark.toml"), &course).unwrap();
    let told = desk.grade("course check --roster twins.csv").exit(0).stdout;
    assert!(
        told.contains("  2 (Bao Tran): time of submission unknown, counted as in time, 0.01\n"),
        "{told}"
    );
    fs::write(desk.path("home/softmark.toml"), course.replace("\"2\"", "\"3\"")).unwrap();
    let told = desk.grade("course check --roster twins.csv").exit(2).stderr;
    assert!(told.contains("softmark.toml:23:11: [submissions] names `3`"), "{told}");
}

#[test]
fn a_course_that_contradicts_itself_is_refused() {
    for (from, to, said) in [
        ("late_days = 3", "late_dyas = 3", "line 7, column 1"),
        (
            "2026-12-03T23",
            "2026-11-03T23",
            "softmark.toml:11:14: late submissions of `attention` end on",
        ),
        ("[assignments.encoder]", "[assignments.encodr]", "did you mean `encoder`?"),
        (
            "[assignments.encoder]",
            "[assignments.encodr]",
            "softmark.toml:13:14: there is no assignment `encodr`",
        ),
        ("\"chiara\"", "\"zoe\"", "softmark.toml:18:11: [[extensions]] names `zoe`"),
    ] {
        let told = desk(&COURSE.replace(from, to)).grade("course check").exit(2).stderr;
        assert!(told.contains(said), "{said}\n{told}");
    }
}

#[test]
fn the_file_in_the_docs_is_valid() {
    let page = fs::read_to_string(format!("{HOME}/docs/instructors.md")).unwrap();
    let (_, section) = page.split_once("## Run a course").unwrap();
    let (_, text) = section.split_once("```toml\n").unwrap();
    let (text, _) = text.split_once("```").unwrap();
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("softmark.toml"), text).unwrap();
    let course = Course::read(dir.path()).unwrap();
    assert_eq!((course.assignments.len(), course.extensions.len()), (2, 1));
}
