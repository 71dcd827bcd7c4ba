//! Results of an audit, from the outcomes of a fixture's checks.

use std::collections::BTreeMap;

use softmark_checks::Outcome;

use crate::audit::matrix::{Idle, Mutant, Right, Share, Verdict};
use crate::audit::message::Message;
use crate::diagnose::{Named, RecordingState};
use crate::fixtures::Expect;

/// Result of one check on one seed.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The check's id.
    pub check: &'static str,
    /// Seed of its inputs.
    pub seed: u64,
    /// Outcome of the check.
    pub outcome: Outcome,
    /// The largest share of a tolerance that an error took up; `None` where there was no tolerance.
    pub share: Option<f64>,
}

/// Results of all checks of a fixture.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Examined {
    /// By the order of the seeds and of the checks.
    pub judged: Vec<Judged>,
    /// The mistakes that were named, by check: of a mutant, on [its seed](Expect::SEED).
    pub named: Named,
    /// Questions whose answers contradict the mistake that a mutant makes; empty where the mistake is named.
    pub against: Vec<String>,
    /// Mistake that students' own checks recognise in a mutant.
    pub recognised: Option<String>,
    /// State of the recorded answers of a mutant; `None` where there are none.
    pub recording: Option<RecordingState>,
}

/// Returns the verdict of an outcome. A blocked check does not fail: the check that blocks it does.
pub(super) fn verdict(outcome: &Outcome) -> Verdict {
    match outcome {
        Outcome::Pass => Verdict::Passes,
        Outcome::Blocked { .. } => Verdict::Blocked,
        Outcome::Wrong { .. } | Outcome::NotImplemented { .. } | Outcome::Fault { .. } => {
            Verdict::Fails
        }
    }
}

/// Returns the messages of all checks that do not pass.
pub(super) fn messages(name: &str, examined: &Examined) -> Vec<Message> {
    let message = |Judged { check, seed, outcome, .. }: &Judged| {
        let mistake = examined.named.get(check).copied().filter(|_| *seed == Expect::SEED);
        Message::of(name, check, *seed, outcome, mistake)
    };
    examined.judged.iter().filter_map(message).collect()
}

/// Returns the result of a mutant.
pub(super) fn mutant(name: &str, expect: &Expect, examined: &Examined) -> Mutant {
    let mut verdicts: BTreeMap<String, Vec<Verdict>> = BTreeMap::new();
    for judged in &examined.judged {
        verdicts.entry(judged.check.to_owned()).or_default().push(verdict(&judged.outcome));
    }
    let named = examined.named.iter();
    Mutant {
        name: name.to_owned(),
        task: expect.task.clone(),
        mistake: expect.mistake.clone(),
        also: expect.also.clone(),
        expected: expect.fails.clone(),
        verdicts,
        named: named.map(|(check, id)| ((*check).to_owned(), (*id).to_owned())).collect(),
        against: examined.against.clone(),
        recognised: examined.recognised.clone(),
        recording: examined.recording.clone(),
    }
}

/// Returns the result of code that computes nothing.
pub(super) fn idle(name: &str, examined: &Examined) -> Idle {
    let mut idle = Idle { name: name.to_owned(), ..Idle::default() };
    for judged in examined.judged.iter().filter(|judged| judged.outcome.is_pass()) {
        idle.passes.entry(judged.check.to_owned()).or_default().push(judged.seed);
    }
    idle
}

/// Returns the result of a fixture that has to pass everything.
pub(super) fn of_right(name: &str, examined: &Examined) -> Right {
    let mut right = Right { name: name.to_owned(), ..Right::default() };
    for Judged { check, seed, outcome, share } in &examined.judged {
        if let Some(message) = objection(outcome) {
            right.fails.entry((*check).to_owned()).or_default().push((*seed, message));
        }
        let Some(share) = share.map(|share| Share { share, seed: *seed }) else { continue };
        let nearest = right.shares.entry((*check).to_owned()).or_insert(share);
        if share.share > nearest.share {
            *nearest = share;
        }
    }
    right
}

/// Returns what an outcome objects to, or `None` if it is a pass.
fn objection(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Pass => None,
        Outcome::Wrong { message, evidence } | Outcome::Fault { message, evidence, .. } => {
            let case = evidence.case.as_deref().map(|case| format!(" (case {case})"));
            Some(format!("{message}{}", case.unwrap_or_default()))
        }
        Outcome::NotImplemented { message } => Some(format!("not implemented: {message}")),
        Outcome::Blocked { by, message } => Some(format!("blocked by {by}: {message}")),
    }
}

#[cfg(test)]
mod tests {
    use softmark_checks::Evidence;

    use super::*;

    fn judged(seed: u64, outcome: Outcome, share: Option<f64>) -> Judged {
        Judged { check: "t/one", seed, outcome, share }
    }

    fn wrong() -> Outcome {
        let evidence = Evidence { case: Some("B=1".to_owned()), ..Evidence::default() };
        Outcome::Wrong { message: "no".to_owned(), evidence }
    }

    #[test]
    fn of_right_work_the_nearest_seed_is_kept() {
        let pass = |seed, share| judged(seed, Outcome::Pass, share);
        let judged =
            vec![pass(1, Some(0.1)), pass(2, Some(0.3)), pass(3, Some(0.2)), pass(4, None)];
        let right = of_right("x", &Examined { judged, ..Examined::default() });
        assert_eq!(right.shares["t/one"], Share { share: 0.3, seed: 2 });
        assert!(right.fails.is_empty());
    }

    #[test]
    fn right_work_that_is_blocked_does_not_pass() {
        let blocked = Outcome::Blocked { by: "t/two".to_owned(), message: "why".to_owned() };
        let judged = vec![judged(1, blocked, None), judged(2, wrong(), None)];
        let right = of_right("x", &Examined { judged, ..Examined::default() });
        let said = [(1, "blocked by t/two: why".to_owned()), (2, "no (case B=1)".to_owned())];
        assert_eq!(right.fails["t/one"], said);
    }

    #[test]
    fn a_mutant_that_is_blocked_does_not_fall() {
        let blocked = Outcome::Blocked { by: "t/two".to_owned(), message: String::new() };
        let judged = vec![
            judged(1, blocked, None),
            judged(2, wrong(), None),
            judged(3, Outcome::NotImplemented { message: String::new() }, None),
            judged(4, Outcome::Pass, None),
        ];
        let (mistake, task) = ("m".to_owned(), "t".to_owned());
        let expect = Expect {
            mistake: Some(mistake),
            also: None,
            task,
            fails: ["t/one".to_owned()].into(),
            training: None,
        };
        let mutant = mutant("x", &expect, &Examined { judged, ..Examined::default() });
        let verdicts = [Verdict::Blocked, Verdict::Fails, Verdict::Fails, Verdict::Passes];
        assert_eq!(mutant.verdicts["t/one"], verdicts);
        assert!(!mutant.fails("t/one"), "what counts is the first seed");
    }
}
