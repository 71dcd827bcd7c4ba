//! A student's part under questions: asks, and turns what comes back into arrays or a verdict.

use std::collections::BTreeMap;

use softmark_wire::{DType, Failure, FailureKind, Fault, Reply, Request, Session, Tensor};

use crate::array::Array;
use crate::case::{Case, InputKind};
use crate::defect;
use crate::matrix::KillMatrix;
use crate::outcome::{Evidence, Outcome};
use crate::parts::{self, PartNames};
use crate::verdict::{Judged, Stop, defective, wrong};

pub use crate::judge::{compare, finite, refuses, responds};

/// The tensors that a part answered with.
#[derive(Debug, Clone)]
pub struct Answer {
    tensors: BTreeMap<String, Tensor>,
}

/// The gradients that a part answered with; `None` where none arrived.
#[derive(Debug, Clone)]
pub struct Gradients {
    /// By the names of the inputs.
    pub inputs: BTreeMap<String, Option<Array>>,
    /// By the names of the parameters that were asked for.
    pub parameters: BTreeMap<String, Option<Array>>,
}

/// A session, asked about one case at a time.
pub struct Subject<'a> {
    session: &'a mut dyn Session,
    matrix: Option<KillMatrix>,
}

/// Named tensors, as they travel.
pub type Named = [(String, Tensor)];

/// What answers the experiments of a detector: parameters and inputs in, outputs or an error for it to
/// hear out.
pub type Respond<'a> = &'a mut dyn FnMut(&Named, &Named) -> Result<Vec<(String, Tensor)>, String>;

/// What a detector says: whether there is a bug, and what gives it away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// Whether there is a bug.
    pub bug: bool,
    /// In the student's words.
    pub reason: String,
}

/// Messages of one detection before it is broken off: a worker that keeps to its limit of experiments
/// never comes near.
const MOST_MESSAGES: usize = 4 * softmark_common::debugging::MAX_EXPERIMENTS;

impl std::fmt::Debug for Subject<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Subject").finish_non_exhaustive()
    }
}

/// A part that could not be made or run, as a verdict on `case`.
pub fn fault(case: &Case, fault: Fault) -> Stop {
    if let Fault::Code(Failure { kind: FailureKind::Parameter, message, .. }) = &fault {
        let look = "Look at the table of parameters in the documentation of the trait.";
        return wrong(case, format!("The constructor {message}. {look}"));
    }
    Outcome::from_fault(fault, case.evidence()).into()
}

impl<'a> Subject<'a> {
    /// Asks through `session`.
    pub fn new(session: &'a mut dyn Session) -> Self {
        Self { session, matrix: None }
    }

    /// Keeps what came of a hunt, for the report.
    pub fn keep(&mut self, matrix: KillMatrix) {
        self.matrix = Some(matrix);
    }

    /// What came of the last hunt, where there was one.
    pub fn take_matrix(&mut self) -> Option<KillMatrix> {
        self.matrix.take()
    }

    /// Makes the part and then asks `request` of it.
    fn ask(&mut self, case: &Case, request: &Request) -> Result<Result<Reply, Fault>, Stop> {
        let runs = matches!(request, Request::Forward { .. } | Request::Gradients { .. });
        let asked = if runs { parts::Asked::ToRun } else { parts::Asked::ToBeMade };
        complete(case, asked)?;
        let made = self.session.ask(&Request::Construct {
            part: case.part.to_owned(),
            config: case.config.iter().map(|(k, v)| ((*k).to_owned(), *v as u64)).collect(),
            parameters: case.wire_parameters(),
        })?;
        match made {
            Ok(Reply::Constructed) => Ok(self.session.ask(request)?),
            Ok(_) => Ok(Err(garbled("construct"))),
            Err(fault) => Ok(Err(fault)),
        }
    }

    /// Makes the part and runs it forward, where a fault may be just what is wanted.
    ///
    /// # Errors
    ///
    /// Only when the grader's side is broken.
    pub fn try_forward(&mut self, case: &Case) -> Result<Result<Answer, Fault>, Stop> {
        let reply = self.ask(case, &Request::Forward { inputs: case.wire_inputs() })?;
        Ok(reply.and_then(|reply| {
            if let Reply::Outputs(tensors) = reply {
                Ok(Answer::new(tensors))
            } else {
                Err(garbled("forward"))
            }
        }))
    }

    /// Makes the part and runs it forward.
    ///
    /// # Errors
    ///
    /// The verdict, where no answer came.
    pub fn forward(&mut self, case: &Case) -> Result<Answer, Stop> {
        self.try_forward(case)?.map_err(|error| fault(case, error))
    }

    /// Makes the part with the parameters of `case`, runs it forward, writes the parameters named in
    /// `names` as `changed` has them into the part that was made, and runs it forward on the same inputs
    /// once more.
    ///
    /// # Errors
    ///
    /// The verdict, where no answer came.
    pub fn forward_updated(
        &mut self,
        case: &Case,
        (changed, names): (&Case, &[&str]),
    ) -> Result<Answer, Stop> {
        // What is kept from the first call on is kept before the parameters change.
        self.forward(case)?;
        let mut parameters = changed.wire_parameters();
        parameters.retain(|(name, _)| names.contains(&name.as_str()));
        match self.session.ask(&Request::SetParameters { parameters })? {
            Ok(Reply::Updated) => {}
            Ok(_) => return Err(fault(case, garbled("set-parameters"))),
            Err(error) => return Err(fault(case, error)),
        }
        self.forward_made(case)
    }

    /// Makes the part of `first`, runs it forward, and runs it forward once more on the inputs of `second`.
    ///
    /// # Errors
    ///
    /// The verdict, where no answer came.
    pub fn forward_again(&mut self, first: &Case, second: &Case) -> Result<Answer, Stop> {
        self.forward(first)?;
        self.forward_made(second)
    }

    /// Runs the part that was made last forward on the inputs of `case`.
    fn forward_made(&mut self, case: &Case) -> Result<Answer, Stop> {
        match self.session.ask(&Request::Forward { inputs: case.wire_inputs() })? {
            Ok(Reply::Outputs(tensors)) => Ok(Answer::new(tensors)),
            Ok(_) => Err(fault(case, garbled("forward"))),
            Err(error) => Err(fault(case, error)),
        }
    }

    /// Makes the part, runs it forward and then back from `Σ output · cotangent`, where a fault may
    /// be just what is wanted.
    ///
    /// # Errors
    ///
    /// Only when the grader's side is broken.
    pub fn try_gradients(
        &mut self,
        case: &Case,
        cotangents: &[(&str, Array)],
    ) -> Result<Result<Gradients, Fault>, Stop> {
        for (name, _) in cotangents {
            known_output(case, name)?;
        }
        let cotangents = cotangents.iter().map(|(name, a)| ((*name).to_owned(), a.to_f32()));
        let request =
            Request::Gradients { inputs: case.wire_inputs(), cotangents: cotangents.collect() };
        let reply = self.ask(case, &request)?;
        let arrays = |named: Vec<(String, Option<Tensor>)>| {
            named.into_iter().map(|(name, t)| (name, t.as_ref().map(Array::from_tensor))).collect()
        };
        Ok(reply.and_then(|reply| {
            if let Reply::Gradients { inputs, parameters } = reply {
                let came = Gradients { inputs: arrays(inputs), parameters: arrays(parameters) };
                match misshapen(case, &came) {
                    None => Ok(came),
                    Some(name) => {
                        Err(Fault::Garbled(format!("a gradient of another shape than `{name}`")))
                    }
                }
            } else {
                Err(garbled("gradients"))
            }
        }))
    }

    /// Makes the part, runs it forward and back.
    ///
    /// # Errors
    ///
    /// The verdict, where no gradients came.
    pub fn gradients(
        &mut self,
        case: &Case,
        cotangents: &[(&str, Array)],
    ) -> Result<Gradients, Stop> {
        self.try_gradients(case, cotangents)?.map_err(|error| fault(case, error))
    }

    /// Makes the part and tells what its detectors are called.
    ///
    /// # Errors
    ///
    /// The verdict, where it could not be made.
    pub fn detectors(&mut self, case: &Case) -> Result<Vec<String>, Stop> {
        match self.ask(case, &Request::Detectors)? {
            Ok(Reply::Detectors(names)) => Ok(names),
            Ok(_) => Err(fault(case, garbled("detectors"))),
            Err(error) => Err(fault(case, error)),
        }
    }

    /// Makes the part and lets one of its detectors loose on a suspect of the sizes of `suspect`, which
    /// answers through `respond`; a fault is the detector's own.
    ///
    /// # Errors
    ///
    /// Only when the grader's side is broken.
    pub fn detect(
        &mut self,
        case: &Case,
        (detector, suspect): (u32, &Case),
        respond: Respond<'_>,
    ) -> Result<Result<Said, Fault>, Stop> {
        let config = suspect.config.iter().map(|(k, v)| ((*k).to_owned(), *v as u64)).collect();
        let mut reply = self.ask(case, &Request::Detect { detector, config })?;
        for _ in 0..MOST_MESSAGES {
            match reply {
                Err(fault) => return Ok(Err(fault)),
                Ok(Reply::Verdict { bug, reason }) => return Ok(Ok(Said { bug, reason })),
                Ok(Reply::Experiment { parameters, inputs }) => {
                    // A submission chooses its experiments, and so what they run into.
                    let observed = defect::ignore(|| respond(&parameters, &inputs));
                    reply = self.session.ask(&Request::Observed(observed))?;
                }
                Ok(_) => return Ok(Err(garbled("detect"))),
            }
        }
        Ok(Err(Fault::Garbled("more experiments than a detector may make".to_owned())))
    }

    /// Makes the part and tells which parameters it asked for.
    ///
    /// # Errors
    ///
    /// The verdict, where it could not be made.
    pub fn asked(&mut self, case: &Case) -> Result<Vec<(String, Vec<usize>)>, Stop> {
        match self.ask(case, &Request::Parameters)? {
            Ok(Reply::Parameters(asked)) => Ok(asked),
            Ok(_) => Err(fault(case, garbled("parameters"))),
            Err(error) => Err(fault(case, error)),
        }
    }
}

/// Holds that the part of `case` is known, and that nothing is missing without which it cannot be asked: a
/// worker would have to answer that with an error, which would look like the submission's.
fn complete(case: &Case, asked: parts::Asked) -> Judged {
    let Some(part) = parts::find(case.part) else {
        return Err(defective(case, format!("there is no part `{}`", case.part)));
    };
    let has = |name: &str| {
        case.config.iter().any(|(of, _)| *of == name)
            || case.inputs.iter().any(|input| input.name == name)
    };
    let lacking = part.lacking(asked, has);
    if lacking.is_empty() {
        return Ok(());
    }
    let what = format!("a question to `{}` lacks `{}`", case.part, lacking.join("`, `"));
    Err(defective(case, what))
}

/// Holds that the part of `case` has an output `name`.
fn known_output(case: &Case, name: &str) -> Judged {
    let has = parts::find(case.part).is_some_and(|part| PartNames::has_output(part, name));
    let unknown = || defective(case, format!("the part `{}` has no output `{name}`", case.part));
    if has { Ok(()) } else { Err(unknown()) }
}

/// The name of an input or a parameter whose gradient has another shape than it has itself.
fn misshapen<'a>(case: &'a Case, came: &Gradients) -> Option<&'a str> {
    let differs = |of: &BTreeMap<String, Option<Array>>, name: &str, array: &Array| matches!(of.get(name), Some(Some(gradient)) if gradient.shape() != array.shape());
    let numbers = case.inputs.iter().filter(|input| input.kind == InputKind::Numbers);
    let mut inputs = numbers.map(|input| (input.name, &input.array));
    let mut parameters = case.parameters.iter().map(|(name, array)| (name.as_str(), array));
    let input = inputs.find(|(name, array)| differs(&came.inputs, name, array));
    let found = input.or_else(|| parameters.find(|(name, it)| differs(&came.parameters, name, it)));
    found.map(|(name, _)| name)
}

fn garbled(question: &str) -> Fault {
    Fault::Garbled(format!("another kind of answer than `{question}` asks for"))
}

impl Answer {
    /// What came in answer, by name.
    pub fn new(tensors: Vec<(String, Tensor)>) -> Self {
        Self { tensors: tensors.into_iter().collect() }
    }

    /// One of the tensors, as it is.
    pub fn tensor(&self, name: &str) -> Option<&Tensor> {
        self.tensors.get(name)
    }

    /// All tensors, in the order of their names.
    pub(crate) fn tensors(&self) -> &BTreeMap<String, Tensor> {
        &self.tensors
    }

    /// All tensors as arrays, in the order of their names.
    pub fn arrays(&self) -> BTreeMap<String, Array> {
        self.tensors.iter().map(|(name, t)| (name.clone(), Array::from_tensor(t))).collect()
    }

    /// One of the tensors, which has to be `f32` and of `shape`.
    ///
    /// # Errors
    ///
    /// The verdict, where it is not; that the check is defective, where the part has no such output.
    pub fn get(&self, case: &Case, name: &str, shape: &[usize]) -> Result<Array, Stop> {
        known_output(case, name)?;
        let Some(tensor) = self.tensors.get(name) else {
            let fault_kind = Fault::Garbled(format!("an answer without `{name}`"));
            return Err(fault(case, fault_kind));
        };
        let at = |message: String| {
            let evidence = Evidence { output: Some(name.to_owned()), ..case.evidence() };
            Stop::from(Outcome::Wrong { message, evidence })
        };
        if tensor.shape() != shape {
            let got = tensor.shape();
            return Err(at(format!("`{name}` has shape {got:?}; {shape:?} is expected")));
        }
        if tensor.dtype() != DType::F32 {
            return Err(at(format!("`{name}` has dtype {}; f32 is expected", tensor.dtype())));
        }
        Ok(Array::from_tensor(tensor))
    }
}
