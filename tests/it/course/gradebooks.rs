//! Gradebooks and rosters as platforms export them: whose a row is, which cells are filled, and which files are refused.

use std::fs;
use std::process::{Child, Stdio};

use super::{CANVAS, COURSE, desk, keep, record};

/// Arguments that fill the gradebook of Canvas.
const FILL: &str =
    "course grades attention --format canvas --gradebook canvas.csv --out filled.csv";

#[test]
fn a_namesake_gets_no_mark_of_somebody_else() {
    let other = "\"Okafor, Amara\",70399,555,amara2@x.org,S2,,\r\n";
    let named = "\"Okafor, Amara\",70311,,,S1,,\r\n";
    let desk = desk(&COURSE.replace("\"chiara\"", "\"124\""))
        .file("home/roster.csv", "id,name,email\n124,Amara Okafor,amara@x.org\n")
        .file("canvas.csv", &(canvas_head() + other));
    keep(&desk, "results", &[record("124", "attention", "2026-11-20T10:00:00Z", 2_850)]);
    let told = desk.grade(FILL).exit(0).stderr;
    for said in [
        "0 cells written",
        "1 student: somebody else with the name of a student, cell left as it was; if it is the same person, \
         add the id, login or e-mail address of the gradebook to the roster\n  line 3, Amara Okafor: the id is `555`, and in the roster the id \
         of `124` is `124`\n",
        "1 student: not in the gradebook\n  124: extended to 2026-11-30 23:59 +01:00, in time, 28.50\n",
    ] {
        assert!(told.contains(said), "{said}\n{told}");
    }
    assert_eq!(desk.read("filled.csv"), canvas_head() + other);
    // Without another id the name is enough.
    fs::write(desk.path("canvas.csv"), canvas_head() + named).unwrap();
    let told = desk.grade(FILL).exit(0).stderr;
    assert!(told.contains("1 cell written"), "{told}");
    assert_eq!(desk.read("filled.csv"), canvas_head() + &named.replace(",S1,,", ",S1,28.50,"));
}

/// The header and the points of Canvas' gradebook.
fn canvas_head() -> String {
    CANVAS.split_inclusive('\n').take(2).collect()
}

#[test]
fn who_is_excused_stays_so() {
    let book = CANVAS
        .replace("\"S1, S2\",,7", "\"S1, S2\",EX,7")
        .replace("bao,,S1,\"\",", "bao,,S1,EX,")
        .replace("chiara,,S1,1,", "chiara,,S1,N/A,");
    let desk = desk(COURSE).file("canvas.csv", &book);
    keep(&desk, "results", &[record("amara", "attention", "2026-11-20T10:00:00Z", 2_850)]);
    let told = desk.grade(FILL).exit(0).stderr;
    assert!(told.contains("0 cells written"), "{told}");
    assert!(
        told.contains(
            "1 student: words in place of a grade, cell left as it was; if the mark is to replace them, empty the cell\n  \
             line 3, Amara Okafor: `EX`, excused\n"
        ),
        "{told}"
    );
    assert_eq!(desk.read("filled.csv"), book);
    let told = desk.grade(&format!("{FILL} --zero-missing")).exit(0).stderr;
    for said in [
        "1 cell written",
        "  line 4, Bao Tran: `EX`, excused\n",
        "  line 5, Chiara Rossi: `N/A`, not assigned, or anonymous until grades are posted\n",
    ] {
        assert!(told.contains(said), "{said}\n{told}");
    }
    let expected = book.replace("=1+1,70314,dilnoza,,S1,,", "=1+1,70314,dilnoza,,S1,0.00,");
    assert_eq!(desk.read("filled.csv"), expected);
}

#[test]
fn a_student_of_several_groups_hands_in_with_the_one_that_the_course_names() {
    let moodle = "First name,Last name,Email address,Groups
Amara,Okafor,a@x.org,\"red, tutorial 1\"
Bao,Tran,b@x.org,\"red, tutorial 2\"
Chiara,Rossi,c@x.org,No groups
";
    let course = COURSE.replace("student = \"chiara\"", "group = \"tutorial 1\"");
    let desk = desk(&course).file("home/roster.csv", moodle);
    keep(&desk, "results", &[record("Amara Okafor_5", "encoder", "2026-12-16T10:00:00Z", 2_000)]);
    let told = desk.grade("course check").exit(2).stderr;
    assert!(
        told.contains(
            "roster.csv: groups hand in `encoder`, and these students are in several groups:\n"
        ),
        "{told}"
    );
    assert!(told.contains("line 2, `a@x.org` (Amara Okafor): `red`, `tutorial 1`"), "{told}");
    assert!(told.contains("line 3, `b@x.org` (Bao Tran): `red`, `tutorial 2`"), "{told}");
    assert!(!told.contains("Rossi") && told.contains("hint: say in [groups]"), "{told}");
    let decided = format!("{course}[groups]\nred = [\"a@x.org\", \"b@x.org\"]\n");
    fs::write(desk.path("home/softmark.toml"), decided).unwrap();
    let told = desk.grade("course check").exit(0).stdout;
    for line in [
        "  a@x.org (Amara Okafor, red): in time, 20.00",
        "  b@x.org (Bao Tran, red): in time, 20.00",
        "  c@x.org (Chiara Rossi): missing",
    ] {
        assert!(told.lines().any(|it| it == line), "{line}\n{told}");
    }
    // Where nobody hands in with a group, all groups are shown.
    fs::write(desk.path("home/softmark.toml"), course.replace("groups = true\n", "")).unwrap();
    let told = desk.grade("course check").exit(0).stdout;
    assert!(told.contains("  a@x.org (Amara Okafor, red, tutorial 1): in time, 20.00\n"), "{told}");
    let json = desk.grade("course check --format json").exit(0).stdout;
    assert!(json.contains("\"group\": \"red, tutorial 2\""), "{json}");
}

#[test]
fn text_after_a_closing_quote_makes_no_student() {
    let desk = desk(COURSE).file("home/roster.csv", "id,name\n\"amara\"x,Amara\nbao,Bao\n");
    let told = desk.grade("course check").exit(2).stderr;
    assert!(told.contains("roster.csv: line 2: text after the closing quote of a field"), "{told}");
    fs::write(desk.path("home/roster.csv"), "id,name\n\"amara\" ,Amara\nchiara,Chiara\n").unwrap();
    let told = desk.grade("course check").exit(0).stdout;
    assert!(told.contains(": 2 students from "), "{told}");
}

/// Archives that were made on macOS have accents as letters of their own.
#[test]
fn a_name_is_found_however_its_accents_are_written() {
    let course = COURSE.replace("student = \"chiara\"", "student = \"1\"");
    let desk = desk(&course).file("home/roster.csv", "id,name\n1,Zo\u{eb} M\u{fc}ller\n");
    let apart = "Zoe\u{308} Mu\u{308}ller_123";
    keep(&desk, "results", &[record(apart, "attention", "2026-11-20T10:00:00Z", 900)]);
    let told = desk.grade("course check").exit(0).stdout;
    assert!(
        told.contains("  1 (Zoë Müller): extended to 2026-11-30 23:59 +01:00, in time, 9.00\n"),
        "{told}"
    );
    assert!(!told.contains("not in the roster"), "{told}");
}

#[test]
fn commands_that_write_one_file_at_the_same_time_all_succeed() {
    let desk = desk(COURSE);
    keep(&desk, "results", &[record("amara", "attention", "2026-11-20T10:00:00Z", 2_850)]);
    let start = |_| -> Child {
        let mut command = desk.command();
        command.args(FILL.split(' ')).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let all: Vec<Child> = (0..8).map(start).collect();
    for mut child in all {
        assert!(child.wait().unwrap().success());
    }
    let expected = CANVAS.replace("\"S1, S2\",,7", "\"S1, S2\",28.50,7");
    assert_eq!(desk.read("filled.csv"), expected);
    assert_eq!(desk.list("."), ["canvas.csv", "filled.csv", "home", "results"]);
}
