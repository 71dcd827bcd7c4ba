//! Answers with one output spoiled: every check has to fail them or to pass them, and none may index
//! outside of them.

use std::fmt::Write;

use softmark::suite::{SUITES, SuiteCheck};
use softmark_checks::{Array, CheckError, Subject};
use softmark_wire::{Asked, Reply, Request, Session, SessionError, Tensor};

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
    /// The output is missing.
    Missing,
}

const SPOILINGS: [Spoiling; 8] = [
    Spoiling::Shorter,
    Spoiling::Longer,
    Spoiling::Empty,
    Spoiling::Constant(f64::NAN),
    Spoiling::Constant(f64::INFINITY),
    Spoiling::Constant(-1.0),
    Spoiling::Constant(1e9),
    Spoiling::Missing,
];

impl Spoiling {
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
            Self::Constant(number) => array.map(|_| number),
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
        let outputs = match self.inner.ask(request)? {
            Ok(Reply::Outputs(outputs)) => outputs,
            other => return Ok(other),
        };
        self.most = self.most.max(outputs.len());
        let spoil = |(n, (name, tensor)): (usize, (String, Tensor))| {
            let spoiled = if n == self.output { self.how.spoiled(&tensor)? } else { tensor };
            Some((name, spoiled))
        };
        Ok(Ok(Reply::Outputs(outputs.into_iter().enumerate().filter_map(spoil).collect())))
    }

    fn renew(&mut self) -> Result<(), SessionError> {
        self.inner.renew()
    }
}

/// The defects of a check that one way of spoiling answers brings to light.
fn defects(assignment: &str, check: &SuiteCheck, how: Spoiling) -> Vec<String> {
    let mut found = Vec::new();
    let mut output = 0;
    loop {
        let inner = solved::session(assignment, check.program);
        let mut session = Spoiled { inner, how, output, most: 0 };
        if let Err(CheckError::Defect { check, what }) =
            check.check.ask(&mut Subject::new(&mut session), 1)
        {
            found.push(format!("{check}, output {output} {how:?}: {what}"));
        }
        output += 1;
        if output >= session.most {
            return found;
        }
    }
}

#[test]
fn no_answer_is_indexed_outside_of_its_shape() {
    let mut wrong = String::new();
    for suite in SUITES {
        for check in (suite.checks)() {
            for defect in SPOILINGS.into_iter().flat_map(|how| defects(suite.id, &check, how)) {
                writeln!(wrong, "{defect}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
