//! Diagnostic cases that students get, by which their own checks recognise mistakes.

use std::collections::{BTreeMap, BTreeSet};

use softmark_checks::recognition::{DiagnosticCase, Recognition, TaskCases, Variant};
use softmark_checks::response::Response;
use softmark_checks::{Array, CheckError};
use softmark_exam::{Question, Suite};
use softmark_wire::Session;

use crate::diagnose::known::{Known, KnownMistake};

/// Returns the diagnostic cases of each task of a suite that students get, with the responses that known mistakes give: those
/// without gradients, because these take minutes to compute.
pub fn for_students(suite: &Suite) -> Recognition {
    let tasks: BTreeSet<&str> = (suite.mistakes)().iter().map(|mistake| mistake.task).collect();
    let of = |task| of_task(suite, &Known::of(suite, task)).clone();
    Recognition::new(tasks.into_iter().map(|task| (task.to_owned(), of(task))).collect())
}

/// Returns the mistake that students' own checks recognise in the code behind `session`.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn recognised(
    suite: &Suite,
    task: &str,
    session: &mut dyn Session,
) -> Result<Option<String>, CheckError> {
    let known = Known::of(suite, task);
    let found = of_task(suite, &known).recognise(session)?;
    Ok(found.map(str::to_owned))
}

fn of_task<'a>(suite: &Suite, known: &'a Known) -> &'a TaskCases {
    known.for_students.get_or_init(|| compute(suite, known))
}

fn compute(suite: &Suite, known: &Known) -> TaskCases {
    let rests = suite.rests.as_slice();
    let mut all = TaskCases { cases: Vec::new(), variants: variants(&known.bank) };
    for (at, question) in known.questions.iter().enumerate() {
        let right = known.right.answer(at, question, rests).into_owned();
        if question.cotangents.is_some() || right == Response::Nothing {
            continue;
        }
        let meaningful = meaningful(question, &right);
        let mut case = DiagnosticCase::new(&question.case, right, meaningful);
        let each = known.bank.iter().flat_map(|mistake| &mistake.imitations);
        for (variant, imitation) in all.variants.iter_mut().zip(each) {
            let response = imitation.answer(at, question, rests).into_owned();
            if let Some(place) = case.add(response) {
                variant.responses.insert(all.cases.len(), place);
            }
        }
        all.cases.push(case);
    }
    all.variants.retain(|variant| !variant.responses.is_empty());
    all
}

/// Returns a variant without responses for each imitation.
fn variants(bank: &[KnownMistake]) -> Vec<Variant> {
    let none = |mistake: &KnownMistake| Variant {
        mistake: mistake.mistake.id.to_owned(),
        responses: BTreeMap::new(),
    };
    let each = bank.iter().map(|mistake| mistake.imitations.iter().map(move |_| none(mistake)));
    each.flatten().collect()
}

/// Returns zeros at the positions of outputs where any number is right, for the outputs that have such positions.
fn meaningful(question: &Question, right: &Response) -> BTreeMap<String, Array> {
    let Response::Outputs(outputs) = right else { return BTreeMap::new() };
    let ones = |(name, output): (&String, &Array)| (name.clone(), Array::full(output.shape(), 1.0));
    let kept = question.meaningful(outputs.iter().map(ones).collect());
    kept.into_iter().filter(|(_, array)| array.values().contains(&0.0)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use softmark_wire::{
        Asked, Attempt, Construction, Data, Failure, FailureKind, Fault, Reply, Request, Session,
        SessionError, Tensor,
    };

    use crate::diagnose::known::Imitation;
    use crate::suite::BUILT_IN;

    use super::*;

    /// Component that gives these replies, one after the other.
    struct Answering(VecDeque<Attempt<Reply>>);

    impl Session for Answering {
        fn ask(&mut self, _: &Request) -> Asked<Reply> {
            Ok(self.0.pop_front().unwrap())
        }

        fn construct_and_ask(&mut self, _: Construction, request: Request) -> Asked<Reply> {
            self.ask(&request)
        }

        fn renew(&mut self) -> Result<(), SessionError> {
            Ok(())
        }
    }

    fn failure(kind: FailureKind) -> Attempt<Reply> {
        let (message, place) = (String::new(), String::new());
        Attempt::Fault(Fault::Code(Failure { kind, message, place }))
    }

    fn numbers(outputs: Response, tensor: fn(&Array) -> Tensor) -> Attempt<Reply> {
        let Response::Outputs(outputs) = outputs else { panic!("{outputs:?} has no numbers") };
        let tensors = outputs.iter().map(|(name, array)| (name.clone(), tensor(array)));
        Attempt::Success(Reply::Outputs(tensors.collect()))
    }

    fn in_f64(array: &Array) -> Tensor {
        Tensor::new(array.shape(), Data::F64(array.values().to_vec())).unwrap()
    }

    /// Returns the reply of a component that gives this response where `truth` is right.
    fn reply(response: Response, truth: Response) -> Attempt<Reply> {
        match response {
            Response::Outputs(_) => numbers(response, Array::to_f32),
            Response::OtherType => numbers(truth, in_f64),
            Response::Refused => failure(FailureKind::Refused),
            Response::Panicked => failure(FailureKind::Panicked),
            Response::Nothing | Response::Gradients(_) => failure(FailureKind::Unsendable),
        }
    }

    /// Returns the mistake that students' checks recognise in a component that answers like `imitation`.
    fn found(suite: &Suite, known: &Known, imitation: &Imitation, all: &TaskCases) -> String {
        let rests = suite.rests.as_slice();
        let cases = known.questions.iter().enumerate().filter(|(_, it)| it.cotangents.is_none());
        let of = |imitation: &Imitation, at, it| imitation.answer(at, it, rests).into_owned();
        let replies = cases.map(|(at, it)| reply(of(imitation, at, it), of(&known.right, at, it)));
        let found = all.recognise(&mut Answering(replies.collect())).unwrap();
        found.unwrap_or_default().to_owned()
    }

    /// Describes the variants of a task's mistakes in which students' checks recognise something else.
    fn misrecognised(suite: &Suite, task: &str) -> Vec<String> {
        let known = Known::of(suite, task);
        let all = of_task(suite, &known);
        assert_eq!(found(suite, &known, &known.right, all), "", "{task}: a right component");
        let shown: BTreeSet<&str> = all.variants.iter().map(|it| it.mistake.as_str()).collect();
        let mut wrong = Vec::new();
        for one in &known.bank {
            let id = one.mistake.id;
            let expected = if shown.contains(id) { id } else { "" };
            let found = one.imitations.iter().map(|it| found(suite, &known, it, all));
            let others = found.filter(|found| found != expected);
            wrong.extend(others.map(|found| format!("{task}: {id} is taken for `{found}`")));
        }
        wrong
    }

    #[test]
    fn mistakes_that_show_in_an_answer_are_recognised() {
        let mut wrong = Vec::new();
        for suite in BUILT_IN.suites() {
            let tasks: BTreeSet<&str> = (suite.mistakes)().iter().map(|it| it.task).collect();
            wrong.extend(tasks.into_iter().flat_map(|task| misrecognised(suite, task)));
        }
        assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    }
}
