//! Responses of a submission and of imitations to diagnostic cases.

use std::borrow::Cow;
use std::collections::BTreeMap;

use softmark_checks::check::Stop;
use softmark_checks::{Answer, Array, Case, CheckError, Subject, defect};
use softmark_exam::check::{Expected, gradients_by_output};
use softmark_exam::{Cut, Question, Response};
use softmark_wire::{Attempt, DType, FailureKind, Fault};

/// Response of a submission to a diagnostic case.
pub(super) struct Came {
    /// Response in the form that imitations use.
    pub(super) response: Response,
    /// Values of the outputs, if not all of them are `f32`.
    pub(super) other: Option<BTreeMap<String, Array>>,
}

impl From<Response> for Came {
    fn from(response: Response) -> Self {
        Self { response, other: None }
    }
}

/// Asks the submission a diagnostic case.
pub(super) fn of_submission(
    subject: &mut Subject<'_>,
    question: &Question,
) -> Result<Came, CheckError> {
    let came = match &question.cotangents {
        None => subject
            .try_forward(&question.case)
            .map(|it| it.map(|answer| of_answer(question, &answer))),
        Some(cotangents) => subject.try_gradients(&question.case, cotangents).map(|it| {
            it.map(|gradients| {
                let mut all = gradients.inputs;
                all.extend(gradients.parameters);
                Response::Gradients(all).into()
            })
        }),
    };
    match came {
        Ok(Attempt::Success(came)) => Ok(came),
        // Outputs of another type or shape have no weighted sum; that is not an error of the
        // student's code.
        Ok(Attempt::Fault(Fault::Code(failure)))
            if question.cotangents.is_some() && failure.kind == FailureKind::Unsendable =>
        {
            Ok(Response::Refused.into())
        }
        Ok(Attempt::Fault(fault)) => Ok(of_fault(&fault).into()),
        Err(Stop::Error(error)) => Err(error),
        Err(Stop::Outcome(_)) => Ok(Response::Nothing.into()),
    }
}

fn of_answer(question: &Question, answer: &Answer) -> Came {
    let arrays = question.meaningful(answer.arrays());
    let is_f32 = |name: &String| answer.tensor(name).is_some_and(|it| it.dtype() == DType::F32);
    if arrays.keys().all(is_f32) {
        Response::Outputs(arrays).into()
    } else {
        Came { response: Response::OtherType, other: Some(arrays) }
    }
}

fn of_fault(fault: &Fault) -> Response {
    match fault {
        Fault::Code(failure) => match failure.kind {
            FailureKind::Refused | FailureKind::Parameter => Response::Refused,
            FailureKind::Panicked => Response::Panicked,
            FailureKind::NotImplemented | FailureKind::Unsendable => Response::Nothing,
        },
        Fault::CpuTime { .. }
        | Fault::WallTime { .. }
        | Fault::OutOfMemory { .. }
        | Fault::NotStarted { .. }
        | Fault::Crowded { .. }
        | Fault::Killed { .. }
        | Fault::Exited { .. }
        | Fault::Garbled(_) => Response::Nothing,
    }
}

/// Response of the reference or of an imitation to a diagnostic case, before gradients are cut.
pub(super) enum Imitated {
    /// Response that cuts do not affect.
    Whole(Response),
    /// Gradients of each output separately: name of the output, and gradients by name.
    ByOutput(Vec<(&'static str, BTreeMap<String, Array>)>),
}

impl Imitated {
    /// Asks an imitation a diagnostic case; gradients come from central differences.
    ///
    /// Accesses to tensors that a case does not have are no defects here: an imitation may make
    /// them like the code that it imitates.
    pub(super) fn of(question: &Question, imitate: &dyn Fn(&Case) -> Response) -> Self {
        defect::ignore(|| imitated(question, imitate))
    }

    /// Returns the response of a component in which the gradients that one of `cuts` names do not
    /// arrive.
    pub(super) fn cut(&self, case: &Case, cuts: &[Cut]) -> Cow<'_, Response> {
        let by_output = match self {
            Self::Whole(given) => return Cow::Borrowed(given),
            Self::ByOutput(by_output) => by_output,
        };
        let mut sums: BTreeMap<String, Option<Array>> = BTreeMap::new();
        for (from, gradients) in by_output {
            for (to, gradient) in gradients {
                let sum = sums.entry(to.clone()).or_default();
                if !cuts.iter().any(|cut| cut(case, from, to)) {
                    *sum =
                        Some(sum.as_ref().map_or_else(|| gradient.clone(), |s| plus(s, gradient)));
                }
            }
        }
        Cow::Owned(Response::Gradients(sums))
    }
}

fn imitated(question: &Question, imitate: &dyn Fn(&Case) -> Response) -> Imitated {
    let given = imitate(&question.case);
    let Some(cotangents) = &question.cotangents else {
        return Imitated::Whole(match given {
            Response::Outputs(outputs) => Response::Outputs(question.meaningful(outputs)),
            other @ (Response::Gradients(_)
            | Response::OtherType
            | Response::Refused
            | Response::Panicked
            | Response::Nothing) => other,
        });
    };
    let outputs = match given {
        Response::Outputs(outputs) => outputs,
        // An output of another type or shape has no weighted sum, so the request for gradients is
        // refused.
        Response::OtherType => return Imitated::Whole(Response::Refused),
        other @ (Response::Gradients(_)
        | Response::Refused
        | Response::Panicked
        | Response::Nothing) => {
            return Imitated::Whole(other);
        }
    };
    if cotangents.iter().any(|(name, want)| shape_of(&outputs, name) != Some(want.shape())) {
        return Imitated::Whole(Response::Refused);
    }
    let forward = |case: &Case| weighted(imitate(case), cotangents);
    let gradients = gradients_by_output(&question.case, &forward, cotangents, &|_| true);
    Imitated::ByOutput(cotangents.iter().map(|(name, _)| *name).zip(gradients).collect())
}

/// Returns the outputs that have weights; none if there are no outputs.
fn weighted(response: Response, cotangents: &[(&'static str, Array)]) -> Expected {
    let Response::Outputs(outputs) = response else { return Expected::new() };
    let each = cotangents.iter();
    each.filter_map(|(name, _)| Some((*name, outputs.get(*name)?.clone()))).collect()
}

fn shape_of<'a>(outputs: &'a BTreeMap<String, Array>, name: &str) -> Option<&'a [usize]> {
    outputs.get(name).map(Array::shape)
}

fn plus(a: &Array, b: &Array) -> Array {
    Array::from_fn(a.shape(), |at| a.at(at) + b.at(at))
}
