//! Results as text.

use std::collections::BTreeMap;
use std::io;

use softmark_checks::{Evidence, Outcome, Task};

use crate::hand_in::HandIn;
use crate::hints::Hints;
use crate::paper::{Ink, Paper};
use crate::progress::Changes;
use crate::results::{CheckResult, KnownMistake, State, Tally, TaskResults};

/// Indent of the lines below a check's title.
pub(crate) const INDENT: &str = "      ";

/// Command that runs the public checks, up to their own arguments.
pub(crate) const COMMAND: &str = "cargo test --test public --";

/// Returns a number of points without zeros at its end: `2.5`.
pub(crate) fn points(points: f64) -> String {
    let text = format!("{points:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns the mark of a state, and its colour.
pub(crate) fn mark(state: State) -> (&'static str, Ink) {
    match state {
        State::Right => ("✓", Ink::Green),
        State::Wrong => ("✗", Ink::Red),
        State::Unwritten => ("·", Ink::Yellow),
    }
}

/// Writes what the grader would reject, and what else there is to know about the files.
pub(crate) fn hand_in(found: &HandIn, paper: &mut Paper<'_>) -> io::Result<()> {
    if !found.rejected.is_empty() {
        let title = "The grader does not accept this code: as it is, the submission earns nothing";
        paper.inked(Ink::Bold, &format!("\n{title}"))?;
        let mark = paper.ink(Ink::Red, "✗");
        for reason in &found.rejected {
            paper.paragraph(&format!("  {mark} "), reason)?;
        }
    }
    if !found.notes.is_empty() {
        paper.inked(Ink::Bold, "\nFiles to hand in")?;
        for note in &found.notes {
            paper.paragraph("  · ", note)?;
        }
    }
    Ok(())
}

/// Context in which the results of a task are shown.
#[derive(Debug)]
pub(crate) struct Context<'a> {
    /// Seed of the run.
    pub(crate) seed: u64,
    /// Task on which this one is built, and in which something is not right yet.
    pub(crate) below: Option<&'static Task>,
    /// Hints, by the id of the check.
    pub(crate) hints: &'a BTreeMap<String, Hints>,
}

/// Writes the results of a task.
pub(crate) fn task(
    results: &TaskResults,
    context: &Context<'_>,
    paper: &mut Paper<'_>,
) -> io::Result<()> {
    let Task { title, file, .. } = results.task;
    let tally = Tally::of(&results.checks);
    let title = paper.ink(Ink::Bold, title);
    let earned = of_points(tally);
    let earned = paper.ink(Ink::Dim, &earned);
    paper.line(format!("\n{title}  ({file})  {earned}").trim_end())?;
    if let Some(message) = unwritten(results) {
        let mark = paper.ink(Ink::Yellow, "·");
        return paper.line(&format!("  {mark} not yet written: {message}"));
    }
    for result in &results.checks {
        check(result, context, paper)?;
    }
    if let Some(mistake) = &results.mistake {
        known_mistake(mistake, paper)?;
    }
    if let Some(below) = context.below.filter(|_| results.is_wrong()) {
        paper.paragraph(INDENT, &begin_there(below))?;
    }
    Ok(())
}

/// Writes which known mistake the code of a task makes.
pub(crate) fn known_mistake(mistake: &KnownMistake, paper: &mut Paper<'_>) -> io::Result<()> {
    let KnownMistake { name, summary } = mistake;
    let title = format!("  The code of this task answers exactly like a known mistake: {name}");
    paper.inked(Ink::Bold, &title)?;
    paper.paragraph(INDENT, summary)?;
    paper.inked(Ink::Dim, &format!("{INDENT}its page:         {COMMAND} --explain {name}"))
}

/// Returns the note on a task that is built on an unfinished one.
pub(crate) fn begin_there(below: &Task) -> String {
    let below = below.number().to_lowercase();
    format!(
        "(here it runs on your own {below}, which is not right yet: begin there. The grader judges it with a right one \
         below it as well.)"
    )
}

/// Returns `2.5 of 3 points`; nothing where there are no points.
fn of_points(tally: Tally) -> String {
    if tally.max_points == 0.0 {
        return String::new();
    }
    format!("{} of {} points", points(tally.points), points(tally.max_points))
}

/// Returns the message of the stub, if no check of the task got any further.
fn unwritten(results: &TaskResults) -> Option<&str> {
    let is_all = results.checks.iter().all(|result| result.state() == State::Unwritten);
    match results.checks.first().map(|first| &first.outcome) {
        Some(Outcome::NotImplemented { message }) if is_all => Some(message),
        _ => None,
    }
}

fn check(result: &CheckResult, context: &Context<'_>, paper: &mut Paper<'_>) -> io::Result<()> {
    let (mark, ink) = mark(result.state());
    let mark = paper.ink(ink, mark);
    paper.line(&format!("  {mark} {}", result.check.title))?;
    details(result, paper)?;
    if result.state() == State::Wrong {
        commands(result.check.id, context, paper)?;
    }
    Ok(())
}

/// Writes all that is known about a check that does not pass.
pub(crate) fn details(result: &CheckResult, paper: &mut Paper<'_>) -> io::Result<()> {
    match &result.outcome {
        Outcome::Pass => return Ok(()),
        Outcome::NotImplemented { message } => {
            paper.paragraph(INDENT, &format!("not yet written: {message}"))?;
        }
        Outcome::Wrong { message, evidence } | Outcome::Fault { message, evidence, .. } => {
            paper.paragraph(INDENT, message)?;
            self::evidence(evidence, paper)?;
        }
        Outcome::Blocked { message, .. } => paper.paragraph(INDENT, message)?,
    }
    if !result.printed.is_empty() {
        paper.line(&format!("{INDENT}your code printed:"))?;
        for line in &result.printed {
            paper.line(&format!("{INDENT}  {line}"))?;
        }
    }
    Ok(())
}

fn evidence(evidence: &Evidence, paper: &mut Paper<'_>) -> io::Result<()> {
    if let Some(case) = &evidence.case {
        paper.line(&format!("{INDENT}smallest case found: {case}"))?;
    }
    for (name, value) in &evidence.inputs {
        paper.line(&format!("{INDENT}  {name} = {value}"))?;
    }
    Ok(())
}

/// Writes the commands that go on from a check that fails.
fn commands(id: &str, context: &Context<'_>, paper: &mut Paper<'_>) -> io::Result<()> {
    let seed = context.seed;
    let seed = if seed == 1 { String::new() } else { format!(" --seed {seed}") };
    paper.inked(Ink::Dim, &format!("{INDENT}this check alone: {COMMAND} {id}{seed}"))?;
    if context.hints.contains_key(id) {
        paper.inked(Ink::Dim, &format!("{INDENT}a hint:           {COMMAND} --hint {id}"))?;
    }
    Ok(())
}

/// Writes what has changed since the last run.
pub(crate) fn changes(changes: &Changes, paper: &mut Paper<'_>) -> io::Result<()> {
    if !changes.newly_right.is_empty() {
        let text = format!("right now, and not before: {}", changes.newly_right.join(", "));
        let text = paper.ink(Ink::Green, &text);
        paper.line(&format!("\n{text}"))?;
    }
    if !changes.no_longer_right.is_empty() {
        let text = format!("right before, and not now: {}", changes.no_longer_right.join(", "));
        let text = paper.ink(Ink::Red, &text);
        paper.line(&format!("\n{text}"))?;
    }
    Ok(())
}

/// Writes the last lines: the counts, and what they mean.
pub(crate) fn summary(tally: Tally, rejected: usize, paper: &mut Paper<'_>) -> io::Result<()> {
    let Tally { right, wrong, unwritten, .. } = tally;
    let earned = of_points(tally);
    if !earned.is_empty() {
        paper.line(&format!("\npublic checks: {earned}"))?;
    }
    let counts = format!("{right} right, {wrong} wrong, {unwritten} not yet written");
    let counts = paper.ink(Ink::Bold, &counts);
    paper.line(&counts)?;
    if rejected > 0 {
        paper.line("The grader refuses the submission for what stands at the top.")?;
    } else if tally.is_all_right() && right > 0 {
        paper.line(
            "All public checks pass. The hidden ones ask the same things harder: see README.md.",
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_no_zeros_at_their_end() {
        assert_eq!([0.0, 0.25, 1.5, 10.0].map(points), ["0", "0.25", "1.5", "10"]);
    }
}
