//! Reports for students: they have no secret of a hidden check, in any format.

use std::collections::BTreeSet;

use softmark::model::{ModelRecord, Points, Record, RecordOutcome, Run, Status, Visibility};
use softmark::report::html::feedback;
use softmark::report::{Answers, Audience, Format};
use softmark_untrusted::Untrusted;

use super::written_for;
use crate::support::exams::CATALOG;
use crate::support::records::{grader, record};

/// Marks of texts that students see once answers are shown, and of those that they never see.
const ANSWER: &str = "SECRET-ANSWER";
const NEVER: &str = "SECRET-NEVER";

/// Beginning of the numbers that students see once answers are shown.
const ANSWER_NUMBER: &str = "4.24242";

/// Seed that no report shows by chance.
const SEED: u64 = 987_654_321_012_345;

const STUDENTS: Audience = Audience::Students(Answers::NONE);

/// A record with secrets in every field that is hidden from students.
fn with_secrets() -> Run {
    let mut full = record("named-mistakes");
    full.log = NEVER.into();
    full.models.push(model());
    for check in full.tasks.iter_mut().flat_map(|task| &mut task.checks) {
        check.replay = Some(format!("{NEVER}-REPLAY").into());
        if check.visibility == Visibility::Public && check.status == Status::Fault {
            check.message = format!("the code panicked at src/a.rs:1:2: {ANSWER}-PANIC").into();
        }
        if check.visibility == Visibility::Hidden {
            check.message = format!("{ANSWER}-MESSAGE {}", check.message).into();
            check.evidence.case = Some(format!("{ANSWER}-CASE").into());
            check.evidence.inputs =
                vec![(format!("{ANSWER}-NAME").into(), format!("{ANSWER}-INPUT").into())];
            check.evidence.output = Some(format!("{ANSWER}-OUTPUT").into());
            check.evidence.index = Some(vec![424_242]);
            check.evidence.got = Some(4.242_421);
            check.evidence.expected = Some(4.242_422);
            check.evidence.allowed = Some(4.242_423);
        }
    }
    let grader = softmark::model::Grader { seed: Some(SEED), ..grader() };
    Run { grader, records: vec![full] }
}

fn model() -> ModelRecord {
    ModelRecord {
        task: "best-model".into(),
        file: "best.safetensors".into(),
        accuracy: Some(0.5),
        asked: 600,
        examples: "questions".into(),
        settings: std::collections::BTreeMap::new(),
        pseudonym: "quiet heron 17".into(),
        own: format!("the code panicked: {NEVER}-OWN").into(),
    }
}

/// The run in every format for an audience, and as a page for the student, each with its name. GitHub Classroom has no form
/// for a missing grade.
fn all_formats(run: &Run, audience: &Audience) -> Vec<(String, String)> {
    let is_ungraded = run.records.iter().any(|it| it.outcome == RecordOutcome::NoGrade);
    let mut all: Vec<(String, String)> = Format::ALL
        .into_iter()
        .filter(|format| *format != Format::Classroom || !is_ungraded)
        .map(|format| (format.to_string(), written_for(audience, run, format)))
        .collect();
    let mut page = Vec::new();
    feedback::write(&audience.view(run), CATALOG, &mut page).unwrap();
    all.push(("feedback".to_owned(), String::from_utf8(page).unwrap()));
    all
}

#[test]
fn students_see_no_secret_in_any_format() {
    let run = with_secrets();
    for (format, text) in all_formats(&run, &STUDENTS) {
        assert!(!text.contains("SECRET") && !text.contains("42424"), "{format}: {text}");
        assert!(!text.contains(&SEED.to_string()), "{format}: {text}");
    }
    // Other assignments' answers are not these.
    let others = Answers::Of(BTreeSet::from(["encoder".to_owned()]));
    for (format, text) in all_formats(&run, &Audience::Students(others)) {
        assert!(!text.contains("SECRET") && !text.contains("42424"), "{format}: {text}");
    }
}

#[test]
fn two_formats_show_staff_no_more_than_students() {
    for (format, text) in all_formats(&with_secrets(), &Audience::Staff) {
        if ["gradescope", "feedback"].contains(&format.as_str()) {
            assert!(!text.contains("SECRET") && !text.contains("42424"), "{format}: {text}");
        }
    }
}

#[test]
fn staff_see_everything() {
    let run = with_secrets();
    for format in [Format::Terminal, Format::Json, Format::Junit, Format::Html, Format::Markdown] {
        let text = written_for(&Audience::Staff, &run, format);
        // A terminal breaks lines.
        for secret in ["REPLAY", "MESSAGE", "CASE", "NAME", "INPUT", "OUTPUT", ANSWER_NUMBER, NEVER]
        {
            assert!(text.contains(secret), "{format} lacks {secret}: {text}");
        }
    }
    for format in [Format::Terminal, Format::Json, Format::Html, Format::Markdown] {
        let text = written_for(&Audience::Staff, &run, format);
        assert!(text.contains(&SEED.to_string()), "{format}: {text}");
    }
}

#[test]
fn answers_are_shown_once_their_day_has_passed_and_seeds_never() {
    let run = with_secrets();
    let assignment = run.records[0].assignment.to_string();
    for answers in [Answers::All, Answers::Of(BTreeSet::from([assignment]))] {
        let students = Audience::Students(answers);
        for (format, text) in all_formats(&run, &students) {
            assert!(!text.contains(NEVER) && !text.contains(&SEED.to_string()), "{format}: {text}");
            assert!(format == "csv" || text.contains("SECRET-ANSWER-CASE"), "{format}: {text}");
            assert!(format == "csv" || text.contains(ANSWER_NUMBER), "{format}: {text}");
        }
    }
}

#[test]
fn students_see_results_mistakes_and_evidence_of_public_checks() {
    let run = with_secrets();
    let view = STUDENTS.view(&run);
    let (seen, full) = (&view.run().records[0], &run.records[0]);
    assert_eq!((seen.points, seen.max_points), (full.points, full.max_points));
    assert_eq!(seen.written, full.written);
    for (seen, full) in seen.tasks.iter().zip(&full.tasks) {
        for (seen, full) in seen.checks.iter().zip(&full.checks) {
            assert_eq!(
                (&seen.id, &seen.title, seen.status, seen.points, &seen.mistake),
                (&full.id, &full.title, full.status, full.points, &full.mistake)
            );
            if full.visibility == Visibility::Public {
                assert_eq!(seen.evidence, full.evidence);
                assert!(full.status == Status::Fault || seen.message == full.message, "{full:?}");
            }
        }
    }
}

#[test]
fn students_are_not_told_to_run_the_grader() {
    let run = with_secrets();
    for (format, text) in all_formats(&run, &STUDENTS) {
        assert!(!text.contains("grade explain"), "{format}: {text}");
    }
    for format in [Format::Html, Format::Markdown] {
        assert!(written_for(&Audience::Staff, &run, format).contains("grade explain"), "{format}");
        // Instead they get the page.
        let text = written_for(&STUDENTS, &run, format);
        for part in ["missing-scale", "Why it is wrong", "dot product of"] {
            assert!(text.contains(part), "{format} lacks {part}: {text}");
        }
    }
}

#[test]
fn why_there_is_no_grade_is_for_staff() {
    let mut missing = record("no-grade");
    missing.reason = Some(NEVER.into());
    assert_eq!(missing.outcome, RecordOutcome::NoGrade);
    let run = Run { grader: grader(), records: vec![missing] };
    for answers in [Answers::NONE, Answers::All] {
        for (format, text) in all_formats(&run, &Audience::Students(answers)) {
            assert!(!text.contains(NEVER), "{format}: {text}");
        }
    }
}

#[test]
fn a_page_begins_with_the_points_and_the_first_failing_public_check() {
    let page_for = |record: Record, audience: &Audience| {
        let run = Run { grader: grader(), records: vec![record] };
        let mut page = Vec::new();
        feedback::write(&audience.view(&run), CATALOG, &mut page).unwrap();
        String::from_utf8(page).unwrap()
    };
    let page = |record: Record| page_for(record, &STUDENTS);
    let named = page(record("named-mistakes"));
    let (above, results) = named.split_once("All results").unwrap();
    let (points, first) = above.split_once("Look at this first").unwrap();
    assert!(points.contains("points</small>"), "{points}");
    assert!(first.contains("multi-head/heads-are-apart"), "{first}");
    assert!(results.contains("scaled-dot-product/matches-reference"), "{results}");

    let mut hidden = record("named-mistakes");
    for check in hidden.tasks.iter_mut().flat_map(|task| &mut task.checks) {
        if check.visibility == Visibility::Public {
            check.status = Status::Pass;
        }
    }
    let revealed = page_for(hidden.clone(), &Audience::Students(Answers::All));
    let hidden = page(hidden);
    for page in [&hidden, &revealed] {
        assert!(page.contains("all public checks pass, and this hidden one fails"), "{page}");
    }
    assert!(hidden.contains("Its inputs are not shown"), "{hidden}");
    assert!(!revealed.contains("Its inputs are not shown"), "{revealed}");
    assert!(page(record("full-marks")).contains("Full marks"));
    let mut unfinished = record("full-marks");
    let task = &mut unfinished.tasks[1];
    (task.checks[0].status, task.points) = (Status::NotImplemented, Points::ZERO);
    let unfinished = page(unfinished);
    assert!(unfinished.contains("No check that ran fails; 1 task is not finished"), "{unfinished}");
    assert!(page(record("skeleton")).contains("No task is written yet"));
    assert!(page(record("no-grade")).contains("no grade yet"));
    let unbuilt = page(record("build-failed"));
    let first = unbuilt.split_once("Look at this first").unwrap().1;
    assert!(first.contains("mismatched types"), "{unbuilt}");
}

#[test]
fn comments_on_written_answers_are_on_the_page() {
    let mut marked = record("full-marks");
    marked.written.push(softmark::model::WrittenRecord {
        id: "explanation".into(),
        title: "Why".into(),
        points: Points::parse(3.5),
        max_points: Points::parse(4.0).unwrap(),
        comment: Untrusted::from("Both halves <b>named</b>."),
        rubric: Vec::new(),
        text: "Because.".into(),
    });
    let run = Run { grader: grader(), records: vec![marked] };
    for (format, text) in all_formats(&run, &STUDENTS) {
        let has_comments = ["terminal", "json", "html", "markdown", "feedback"];
        if has_comments.contains(&format.as_str()) {
            assert!(text.contains("Both halves"), "{format}: {text}");
        }
    }
}
