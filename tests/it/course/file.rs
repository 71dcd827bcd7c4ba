//! The file of a course: what `grade course check` shows of it, where its mistakes are said to be, and who may read the results.

use std::fs;

use serde_json::{Value, json};

use super::{COURSE, class, desk};
use crate::support::reader::Reader;

/// The course with more lines at its end.
fn with(lines: &str) -> String {
    format!("{COURSE}\n{lines}\n")
}

#[test]
fn all_dates_and_extensions_are_shown_before_there_are_submissions() {
    let dates = "release = 2026-11-01\nanswers = 2026-12-20\ndue = 2026-11-26";
    let group = "[[extensions]]\ngroup = \"Red\"\nassignment = \"encoder\"\ndue = 2026-12-20\nreason = \"a \\u001b fault\"";
    let desk = desk(&with(group).replace("due = 2026-11-26", dates));
    let told = desk.grade("course check").exit(0).stdout;
    let expected = [
        "attention, due 2026-11-26 23:59 +01:00",
        "  released 2026-11-01; late until 2026-12-03 23:59 +01:00; answers of hidden checks shown after 2026-12-20",
        "  extension of chiara (Chiara Rossi): due 2026-11-30 23:59 +01:00, late until 2026-12-07 23:59 +01:00",
        "encoder, due 2026-12-17",
        "  extension of group red (amara, bao): due 2026-12-20; a ␛ fault",
    ];
    for line in expected {
        assert!(told.lines().any(|it| it == line), "{line}\n{told}");
    }
    let told: Value =
        serde_json::from_str(&desk.grade("course check --format json").exit(0).stdout).unwrap();
    let [attention, encoder] = [&told["assignments"][0], &told["assignments"][1]];
    assert_eq!(attention["release"], "2026-11-01");
    assert_eq!(attention["answers"], "2026-12-20");
    assert_eq!(encoder["release"], Value::Null);
    let extension = json!({
        "whose": "chiara (Chiara Rossi)",
        "dates": ["due 2026-11-30 23:59 +01:00", "late until 2026-12-07 23:59 +01:00"],
        "reason": "",
    });
    assert_eq!(attention["extensions"], json!([extension]));
    // They are shown with submissions, too.
    class(&desk);
    let told = desk.grade("course check").exit(0).stdout;
    for line in expected {
        assert!(told.lines().any(|it| it == line), "{line}\n{told}");
    }
}

#[test]
fn a_mistake_in_the_file_has_a_line_and_a_column() {
    for (course, said) in [
        (
            with("[groups]\nblue = [\"dilnoza\", \"zoe\"]"),
            "23:20: [groups]: `zoe` of `blue` is not in the roster",
        ),
        (
            with("[groups]\nblue = [\n  \"dilnoza\",\n  \"amara\",\n]"),
            "25:3: [groups]: `amara` is in two groups, `red` and `blue`",
        ),
        (
            with("[submissions]\n\"lab x\" = \"nobody\""),
            "23:11: [submissions] names `nobody`, and the roster has no such student",
        ),
        (COURSE.replace("days = 4", "days = 0"), "20:8: an extension of 0 days changes nothing"),
        (
            COURSE.replace("late_days = 3", "late_days = 3\nlate_days_per_assignment = 4"),
            "8:28: an assignment may take 4 late days, and a student has 3",
        ),
        (
            COURSE.replace(
                "groups = true",
                "counts = \"marked\"\nmarked = { amara = \"x\", Amara = \"y\" }",
            ),
            "16:33: `marked` names one student twice, `amara` and `Amara`",
        ),
        (COURSE.replace("roster.csv", "students.csv"), "2:10: `roster` names "),
        (
            COURSE.replace("late_until = ", "times = \"times.csv\"\nlate_until = "),
            "11:9: `times` names ",
        ),
    ] {
        let told = desk(&course).grade("course check").exit(2).stderr;
        assert!(told.contains(&format!("softmark.toml:{said}")), "{said}\n{told}");
        assert!(!told.contains("roster.csv: "), "{told}");
    }
    let missing = desk(&COURSE.replace("roster.csv", "students.csv")).grade("course check").stderr;
    assert!(missing.contains("home/students.csv, which cannot be read: No such file"), "{missing}");
    // What a person names on the command line is that person's mistake.
    let named = desk(COURSE).grade("course check --roster none.csv").exit(64).stderr;
    assert!(named.contains("cannot read none.csv"), "{named}");
}

#[test]
fn groups_and_submissions_of_the_roster_are_accepted() {
    let course = with(
        "[groups]\nblue = [\"dilnoza\"]\nred = [\"amara\"]\n\n[submissions]\n\"lab x\" = \"b.tran\"",
    );
    let roster =
        "id,name,email,group,login\namara,A,,red,\nbao,B,,red,b.tran\nchiara,C,,,\ndilnoza,D,,,\n";
    let desk = desk(&course).file("home/roster.csv", roster);
    let told = desk.grade("course check").exit(0).stdout;
    assert!(
        told.ends_with("\n[submissions] names what nobody has handed in yet\n  lab x\n"),
        "{told}"
    );
    // Without a roster, the submissions of a course may still be to come.
    let alone = "title = \"T\"\n[submissions]\n\"lab x\" = \"amara\"\n";
    super::desk(alone).grade("course check").exit(0);
}

#[test]
fn whoever_may_only_read_the_results_gets_the_marks() {
    let desk = desk(COURSE);
    class(&desk);
    // A ledger, as a grading leaves it.
    let store = softmark::store::Store::open(&desk.path("results/attention/softmark.db"));
    drop(store.unwrap());
    let lines = [
        "course check",
        "course check --format json",
        "course grades attention --format csv",
        "course grades attention --format canvas --gradebook canvas.csv",
    ];
    let told = lines.map(|line| desk.grade(line).exit(0));
    let Some(reader) = Reader::of(&desk, "results") else { return };
    for (line, told) in lines.iter().zip(told) {
        assert_eq!(reader.grade(line), told, "{line}");
    }
}

#[test]
fn an_empty_ledger_beside_records_gives_no_marks() {
    let desk = desk(COURSE);
    class(&desk);
    fs::write(desk.path("results/attention/softmark.db"), "").unwrap();
    let told = desk.grade("course check").exit(2).stderr;
    assert!(told.contains("softmark.db is empty, and there are records beside it"), "{told}");
}
