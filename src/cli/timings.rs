//! Table of the time that grading took.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use softmark_untrusted::Untrusted;

use crate::model::Record;
use crate::pipeline::{Phase, Timings};
use crate::report::text::{fit, width};

/// Columns for a submission's name, and for a number.
const NAME: usize = 20;
const NUMBER: usize = 10;

/// Explanation above the table.
const HEADING: &str = "wall-clock seconds of each phase, and seconds of processor time (`cpu`); `--jobs 1` measures \
                       each submission alone";

/// Returns a table with a line for each submission that was graded, and one with the sums.
pub(crate) fn table(records: &[Record], timings: &BTreeMap<Untrusted, Timings>) -> String {
    let mut text = format!("\n{HEADING}\n");
    let names = Phase::ALL.map(Phase::name);
    line(&mut text, "", names.iter().chain(&["all", "cpu"]).map(|name| (*name).to_owned()));
    let (mut sum, mut sum_cpu) = (Timings::default(), Duration::ZERO);
    for record in records {
        let Some(one) = timings.get(&record.submission) else { continue };
        // A submission that was refused before it was compiled took no time.
        if *one == Timings::default() {
            continue;
        }
        let cpu = record.usage.map(|usage| usage.cpu).unwrap_or_default();
        line(&mut text, &record.submission.to_string(), numbers(one, cpu));
        sum.extend(one);
        sum_cpu += cpu;
    }
    line(&mut text, "all", numbers(&sum, sum_cpu));
    text
}

/// Returns the numbers of a line.
fn numbers(timings: &Timings, cpu: Duration) -> impl Iterator<Item = String> {
    let phases = Phase::ALL.map(|phase| timings.of(phase));
    let all = phases.into_iter().chain([timings.total(), cpu]);
    all.map(|time| format!("{:.2}", time.as_secs_f64()))
}

/// Adds a line of right-aligned columns after a name.
fn line(text: &mut String, name: &str, columns: impl Iterator<Item = String>) {
    let name = fit(name, NAME);
    text.push_str("  ");
    text.push_str(&name);
    text.extend((width(&name)..NAME).map(|_| ' '));
    for column in columns {
        // Writing to a string does not fail.
        write!(text, "{column:>NUMBER$}").ok();
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_below_their_names() {
        let mut timings = Timings::default();
        timings.add(Phase::Link, Duration::from_millis(1250));
        let mut text = String::new();
        line(&mut text, "a submission with a long name", numbers(&timings, Duration::from_secs(7)));
        assert_eq!(
            text,
            "  a submission with a…      0.00      1.25      0.00      0.00      0.00      0.00      1.25      7.00\n"
        );
        assert!(!table(&[], &BTreeMap::new()).is_empty());
    }
}
