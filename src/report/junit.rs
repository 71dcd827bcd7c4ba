//! JUnit XML, for continuous integration.
//!
//! The document is valid by Jenkins' schema `junit-10.xsd`. A submission is a suite, a check a test case, the task its
//! class name.
//!
//! | status | element |
//! |---|---|
//! | `wrong`, `not_implemented`, `fault` | `<failure type="…">` |
//! | `blocked` | `<skipped>`: what it waits for has a failure of its own |
//!
//! There is no `<error>`: some versions of the schema call that element `errors`, which no reader knows. `<failure>` is valid by
//! all of them.
//! A submission without a grade of its own has one more test case, `grade`, that fails, so
//! that its checks, all skipped, are not taken for a success.
//! The points of a submission are in the properties `score` and `max_score`. A test case has no properties in the schema:
//! its points are in its output, a line for each fact.
//! There are no times: the same submission gives the same report.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use softmark_untrusted::Untrusted;

use crate::model::{CheckRecord, Record, RecordOutcome, Status, TaskRecord};
use crate::report::audience::View;
use crate::report::evidence;
use crate::report::overridden;
use crate::report::summary::{outcome_words, status_words};
use crate::report::text::{message, quoted};

type Xml<'a> = Writer<&'a mut dyn io::Write>;

/// Number of test cases by result.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    tests: usize,
    failures: usize,
    skipped: usize,
}

impl Tally {
    fn of(record: &Record) -> Self {
        let mut tally = Self::default();
        for check in record.tasks.iter().flat_map(|task| &task.checks) {
            tally.tests += 1;
            match check.status {
                Status::Pass => {}
                Status::Wrong | Status::NotImplemented | Status::Fault => tally.failures += 1,
                Status::Blocked => tally.skipped += 1,
            }
        }
        if record.outcome != RecordOutcome::Graded {
            tally.tests += 1;
            tally.failures += 1;
        }
        tally
    }

    fn plus(self, other: Self) -> Self {
        Self {
            tests: self.tests + other.tests,
            failures: self.failures + other.failures,
            skipped: self.skipped + other.skipped,
        }
    }

    /// Returns the attributes that both a suite and all suites have.
    fn attributes(self) -> [(&'static str, String); 3] {
        [
            ("tests", self.tests.to_string()),
            ("failures", self.failures.to_string()),
            ("errors", "0".to_owned()),
        ]
    }
}

/// Writes the report.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write(view: &View<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let run = view.run();
    let mut xml: Xml<'_> = Writer::new_with_indent(out, b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let tally = run.records.iter().map(Tally::of).fold(Tally::default(), Tally::plus);
    xml.create_element("testsuites")
        .with_attribute(("name", "softmark"))
        .with_attributes(as_text(&tally.attributes()))
        .write_inner_content(|xml| {
            run.records.iter().try_for_each(|record| suite(xml, record, view))
        })?;
    xml.into_inner().write_all(b"\n")
}

fn suite(xml: &mut Xml<'_>, record: &Record, view: &View<'_>) -> io::Result<()> {
    let tally = Tally::of(record);
    xml.create_element("testsuite")
        .with_attribute(("name", record.submission.to_string().as_str()))
        .with_attributes(as_text(&tally.attributes()))
        .with_attribute(("skipped", tally.skipped.to_string().as_str()))
        .write_inner_content(|xml| suite_content(xml, record, view))?;
    Ok(())
}

fn suite_content(xml: &mut Xml<'_>, record: &Record, view: &View<'_>) -> io::Result<()> {
    let mut about = vec![
        ("assignment", record.assignment.to_string()),
        ("sha256", record.sha256.to_string()),
        ("outcome", record.outcome.as_str().to_owned()),
    ];
    about.extend(record.submitted.as_ref().map(|at| ("submitted", at.to_string())));
    if record.outcome != RecordOutcome::NoGrade {
        about.push(("score", record.points.to_string()));
        about.push(("max_score", record.max_points.to_string()));
    }
    properties(xml, &about)?;
    if record.outcome != RecordOutcome::Graded {
        ungraded(xml, record)?;
    }
    for task in &record.tasks {
        task.checks.iter().try_for_each(|check| case(xml, task, check, view))?;
    }
    system_out(xml, record)
}

fn properties(xml: &mut Xml<'_>, properties: &[(&str, String)]) -> io::Result<()> {
    xml.create_element("properties").write_inner_content(|xml| {
        properties.iter().try_for_each(|(name, value)| property(xml, name, value))
    })?;
    Ok(())
}

fn property(xml: &mut Xml<'_>, name: &str, value: &str) -> io::Result<()> {
    let element = xml.create_element("property");
    element.with_attributes([("name", name), ("value", value)]).write_empty()?;
    Ok(())
}

/// The test case that says why the others did not run.
fn ungraded(xml: &mut Xml<'_>, record: &Record) -> io::Result<()> {
    let whole = record.reason.clone().unwrap_or_default();
    let first = whole.first_line();
    let message = format!("{}: {first}", outcome_words(record.outcome));
    let about = [("message", message.as_str()), ("type", record.outcome.as_str())];
    let text = whole.to_multiline();
    xml.create_element("testcase")
        .with_attributes([("name", "grade"), ("classname", "grade")])
        .write_inner_content(|xml| {
            let failure = xml.create_element("failure").with_attributes(about);
            failure.write_text_content(BytesText::new(&text)).map(drop)
        })?;
    Ok(())
}

fn case(
    xml: &mut Xml<'_>,
    task: &TaskRecord,
    check: &CheckRecord,
    view: &View<'_>,
) -> io::Result<()> {
    // The task stands in the class name; a reader shows the two together.
    let below = check.id.as_raw().strip_prefix(task.id.as_raw());
    let below = below.and_then(|rest| rest.strip_prefix('/'));
    let name = below.map_or_else(|| check.id.clone(), Untrusted::from).to_string();
    xml.create_element("testcase")
        .with_attributes([("name", name.as_str()), ("classname", task.id.to_string().as_str())])
        .write_inner_content(|xml| case_content(xml, check, view))?;
    Ok(())
}

fn case_content(xml: &mut Xml<'_>, check: &CheckRecord, view: &View<'_>) -> io::Result<()> {
    result(xml, check, view)?;
    let facts = facts(check).join("\n");
    xml.create_element("system-out").write_text_content(BytesText::new(&facts))?;
    Ok(())
}

/// Writes the element that says why a check did not pass.
fn result(xml: &mut Xml<'_>, check: &CheckRecord, view: &View<'_>) -> io::Result<()> {
    let element = match check.status {
        Status::Pass => return Ok(()),
        Status::Wrong | Status::NotImplemented | Status::Fault => "failure",
        Status::Blocked => "skipped",
    };
    let words = status_words(check.status);
    let said = match check.message.to_string() {
        said if said.is_empty() => words.to_owned(),
        said if check.status == Status::Wrong => said,
        said => format!("{words}: {said}"),
    };
    let element = xml.create_element(element).with_attribute(("message", said.as_str()));
    if check.status == Status::Blocked {
        element.write_empty()?;
    } else {
        element
            .with_attribute(("type", check.status.as_str()))
            .write_text_content(BytesText::new(&body(check, view)))?;
    }
    Ok(())
}

/// Returns the facts about a check that do not depend on its result, each as a line with a name and a value.
fn facts(check: &CheckRecord) -> Vec<String> {
    let mut facts = vec![
        ("title", check.title.to_string()),
        ("visibility", check.visibility.as_str().to_owned()),
        ("score", check.points.to_string()),
        ("max_score", check.max_points.to_string()),
    ];
    facts.extend(check.mistake.as_ref().map(|mistake| ("mistake", mistake.to_string())));
    facts.extend(overridden::line(check).map(|line| ("override", line)));
    facts.into_iter().map(|(word, value)| format!("{word:<10} {value}")).collect()
}

/// Returns the details of a check: message, evidence, mistake and replay command.
fn body(check: &CheckRecord, view: &View<'_>) -> String {
    let mut body = message(&check.message);
    for (label, texts) in evidence::rows(check) {
        body.extend(texts.iter().map(|text| format!("{label:<9} {text}")));
    }
    if let Some(mistake) = &check.mistake {
        let command = if view.is_for_students() { "" } else { "grade explain " };
        body.push(format!("{:<9} {command}{mistake}", "mistake"));
    }
    if let Some(replay) = &check.replay {
        body.push(format!("{:<9} {replay}", "replay"));
    }
    body.join("\n")
}

fn system_out(xml: &mut Xml<'_>, record: &Record) -> io::Result<()> {
    let text: Vec<String> = record
        .notes
        .iter()
        .map(|note| format!("note: {note}"))
        .chain(overridden::lines(record).into_iter().map(|line| format!("override: {line}")))
        .chain(quoted(&record.log))
        .collect();
    if !text.is_empty() {
        xml.create_element("system-out").write_text_content(BytesText::new(&text.join("\n")))?;
    }
    Ok(())
}

fn as_text<'a>(
    attributes: &'a [(&'static str, String)],
) -> impl Iterator<Item = (&'a str, &'a str)> {
    attributes.iter().map(|(name, value)| (*name, value.as_str()))
}
