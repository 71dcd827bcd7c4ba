//! Output of the public checks in a student's `cargo test`.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use softmark_wire::Session;

use crate::check::Check;
use crate::outcome::{Evidence, Outcome};
use crate::self_check;
use crate::source::Refusal;
use crate::subject::Subject;
use crate::task::Task;

/// Command-line arguments after `cargo test --`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Wish {
    /// Runs only checks whose id contains one of these; all checks if there are none.
    filters: Vec<String>,
    seed: u64,
    list: bool,
}

/// Counts of the outcomes of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Tally {
    right: usize,
    wrong: usize,
    unwritten: usize,
    /// Places in the source for which the grader refuses the whole submission.
    refused: usize,
}

fn read_wish(args: impl Iterator<Item = OsString>) -> Result<Wish, String> {
    let mut wish = Wish { filters: Vec::new(), seed: 1, list: false };
    let mut args = args.map(|arg| arg.to_string_lossy().into_owned());
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--list" => wish.list = true,
            "--seed" => {
                let value = args.next().unwrap_or_default();
                wish.seed = value.parse().map_err(|_| format!("--seed {value}: not a number"))?;
            }
            // Flags that cargo and editors add have no meaning here.
            other if other.starts_with('-') => {}
            filter => wish.filters.push(filter.to_owned()),
        }
    }
    Ok(wish)
}

impl Wish {
    fn wants(&self, check: &Check) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|part| check.id.contains(part.as_str()))
    }
}

/// Runs the public checks of `tasks` and prints which pass, which are not yet implemented and which fail,
/// preceded by the places that the grader would refuse to compile. It is the `main` of an assignment's
/// `tests/public.rs`.
///
/// Takes filters (parts of a check's id), `--seed N` and `--list` from the command line.
pub fn main(tasks: &[Task], session: &mut dyn Session) -> ExitCode {
    let mut out = io::stdout().lock();
    let color = out.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty());
    match run_wish(tasks, session, &mut Paper { out: &mut out, color }) {
        Ok(Tally { wrong: 0, unwritten: 0, refused: 0, .. }) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            // If writing this fails too, nothing is left to do.
            drop(writeln!(out, "the checks could not be run: {error}"));
            ExitCode::from(2)
        }
    }
}

/// Runs the checks that the command line asks for.
fn run_wish(tasks: &[Task], session: &mut dyn Session, paper: &mut Paper<'_>) -> io::Result<Tally> {
    let wish = read_wish(std::env::args_os().skip(1)).map_err(io::Error::other)?;
    // Cargo sets the submission's folder and runs the test in it.
    let dir = std::env::var_os("CARGO_MANIFEST_DIR").map_or(PathBuf::from("."), PathBuf::from);
    let refusals = self_check::refusals(&dir).map_err(io::Error::other)?;
    run(tasks, session, (&wish, &refusals), paper)
}

struct Paper<'a> {
    out: &'a mut dyn Write,
    color: bool,
}

#[derive(Clone, Copy)]
enum Ink {
    Green,
    Red,
    Yellow,
    Bold,
    Dim,
}

impl Paper<'_> {
    fn ink(&self, ink: Ink, text: &str) -> String {
        if !self.color {
            return text.to_owned();
        }
        let code = match ink {
            Ink::Green => "32",
            Ink::Red => "31",
            Ink::Yellow => "33",
            Ink::Bold => "1",
            Ink::Dim => "2",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{text}")
    }

    /// Text wrapped at 92 columns, behind an indent of six.
    fn paragraph(&mut self, text: &str) -> io::Result<()> {
        for line in wrap(text, 92) {
            self.line(&format!("      {line}"))?;
        }
        Ok(())
    }
}

/// Breaks `text` between words so that no line is longer than `width`, words apart that are.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

fn run(
    tasks: &[Task],
    session: &mut dyn Session,
    (wish, refusals): (&Wish, &[Refusal]),
    paper: &mut Paper<'_>,
) -> io::Result<Tally> {
    let mut total = Tally { refused: refusals.len(), ..Tally::default() };
    if !wish.list {
        show_refusals(refusals, paper)?;
    }
    // Those in which something is not right yet.
    let mut unsound: Vec<&Task> = Vec::new();
    for task in tasks {
        let checks: Vec<&Check> = task.checks.iter().filter(|check| wish.wants(check)).collect();
        if checks.is_empty() {
            continue;
        }
        let title = paper.ink(Ink::Bold, task.title);
        paper.line(&format!("\n{title}  ({})", task.file))?;
        if wish.list {
            for check in checks {
                paper.line(&format!("  {}: {}", check.id, check.title))?;
            }
            continue;
        }
        let mut outcomes = Vec::new();
        for check in checks {
            let mut subject = Subject::new(session);
            let outcome = check.ask(&mut subject, wish.seed).map_err(io::Error::other)?;
            outcomes.push((check, outcome));
        }
        let tally = show_task(&outcomes, wish, paper)?;
        let below = unsound.iter().find(|below| task.built_on.contains(&below.id));
        if let Some(below) = below.filter(|_| tally.wrong > 0) {
            let number = below.number().to_lowercase();
            let note = format!(
                "      (here it runs on your own {number}, which is not right yet: begin there. The \
                 grader\n      judges it with a right one below it as well.)"
            );
            paper.line(&paper.ink(Ink::Dim, &note))?;
        }
        if tally.wrong + tally.unwritten > 0 {
            unsound.push(task);
        }
        total.right += tally.right;
        total.wrong += tally.wrong;
        total.unwritten += tally.unwritten;
    }
    if !wish.list {
        summary(total, paper)?;
    }
    Ok(total)
}

fn show_refusals(refusals: &[Refusal], paper: &mut Paper<'_>) -> io::Result<()> {
    if refusals.is_empty() {
        return Ok(());
    }
    let title = "The grader does not accept this code: as it is, the submission earns nothing";
    let title = paper.ink(Ink::Bold, title);
    paper.line(&format!("\n{title}"))?;
    for refusal in refusals {
        let mark = paper.ink(Ink::Red, "✗");
        for (place, line) in wrap(&refusal.message, 92).iter().enumerate() {
            let lead = if place == 0 { format!("  {mark} ") } else { "    ".to_owned() };
            paper.line(&format!("{lead}{line}"))?;
        }
    }
    Ok(())
}

fn show_task(
    outcomes: &[(&Check, Outcome)],
    wish: &Wish,
    paper: &mut Paper<'_>,
) -> io::Result<Tally> {
    let mut tally = Tally::default();
    let unwritten = |outcome: &Outcome| matches!(outcome, Outcome::NotImplemented { .. });
    if let Some((_, Outcome::NotImplemented { message })) = outcomes.first()
        && outcomes.iter().all(|(_, outcome)| unwritten(outcome))
    {
        let mark = paper.ink(Ink::Yellow, "·");
        paper.line(&format!("  {mark} not yet written: {message}"))?;
        return Ok(Tally { unwritten: outcomes.len(), ..tally });
    }
    for (check, outcome) in outcomes {
        let (mark, ink) = match outcome {
            Outcome::Pass => ("✓", Ink::Green),
            Outcome::NotImplemented { .. } => ("·", Ink::Yellow),
            Outcome::Wrong { .. } | Outcome::Fault { .. } | Outcome::Blocked { .. } => {
                ("✗", Ink::Red)
            }
        };
        let mark = paper.ink(ink, mark);
        paper.line(&format!("  {mark} {}", check.title))?;
        match outcome {
            Outcome::Pass => tally.right += 1,
            Outcome::NotImplemented { message } => {
                tally.unwritten += 1;
                paper.paragraph(&format!("not yet written: {message}"))?;
            }
            Outcome::Wrong { message, evidence } | Outcome::Fault { message, evidence, .. } => {
                tally.wrong += 1;
                paper.paragraph(message)?;
                show_evidence(evidence, paper)?;
                let name = check.id;
                let seed =
                    if wish.seed == 1 { String::new() } else { format!(" --seed {}", wish.seed) };
                let again = format!("this check alone: cargo test --test public -- {name}{seed}");
                let again = paper.ink(Ink::Dim, &again);
                paper.line(&format!("      {again}"))?;
            }
            Outcome::Blocked { message, .. } => {
                tally.wrong += 1;
                paper.paragraph(message)?;
            }
        }
    }
    Ok(tally)
}

fn show_evidence(evidence: &Evidence, paper: &mut Paper<'_>) -> io::Result<()> {
    if let Some(case) = &evidence.case {
        paper.line(&format!("      smallest case found: {case}"))?;
    }
    for (name, value) in &evidence.inputs {
        paper.line(&format!("        {name} = {value}"))?;
    }
    Ok(())
}

fn summary(tally: Tally, paper: &mut Paper<'_>) -> io::Result<()> {
    let Tally { right, wrong, unwritten, refused } = tally;
    let counts = format!("{right} right, {wrong} wrong, {unwritten} not yet written");
    let counts = paper.ink(Ink::Bold, &counts);
    paper.line(&format!("\n{counts}"))?;
    if refused > 0 {
        paper.line("The grader refuses the submission for what stands at the top.")?;
    } else if wrong + unwritten == 0 && right > 0 {
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
    fn wrapping_loses_no_word() {
        let text = "one two three four five six seven";
        assert_eq!(wrap(text, 9).join(" "), text);
        assert!(wrap(text, 9).iter().all(|line| line.chars().count() <= 9));
    }

    #[test]
    fn filters_and_seed_are_read() {
        let args = ["rows", "--seed", "7", "--nocapture"].map(OsString::from);
        let wish = read_wish(args.into_iter()).unwrap();
        assert_eq!((wish.filters, wish.seed), (vec!["rows".to_owned()], 7));
        assert!(read_wish(["--seed", "x"].map(OsString::from).into_iter()).is_err());
    }
}
