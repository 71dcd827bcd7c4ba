//! A session that answers as an imitation does, without a student's code.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;

use softmark_checks::{Array, Case, defect};
use softmark_exam::check::{Cotangents, Expected, gradients_by_output};
use softmark_exam::{Cut, Response, Suite};
use softmark_wire::{
    Asked, Construction, Data, Failure, FailureKind, Fault, Reply, Request, Session, SessionError,
    Tensor,
};

use crate::support::question::{Question, known};

/// A part and the sizes that it is made with.
type Configured = (String, Vec<(String, u64)>);

/// A part that is a formula.
type Formula = Rc<dyn Fn(&Case) -> Response>;

/// Questions about `task` are answered by `imitate`, all others by what is right.
pub(crate) struct ImitationSession {
    suite: &'static Suite,
    task: &'static str,
    imitate: Formula,
    cut: Option<Cut>,
    question: Question,
    /// The names of the parameters with which a part of each configuration was made.
    made: BTreeMap<Configured, BTreeSet<String>>,
}

impl fmt::Debug for ImitationSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ImitationSession").field("task", &self.task).finish_non_exhaustive()
    }
}

/// Imitations say what is given, and not in which words: an error names every line that it could
/// be about.
fn code(kind: FailureKind) -> Fault {
    let lines: Vec<String> = (1..100).map(|line| line.to_string()).collect();
    let message = format!("imitated, line {}", lines.join(", "));
    Fault::Code(Failure { kind, message, place: "here:1".to_owned() })
}

impl ImitationSession {
    pub(crate) fn new(
        suite: &'static Suite,
        task: &'static str,
        imitate: impl Fn(&Case) -> Response + 'static,
        cut: Option<Cut>,
    ) -> Self {
        Self {
            suite,
            task,
            imitate: Rc::new(imitate),
            cut,
            question: Question::new(),
            made: BTreeMap::new(),
        }
    }

    fn imitate(&self) -> Formula {
        // What is saved and what is loaded are two questions of one task.
        let task = match self.question.case.part() {
            "save" | "load" => "checkpoint",
            part => part,
        };
        if task == self.task { Rc::clone(&self.imitate) } else { Rc::new(self.suite.truth) }
    }

    fn outputs(&self) -> Result<BTreeMap<String, Tensor>, Fault> {
        let f32s = |arrays: BTreeMap<String, Array>| {
            arrays.into_iter().map(|(name, array)| (name, array.to_f32())).collect()
        };
        match (self.imitate())(&self.question.case) {
            Response::Outputs(outputs) => Ok(f32s(with_axes(&self.question.case, outputs))),
            Response::OtherType => {
                let Response::Outputs(right) = (self.suite.truth)(&self.question.case) else {
                    return Err(code(FailureKind::Refused));
                };
                let f64s = |a: &Array| Tensor::new(a.shape(), Data::F64(a.values().to_vec()));
                Ok(right.iter().map(|(name, a)| (name.clone(), f64s(a).unwrap())).collect())
            }
            Response::Refused => Err(code(FailureKind::Refused)),
            Response::Panicked => Err(code(FailureKind::Panicked)),
            Response::Gradients(_) | Response::Nothing => Err(Fault::Garbled(String::new())),
        }
    }

    /// As candle has it: a weight of another shape or type than the output is an error.
    fn gradients(&self, cotangents: &[(String, Tensor)]) -> Result<Reply, Fault> {
        let outputs = self.outputs()?;
        let fits = |(name, cotangent): &(String, Tensor)| {
            let output = outputs.get(name);
            output.is_some_and(|it| {
                it.shape() == cotangent.shape() && it.dtype() == cotangent.dtype()
            })
        };
        if !cotangents.iter().all(fits) {
            return Err(code(FailureKind::Refused));
        }
        let imitate = self.imitate();
        let forward = |case: &Case| match imitate(case) {
            Response::Outputs(outputs) => {
                outputs.into_iter().map(|(name, array)| (known(&name), array)).collect()
            }
            Response::Gradients(_)
            | Response::OtherType
            | Response::Refused
            | Response::Panicked
            | Response::Nothing => Expected::new(),
        };
        let weights =
            |(from, cotangent): &(String, Tensor)| (known(from), Array::from_tensor(cotangent));
        let weighted: Cotangents = cotangents.iter().map(weights).collect();
        let case = &self.question.case;
        let is_cut = |from: &str, to: &str| self.cut.is_some_and(|cut| cut(case, from, to));
        // Gradients take two answers a number.
        let is_wanted = |to: &str| cotangents.iter().any(|(from, _)| !is_cut(from, to));
        let by_output = gradients_by_output(case, &forward, &weighted, &is_wanted);
        let unwanted = case.parameters.iter().filter(|(name, _)| !is_wanted(name));
        let mut sums: BTreeMap<String, Option<Array>> =
            unwanted.map(|(name, _)| (name.clone(), None)).collect();
        for ((from, _), gradients) in cotangents.iter().zip(by_output) {
            for (to, gradient) in gradients {
                let sum = sums.entry(to.clone()).or_default();
                if !is_cut(from, &to) {
                    let before = sum.take().unwrap_or_else(|| gradient.map(|_| 0.0));
                    let plus = |at: &[usize]| before.at(at) + gradient.at(at);
                    *sum = Some(Array::from_fn(gradient.shape(), plus));
                }
            }
        }
        let is_input =
            |name: &str| self.question.case.inputs.iter().any(|input| input.name == name);
        let send = |(name, sum): (String, Option<Array>)| (name, sum.map(|a| a.to_f32()));
        let (inputs, parameters) = sums.into_iter().map(send).partition(|it| is_input(&it.0));
        Ok(Reply::Gradients { inputs, parameters })
    }
}

/// As a worker has it: logits of prefix tuning come with their shape, and without axes that are too many.
fn with_axes(case: &Case, mut outputs: BTreeMap<String, Array>) -> BTreeMap<String, Array> {
    if let ("prefix" | "partial", Some(logits)) = (case.part(), outputs.get("logits").cloned()) {
        let (shape, due) = (logits.shape(), [case.get("ids").dim(0), case.get_size("classes")]);
        let axes = shape.iter().map(|size| *size as f64).collect();
        outputs.insert("axes".to_owned(), Array::new(&[shape.len()], axes));
        let long =
            |shape: &[usize]| shape.iter().copied().filter(|size| *size != 1).collect::<Vec<_>>();
        if shape.len() > due.len() && long(shape) == long(&due) {
            let values = logits.values().to_vec();
            outputs.insert("logits".to_owned(), Array::new(&due, values));
        }
    }
    outputs
}

impl Session for ImitationSession {
    /// It stands for a student's code: what it runs into is no defect of a check.
    fn ask(&mut self, request: &Request) -> Asked<Reply> {
        defect::ignore(|| self.answer(request))
    }

    fn renew(&mut self) -> Result<(), SessionError> {
        Ok(())
    }
}

impl ImitationSession {
    /// Makes a part, or fails if a parameter is missing; all of them are there when a part is first made.
    fn make(&mut self, of: Configured, names: BTreeSet<String>) -> Result<Reply, Fault> {
        let made = self.made.entry(of).or_default();
        if !made.is_subset(&names) {
            return Err(code(FailureKind::Parameter));
        }
        *made = names;
        Ok(Reply::Constructed)
    }

    fn answer(&mut self, request: &Request) -> Asked<Reply> {
        self.question.hear(request);
        let answer = match request {
            Request::Hello { .. } => {
                return Err(SessionError { message: "not a worker".to_owned(), source: None });
            }
            Request::Construct(Construction { part, config, parameters }) => {
                let names = parameters.iter().map(|(name, _)| name.clone()).collect();
                self.make((part.clone(), config.clone()), names)
            }
            Request::Forward { .. } => {
                self.outputs().map(|outputs| Reply::Outputs(outputs.into_iter().collect()))
            }
            Request::Gradients { cotangents, .. } => self.gradients(cotangents),
            Request::Train { .. } => Err(Fault::Garbled("an imitation learns nothing".to_owned())),
            Request::Detectors | Request::Detect { .. } | Request::Observed(_) => {
                Err(Fault::Garbled("an imitation has no detectors".to_owned()))
            }
            Request::SetParameters { .. } => Ok(Reply::Updated),
            Request::ConstructAndAsk { .. } => {
                Err(Fault::Garbled("sent by other processes alone".to_owned()))
            }
            Request::ReadParameters => {
                let values = self.question.case.parameters.iter();
                let values = values.map(|(name, array)| (name.clone(), array.to_f32()));
                Ok(Reply::ParameterValues(values.collect()))
            }
            Request::Parameters => {
                let shapes = self.question.case.parameters.iter();
                let shapes = shapes.map(|(name, a)| (name.clone(), a.shape().to_vec()));
                Ok(Reply::Parameters(shapes.collect()))
            }
        };
        Ok(answer.into())
    }
}
