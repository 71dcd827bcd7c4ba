//! A student's part behind a session: sends requests and converts the replies to arrays or a verdict.

use std::collections::BTreeMap;

use softmark_wire::{
    Attempt, Construction, DType, Failure, FailureKind, Fault, Reply, Request, Session, Tensor,
};

use crate::array::Array;
use crate::case::{Case, InputKind};
use crate::defect;
use crate::matrix::KillMatrix;
use crate::outcome::{Evidence, Outcome};
use crate::signature::Asked;
use crate::verdict::{Judged, Stop, defective, wrong};

pub use crate::judge::{compare, finite, refuses, responds};

/// Tensors of a part's answer.
#[derive(Debug, Clone)]
pub struct Answer {
    tensors: BTreeMap<String, Tensor>,
}

/// Gradients of a part's answer; `None` for a gradient that did not arrive.
#[derive(Debug, Clone)]
pub struct Gradients {
    /// Gradients of the inputs, by name.
    pub inputs: BTreeMap<String, Option<Array>>,
    /// Gradients of the requested parameters, by name.
    pub parameters: BTreeMap<String, Option<Array>>,
}

/// A session that handles one case at a time.
pub struct Subject<'a> {
    session: &'a mut dyn Session,
    matrix: Option<KillMatrix>,
}

/// Named tensors in wire format.
pub type Named = [(String, Tensor)];

/// Callback that answers a detector's experiments: takes parameters and inputs, and returns the outputs or
/// an error message for the detector.
pub type Respond<'a> = &'a mut dyn FnMut(&Named, &Named) -> Result<Vec<(String, Tensor)>, String>;

/// Verdict of a detector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetectorVerdict {
    /// True if the detector found a bug.
    pub bug: bool,
    /// Reason, as the student's code states it.
    pub reason: String,
}

/// Largest number of messages of one detection. A worker that respects its limit of experiments stays far
/// below it.
const MOST_MESSAGES: usize = 4 * softmark_common::debugging::MAX_EXPERIMENTS;

impl std::fmt::Debug for Subject<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Subject").finish_non_exhaustive()
    }
}

/// Converts the fault of a part that could not be constructed or run to a verdict on `case`.
pub fn fault(case: &Case, fault: Fault) -> Stop {
    if let Fault::Code(Failure { kind: FailureKind::Parameter, message, .. }) = &fault {
        let look = "Look at the table of parameters in the documentation of the trait.";
        return wrong(case, format!("The constructor {message}. {look}"));
    }
    Outcome::from_fault(fault, case.evidence()).into()
}

impl<'a> Subject<'a> {
    /// Creates a subject that sends its requests through `session`.
    pub fn new(session: &'a mut dyn Session) -> Self {
        Self { session, matrix: None }
    }

    /// Stores the result of mutation testing for the report.
    pub fn keep(&mut self, matrix: KillMatrix) {
        self.matrix = Some(matrix);
    }

    /// Takes the result of the last mutation testing, if there is one.
    pub fn take_matrix(&mut self) -> Option<KillMatrix> {
        self.matrix.take()
    }

    /// Constructs the part and then sends `request` to it.
    fn ask(&mut self, case: &Case, request: Request) -> Result<Attempt<Reply>, Stop> {
        let runs = matches!(request, Request::Forward { .. } | Request::Gradients { .. });
        let asked = if runs { Asked::ToRun } else { Asked::ToBeMade };
        complete(case, asked)?;
        let component = Construction {
            part: case.part().to_owned(),
            config: case.config.iter().map(|(k, v)| ((*k).to_owned(), *v as u64)).collect(),
            parameters: case.wire_parameters(),
        };
        Ok(self.session.construct_and_ask(component, request)?)
    }

    /// Constructs the part and runs it forward; returns a fault of the part as a value, for checks that expect one.
    ///
    /// # Errors
    ///
    /// Fails only if the grader itself fails.
    pub fn try_forward(&mut self, case: &Case) -> Result<Attempt<Answer>, Stop> {
        Ok(match self.ask(case, Request::Forward { inputs: case.wire_inputs() })? {
            Attempt::Success(Reply::Outputs(tensors)) => Attempt::Success(Answer::new(tensors)),
            Attempt::Success(_) => Attempt::Fault(garbled("forward")),
            Attempt::Fault(fault) => Attempt::Fault(fault),
        })
    }

    /// Constructs the part and runs it forward.
    ///
    /// # Errors
    ///
    /// Fails with the verdict if the part gives no answer.
    pub fn forward(&mut self, case: &Case) -> Result<Answer, Stop> {
        self.try_forward(case)?.into_result().map_err(|error| fault(case, error))
    }

    /// Constructs the part with the parameters of `case`, runs it forward, overwrites the parameters named in
    /// `names` with their values in `changed`, and runs the same instance forward again on the same inputs.
    ///
    /// # Errors
    ///
    /// Fails with the verdict if the part gives no answer.
    pub fn forward_updated(
        &mut self,
        case: &Case,
        (changed, names): (&Case, &[&str]),
    ) -> Result<Answer, Stop> {
        // The first call fills any cache in the part before the parameters change.
        self.forward(case)?;
        let mut parameters = changed.wire_parameters();
        parameters.retain(|(name, _)| names.contains(&name.as_str()));
        match self.session.ask(&Request::SetParameters { parameters })? {
            Attempt::Success(Reply::Updated) => {}
            Attempt::Success(_) => return Err(fault(case, garbled("set-parameters"))),
            Attempt::Fault(error) => return Err(fault(case, error)),
        }
        self.forward_made(case)
    }

    /// Constructs the part of `first`, runs it forward, and runs the same instance again on the inputs of `second`.
    ///
    /// # Errors
    ///
    /// Fails with the verdict if the part gives no answer.
    pub fn forward_again(&mut self, first: &Case, second: &Case) -> Result<Answer, Stop> {
        self.forward(first)?;
        self.forward_made(second)
    }

    /// Runs the part that was constructed last forward on the inputs of `case`.
    fn forward_made(&mut self, case: &Case) -> Result<Answer, Stop> {
        match self.session.ask(&Request::Forward { inputs: case.wire_inputs() })? {
            Attempt::Success(Reply::Outputs(tensors)) => Ok(Answer::new(tensors)),
            Attempt::Success(_) => Err(fault(case, garbled("forward"))),
            Attempt::Fault(error) => Err(fault(case, error)),
        }
    }

    /// Constructs the part, runs it forward and backward from `Σ output · cotangent`; returns a fault of the
    /// part as a value, for checks that expect one.
    ///
    /// # Errors
    ///
    /// Fails only if the grader itself fails.
    pub fn try_gradients(
        &mut self,
        case: &Case,
        cotangents: &[(&str, Array)],
    ) -> Result<Attempt<Gradients>, Stop> {
        for (name, _) in cotangents {
            known_output(case, name)?;
        }
        let cotangents = cotangents.iter().map(|(name, a)| ((*name).to_owned(), a.to_f32()));
        let request =
            Request::Gradients { inputs: case.wire_inputs(), cotangents: cotangents.collect() };
        let (inputs, parameters) = match self.ask(case, request)? {
            Attempt::Success(Reply::Gradients { inputs, parameters }) => (inputs, parameters),
            Attempt::Success(_) => return Ok(Attempt::Fault(garbled("gradients"))),
            Attempt::Fault(fault) => return Ok(Attempt::Fault(fault)),
        };
        let arrays = |named: Vec<(String, Option<Tensor>)>| {
            named.into_iter().map(|(name, t)| (name, t.as_ref().map(Array::from_tensor))).collect()
        };
        let came = Gradients { inputs: arrays(inputs), parameters: arrays(parameters) };
        Ok(match misshapen(case, &came) {
            None => Attempt::Success(came),
            Some(name) => {
                let told = format!("a gradient of another shape than `{name}`");
                Attempt::Fault(Fault::Garbled(told))
            }
        })
    }

    /// Constructs the part and runs it forward and backward.
    ///
    /// # Errors
    ///
    /// Fails with the verdict if the part gives no gradients.
    pub fn gradients(
        &mut self,
        case: &Case,
        cotangents: &[(&str, Array)],
    ) -> Result<Gradients, Stop> {
        self.try_gradients(case, cotangents)?.into_result().map_err(|error| fault(case, error))
    }

    /// Constructs the part and returns the names of its detectors.
    ///
    /// # Errors
    ///
    /// Fails with the verdict if the part cannot be constructed.
    pub fn detectors(&mut self, case: &Case) -> Result<Vec<String>, Stop> {
        match self.ask(case, Request::Detectors)? {
            Attempt::Success(Reply::Detectors(names)) => Ok(names),
            Attempt::Success(_) => Err(fault(case, garbled("detectors"))),
            Attempt::Fault(error) => Err(fault(case, error)),
        }
    }

    /// Constructs the part and runs one of its detectors on a suspect with the sizes of `suspect`, which answers
    /// through `respond`; a returned fault is the detector's own.
    ///
    /// # Errors
    ///
    /// Fails only if the grader itself fails.
    pub fn detect(
        &mut self,
        case: &Case,
        (detector, suspect): (u32, &Case),
        respond: Respond<'_>,
    ) -> Result<Attempt<DetectorVerdict>, Stop> {
        let config = suspect.config.iter().map(|(k, v)| ((*k).to_owned(), *v as u64)).collect();
        let mut reply = self.ask(case, Request::Detect { detector, config })?;
        for _ in 0..MOST_MESSAGES {
            match reply {
                Attempt::Fault(fault) => return Ok(Attempt::Fault(fault)),
                Attempt::Success(Reply::Verdict { bug, reason }) => {
                    return Ok(Attempt::Success(DetectorVerdict { bug, reason }));
                }
                Attempt::Success(Reply::Experiment { parameters, inputs }) => {
                    // The submission chooses its experiments, so a defect recorded here is not the check's.
                    let observed = defect::ignore(|| respond(&parameters, &inputs));
                    reply = self.session.ask(&Request::Observed(observed))?;
                }
                Attempt::Success(_) => return Ok(Attempt::Fault(garbled("detect"))),
            }
        }
        Ok(Attempt::Fault(Fault::Garbled("more experiments than a detector may make".to_owned())))
    }

    /// Constructs the part and returns the names and shapes of the parameters that it requested.
    ///
    /// # Errors
    ///
    /// Fails with the verdict if the part cannot be constructed.
    pub fn asked(&mut self, case: &Case) -> Result<Vec<(String, Vec<usize>)>, Stop> {
        match self.ask(case, Request::Parameters)? {
            Attempt::Success(Reply::Parameters(asked)) => Ok(asked),
            Attempt::Success(_) => Err(fault(case, garbled("parameters"))),
            Attempt::Fault(error) => Err(fault(case, error)),
        }
    }
}

/// Checks that the part of `case` is known and that the case has everything the request needs: a worker would
/// otherwise answer with an error that looks like the submission's.
fn complete(case: &Case, asked: Asked) -> Judged {
    let has = |name: &str| {
        case.config.iter().any(|(of, _)| *of == name)
            || case.inputs.iter().any(|input| input.name == name)
    };
    let lacking = case.signature.lacking(asked, has);
    if lacking.is_empty() {
        return Ok(());
    }
    let what = format!("a question to `{}` lacks `{}`", case.part(), lacking.join("`, `"));
    Err(defective(case, what))
}

/// Checks that the part of `case` has an output `name`.
fn known_output(case: &Case, name: &str) -> Judged {
    if case.signature.has_output(name) {
        return Ok(());
    }
    Err(defective(case, format!("the part `{}` has no output `{name}`", case.part())))
}

/// Returns the name of an input or a parameter whose gradient has another shape than the value itself.
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
    /// Creates an answer from named tensors.
    pub fn new(tensors: Vec<(String, Tensor)>) -> Self {
        Self { tensors: tensors.into_iter().collect() }
    }

    /// Returns one of the tensors without conversion.
    pub fn tensor(&self, name: &str) -> Option<&Tensor> {
        self.tensors.get(name)
    }

    /// Returns all tensors, in the order of their names.
    pub(crate) fn tensors(&self) -> &BTreeMap<String, Tensor> {
        &self.tensors
    }

    /// Returns all tensors as arrays, in the order of their names.
    pub fn arrays(&self) -> BTreeMap<String, Array> {
        self.tensors.iter().map(|(name, t)| (name.clone(), Array::from_tensor(t))).collect()
    }

    /// Returns one of the tensors, which must be `f32` and have the shape `shape`.
    ///
    /// # Errors
    ///
    /// Fails with the verdict if the tensor is missing or has another type or shape, and with a defect of the
    /// check if the part has no such output.
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
