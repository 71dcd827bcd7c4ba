//! Whatever anybody wrote, each format shows it as text.

use proptest::prelude::*;
use softmark::model::{Evidence, Grader, Record, RecordOutcome, Run, Status, Visibility};
use softmark::report;
use softmark::report::{Answers, Audience, Format, Layout, Style};
use softmark_untrusted::Untrusted;

use super::written;
use crate::support::exams::CATALOG;
use crate::support::reading::{letters_that_hide, markdown_texts, page_texts, xml_texts};
use crate::support::records::{any_record, grader, record};

fn is_xml_character(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}')
        || character >= '\u{10000}'
}

fn run_of(records: Vec<Record>) -> Run {
    Run { grader: Grader { version: "1\u{1b}<".into(), ..grader() }, records }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_class_is_shown_from_brief_records(
        records in prop::collection::vec(any_record(), 2..4),
        width in 0_usize..120,
    ) {
        let layout = Layout { width, style: Style::Plain };
        for format in [Format::Terminal, Format::Csv] {
            let written = |records: Vec<Record>| {
                let run = run_of(records);
                let (view, mut out) = (Audience::Staff.view(&run), Vec::new());
                report::write(&view, CATALOG, (format, layout), &mut out).unwrap();
                String::from_utf8(out).unwrap()
            };
            let brief = records.iter().cloned().map(Record::brief).collect();
            prop_assert_eq!(written(brief), written(records.clone()));
        }
    }

    #[test]
    fn nothing_but_text_and_newlines_reaches_the_terminal(
        records in prop::collection::vec(any_record(), 0..3),
        width in 0_usize..120,
    ) {
        let mut out = Vec::new();
        let layout = Layout { width, style: Style::Plain };
        report::write(&Audience::Staff.view(&run_of(records)), CATALOG, (Format::Terminal, layout), &mut out).unwrap();
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
        // The facts of a check are lines, each with a word before it.
        let is_line = |text: &str| {
            texts.iter().flat_map(|it| it.lines()).any(|line| line.trim_end().ends_with(text))
        };
        for text in shown(&records) {
            prop_assert!(texts.contains(&text) || is_line(&text), "{text:?} is not in {texts:?}");
        }
    }

    #[test]
    fn any_text_is_json(record in any_record()) {
        let document = written(&run_of(vec![record.clone()]), Format::Json);
        let value: serde_json::Value = serde_json::from_str(&document).unwrap();
        prop_assert_eq!(value["records"][0]["submission"].as_str(), Some(record.submission.as_raw()));
        prop_assert_eq!(value["records"][0]["log"].as_str(), Some(record.log.as_raw()));
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
    fn any_text_in_markdown_is_text(records in prop::collection::vec(any_record(), 0..3)) {
        let document = written(&run_of(records.clone()), Format::Markdown);
        prop_assert_eq!(letters_that_hide(&document), None);
        let texts = markdown_texts(&document).map_err(TestCaseError::fail)?;
        for text in shown(&records) {
            prop_assert!(texts.iter().any(|it| it.contains(&text)), "{text:?} is not in {texts:?}");
        }
    }

    #[test]
    fn a_students_view_has_no_evidence_of_hidden_checks(record in any_record()) {
        let students = Audience::Students(Answers::NONE);
        let run = run_of(vec![record]);
        let view = students.view(&run);
        let seen = view.run();
        for check in seen.records.iter().flat_map(|record| &record.tasks).flat_map(|task| &task.checks) {
            if check.visibility == Visibility::Hidden {
                prop_assert_eq!(&check.evidence, &Evidence::default());
                prop_assert_eq!(&check.replay, &None);
            }
        }
        let again = students.view(seen);
        prop_assert_eq!(again.run(), seen);
    }
}

/// Texts that a page and a JUnit report hold by themselves, each as it is shown, without the spaces
/// around it.
fn shown(records: &[Record]) -> Vec<String> {
    let mut texts = Vec::new();
    for record in records {
        texts.push(record.submission.to_string().trim().to_owned());
        let is_graded = record.outcome == RecordOutcome::Graded;
        for check in record.tasks.iter().flat_map(|task| &task.checks).filter(|_| is_graded) {
            // Without a title it is called by its id.
            let title = check.title.to_string().trim().to_owned();
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
        record.log = forged.into();
        record.reason = Some(forged.into());
        record.notes = vec![forged.into()];
        for check in record.tasks.iter_mut().flat_map(|task| &mut task.checks) {
            if check.status == Status::Wrong {
                check.message = format!("{forged} {}", "FORGED ".repeat(100)).into();
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
    let plain = |text: &mut Untrusted| {
        *text = text.as_raw().replace(['<', '"'], "x").into();
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
