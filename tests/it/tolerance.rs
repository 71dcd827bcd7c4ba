//! Tolerances, tested at both edges: what is right leaves a factor of ten to spare, and what is
//! wrong misses by a factor of ten.
//!
//! No check tells how much it allows. So errors are made ten times as large, or a tenth as large,
//! on their way to it: an answer is moved along the line between it and what is right.

use std::collections::BTreeMap;
use std::fmt::Write;

use softmark_checks::{Array, Case, Subject, defect};
use softmark_exam::{Mistake, Response, Suite};
use softmark_wire::{Asked, Attempt, Reply, Request, Session, SessionError, Tensor};

use crate::support::exams::suites;
use crate::support::imitation::ImitationSession;
use crate::support::question::Question;
use crate::support::solved;

/// Closer than that to the answer outside of training, nothing was dropped: errors of rounding are below a
/// thousandth of it in these cases, and a dropped number moves the answer by its own size.
const UNDROPPED: f64 = 1e-2;

/// A session whose errors are multiplied by `factor`.
struct Magnified {
    inner: Box<dyn Session>,
    suite: &'static Suite,
    question: Question,
    factor: f64,
}

impl Session for Magnified {
    fn ask(&mut self, request: &Request) -> Asked<Reply> {
        self.question.hear(request);
        let reply = self.inner.ask(request)?;
        let Attempt::Success(Reply::Outputs(outputs)) = reply else { return Ok(reply) };
        // The oracle stands for a student's code here.
        let outputs = defect::ignore(|| self.magnified(outputs));
        Ok(Attempt::Success(Reply::Outputs(outputs)))
    }

    fn renew(&mut self) -> Result<(), SessionError> {
        self.inner.renew()
    }
}

impl Magnified {
    /// The numbers that the errors of `outputs` are counted from; `None` where there are none, because the
    /// answer is no tensor, or because numbers were dropped, which each implementation draws for itself.
    fn right(&self, outputs: &[(String, Tensor)]) -> Option<BTreeMap<String, Array>> {
        let case = &self.question.case;
        let truth = |case: &Case| match (self.suite.truth)(case) {
            Response::Outputs(right) => Some(right),
            Response::Gradients(_)
            | Response::OtherType
            | Response::Refused
            | Response::Panicked
            | Response::Nothing => None,
        };
        let drops =
            case.find_size("train") == Some(1) && case.find_size("dropout_permille") > Some(0);
        if !drops {
            return truth(case);
        }
        // Where nothing was there to be dropped, the answer is the one outside of training, and checks that
        // compare the two bit for bit must find the same error in both.
        let rest = truth(&case.with_size("train", 0))?;
        let is_rest = |(name, tensor): &(String, Tensor)| {
            let is = Array::from_tensor(tensor);
            rest.get(name).is_none_or(|rest| {
                let distances = is.values().iter().zip(rest.values()).map(|(x, y)| (x - y).abs());
                rest.shape() == is.shape() && distances.fold(0.0, f64::max) < UNDROPPED
            })
        };
        outputs.iter().all(is_rest).then_some(rest)
    }

    fn magnified(&self, outputs: Vec<(String, Tensor)>) -> Vec<(String, Tensor)> {
        let Some(right) = self.right(&outputs) else { return outputs };
        let moved = |(name, tensor): (String, Tensor)| {
            let is = Array::from_tensor(&tensor);
            let should = right.get(&name).filter(|should| should.shape() == is.shape());
            let Some(should) = should else { return (name, tensor) };
            let line = |at: &[usize]| should.at(at) + self.factor * (is.at(at) - should.at(at));
            (name, Array::from_fn(is.shape(), line).to_f32())
        };
        outputs.into_iter().map(moved).collect()
    }
}

#[test]
fn the_solution_passes_with_errors_ten_times_as_large() {
    let mut wrong = String::new();
    for suite in suites() {
        for check in (suite.checks)() {
            for seed in 1..=5 {
                let inner = solved::session(suite.id, check.program);
                let question = Question::new();
                let mut session = Magnified { inner, suite, question, factor: 10.0 };
                let outcome = check.check.ask(&mut Subject::new(&mut session), seed).unwrap();
                if !outcome.is_pass() {
                    writeln!(wrong, "{} on seed {seed}: {outcome:?}", check.check.id).unwrap();
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// The checks that hold numbers against the oracle.
const AGAINST_REFERENCE: [&str; 3] = ["/matches-reference", "/full-length", "/epsilon"];

/// Whether `mistake` falls to a check that holds numbers against the oracle, with its errors
/// multiplied by `factor`.
fn falls(suite: &'static Suite, mistake: &Mistake, factor: f64) -> bool {
    let of_task = |id: &str| id.starts_with(&format!("{}/", mistake.task));
    let against = |id: &str| AGAINST_REFERENCE.iter().any(|end| id.ends_with(end));
    let checks = (suite.checks)().into_iter().map(|check| check.check);
    checks.filter(|check| of_task(check.id) && against(check.id)).any(|check| {
        let imitate = mistake.imitations.first().copied().unwrap();
        let inner = Box::new(ImitationSession::new(suite, mistake.task, imitate, None));
        let question = Question::new();
        let mut session = Magnified { inner, suite, question, factor };
        !check.ask(&mut Subject::new(&mut session), 1).unwrap().is_pass()
    })
}

#[test]
fn every_mistake_falls_with_errors_a_tenth_as_large() {
    let mut wrong = String::new();
    for suite in suites() {
        // Errors are scaled in imitations; a recording has those of its mutant.
        let imitated = (suite.mistakes)().into_iter().filter(|it| !it.imitations.is_empty());
        for mistake in imitated {
            if falls(suite, &mistake, 1.0) && !falls(suite, &mistake, 0.1) {
                writeln!(wrong, "{}", mistake.id).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
