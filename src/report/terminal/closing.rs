//! Prints the last lines under a class: results, cost, and grader.

use std::io;
use std::time::Duration;

use super::paint::{Ink, Layout};
use crate::model::Run;
use crate::report::summary::{self, Group};
use crate::report::text::{fit, width, wrap};

/// Record entry of a run with complete isolation.
const FULL_SANDBOX: &str = "full";

/// Writes the last lines.
pub(super) fn closing(
    run: &Run,
    groups: &[Group<'_>],
    layout: Layout,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut say = |ink, text: &str| {
        wrap(text, layout.columns())
            .iter()
            .try_for_each(|part| writeln!(out, "{}", layout.style.paint(ink, part)))
    };
    let records: Vec<_> = run.records.iter().collect();
    say(Ink::Strong, &summary::outcome_counts(&records))?;
    for group in groups {
        if let Some(marks) = summary::marks(&group.records) {
            let name = match groups {
                [_] => String::new(),
                _ => format!(" in {}", group.assignment),
            };
            let (mean, median) = (marks.mean, marks.median);
            let graded = format!("mean {mean}, median {median} of {} points", marks.max_points);
            let room = layout.columns().saturating_sub(width(&graded) + 2);
            say(Ink::Plain, &format!("{}: {graded}", fit(&format!("graded{name}"), room)))?;
        }
    }
    if let Some(cost) = summary::cost(run) {
        let seconds = |of: Duration| format!("{:.1} s", of.as_secs_f64());
        let size = |bytes: u64| format!("{} MiB", bytes.div_ceil(1 << 20));
        let (time, most) = (seconds(cost.median_cpu), seconds(cost.most_cpu));
        let (memory, peak) = (size(cost.median_bytes), size(cost.most_bytes));
        say(
            Ink::Plain,
            &format!(
                "a submission took {time} of processor time and {memory} (median); at most {most} \
                 and {peak}"
            ),
        )?;
    }
    let grader = &run.grader;
    let sandbox = &grader.sandbox;
    let rest = format!("grader {}", summary::grader_settings(grader));
    if *sandbox == FULL_SANDBOX {
        say(Ink::Faint, &format!("{rest}, sandbox {sandbox}"))
    } else {
        say(Ink::Faint, &rest)?;
        say(Ink::Warning, &format!("sandbox: {sandbox}; submissions were not fully isolated"))
    }
}
