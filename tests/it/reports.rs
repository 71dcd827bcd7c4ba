//! Every format, from hand-made records.

mod any_text;
mod audience;
mod junit_schema;

use std::collections::BTreeMap;
use std::time::Duration;

use insta::assert_snapshot;
use serde_json::{Value, json};
use softmark::model::{ModelRecord, Points, Record, RecordOutcome, Run, Status, Usage};
use softmark::report;
use softmark::report::{Answers, Audience, Format, Layout, Style};
use softmark_untrusted::Untrusted;

use crate::support::exams::CATALOG;
use crate::support::reading::well_formed;
use crate::support::records::{class, grader, record};

fn written(run: &Run, format: Format) -> String {
    written_for(&Audience::Staff, run, format)
}

fn written_for(audience: &Audience, run: &Run, format: Format) -> String {
    let mut out = Vec::new();
    let view = audience.view(run);
    report::write(&view, CATALOG, (format, Layout::default()), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn one(name: &str) -> Run {
    Run { grader: grader(), records: vec![record(name)] }
}

fn whole_class_and_hostile() -> Run {
    let mut run = class();
    run.records.insert(0, record("hostile"));
    run
}

#[test]
fn terminal_shows_a_class() {
    assert_snapshot!("class.terminal", written(&class(), Format::Terminal));
}

#[test]
fn terminal_shows_one_submission_in_full() {
    for name in ["full-marks", "named-mistakes", "partial", "skeleton"] {
        assert_snapshot!(format!("{name}.terminal"), written(&one(name), Format::Terminal));
    }
    for name in ["build-failed", "rejected", "no-grade", "hostile"] {
        assert_snapshot!(format!("{name}.terminal"), written(&one(name), Format::Terminal));
    }
}

/// Full marks, beside a check of the first task that is worth nothing and fails.
fn with_a_check_that_costs_nothing() -> Run {
    let mut run = one("full-marks");
    let record = &mut run.records[0];
    let task = &mut record.tasks[0];
    let mut check = task.checks[0].clone();
    check.id = format!("{}/own-attention", task.id).into();
    (check.status, check.points, check.max_points) = (Status::Wrong, Points::ZERO, Points::ZERO);
    check.message = "The parts do not fit together.".into();
    task.checks.push(check);
    run
}

#[test]
fn a_failing_check_beside_full_marks_is_said_to_cost_nothing() {
    let run = with_a_check_that_costs_nothing();
    for format in
        [Format::Terminal, Format::Html, Format::Markdown, Format::Gradescope, Format::Junit]
    {
        let text = written(&run, format).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("nothing: this check is worth no points"), "{text}");
    }
    let mut class = class();
    class.records.extend(run.records);
    let text = written(&class, Format::Terminal);
    let fails = "full marks; scaled-dot-product/own-attention fails, which costs nothing";
    let start: String = fails.chars().take(30).collect();
    assert!(text.contains(&start), "{text}");
    let causes = text.split("What went wrong").nth(1).unwrap_or_default();
    assert!(!causes.contains("own-attention"), "{text}");
}

#[test]
fn terminal_shows_hostile_names_in_a_class() {
    assert_snapshot!(
        "hostile-class.terminal",
        written(&whole_class_and_hostile(), Format::Terminal)
    );
}

#[test]
fn terminal_colors_are_all_that_color_adds() {
    for run in [class(), one("named-mistakes")] {
        let mut colored = Vec::new();
        let layout = Layout { style: Style::Colored, ..Layout::default() };
        report::write(
            &Audience::Staff.view(&run),
            CATALOG,
            (Format::Terminal, layout),
            &mut colored,
        )
        .unwrap();
        let colored = String::from_utf8(colored).unwrap();
        assert!(colored.contains("\u{1b}["));
        let stripped = anstream::adapter::strip_str(&colored).to_string();
        let trimmed = |text: &str| -> Vec<String> {
            text.lines().map(|line| line.trim_end().to_owned()).collect()
        };
        assert_eq!(trimmed(&stripped), trimmed(&written(&run, Format::Terminal)));
    }
}

#[test]
fn terminal_lines_fit_whatever_the_width() {
    for width in [0, 60, 72, 80, 100, 500] {
        for run in
            [whole_class_and_hostile(), one("hostile"), one("named-mistakes"), one("skeleton")]
        {
            let mut out = Vec::new();
            let layout = Layout { width, style: Style::Plain };
            report::write(
                &Audience::Staff.view(&run),
                CATALOG,
                (Format::Terminal, layout),
                &mut out,
            )
            .unwrap();
            for line in String::from_utf8(out).unwrap().lines() {
                let columns = report::text::width(line);
                assert!(columns <= width.clamp(60, 100), "{columns} columns of {width}: {line}");
            }
        }
    }
}

#[test]
fn terminal_tables_hold_an_assignment_with_many_tasks() {
    let mut run = class();
    for record in &mut run.records {
        let tasks = record.tasks.clone();
        for (number, task) in (0..4).flat_map(|round| tasks.iter().map(move |task| (round, task))) {
            let mut task = task.clone();
            task.id = format!("{}-{number}", task.id).into();
            record.tasks.push(task);
        }
    }
    for line in written(&run, Format::Terminal).lines() {
        assert!(report::text::width(line) <= 100, "{line}");
    }
}

#[test]
fn an_empty_run_is_written_in_every_format() {
    let run = Run { grader: grader(), records: Vec::new() };
    for format in Format::ALL.into_iter().filter(|format| !format.takes_one()) {
        assert!(!written(&run, format).is_empty(), "{format}");
    }
}

#[test]
fn two_assignments_are_told_apart() {
    let mut run = class();
    for record in run.records.iter_mut().take(2) {
        record.assignment = "encoder".into();
    }
    run.records.truncate(6);
    assert_snapshot!("two-assignments.terminal", written(&run, Format::Terminal));
    assert_snapshot!("two-assignments.csv", written(&run, Format::Csv));
}

#[test]
fn json_is_the_documented_contract() {
    assert_snapshot!("named-mistakes.json", written(&one("named-mistakes"), Format::Json));
}

#[test]
fn json_tells_nothing_that_changes_from_run_to_run() {
    let cheap =
        Run { records: class().records.into_iter().map(without_usage).collect(), ..class() };
    for format in [Format::Json, Format::Junit, Format::Html, Format::Markdown, Format::Csv] {
        assert_eq!(written(&class(), format), written(&cheap, format), "{format}");
    }
}

fn without_usage(record: Record) -> Record {
    Record { usage: None, ..record }
}

#[test]
fn junit_is_as_expected() {
    assert_snapshot!("class.junit", written(&class(), Format::Junit));
    assert_snapshot!("hostile.junit", written(&one("hostile"), Format::Junit));
}

#[test]
fn csv_is_as_expected() {
    assert_snapshot!("class.csv", written(&whole_class_and_hostile(), Format::Csv));
}

#[test]
fn gradescope_is_as_expected() {
    for name in ["named-mistakes", "build-failed", "no-grade"] {
        assert_snapshot!(format!("{name}.gradescope"), written(&one(name), Format::Gradescope));
    }
}

#[test]
fn gradescope_gets_the_accuracy_of_a_model_for_its_leaderboard() {
    let mut run = one("full-marks");
    let task = run.records[0].tasks[0].id.clone();
    let model = ModelRecord {
        task,
        file: "best.safetensors".into(),
        accuracy: Some(581.0 / 600.0),
        asked: 600,
        examples: "questions".into(),
        settings: BTreeMap::new(),
        pseudonym: "quiet heron 17".into(),
        own: Untrusted::EMPTY,
    };
    let unmeasured = ModelRecord { accuracy: None, ..model.clone() };
    run.records[0].models = vec![model, unmeasured];
    let results: Value = serde_json::from_str(&written(&run, Format::Gradescope)).unwrap();
    let expected = json!([
        { "name": "Scaled dot-product attention: accuracy", "value": 0.9683, "order": "desc" }
    ]);
    assert_eq!(results["leaderboard"], expected);
    run.records[0].outcome = RecordOutcome::NoGrade;
    let results: Value = serde_json::from_str(&written(&run, Format::Gradescope)).unwrap();
    assert_eq!(results.get("leaderboard"), None);
}

#[test]
fn gradescope_gets_the_time_of_a_grading_that_was_not_taken_from_the_cache() {
    let mut run = one("full-marks");
    let wall = Duration::from_millis(12_345);
    run.records[0].usage = Some(Usage { wall, ..Usage::default() });
    let results: Value = serde_json::from_str(&written(&run, Format::Gradescope)).unwrap();
    assert_eq!(results["execution_time"], json!(12.345));
    let cached = Run { records: vec![without_usage(run.records.remove(0))], ..run };
    let results: Value = serde_json::from_str(&written(&cached, Format::Gradescope)).unwrap();
    assert_eq!(results.get("execution_time"), None);
}

#[test]
fn gradescope_takes_one_submission() {
    let error = report::write(
        &Audience::Staff.view(&class()),
        CATALOG,
        (Format::Gradescope, Layout::default()),
        &mut Vec::new(),
    );
    let error = error.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
    assert_eq!(error.to_string(), "the gradescope format takes one submission, and there are 7");
}

#[test]
fn html_is_as_expected() {
    assert_snapshot!("hostile.html", written(&one("hostile"), Format::Html));
    let page = written(&class(), Format::Html);
    assert_snapshot!("class.html", page);
    assert!(!page.contains("<script"));
}

#[test]
fn markdown_is_as_expected() {
    assert_snapshot!("class.markdown", written(&class(), Format::Markdown));
    assert_snapshot!("hostile.markdown", written(&one("hostile"), Format::Markdown));
}

#[test]
fn students_get_pages_of_their_own() {
    let students = Audience::Students(Answers::NONE);
    let named = one("named-mistakes");
    assert_snapshot!(
        "named-mistakes.student.markdown",
        written_for(&students, &named, Format::Markdown)
    );
    for (name, run) in [("named-mistakes", named), ("hostile", one("hostile"))] {
        let mut page = Vec::new();
        report::html::feedback::write(&students.view(&run), CATALOG, &mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        assert!(well_formed("html", &page).is_ok(), "{:?}", well_formed("html", &page));
        assert_snapshot!(format!("{name}.feedback"), page);
    }
}

#[test]
fn a_missing_grade_is_never_a_zero() {
    let run = one("no-grade");
    assert!(!written(&run, Format::Terminal).contains("0.00"));
    assert!(!written(&run, Format::Html).contains("0.00"));
    assert!(!written(&run, Format::Markdown).contains("0.00"));
    let csv = written(&run, Format::Csv);
    assert_eq!(csv.lines().nth(1), Some("giulia-conti,,attention,no_grade,,30.00,,,,,"));
    let gradescope: Value = serde_json::from_str(&written(&run, Format::Gradescope)).unwrap();
    assert!(gradescope.get("score").is_none());
    assert_eq!(gradescope["tests"].as_array().map(Vec::len), Some(0));
}

#[test]
fn formats_are_found_by_their_names() {
    for format in Format::ALL {
        assert_eq!(format.as_str().parse(), Ok(format));
    }
    assert_snapshot!(
        "xml".parse::<Format>().unwrap_err(),
        @"no format is called `xml`: use terminal, json, junit, html, markdown, csv, gradescope or classroom"
    );
}

#[test]
fn a_name_of_ten_thousand_letters_is_cut() {
    let mut run = class();
    run.records[0].submission = "語".repeat(10_000).into();
    for line in written(&run, Format::Terminal).lines() {
        assert!(report::text::width(line) <= 100, "{line}");
    }
}

#[test]
fn text_that_climbs_into_other_lines_is_held_down() {
    let climbing = format!("a{}", "\u{300}".repeat(1000));
    assert!(report::text::width(&Untrusted::from(climbing).to_string()) > 900);
}

#[test]
fn the_fixtures_hold_every_way_to_end() {
    let run = class();
    for outcome in [
        RecordOutcome::Graded,
        RecordOutcome::BuildFailed,
        RecordOutcome::Rejected,
        RecordOutcome::NoGrade,
    ] {
        assert!(run.records.iter().any(|record| record.outcome == outcome), "{outcome:?}");
    }
    let checks: Vec<_> =
        run.records.iter().flat_map(|record| &record.tasks).flat_map(|task| &task.checks).collect();
    for status in
        [Status::Pass, Status::Wrong, Status::NotImplemented, Status::Fault, Status::Blocked]
    {
        assert!(checks.iter().any(|check| check.status == status), "{status:?}");
    }
    for record in &run.records {
        let points: Points = record.tasks.iter().map(|task| task.points).sum();
        assert_eq!(points, record.points, "{}", record.submission);
        for task in &record.tasks {
            let points: Points = task.checks.iter().map(|check| check.points).sum();
            assert_eq!(points, task.points, "{} {}", record.submission, task.id);
        }
    }
}
