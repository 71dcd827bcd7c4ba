//! Evidence of a check, as labels and texts for every format.

use softmark_untrusted::Untrusted;

use crate::model::{CheckRecord, Evidence};
use crate::report::summary::costs_nothing;
use crate::report::text::number;

/// Label and the lines beside it, ready to print.
pub(crate) type Row = (&'static str, Vec<String>);

/// Returns the rows of a check's evidence: the case, the inputs, the outputs; and, if a check fails that is
/// worth no points, a row that says so.
pub(crate) fn rows(check: &CheckRecord) -> Vec<Row> {
    let mut rows = of_evidence(&check.evidence);
    if costs_nothing(check) {
        let costs = ["nothing: this check is worth no points"].into_iter();
        rows.push(("costs", costs.chain(meaning(check.id.as_raw())).map(str::to_owned).collect()));
    }
    rows
}

/// Returns the meaning of the failure of a check that is worth no points.
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
        rows.push(("case", vec![case.to_string()]));
    }
    if !evidence.inputs.is_empty() {
        rows.push(("inputs", evidence.inputs.iter().flat_map(input).collect()));
    }
    if evidence.output.is_some() || evidence.index.is_some() {
        let output = evidence.output.as_ref().map_or("output".to_owned(), Untrusted::to_string);
        let index = evidence.index.as_ref().map(|index| format!("{index:?}")).unwrap_or_default();
        rows.push(("where", vec![format!("{output}{index}")]));
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

fn input((name, text): &(Untrusted, Untrusted)) -> Vec<String> {
    let mut shown = text.lines();
    match shown.first_mut() {
        Some(first) => *first = format!("{name} = {first}"),
        None => shown.push(format!("{name} is empty")),
    }
    shown
}

/// Returns the difference of the two values, if it is a number.
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
