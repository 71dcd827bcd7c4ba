//! Writes all messages that a student could get into one document, for the authors of the messages.
//!
//! The same message about other numbers is shown once, with the fixtures that get it.

use std::collections::BTreeMap;
use std::io;

use softmark_checks::Outcome;

use crate::audit::matrix::Audit;
use crate::audit::samples;
use crate::report::text::count;
use crate::suite::Catalog;

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

    /// The message without its numbers: messages that differ only in their numbers are the same. A count of
    /// one is kept, because the words after a larger count may not be true of one.
    fn pattern(&self) -> String {
        let mut pattern = String::new();
        let mut rest = self.text.as_str();
        while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
            let (before, from) = rest.split_at(at);
            let end = from.find(|c: char| !c.is_ascii_digit()).unwrap_or(from.len());
            let (number, after) = from.split_at(end);
            pattern.push_str(before);
            let counts =
                after.strip_prefix(' ').is_some_and(|it| it.starts_with(char::is_alphabetic));
            let is_whole = !before.ends_with(['.', '-', '−']);
            pattern.push(if number == "1" && counts && is_whole { '1' } else { '0' });
            rest = after;
        }
        pattern + rest
    }
}

/// Writes the messages as Markdown: check by check, each with the fixtures that get it and the mistakes
/// that are named beside it.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write(audit: &Audit, catalog: Catalog, out: &mut dyn io::Write) -> io::Result<()> {
    let id = &audit.assignment;
    let seeds = count(audit.seeds.len(), "seed", "seeds");
    writeln!(out, "# Messages of {id}\n")?;
    writeln!(out, "{}, {seeds}.", count(audit.messages.len(), "message", "messages"))?;
    let of_bands = catalog.find(id).map(samples::of_bands).unwrap_or_default();
    let mut tasks: Vec<&str> = of_bands.iter().map(|message| message.check.as_str()).collect();
    tasks.dedup();
    for check in audit.checks.iter().map(String::as_str).chain(tasks) {
        let all = audit.messages.iter().chain(&of_bands);
        let of_check = all.filter(|message| message.check == check);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::BUILT_IN;

    fn pattern(text: &str) -> String {
        let (fixture, check, case) = (String::new(), String::new(), String::new());
        let text = text.to_owned();
        Message { fixture, check, seed: 1, status: "wrong", mistake: None, case, text }.pattern()
    }

    #[test]
    fn one_of_something_is_another_pattern_than_several() {
        assert_eq!(pattern("2 of 16 values differ"), pattern("12 of 3 values differ"));
        assert_ne!(pattern("1 value differs"), pattern("2 value differs"));
        for (one, other) in [("1.25 s", "7.5 s"), ("0.1 of", "0.7 of"), ("[1, 2]", "[0, 3]")] {
            assert_eq!(pattern(one), pattern(other));
        }
    }

    #[test]
    fn messages_of_bands_are_told_level_by_level() {
        for suite in BUILT_IN.suites() {
            let messages = samples::of_bands(suite);
            for level in suite.trainings.iter().flat_map(|training| training.levels) {
                let told = messages.iter().any(|message| message.text.contains(level.1));
                assert!(told, "{}: {}", suite.id, level.1);
            }
        }
    }
}
