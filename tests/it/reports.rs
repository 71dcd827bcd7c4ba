//! Every format, from hand-made records.

use std::fmt::Write as _;

use insta::assert_snapshot;
use proptest::prelude::*;
use softmark::model::{Grader, Points, Record, RecordOutcome, Run, Status, Visibility};
use softmark::report::{self, Audience, Format, Layout, Style, for_student};

use crate::support::reading::{letters_that_hide, page_texts, xml_texts};
use crate::support::records::{any_record, class, grader, record};

fn written(run: &Run, format: Format) -> String {
    let mut out = Vec::new();
    report::write(run, format, Layout::default(), &mut out).unwrap();
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
        report::write(&run, Format::Terminal, layout, &mut colored).unwrap();
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
            report::write(&run, Format::Terminal, layout, &mut out).unwrap();
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
            write!(task.id, "-{number}").unwrap();
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
    for format in Format::ALL.into_iter().filter(|format| *format != Format::Gradescope) {
        assert!(!written(&run, format).is_empty(), "{format}");
    }
}

#[test]
fn two_assignments_are_told_apart() {
    let mut run = class();
    for record in run.records.iter_mut().take(2) {
        record.assignment = "encoder".to_owned();
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
    for format in [Format::Json, Format::Junit, Format::Html, Format::Csv] {
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
fn gradescope_takes_one_submission() {
    let error = report::write(&class(), Format::Gradescope, Layout::default(), &mut Vec::new());
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
fn a_missing_grade_is_never_a_zero() {
    let run = one("no-grade");
    assert!(!written(&run, Format::Terminal).contains("0.00"));
    assert!(!written(&run, Format::Html).contains("0.00"));
    let csv = written(&run, Format::Csv);
    assert_eq!(csv.lines().nth(1), Some("giulia-conti,,attention,no_grade,,30.00,,,,,"));
    let gradescope: serde_json::Value =
        serde_json::from_str(&written(&run, Format::Gradescope)).unwrap();
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
        @"no format is called `xml`: use terminal, json, junit, html, csv or gradescope"
    );
}

#[test]
fn a_student_sees_points_and_mistakes_of_hidden_checks_and_nothing_that_was_asked() {
    let mut full = record("named-mistakes");
    full.log = "SECRET-LOG".to_owned();
    for check in full.tasks.iter_mut().flat_map(|task| &mut task.checks) {
        if check.visibility == Visibility::Hidden {
            check.message = format!("SECRET-MESSAGE {}", check.message);
            check.replay = Some("SECRET-REPLAY".to_owned());
            check.evidence.case = Some("SECRET-CASE".to_owned());
            check.evidence.inputs = vec![("SECRET-NAME".to_owned(), "SECRET-INPUT".to_owned())];
            check.evidence.output = Some("SECRET-OUTPUT".to_owned());
            check.evidence.index = Some(vec![424_242]);
            check.evidence.got = Some(4.242_421);
            check.evidence.expected = Some(4.242_422);
            check.evidence.allowed = Some(4.242_423);
        }
    }
    let seen = for_student(&full);
    assert_eq!(Audience::Student.view(&full), seen);
    assert_eq!((seen.points, seen.max_points), (full.points, full.max_points));
    for (seen, full) in seen.tasks.iter().zip(&full.tasks) {
        for (seen, full) in seen.checks.iter().zip(&full.checks) {
            assert_eq!(
                (&seen.id, &seen.title, seen.status, seen.points, &seen.mistake),
                (&full.id, &full.title, full.status, full.points, &full.mistake)
            );
            if full.visibility == Visibility::Public {
                assert_eq!(seen, full);
            }
        }
    }
    let student = Run { grader: grader(), records: vec![seen] };
    for format in Format::ALL {
        let text = written(&student, format);
        assert!(!text.contains("SECRET") && !text.contains("42424"), "{format}: {text}");
    }
    // Gradescope shows a student's view whatever it is handed.
    let full = Run { grader: grader(), records: vec![full] };
    let text = written(&full, Format::Gradescope);
    assert!(!text.contains("SECRET") && !text.contains("42424"), "{text}");
}

#[test]
fn a_name_of_ten_thousand_letters_is_cut() {
    let mut run = class();
    run.records[0].submission = "語".repeat(10_000);
    for line in written(&run, Format::Terminal).lines() {
        assert!(report::text::width(line) <= 100, "{line}");
    }
}

#[test]
fn text_that_climbs_into_other_lines_is_held_down() {
    let climbing = format!("a{}", "\u{300}".repeat(1000));
    assert!(report::text::width(&report::text::line(&climbing)) > 900);
}

fn is_xml_character(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}')
        || character >= '\u{10000}'
}

fn run_of(records: Vec<Record>) -> Run {
    Run { grader: Grader { version: "1\u{1b}<".to_owned(), ..grader() }, records }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn nothing_but_text_and_newlines_reaches_the_terminal(
        records in prop::collection::vec(any_record(), 0..3),
        width in 0_usize..120,
    ) {
        let mut out = Vec::new();
        let layout = Layout { width, style: Style::Plain };
        report::write(&run_of(records), Format::Terminal, layout, &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        prop_assert_eq!(letters_that_hide(&out), None);
        for line in out.lines() {
            prop_assert!(report::text::width(line) <= width.clamp(60, 100), "{}", line);
        }
    }

    #[test]
    fn any_text_is_well_formed_xml(records in prop::collection::vec(any_record(), 0..3)) {
        let document = written(&run_of(records.clone()), Format::Junit);
        prop_assert!(document.chars().all(is_xml_character));
        prop_assert_eq!(letters_that_hide(&document), None);
        prop_assert!(!document.contains("]]>"));
        let texts: Vec<String> =
            xml_texts(&document).unwrap().iter().map(|text| text.trim().to_owned()).collect();
        for text in shown(&records) {
            prop_assert!(texts.contains(&text), "{text:?} is not in {texts:?}");
        }
    }

    #[test]
    fn any_text_is_json(record in any_record()) {
        let document = written(&run_of(vec![record.clone()]), Format::Json);
        let value: serde_json::Value = serde_json::from_str(&document).unwrap();
        prop_assert_eq!(value["records"][0]["submission"].as_str(), Some(&*record.submission));
        prop_assert_eq!(value["records"][0]["log"].as_str(), Some(&*record.log));
        prop_assert_eq!(letters_that_hide(&document), None);
        let document = written(&run_of(vec![record]), Format::Gradescope);
        prop_assert!(serde_json::from_str::<serde_json::Value>(&document).is_ok());
        prop_assert_eq!(letters_that_hide(&document), None);
    }

    #[test]
    fn any_text_is_a_table_without_formulas(records in prop::collection::vec(any_record(), 0..4)) {
        let table = written(&run_of(records.clone()), Format::Csv);
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        prop_assert_eq!(rows.len(), records.len());
        for cell in rows.iter().flat_map(csv::StringRecord::iter) {
            prop_assert!(!cell.trim_start().starts_with(['=', '+', '-', '@']), "{}", cell);
            prop_assert!(!cell.contains('\n'));
        }
        prop_assert_eq!(letters_that_hide(&table), None);
        for (row, record) in rows.iter().zip(&records) {
            prop_assert_eq!(row.get(0), Some(&*report::csv::cell(&record.submission)));
        }
    }

    #[test]
    fn any_text_in_a_page_is_text(records in prop::collection::vec(any_record(), 0..3)) {
        let quiet: Vec<Record> = records.iter().map(with_plain_text).collect();
        let tags = |page: &str| page.matches('<').count();
        let quotes = |page: &str| page.matches('"').count();
        let page = written(&run_of(records.clone()), Format::Html);
        let plain = written(&run_of(quiet), Format::Html);
        // Whatever a student writes, the page has the tags and quotes that its structure has.
        prop_assert_eq!(tags(&page), tags(&plain));
        prop_assert_eq!(quotes(&page), quotes(&plain));
        prop_assert_eq!(letters_that_hide(&page), None);
        let texts: Vec<String> =
            page_texts(&page).unwrap().iter().map(|text| text.trim().to_owned()).collect();
        for text in shown(&records) {
            prop_assert!(texts.contains(&text), "{text:?} is not in {texts:?}");
        }
    }

    #[test]
    fn a_students_view_has_no_evidence_of_hidden_checks(record in any_record()) {
        let seen = for_student(&record);
        for check in seen.tasks.iter().flat_map(|task| &task.checks) {
            if check.visibility == Visibility::Hidden {
                prop_assert_eq!(&check.evidence, &softmark_checks::outcome::Evidence::default());
                prop_assert_eq!(&check.replay, &None);
            }
        }
        prop_assert_eq!(for_student(&seen), seen);
    }
}

/// Texts that a page and a JUnit report hold by themselves, each as it is shown, without the spaces
/// around it.
fn shown(records: &[Record]) -> Vec<String> {
    let mut texts = Vec::new();
    for record in records {
        texts.push(report::text::line(&record.submission).trim().to_owned());
        let is_graded = record.outcome == RecordOutcome::Graded;
        for check in record.tasks.iter().flat_map(|task| &task.checks).filter(|_| is_graded) {
            // Without a title it is called by its id.
            let title = report::text::line(&check.title).trim().to_owned();
            texts.extend(Some(title).filter(|title| !title.is_empty()));
        }
    }
    texts
}

#[test]
fn a_students_text_is_not_taken_for_a_line_of_the_report() {
    let forged = "so it was\nFORGED note: full marks\n\n  FORGED ✓ all    8.00 / 8.00\nFORGED mistake   none\n";
    for outcome in [RecordOutcome::Graded, RecordOutcome::Rejected, RecordOutcome::BuildFailed] {
        let mut record = record("named-mistakes");
        record.outcome = outcome;
        record.log = forged.to_owned();
        record.reason = Some(forged.to_owned());
        record.notes = vec![forged.to_owned()];
        for check in record.tasks.iter_mut().flat_map(|task| &mut task.checks) {
            if check.status == Status::Wrong {
                check.message = format!("{forged} {}", "FORGED ".repeat(100));
            }
        }
        let mut run = Run { grader: grader(), records: vec![record] };
        let mut seen = 0;
        for format in [Format::Terminal, Format::Gradescope, Format::Junit] {
            if format == Format::Junit {
                // In an element of its own there is nothing to take it for.
                run.records[0].reason = None;
            }
            // In a JSON text, lines are escapes.
            for line in written(&run, format).replace("\\n", "\n").lines() {
                if let Some((before, _)) = line.split_once("FORGED") {
                    seen += 1;
                    let is_marked = before.contains('│') || before.contains('␊');
                    assert!(is_marked, "{format}, {outcome:?}: {line}");
                }
            }
        }
        assert!(seen > 3, "{seen}");
    }
}

/// The record with letters for everything that markup could be made of.
fn with_plain_text(record: &Record) -> Record {
    let mut record = record.clone();
    let plain = |text: &mut String| {
        *text = text.chars().map(|c| if matches!(c, '<' | '"') { 'x' } else { c }).collect();
    };
    plain(&mut record.submission);
    plain(&mut record.sha256);
    plain(&mut record.assignment);
    plain(&mut record.log);
    record.reason.iter_mut().for_each(plain);
    record.notes.iter_mut().for_each(plain);
    for task in &mut record.tasks {
        plain(&mut task.id);
        plain(&mut task.title);
        for check in &mut task.checks {
            plain(&mut check.id);
            plain(&mut check.title);
            plain(&mut check.message);
            check.mistake.iter_mut().for_each(plain);
            check.replay.iter_mut().for_each(plain);
            check.evidence.case.iter_mut().for_each(plain);
            check.evidence.output.iter_mut().for_each(plain);
            for (name, text) in &mut check.evidence.inputs {
                plain(name);
                plain(text);
            }
        }
    }
    record
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
