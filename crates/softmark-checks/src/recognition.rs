//! Recognition of known mistakes by students' own checks.
//!
//! A release of an assignment has a file with diagnostic cases, and the responses that known mistakes give to them. A mistake is
//! recognised if it accounts for every response of the student's code, as in the grader's diagnosis, and is the only one that does.
//! The file has a part of what the grader asks: cases without gradients, and mistakes one at a time.
//!
//! Nothing here is trusted: the grader asks its own cases, and a name changes no points.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use softmark_wire::{Attempt, Construction, Input, Reply, Request, Session, SessionError};

use crate::array::Array;
use crate::case::{Case, CaseInput, InputKind};
use crate::response::{Came, Reading, Response, open_cases, same};
use crate::subject::Answer;

/// Name of the file in a release, beside the pages about mistakes.
pub const FILE: &str = "mistakes/responses.json";

/// Diagnostic cases of an assignment, by task.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Recognition {
    tasks: BTreeMap<String, TaskCases>,
}

/// Diagnostic cases of a task, and the responses of known mistakes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskCases {
    /// The cases.
    pub cases: Vec<DiagnosticCase>,
    /// Known mistakes of the task, one entry for each way of making one.
    pub variants: Vec<Variant>,
}

/// Diagnostic case, and the responses to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiagnosticCase {
    part: String,
    config: BTreeMap<String, u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    parameters: Vec<(String, Array)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    inputs: Vec<StoredInput>,
    /// Zeros at the positions of an output where a right component may give any number; an output that is not listed has none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    meaningful: BTreeMap<String, Array>,
    /// Response of a right component.
    right: Response,
    /// Other responses that known mistakes give.
    wrong: Vec<Response>,
}

/// Way of making a known mistake.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Name of the mistake.
    pub mistake: String,
    /// Indices of responses in `wrong`, by the index of the case; the response to any other case is right.
    pub responses: BTreeMap<usize, usize>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredInput {
    name: String,
    kind: InputKind,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    strided: bool,
    array: Array,
}

impl Recognition {
    /// Returns the cases of these tasks.
    pub fn new(tasks: BTreeMap<String, TaskCases>) -> Self {
        Self { tasks }
    }

    /// Returns the cases of a task.
    pub fn of_task(&self, task: &str) -> Option<&TaskCases> {
        self.tasks.get(task)
    }
}

impl TaskCases {
    /// Puts the cases to a student's code, and returns the mistake that alone accounts for all responses.
    ///
    /// # Errors
    ///
    /// Fails if the session fails.
    pub fn recognise(&self, session: &mut dyn Session) -> Result<Option<&str>, SessionError> {
        let mut came = Vec::new();
        for case in &self.cases {
            let given = case.ask(session)?;
            // A stub, or code that ends its process, is no known mistake.
            if given.response == Response::Nothing {
                return Ok(None);
            }
            came.push(given);
        }
        Ok(self.only_mistake(&came))
    }

    fn only_mistake(&self, came: &[Came]) -> Option<&str> {
        let right_numbers = self.cases.iter().zip(came).any(|(case, came)| {
            case.right.is_numbers() && Reading::of(&case.right, came, &case.right) == Reading::Right
        });
        let stands = |variant: &&Variant| variant.accounts_for(&self.cases, came, right_numbers);
        let mut standing = self.variants.iter().filter(stands).map(|it| it.mistake.as_str());
        let first = standing.next()?;
        standing.all(|other| other == first).then_some(first)
    }
}

impl Variant {
    fn accounts_for(&self, cases: &[DiagnosticCase], came: &[Came], right_numbers: bool) -> bool {
        let mut readings = Vec::new();
        let mut only_errs = true;
        for (at, (case, came)) in cases.iter().zip(came).enumerate() {
            let wrong = self.responses.get(&at).and_then(|wrong| case.wrong.get(*wrong));
            let response = wrong.unwrap_or(&case.right);
            let reading = Reading::of(&case.right, came, response);
            only_errs &= !reading.speaks() || response.is_error();
            readings.push(reading);
        }
        open_cases(&readings, only_errs && right_numbers).is_some()
    }
}

impl DiagnosticCase {
    /// Returns the diagnostic case that asks `case`, to which `right` is right, without other responses. `meaningful` has
    /// zeros at the positions of an output where any number is right, and ones elsewhere.
    pub fn new(case: &Case, right: Response, meaningful: BTreeMap<String, Array>) -> Self {
        let stored = |input: &CaseInput| StoredInput {
            name: input.name.to_owned(),
            kind: input.kind,
            strided: input.strided,
            array: input.array.clone(),
        };
        Self {
            part: case.part().to_owned(),
            config: case.config.iter().map(|(k, v)| ((*k).to_owned(), *v as u64)).collect(),
            parameters: case.parameters.clone(),
            inputs: case.inputs.iter().map(stored).collect(),
            meaningful,
            right: sampled(right),
            wrong: Vec::new(),
        }
    }

    /// Adds the response of a known mistake, and returns its index in the case; `None` if it is right.
    pub fn add(&mut self, response: Response) -> Option<usize> {
        let response = sampled(response);
        if same(&response, &self.right) && response != Response::OtherType {
            return None;
        }
        let found = self.wrong.iter().position(|it| *it == response);
        Some(found.unwrap_or_else(|| {
            self.wrong.push(response);
            self.wrong.len() - 1
        }))
    }

    fn ask(&self, session: &mut dyn Session) -> Result<Came, SessionError> {
        let component = Construction {
            part: self.part.clone(),
            config: self.config.iter().map(|(name, size)| (name.clone(), *size)).collect(),
            parameters: self.parameters.iter().map(|(n, a)| (n.clone(), a.to_f32())).collect(),
        };
        let inputs = self.inputs.iter().map(StoredInput::to_wire).collect();
        Ok(match session.construct_and_ask(component, Request::Forward { inputs })? {
            Attempt::Success(Reply::Outputs(tensors)) => {
                let answer = Answer::new(tensors);
                let came = Came::of_answer(&answer, self.meaningful(answer.arrays()));
                Came { response: sampled(came.response), other: came.other.map(sample) }
            }
            Attempt::Success(_) => Response::Nothing.into(),
            Attempt::Fault(fault) => Response::from(&fault).into(),
        })
    }

    /// Returns the outputs with zeros where any number is right.
    fn meaningful(&self, outputs: BTreeMap<String, Array>) -> BTreeMap<String, Array> {
        let each = outputs.into_iter().map(|(name, output)| match self.meaningful.get(&name) {
            Some(kept) if kept.shape() == output.shape() => (name, masked(&output, kept)),
            _ => (name, output),
        });
        each.collect()
    }
}

/// Returns the values with zeros where `kept` is zero, so that values there that are not finite vanish as well.
fn masked(values: &Array, kept: &Array) -> Array {
    Array::from_fn(values.shape(), |at| if kept.at(at) == 0.0 { 0.0 } else { values.at(at) })
}

impl StoredInput {
    fn to_wire(&self) -> Input {
        let tensor = self.kind.tensor(&self.array);
        Input { name: self.name.clone(), tensor, strided: self.strided }
    }
}

/// Largest number of values of an output that are stored and compared. Two mistakes differ in most values of an output, or in whole
/// rows or channels of it, and the cases of a task are several.
const SAMPLED: usize = 24;

/// Digits that are stored: [`same`] tells apart what differs in the third.
const DIGITS: usize = 5;

/// Returns a response with the sampled values of its outputs.
fn sampled(response: Response) -> Response {
    match response {
        Response::Outputs(outputs) => Response::Outputs(sample(outputs)),
        other @ (Response::Gradients(_)
        | Response::OtherType
        | Response::Refused
        | Response::Panicked
        | Response::Nothing) => other,
    }
}

/// Returns outputs with fewer values: one that has too many is replaced by values at places all over it, and its shape.
fn sample(outputs: BTreeMap<String, Array>) -> BTreeMap<String, Array> {
    let mut sampled = BTreeMap::new();
    for (name, output) in outputs {
        let values = output.values();
        if values.len() <= SAMPLED {
            sampled.insert(name, output.map(rounded));
            continue;
        }
        let step = step(values.len());
        let places = (0..SAMPLED).map(|n| n * step % values.len());
        let some: Vec<f64> = places.filter_map(|at| values.get(at)).copied().map(rounded).collect();
        let shape: Vec<f64> = output.shape().iter().map(|&size| size as f64).collect();
        sampled.insert(format!("shape of {name}"), Array::new(&[shape.len()], shape));
        sampled.insert(name, Array::new(&[some.len()], some));
    }
    sampled
}

/// Returns the distance, modulo `count`, of places that follow one another: near the golden section, so that any number of
/// places lies all over the array, and without a common divisor, so that no place comes twice.
fn step(count: usize) -> usize {
    let golden = count * 618 / 1000;
    (golden..count).find(|step| gcd(*step, count) == 1).unwrap_or(1)
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn rounded(x: f64) -> f64 {
    format!("{x:.*e}", DIGITS - 1).parse().unwrap_or(x)
}
