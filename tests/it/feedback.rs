//! Pages for students: which are written, what they show on which day, and that nothing is overwritten.

use std::fs;

use insta::assert_snapshot;
use softmark::model::{Points, Record, RecordOutcome, WrittenRecord};
use softmark::store::Folder;

use crate::support::grade::Desk;
use crate::support::reading::well_formed;
use crate::support::records::{CLASS, grader, record};

/// Text in the evidence of a hidden check.
const HIDDEN: &str = "HIDDEN-INPUT";

/// A desk with the records of these submissions in `results`.
fn desk(records: &[Record]) -> Desk {
    let desk = Desk::new();
    let folder = Folder::of(&desk.path("results"));
    for record in records {
        folder.write(&grader(), record).unwrap();
    }
    desk
}

/// A class from several platforms, two of whose submissions have no assignment that is known.
fn class() -> Vec<Record> {
    let entries = [
        "",
        "okaforamara_70311_5550199_hw1-2",
        "tranbao_LATE_70312_5550124_my work",
        "Zoë van Dam_1234567_assignsubmission_file_",
        "submission_101",
    ];
    let all = CLASS.iter().zip(entries.into_iter().chain(std::iter::repeat("")));
    all.map(|(name, entry)| Record { entry: entry.into(), ..record(name) }).collect()
}

/// A submission with evidence of a hidden check.
fn with_hidden_evidence() -> Record {
    let mut record = record("named-mistakes");
    for check in record.tasks.iter_mut().flat_map(|task| &mut task.checks) {
        if check.id == "scaled-dot-product/matches-reference" {
            check.evidence.inputs = vec![("query".into(), HIDDEN.into())];
        }
    }
    record
}

/// A course with these dates of the assignment `attention`.
fn with_dates(desk: Desk, dates: &str) -> Desk {
    let text = format!("title = \"T\"\n[assignments.attention]\n{dates}\n");
    let desk = desk.file("course/softmark.toml", &text);
    let course = desk.path("course");
    desk.env("SOFTMARK_HOME", course)
}

#[test]
fn every_student_gets_a_page_that_their_platform_takes_back() {
    let desk = desk(&class());
    let ran = desk.grade("feedback --out pages").exit(0);
    assert_snapshot!("feedback", ran.to_string());
    let files = desk.list("pages/attention");
    assert_eq!(desk.list("pages"), ["attention"]);
    assert_eq!(files.len(), CLASS.len());
    for name in [
        "Zoë van Dam_1234567_assignsubmission_file_feedback.html",
        "okaforamara_70311_5550199_feedback.html",
        "submission_101.html",
        "tranbao_LATE_70312_5550124_feedback.html",
    ] {
        assert!(files.contains(&name.to_owned()), "{name}: {files:?}");
    }
    for file in files {
        let page = desk.read(&format!("pages/attention/{file}"));
        assert_eq!(well_formed("html", &page), Ok(()), "{file}");
    }
}

#[test]
fn nothing_is_overwritten() {
    let desk = desk(&class());
    desk.grade("feedback --out pages").exit(0);
    let file = "pages/attention/submission_101.html";
    fs::write(desk.path(file), "mine").unwrap();
    let refused = desk.grade("feedback --out pages").exit(64);
    assert!(refused.stderr.contains("pages/attention is not empty"), "{refused}");
    assert_eq!(desk.read(file), "mine");
    assert_eq!(desk.list("pages/attention").len(), CLASS.len());
}

#[test]
fn one_assignment_may_be_chosen() {
    let mut records = class();
    for record in records.iter_mut().take(3) {
        record.assignment = "encoder".into();
    }
    records[7].assignment = "".into();
    assert_eq!(records[7].outcome, RecordOutcome::NoGrade);
    let desk = desk(&records);
    desk.grade("feedback --out one --assignment encoder").exit(0);
    assert_eq!(desk.list("one"), ["encoder"]);
    assert_eq!(desk.list("one/encoder").len(), 3);
    let all = desk.grade("feedback --out all").exit(0);
    assert_eq!(desk.list("all"), ["attention", "encoder", "unknown"]);
    assert!(all.stderr.contains("1 page says that there is no grade yet"), "{all}");
    let refused = desk.grade("feedback --out none --assignment atention").exit(64);
    assert!(refused.stderr.contains("there is `attention`, `encoder` or `unknown`"), "{refused}");
    let refused = desk.grade("feedback --out none --results nowhere").exit(64);
    assert!(refused.stderr.contains("there is no record in nowhere"), "{refused}");
    assert_eq!(desk.list("none"), Vec::<String>::new());
}

#[test]
fn hidden_inputs_are_shown_after_the_answer_date_or_when_revealed() {
    let submission = with_hidden_evidence();
    let name = submission.submission.to_string();
    let page = |desk: &Desk, line: &str| {
        desk.grade(&format!("feedback --out pages{line}")).exit(0);
        let page = desk.read(&format!("pages/attention/{name}.html"));
        fs::remove_dir_all(desk.path("pages")).unwrap();
        page
    };
    let shown = |desk: &Desk, line: &str| desk.grade(&format!("show {name} {line}")).exit(0).stdout;
    for (dates, is_over) in [
        ("due = 2020-01-01\nanswers = 2020-01-02", true),
        ("answers = 2999-01-01", false),
        ("due = 2020-01-01", false),
    ] {
        let desk = with_dates(desk(std::slice::from_ref(&submission)), dates);
        assert_eq!(page(&desk, "").contains(HIDDEN), is_over, "{dates}");
        assert!(page(&desk, " --reveal").contains(HIDDEN), "{dates}");
        for format in ["terminal", "json", "junit", "html", "markdown", "gradescope"] {
            let line = format!("--format {format} --audience student");
            let text = shown(&desk, &line);
            assert_eq!(text.contains(HIDDEN), is_over, "{format} {dates}: {text}");
            assert!(!text.contains("--seed"), "{format}: {text}");
            assert!(shown(&desk, &format!("{line} --reveal")).contains(HIDDEN), "{format}");
        }
        assert!(shown(&desk, "").contains(HIDDEN), "staff");
    }
}

#[test]
fn who_reveals_says_to_whom() {
    let desk = with_dates(desk(&class()), "due = 2026-11-26\nanswers = 2026-11-25");
    for line in ["show x --reveal", "show x --reveal --audience staff", "class --reveal"] {
        let refused = desk.grade(line).exit(64);
        assert!(refused.stderr.contains("`--reveal` is for students"), "{refused}");
    }
    // A typo in the dates is reported, and nothing is shown.
    let name = class()[2].submission.to_string();
    for line in [format!("show {name} --audience student"), "feedback --out pages".to_owned()] {
        let refused = desk.grade(&line).exit(2);
        assert!(
            refused.stderr.contains("softmark.toml:4:11: the answers of `attention`"),
            "{refused}"
        );
        assert_eq!(refused.stdout, "");
    }
    assert_eq!(desk.list("pages"), Vec::<String>::new());
}

#[test]
fn comments_of_the_last_marks_are_on_the_page() {
    let mut marked = record("full-marks");
    marked.submission = "amara".into();
    marked.written.push(WrittenRecord {
        id: "explanation".into(),
        title: "Why".into(),
        points: None,
        max_points: Points::parse(4.0).unwrap(),
        comment: "".into(),
        rubric: Vec::new(),
        text: "Because.".into(),
    });
    let marks = "submission,question,points,comment\namara,explanation,3.5,Both <halves> named\n";
    let desk = desk(&[marked]).file("results/marks.csv", marks);
    desk.grade("feedback --out pages").exit(0);
    let page = desk.read("pages/attention/amara.html");
    assert!(page.contains("Both &lt;halves&gt; named") && page.contains("3.50"), "{page}");
}
