//! Messages of checks that do not pass.

use serde::{Deserialize, Serialize};
use softmark_checks::Outcome;

/// Kind of the outcome of a check that does not pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MessageStatus {
    /// It waits for another check.
    Blocked,
    /// There was no answer.
    Fault,
    /// A `todo!()` was reached.
    NotImplemented,
    /// The answer is wrong.
    Wrong,
}

impl MessageStatus {
    /// Returns the name of the kind in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Blocked => "blocked",
            Self::Fault => "fault",
            Self::NotImplemented => "not implemented",
            Self::Wrong => "wrong",
        }
    }
}

/// The message of one check about one fixture on one seed; a check that passes has none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// The fixture.
    pub fixture: String,
    /// The check's id.
    pub check: String,
    /// The seed of its inputs.
    pub seed: u64,
    /// Kind of the outcome.
    pub status: MessageStatus,
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
        fixture: &str,
        check: &str,
        seed: u64,
        outcome: &Outcome,
        mistake: Option<&str>,
    ) -> Option<Self> {
        let (status, text, evidence) = match outcome {
            Outcome::Pass => return None,
            Outcome::Wrong { message, evidence } => {
                (MessageStatus::Wrong, message.clone(), Some(evidence))
            }
            Outcome::Fault { message, evidence, .. } => {
                (MessageStatus::Fault, message.clone(), Some(evidence))
            }
            Outcome::NotImplemented { message } => {
                (MessageStatus::NotImplemented, message.clone(), None)
            }
            Outcome::Blocked { by, message } => {
                (MessageStatus::Blocked, format!("{message} (waits for {by})"), None)
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
    pub(super) fn pattern(&self) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> String {
        let (fixture, check, case) = (String::new(), String::new(), String::new());
        let text = text.to_owned();
        let status = MessageStatus::Wrong;
        Message { fixture, check, seed: 1, status, mistake: None, case, text }.pattern()
    }

    #[test]
    fn one_of_something_is_another_pattern_than_several() {
        assert_eq!(pattern("2 of 16 values differ"), pattern("12 of 3 values differ"));
        assert_ne!(pattern("1 value differs"), pattern("2 value differs"));
        for (one, other) in [("1.25 s", "7.5 s"), ("0.1 of", "0.7 of"), ("[1, 2]", "[0, 3]")] {
            assert_eq!(pattern(one), pattern(other));
        }
    }
}
