//! Answers with one output spoiled: every check has to fail them or to pass them, and none may index
//! outside of them. Of outputs that are not finite, nothing may be claimed but that.

use std::fmt::Write;

use softmark_checks::{Array, CheckError, Outcome, Subject};
use softmark_exam::SuiteCheck;
use softmark_wire::{Asked, Attempt, Reply, Request, Session, SessionError, Tensor};

use crate::support::exams::suites;
use crate::support::solved;

/// A change that spoils an output.
#[derive(Debug, Clone, Copy)]
enum Spoiling {
    /// Its last row is left out.
    Shorter,
    /// Its last row comes twice.
    Longer,
    /// All of its rows are left out.
    Empty,
    /// All of its numbers are this one.
    Constant(f64),
    /// All numbers of all outputs are this one.
    All(f64),
    /// The output is missing.
    Missing,
}

const SPOILINGS: [Spoiling; 10] = [
    Spoiling::Shorter,
    Spoiling::Longer,
    Spoiling::Empty,
    Spoiling::Constant(f64::NAN),
    Spoiling::Constant(f64::INFINITY),
    Spoiling::Constant(-1.0),
    Spoiling::Constant(1e9),
    Spoiling::All(f64::NAN),
    Spoiling::All(f64::INFINITY),
    Spoiling::Missing,
];

/// Claims that are not true of an output that is not finite.
const FALSE_OF_NAN: [&str; 5] =
    ["did not", "nothing is different", "play no part", "not one bit", "±NaN"];

impl Spoiling {
    fn is_not_finite(self) -> bool {
        matches!(self, Self::Constant(number) | Self::All(number) if !number.is_finite())
    }

    fn spoiled(self, tensor: &Tensor) -> Option<Tensor> {
        let array = Array::from_tensor(tensor);
        let rows = array.shape().first().copied().unwrap_or(0);
        let with_rows = |wanted: usize| {
            let mut shape = array.shape().to_vec();
            if let Some(first) = shape.first_mut() {
                *first = wanted;
            }
            let row = |at: &[usize]| match at.split_first() {
                Some((first, rest)) => array.at(&[&[(*first).min(rows - 1)], rest].concat()),
                None => array.at(at),
            };
            Array::from_fn(&shape, row)
        };
        let spoiled = match self {
            Self::Shorter => with_rows(rows.saturating_sub(1)),
            Self::Longer if rows > 0 => with_rows(rows + 1),
            Self::Longer => array,
            Self::Empty => with_rows(0),
            Self::Constant(number) | Self::All(number) => array.map(|_| number),
            Self::Missing => return None,
        };
        Some(spoiled.to_f32())
    }
}

/// The solution, one output of whose answers is spoiled.
struct Spoiled {
    inner: Box<dyn Session>,
    how: Spoiling,
    /// The number of that output.
    output: usize,
    /// The largest number of outputs that an answer had.
    most: usize,
}

impl Session for Spoiled {
    fn ask(&mut self, request: &Request) -> Asked<Reply> {
        let reply = self.inner.ask(request)?;
        let Attempt::Success(Reply::Outputs(outputs)) = reply else { return Ok(reply) };
        self.most = self.most.max(outputs.len());
        let spoil = |(n, (name, tensor)): (usize, (String, Tensor))| {
            let is_spoiled = n == self.output || matches!(self.how, Spoiling::All(_));
            let spoiled = if is_spoiled { self.how.spoiled(&tensor)? } else { tensor };
            Some((name, spoiled))
        };
        let outputs = outputs.into_iter().enumerate().filter_map(spoil).collect();
        Ok(Attempt::Success(Reply::Outputs(outputs)))
    }

    fn renew(&mut self) -> Result<(), SessionError> {
        self.inner.renew()
    }
}

/// The message of an outcome, where it has one.
fn message(outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Pass => "",
        Outcome::Wrong { message, .. }
        | Outcome::NotImplemented { message }
        | Outcome::Fault { message, .. }
        | Outcome::Blocked { message, .. } => message,
    }
}

/// The defects of a check that one way of spoiling answers brings to light, and what it claims falsely.
fn defects(assignment: &str, check: &SuiteCheck, how: Spoiling) -> Vec<String> {
    let mut found = Vec::new();
    let mut output = 0;
    loop {
        let inner = solved::session(assignment, check.program);
        let mut session = Spoiled { inner, how, output, most: 0 };
        let id = check.check.id;
        match check.check.ask(&mut Subject::new(&mut session), 1) {
            Err(CheckError::Defect { what, .. }) => {
                found.push(format!("{id}, output {output} {how:?}: {what}"));
            }
            Ok(outcome) if how.is_not_finite() => {
                let said = message(&outcome);
                if FALSE_OF_NAN.iter().any(|claim| said.contains(claim)) {
                    found.push(format!("{id}, output {output} {how:?} says: {said}"));
                }
            }
            Ok(_) | Err(_) => {}
        }
        output += 1;
        if output >= session.most || matches!(how, Spoiling::All(_)) {
            return found;
        }
    }
}

#[test]
fn no_answer_is_indexed_outside_of_its_shape_or_called_still_where_it_is_nan() {
    let mut wrong = String::new();
    for suite in suites() {
        for check in (suite.checks)() {
            for defect in SPOILINGS.into_iter().flat_map(|how| defects(suite.id, &check, how)) {
                writeln!(wrong, "{defect}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
