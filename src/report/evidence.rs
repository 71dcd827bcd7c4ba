//! The evidence of a check, as labels and texts that every format lays out its own way.

use crate::model::{CheckRecord, Evidence};
use crate::report::summary::costs_nothing;
use crate::report::text::{line, lines, number};

/// A label and the lines beside it, ready to be shown.
pub(super) type Row = (&'static str, Vec<String>);

/// Rows of a check's evidence, in the order of an argument: the case, the inputs, the outputs; and a row
/// that says that it costs nothing, if a check fails that is worth no points.
pub(super) fn rows(check: &CheckRecord) -> Vec<Row> {
    let mut rows = of_evidence(&check.evidence);
    if costs_nothing(check) {
        let costs = ["nothing: this check is worth no points"].into_iter();
        rows.push(("costs", costs.chain(meaning(&check.id)).map(str::to_owned).collect()));
    }
    rows
}

/// Meaning of the failure of a check that is worth no points.
fn meaning(id: &str) -> Option<&'static str> {
    let (_, check) = id.split_once('/')?;
    match check {
        "readable" => Some("the file cannot be read as it stands; the answers are counted below"),
        _ if check.starts_with("own-") => {
            Some("asked with your own parts below; what is wrong there was counted in their tasks")
        }
        _ => None,
    }
}

fn of_evidence(evidence: &Evidence) -> Vec<Row> {
    let mut rows = Vec::new();
    if let Some(case) = &evidence.case {
        rows.push(("case", vec![line(case)]));
    }
    if !evidence.inputs.is_empty() {
        rows.push(("inputs", evidence.inputs.iter().flat_map(input).collect()));
    }
    if evidence.output.is_some() || evidence.index.is_some() {
        let output = evidence.output.as_deref().unwrap_or("output");
        let index = evidence.index.as_ref().map(|index| format!("{index:?}")).unwrap_or_default();
        rows.push(("where", vec![format!("{}{index}", line(output))]));
    }
    if let Some(got) = evidence.got {
        rows.push(("got", vec![number(got)]));
    }
    if let Some(expected) = evidence.expected {
        rows.push(("expected", vec![number(expected)]));
    }
    if let Some(allowed) = evidence.allowed {
        let allowed = if allowed == 0.0 {
            "no difference at all".to_owned()
        } else {
            format!("± {}", number(allowed))
        };
        rows.push(("allowed", vec![allowed + &difference(evidence)]));
    }
    rows
}

fn input((name, text): &(String, String)) -> Vec<String> {
    let mut shown = lines(text);
    match shown.first_mut() {
        Some(first) => *first = format!("{} = {first}", line(name)),
        None => shown.push(format!("{} is empty", line(name))),
    }
    shown
}

/// By how much the two differ, where that is a number.
fn difference(evidence: &Evidence) -> String {
    match (evidence.got, evidence.expected) {
        (Some(got), Some(expected)) if (got - expected).is_finite() => {
            // Three digits say how far off it is; the values themselves stand above.
            let off = format!("{:.2e}", (got - expected).abs()).parse().unwrap_or(f64::NAN);
            format!("; it is off by {}", number(off))
        }
        _ => String::new(),
    }
}
