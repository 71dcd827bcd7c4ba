//! Every message that a student could get, in one document: for whoever writes them.
//!
//! The same message about other numbers is shown once, with the fixtures that get it.

use std::collections::BTreeMap;
use std::io;

use softmark_checks::Outcome;

use crate::audit::matrix::Audit;
use crate::report::text::count;

/// The message of one check about one fixture on one seed; a check that passes has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The fixture.
    pub fixture: String,
    /// The check's id.
    pub check: String,
    /// The seed of its inputs.
    pub seed: u64,
    /// `wrong`, `fault`, `not implemented` or `blocked`.
    pub status: &'static str,
    /// The mistake that is named beside it, where one is.
    pub mistake: Option<String>,
    /// The case and its inputs, as the report shows them; empty where there is none.
    pub case: String,
    /// The text of the message.
    pub text: String,
}

impl Message {
    /// The message about an outcome of `check`; `None` for a pass.
    pub(super) fn of(
        (fixture, check, seed): (&str, &str, u64),
        outcome: &Outcome,
        mistake: Option<&str>,
    ) -> Option<Self> {
        let (status, text, evidence) = match outcome {
            Outcome::Pass => return None,
            Outcome::Wrong { message, evidence } => ("wrong", message.clone(), Some(evidence)),
            Outcome::Fault { message, evidence, .. } => ("fault", message.clone(), Some(evidence)),
            Outcome::NotImplemented { message } => ("not implemented", message.clone(), None),
            Outcome::Blocked { by, message } => {
                ("blocked", format!("{message} (waits for {by})"), None)
            }
        };
        let case = evidence.map(|evidence| {
            let label = evidence.case.iter().cloned();
            let inputs = evidence.inputs.iter().map(|(name, text)| format!("{name} = {text}"));
            label.chain(inputs).collect::<Vec<_>>().join("; ")
        });
        Some(Self {
            fixture: fixture.to_owned(),
            check: check.to_owned(),
            seed,
            status,
            mistake: mistake.map(str::to_owned),
            case: case.unwrap_or_default(),
            text,
        })
    }

    /// The message without its numbers: what is the same about other numbers is the same message.
    fn pattern(&self) -> String {
        let mut pattern = String::new();
        for c in self.text.chars() {
            if !c.is_ascii_digit() {
                pattern.push(c);
            } else if !pattern.ends_with('0') {
                pattern.push('0');
            }
        }
        pattern
    }
}

/// Writes the messages as Markdown: check by check, each with the fixtures that get it and the mistakes
/// that are named beside it.
///
/// # Errors
///
/// When `out` cannot be written to.
pub fn write(audit: &Audit, out: &mut dyn io::Write) -> io::Result<()> {
    let id = &audit.assignment;
    let seeds = count(audit.seeds.len(), "seed", "seeds");
    writeln!(out, "# Messages of {id}\n")?;
    writeln!(out, "{}, {seeds}.", count(audit.messages.len(), "message", "messages"))?;
    for check in &audit.checks {
        let of_check = audit.messages.iter().filter(|message| message.check == *check);
        let mut alike: BTreeMap<(&str, String), Vec<&Message>> = BTreeMap::new();
        for message in of_check {
            alike.entry((message.status, message.pattern())).or_default().push(message);
        }
        if alike.is_empty() {
            continue;
        }
        writeln!(out, "\n## {check}")?;
        for ((status, _), messages) in alike {
            let Some(first) = messages.first() else { continue };
            writeln!(out, "\n- **{status}**: {}", first.text.replace('\n', "\n  "))?;
            if !first.case.is_empty() {
                writeln!(out, "  - case: `{}`", first.case.replace('\n', " ⏎ "))?;
            }
            writeln!(out, "  - {}", who(&messages).join(", "))?;
        }
    }
    Ok(())
}

/// The fixtures, each once, with the mistake that is named.
fn who(messages: &[&Message]) -> Vec<String> {
    let mut fixtures: Vec<String> = Vec::new();
    let mut named: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for message in messages {
        let mistake = named.entry(&message.fixture).or_default();
        *mistake = mistake.or(message.mistake.as_deref());
    }
    for message in messages {
        let Some(mistake) = named.remove(message.fixture.as_str()) else { continue };
        fixtures.push(match mistake {
            Some(mistake) if mistake == message.fixture => format!("{mistake} (named)"),
            Some(mistake) => format!("{} (named {mistake})", message.fixture),
            None => message.fixture.clone(),
        });
    }
    fixtures
}
