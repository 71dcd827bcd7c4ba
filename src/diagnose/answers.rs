//! Responses of a submission and of imitations to diagnostic cases.

use std::borrow::Cow;
use std::collections::BTreeMap;

use softmark_checks::check::Stop;
use softmark_checks::response::Came;
use softmark_checks::{Array, Case, CheckError, Subject, defect};
use softmark_exam::check::{Expected, gradients_by_output};
use softmark_exam::{Cut, Question, Response};
use softmark_wire::{Attempt, FailureKind, Fault};

/// Asks the submission a diagnostic case.
pub(super) fn of_submission(
    subject: &mut Subject<'_>,
    question: &Question,
) -> Result<Came, CheckError> {
    let came = match &question.cotangents {
        None => subject.try_forward(&question.case).map(|it| {
            it.map(|answer| Came::of_answer(&answer, question.meaningful(answer.arrays())))
        }),
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
        Ok(Attempt::Fault(fault)) => Ok(Response::from(&fault).into()),
        Err(Stop::Error(error)) => Err(error),
        Err(Stop::Outcome(_)) => Ok(Response::Nothing.into()),
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
