//! A student's part under questions: asks, and turns what comes back into arrays or a verdict.

use std::collections::BTreeMap;

use softmark_kit::compare::{Tolerance, first_difference};
use softmark_wire::{DType, Failure, FailureKind, Fault, Reply, Request, Session, Tensor};

use crate::array::{Array, short};
use crate::case::Case;
use crate::margin;
use crate::matrix::KillMatrix;
use crate::outcome::{Evidence, Outcome};
use crate::verdict::{Judged, Stop, wrong};

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
const MOST_MESSAGES: usize = 4 * softmark_kit::debugging::MAX_EXPERIMENTS;

impl std::fmt::Debug for Subject<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Subject").finish_non_exhaustive()
    }
}

/// A part that could not be made or run, as a verdict on `case`.
pub fn fault(case: &Case, fault: Fault) -> Stop {
    if let Fault::Code(Failure { kind: FailureKind::Parameter, message, .. }) = &fault {
        return wrong(case, format!("the constructor {message}"));
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
        let cotangents = cotangents.iter().map(|(name, a)| ((*name).to_owned(), a.to_f32()));
        let request =
            Request::Gradients { inputs: case.wire_inputs(), cotangents: cotangents.collect() };
        let reply = self.ask(case, &request)?;
        let arrays = |named: Vec<(String, Option<Tensor>)>| {
            named.into_iter().map(|(name, t)| (name, t.as_ref().map(Array::from_tensor))).collect()
        };
        Ok(reply.and_then(|reply| {
            if let Reply::Gradients { inputs, parameters } = reply {
                Ok(Gradients { inputs: arrays(inputs), parameters: arrays(parameters) })
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
                    let observed = respond(&parameters, &inputs);
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

    /// All tensors as arrays, in the order of their names.
    pub fn arrays(&self) -> BTreeMap<String, Array> {
        self.tensors.iter().map(|(name, t)| (name.clone(), Array::from_tensor(t))).collect()
    }

    /// One of the tensors, which has to be `f32` and of `shape`.
    ///
    /// # Errors
    ///
    /// The verdict, where it is not.
    pub fn get(&self, case: &Case, name: &str, shape: &[usize]) -> Result<Array, Stop> {
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
            return Err(at(format!("`{name}` has shape {got:?}; {shape:?} is asked for")));
        }
        if tensor.dtype() != DType::F32 {
            return Err(at(format!("`{name}` has dtype {}; f32 is asked for", tensor.dtype())));
        }
        Ok(Array::from_tensor(tensor))
    }
}

/// Holds one of an answer's arrays against what is expected.
///
/// `claim` is what the two have to do with one another, such as "each row of `weights` sums to
/// one"; `look` says where to look, without saying what is to be done there.
///
/// # Errors
///
/// The verdict, where they differ.
pub fn compare(
    case: &Case,
    name: &str,
    (got, want): (&Array, &Array),
    tolerance: Tolerance,
    (claim, look): (&str, &str),
) -> Judged {
    margin::note((got, want), tolerance);
    let Some(first) = first_difference(got.values(), want.values(), want.shape(), tolerance) else {
        return Ok(());
    };
    let n = want.values().len();
    let how_many =
        if n == 1 { String::new() } else { format!("; {} of {n} values differ", first.count) };
    let allowed = if first.allowed == 0.0 {
        "not a bit of difference is allowed".to_owned()
    } else {
        format!("±{} is allowed", short(first.allowed))
    };
    let (at, is, expected) = (&first.index, short(first.got), short(first.want));
    let message = format!(
        "{claim}. At {at:?} `{name}` is {is}, expected is {expected} ({allowed}{how_many}). {look}"
    );
    let evidence = Evidence {
        output: Some(name.to_owned()),
        index: Some(first.index),
        got: Some(first.got),
        expected: Some(first.want),
        allowed: Some(first.allowed),
        ..case.evidence()
    };
    Err(Outcome::Wrong { message, evidence }.into())
}

/// Holds that two results differ: the control of a check that asks for something not to move.
///
/// Without it, code that always answers the same would pass.
///
/// # Errors
///
/// The verdict, where they are the same to the bit.
pub fn responds(
    case: &Case,
    name: &str,
    (before, after): (&Array, &Array),
    changed: &str,
) -> Judged {
    if before.differs(after) {
        return Ok(());
    }
    let message = format!(
        "{changed}, and `{name}` did not move by one bit: it does not seem to be computed from \
         what is handed in. Look at what the result is made of."
    );
    let evidence = Evidence { output: Some(name.to_owned()), ..case.evidence() };
    Err(Outcome::Wrong { message, evidence }.into())
}

/// Holds that the part refuses `case` with an error, and answers `fitting`, which is close to it.
///
/// # Errors
///
/// The verdict, where it answers or fails in another way.
pub fn refuses(
    subject: &mut Subject<'_>,
    (fitting, case): (&Case, &Case),
    (claim, look): (&str, &str),
) -> Judged {
    // Code that refuses everything has not understood what is wrong with this.
    subject.forward(fitting)?;
    match subject.try_forward(case)? {
        Err(Fault::Code(Failure { kind: FailureKind::Refused, .. })) => Ok(()),
        Err(Fault::Code(Failure { kind: FailureKind::Panicked, message, place })) => {
            let message = format!(
                "{claim}. It panicked at {place} instead of returning an error: {message}. {look}"
            );
            Err(wrong(case, message))
        }
        Err(other) => Err(fault(case, other)),
        Ok(answer) => {
            let shapes: Vec<String> = answer
                .tensors
                .iter()
                .map(|(name, tensor)| format!("`{name}` of shape {:?}", tensor.shape()))
                .collect();
            let came = shapes.join(" and ");
            Err(wrong(case, format!("{claim}. It answered with {came} instead. {look}")))
        }
    }
}
