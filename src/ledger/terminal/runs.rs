//! List of runs.

use std::io;

use super::page::Page;
use crate::report::Layout;
use crate::report::terminal::Ink;
use crate::report::text::{count, pad, pad_left};
use crate::store::SavedRun;

/// Prints the runs, the oldest first.
pub(in crate::ledger) fn write(
    runs: &[SavedRun],
    layout: Layout,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut page = Page { layout, out };
    page.heading("Runs", &count(runs.len(), "run", "runs"))?;
    let row = |cells: [&str; 7]| {
        let [run, started, submissions, version, seed, device, sandbox] = cells;
        let (run, submissions) = (pad_left(run, 5), pad_left(submissions, 11));
        let (started, version) = (pad(started, 20), pad(version, 8));
        let (seed, device) = (pad_left(seed, 6), pad(device, 7));
        format!("{run}  {started}  {submissions}  {version}  {seed}  {device}  {sandbox}")
    };
    let head = ["run", "started", "submissions", "grader", "seed", "device", "sandbox"];
    page.line(0, Ink::Faint, &row(head))?;
    for run in runs {
        let (number, started) = (run.id.to_string(), run.started_at.to_string());
        let (submissions, version) = (run.submissions.to_string(), run.grader.version.to_string());
        let seed = run.grader.seed.map(|seed| seed.to_string()).unwrap_or_default();
        let (device, sandbox) = (run.grader.device.to_string(), run.grader.sandbox.to_string());
        let cells = [&number, &started, &submissions, &version, &seed, &device, &sandbox];
        page.line(0, Ink::Plain, row(cells.map(String::as_str)).trim_end())?;
    }
    Ok(())
}
