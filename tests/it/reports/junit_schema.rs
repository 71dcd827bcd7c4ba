//! The rules of Jenkins' schema `junit-10.xsd`, as far as they concern elements and attributes.

use proptest::prelude::*;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use softmark::model::{RecordOutcome, Run};
use softmark::report::Format;

use super::{one, whole_class_and_hostile, written};
use crate::support::records::{any_record, grader};

/// Rule of the schema for an element.
struct Rule {
    element: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
    children: &'static [&'static str],
    has_text: bool,
}

const RULES: [Rule; 8] = [
    Rule {
        element: "testsuites",
        required: &[],
        optional: &["name", "time", "tests", "failures", "errors"],
        children: &["testsuite"],
        has_text: false,
    },
    Rule {
        element: "testsuite",
        required: &["name", "tests", "failures", "errors"],
        optional: &[
            "group",
            "time",
            "skipped",
            "timestamp",
            "hostname",
            "id",
            "package",
            "file",
            "log",
            "url",
            "version",
        ],
        children: &["testsuite", "properties", "testcase", "system-out", "system-err"],
        has_text: false,
    },
    Rule {
        element: "properties",
        required: &[],
        optional: &[],
        children: &["property"],
        has_text: false,
    },
    Rule {
        element: "property",
        required: &["name", "value"],
        optional: &[],
        children: &[],
        has_text: false,
    },
    Rule {
        element: "testcase",
        required: &["name"],
        optional: &["time", "classname", "group"],
        children: &["skipped", "errors", "failure", "system-out", "system-err"],
        has_text: false,
    },
    Rule {
        element: "failure",
        required: &[],
        optional: &["type", "message"],
        children: &[],
        has_text: true,
    },
    Rule {
        element: "skipped",
        required: &[],
        optional: &["type", "message"],
        children: &[],
        has_text: true,
    },
    Rule { element: "system-out", required: &[], optional: &[], children: &[], has_text: true },
];

fn rule(element: &str) -> Result<&'static Rule, String> {
    RULES
        .iter()
        .find(|rule| rule.element == element)
        .ok_or_else(|| format!("there is no element `{element}`"))
}

/// Checks an element's place and attributes.
fn check(element: &BytesStart<'_>, parents: &[&'static Rule]) -> Result<&'static Rule, String> {
    let rule = rule(element.name().as_ref())?;
    let name = rule.element;
    match parents.last() {
        Some(parent) if !parent.children.contains(&name) => {
            return Err(format!("`{name}` is in `{}`", parent.element));
        }
        None if name != "testsuites" => return Err(format!("`{name}` is the root")),
        _ => {}
    }
    let mut missing = rule.required.to_vec();
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let attribute = attribute.key.as_ref().to_owned();
        missing.retain(|required| *required != attribute);
        let allowed = rule.required.iter().chain(rule.optional);
        if !allowed.into_iter().any(|it| *it == attribute) {
            return Err(format!("`{name}` has the attribute `{attribute}`"));
        }
    }
    match missing.first() {
        Some(missing) => Err(format!("`{name}` has no `{missing}`")),
        None => Ok(rule),
    }
}

/// Checks a document by the schema's rules.
fn validate(document: &str) -> Result<(), String> {
    let mut reader = Reader::from_str(document);
    let mut parents: Vec<&'static Rule> = Vec::new();
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(element) => parents.push(check(&element, &parents)?),
            Event::Empty(element) => drop(check(&element, &parents)?),
            Event::End(_) => drop(parents.pop()),
            Event::Text(text) if !text.trim().is_empty() => {
                if let Some(parent) = parents.last().filter(|rule| !rule.has_text) {
                    return Err(format!("`{}` has text", parent.element));
                }
            }
            Event::Eof => return Ok(()),
            Event::Text(_) | Event::GeneralRef(_) | Event::Decl(_) => {}
            Event::CData(_) | Event::Comment(_) | Event::PI(_) | Event::DocType(_) => {
                return Err("a kind of content that the report does not have".to_owned());
            }
        }
    }
}

#[test]
fn every_outcome_is_valid() {
    assert_eq!(validate(&written(&whole_class_and_hostile(), Format::Junit)), Ok(()));
    for name in ["build-failed", "rejected", "no-grade", "partial"] {
        assert_eq!(validate(&written(&one(name), Format::Junit)), Ok(()), "{name}");
    }
}

#[test]
fn what_the_schema_does_not_have_is_found() {
    let suite = r#"<testsuite name="a" tests="1" failures="0" errors="0">"#;
    let wrong = [
        (
            format!(
                r#"<testsuites>{suite}<testcase name="c"><properties/></testcase></testsuite></testsuites>"#
            ),
            "`properties` is in `testcase`",
        ),
        (
            format!(
                r#"<testsuites>{suite}<testcase name="c"><error/></testcase></testsuite></testsuites>"#
            ),
            "there is no element `error`",
        ),
        (
            r#"<testsuites skipped="1"></testsuites>"#.to_owned(),
            "`testsuites` has the attribute `skipped`",
        ),
        (
            r#"<testsuites><testsuite name="a"/></testsuites>"#.to_owned(),
            "`testsuite` has no `tests`",
        ),
        (format!("<testsuites>{suite}words</testsuite></testsuites>"), "`testsuite` has text"),
        (format!("{suite}</testsuite>"), "`testsuite` is the root"),
    ];
    for (document, problem) in wrong {
        assert_eq!(validate(&document), Err(problem.to_owned()), "{document}");
    }
}

#[test]
fn a_submission_without_a_grade_fails() {
    for name in ["build-failed", "rejected", "no-grade"] {
        let run = one(name);
        assert_ne!(run.records[0].outcome, RecordOutcome::Graded);
        let text = written(&run, Format::Junit);
        let case = text.split(r#"<testcase name="grade""#).nth(1).unwrap();
        assert!(case.split("</testcase>").next().unwrap().contains("<failure "), "{case}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_records_are_valid(records in prop::collection::vec(any_record(), 0..3)) {
        let text = written(&Run { grader: grader(), records }, Format::Junit);
        prop_assert_eq!(validate(&text), Ok(()));
    }
}
