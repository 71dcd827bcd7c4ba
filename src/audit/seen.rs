//! Results of fixtures, one by one and together.

use serde::{Deserialize, Serialize};

use crate::audit::matrix::{Idle, Mutant, Right};
use crate::audit::message::Message;
use crate::audit::results::{Examined, idle, messages, mutant, of_right};
use crate::fixtures::{Fixture, Role};

/// Result of one fixture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FixtureResult {
    /// Verdicts of all checks.
    pub verdicts: Verdicts,
    /// Messages of the checks that do not pass.
    pub messages: Vec<Message>,
}

/// Verdicts of all checks, as the role of the fixture asks for them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdicts {
    /// Verdicts on a mutant.
    Mutant(Mutant),
    /// Verdicts on the solution or an accepted variant.
    Right(Right),
    /// Verdicts on code that computes nothing.
    Idle(Idle),
}

impl FixtureResult {
    /// Returns the result of a fixture from the outcomes of its checks.
    pub fn of(fixture: &Fixture, examined: &Examined) -> Self {
        let name = &fixture.name;
        let verdicts = match &fixture.role {
            Role::Mutant(expect) => Verdicts::Mutant(mutant(name, expect, examined)),
            Role::Solution | Role::Variant => Verdicts::Right(of_right(name, examined)),
            Role::Idle => Verdicts::Idle(idle(name, examined)),
        };
        Self { verdicts, messages: messages(name, examined) }
    }
}

/// Results of all fixtures, each list in the order of the fixtures.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Seen {
    /// Results of the mutants.
    pub mutants: Vec<Mutant>,
    /// Results of the solution and the accepted variants.
    pub right: Vec<Right>,
    /// Results of code that computes nothing.
    pub idle: Vec<Idle>,
    /// Messages of all checks that do not pass.
    pub messages: Vec<Message>,
}

impl FromIterator<FixtureResult> for Seen {
    fn from_iter<I: IntoIterator<Item = FixtureResult>>(results: I) -> Self {
        let mut seen = Self::default();
        for FixtureResult { verdicts, messages } in results {
            seen.messages.extend(messages);
            match verdicts {
                Verdicts::Mutant(mutant) => seen.mutants.push(mutant),
                Verdicts::Right(right) => seen.right.push(right),
                Verdicts::Idle(idle) => seen.idle.push(idle),
            }
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::matrix::Share;

    #[test]
    fn a_result_that_is_written_is_read_again() {
        let share = Share { share: 0.1 + 0.2, seed: u64::MAX };
        let mut right = Right { name: "by-hand".to_owned(), ..Right::default() };
        right.shares.insert("t/one".to_owned(), share);
        right.fails.insert("t/two".to_owned(), vec![(3, "no".to_owned())]);
        let result = FixtureResult { verdicts: Verdicts::Right(right), messages: Vec::new() };
        let text = serde_json::to_string(&result).unwrap();
        assert_eq!(serde_json::from_str::<FixtureResult>(&text).unwrap(), result);
    }
}
