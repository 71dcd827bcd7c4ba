//! Finds out if a component was written: the grader's own component may replace no other.

use std::collections::{BTreeMap, BTreeSet};

use softmark_checks::{Answer, Array, Case, CheckError, InputKind, Outcome, Stop, Subject};
use softmark_exam::{Aspect, Question, Suite};
use softmark_wire::{Failure, FailureKind, Fault, Session};

use crate::examine::Sessions;
use crate::pipeline::ends::{MOST_ENDS, fault_ends, outcome_ends};

/// Evidence that a component was written, or that it was not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Written {
    /// The component passes a check of its task, and its output depends on what the task is about.
    Yes,
    /// The stub's `todo!()` was reached; holds its message.
    Stub(String),
    /// The code does none of its task.
    Nothing {
        /// Check of the task that failed or does not suffice.
        check: String,
        /// Clause, without a full stop, that says what the code does not do.
        why: String,
    },
}

/// Function that finds out whether the component of a task was written.
pub(crate) type IsWritten<'a, S> =
    dyn FnMut(&'static str, &mut Sessions<S>) -> Result<Written, CheckError> + 'a;

/// Finds out if the component of `task` was written. Checks with a `known` outcome are not run
/// again; the others are run until one passes. Then diagnostic cases test that the output depends
/// on what the task is about, because code that returns its input may pass a check by chance.
///
/// # Errors
///
/// Fails if the grader's side is broken.
pub(crate) fn written<S: Session>(
    (suite, task): (&Suite, &str),
    seed: u64,
    known: &BTreeMap<String, Outcome>,
    sessions: &mut Sessions<S>,
) -> Result<Written, CheckError> {
    let (mut stub, mut first, mut ends) = (None, None, 0);
    for entry in (suite.checks)().into_iter().filter(|entry| entry.check.task() == task) {
        let id = entry.check.id;
        let outcome = match known.get(id) {
            Some(outcome) => outcome.clone(),
            None if ends >= MOST_ENDS => break,
            None => sessions.ask(&entry, seed)?.outcome,
        };
        if outcome.is_pass() {
            let questions = (suite.battery)(task);
            let session = sessions.diagnosed(suite, task)?;
            return match reaction(&mut Subject::new(session), &questions) {
                Ok(reaction) => Ok(reaction.told(id, task)),
                Err(Stop::Error(error)) => Err(error),
                // These questions do not lead to verdicts.
                Err(Stop::Outcome(outcome)) => Err(CheckError::Defect {
                    check: task.to_owned(),
                    what: format!("a question of the battery ended as {outcome:?}"),
                }),
            };
        }
        ends += usize::from(outcome_ends(&outcome));
        first.get_or_insert(id);
        if let Outcome::NotImplemented { message } = outcome {
            stub.get_or_insert(message);
        }
    }
    Ok(match (stub, first) {
        (Some(message), _) => Written::Stub(message),
        (None, first) => Written::Nothing {
            check: first.unwrap_or(task).to_owned(),
            why: format!("no check of `{task}` is passed"),
        },
    })
}

/// Reaction of a component's output to a change of what its task is about.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Reaction {
    /// The output changes.
    Moves,
    /// The output does not change.
    Rests {
        /// Predicate that states the problem; its subject is the output.
        why: &'static str,
    },
    /// No question was answered.
    Silent {
        /// Message of a stub, if one was reached.
        stub: Option<String>,
    },
}

impl Reaction {
    fn told(self, check: &str, task: &str) -> Written {
        let why = match self {
            Self::Moves => return Written::Yes,
            Self::Silent { stub: Some(message) } => return Written::Stub(message),
            Self::Silent { stub: None } => format!("the part of `{task}` answers no question"),
            Self::Rests { why } => format!("the output of `{task}` {why}"),
        };
        Written::Nothing { check: check.to_owned(), why }
    }
}

/// Cause that must change an output.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    /// All parameters whose names have this module before the first dot.
    Parameters(String),
    /// An input or a size of this name.
    Named(&'static str),
    /// Any computation at all: the output must equal none of the inputs.
    Work,
}

/// Inputs and sizes that the output of a component without parameters must depend on.
const TELLING: [&str; 3] = ["mask", "key", "kind"];

/// Returns the causes that must change the output in `questions`, and how many of them are enough.
///
/// If the component has parameters, half of their groups are enough. Embedding tables and norms do
/// not count if there are other groups, because code that only calls library functions is not a
/// written component. A wrong component may omit a group. If the component has no parameters, one
/// of [`TELLING`] is enough.
fn causes(questions: &[&Question]) -> (BTreeSet<Cause>, usize) {
    let names = || questions.iter().flat_map(|question| &question.case.parameters);
    let groups: BTreeSet<&str> = names().map(|(name, _)| group(name)).collect();
    let is_ready_made = |group: &str| group.ends_with("embedding") || group.starts_with("norm");
    let own: BTreeSet<&str> =
        groups.iter().copied().filter(|group| !is_ready_made(group)).collect();
    let groups = if own.is_empty() { groups } else { own };
    if !groups.is_empty() {
        let enough = groups.len().div_ceil(2);
        return (groups.into_iter().map(|it| Cause::Parameters(it.to_owned())).collect(), enough);
    }
    let has = |name: &str| {
        let signature = questions.first().map(|question| question.case.signature);
        signature.is_some_and(|part| part.has_input(name) || part.has_size(name))
    };
    let named: BTreeSet<Cause> =
        TELLING.into_iter().filter(|name| has(name)).map(Cause::Named).collect();
    if named.is_empty() { (BTreeSet::from([Cause::Work]), 1) } else { (named, 1) }
}

/// Returns the module that a parameter belongs to: its name up to the first dot.
fn group(name: &str) -> &str {
    name.split_once('.').map_or(name, |(group, _)| group)
}

/// Returns the case with the values of `cause` changed; `None` if it has no such values, or if the
/// cause needs no change.
fn changed(case: &Case, cause: &Cause) -> Option<Case> {
    let mut n = 0.0;
    // Each number changes by another amount, so that no norm and no mean cancels the change.
    let mut moved = |array: &Array| {
        array.map(|x| {
            n += 1.0;
            x + 1.0 / n
        })
    };
    let mut other = case.clone();
    let mut is_changed = false;
    match cause {
        Cause::Parameters(of) => {
            let parameters = other.parameters.iter_mut().filter(|(name, _)| group(name) == of);
            for (_, array) in parameters {
                *array = moved(array);
                is_changed = true;
            }
        }
        Cause::Named(of) => {
            for input in other.inputs.iter_mut().filter(|input| input.name == *of) {
                input.array = match input.kind {
                    InputKind::Numbers => moved(&input.array),
                    InputKind::Mask => input.array.map(|bit| 1.0 - bit),
                    InputKind::Ids | InputKind::Text => continue,
                };
                is_changed = true;
            }
            for (_, size) in other.config.iter_mut().filter(|(name, _)| name == of) {
                // The size `kind` has three values.
                *size = (*size + 1) % 3;
                is_changed = true;
            }
        }
        Cause::Work => {}
    }
    is_changed.then_some(other)
}

/// Asks cases with plain outputs until enough of the [`causes`] have changed the component's
/// output.
fn reaction(subject: &mut Subject<'_>, questions: &[Question]) -> Result<Reaction, Stop> {
    let asks_for_numbers = |question: &&Question| {
        question.cotangents.is_none()
            && !matches!(question.aspect, Aspect::Limit | Aspect::Dropout | Aspect::Gradient)
    };
    let questions: Vec<&Question> = questions.iter().filter(asks_for_numbers).collect();
    let (causes, enough) = causes(&questions);
    let (mut left, mut moved, mut is_silent) = (causes, 0, true);
    let (mut stub, mut ends) = (None, 0);
    for question in questions {
        let case = &question.case;
        if ends >= MOST_ENDS {
            break;
        }
        let before = match subject.try_forward(case)?.into_result() {
            Ok(before) => before,
            Err(fault) => {
                ends += usize::from(fault_ends(&fault));
                if let Fault::Code(Failure { kind: FailureKind::NotImplemented, message, .. }) =
                    fault
                {
                    stub.get_or_insert(message);
                }
                continue;
            }
        };
        is_silent = false;
        for cause in left.clone() {
            let is_moved = if cause == Cause::Work {
                !hands_on(case, &before)
            } else if let Some(other) = changed(case, &cause) {
                let after = subject.try_forward(&other)?.into_result();
                after.is_ok_and(|after| differ(case, &before, &after))
            } else {
                false
            };
            if is_moved {
                left.remove(&cause);
                moved += 1;
            }
        }
        if moved >= enough {
            return Ok(Reaction::Moves);
        }
    }
    if is_silent {
        return Ok(Reaction::Silent { stub });
    }
    let why = match left.first() {
        Some(Cause::Parameters(_)) => "does not depend on the part's own parameters",
        Some(Cause::Named(_)) => "depends neither on the mask nor on the keys or the kind",
        Some(Cause::Work) | None => "is the input",
    };
    Ok(Reaction::Rests { why })
}

/// Returns the main output of a component: the first one.
fn main_output(case: &Case, answer: &Answer) -> Option<Array> {
    let name = case.signature.outputs.first()?;
    answer.tensor(name).map(Array::from_tensor)
}

/// True if the two outputs differ.
fn differ(case: &Case, one: &Answer, other: &Answer) -> bool {
    match (main_output(case, one), main_output(case, other)) {
        (Some(one), Some(other)) => one.differs(&other),
        (one, other) => one.is_some() != other.is_some(),
    }
}

/// True if the output equals one of the inputs, or there is none.
fn hands_on(case: &Case, answer: &Answer) -> bool {
    main_output(case, answer)
        .is_none_or(|output| case.inputs.iter().any(|input| !output.differs(&input.array)))
}

#[cfg(test)]
mod tests {
    use softmark_wire::{Asked, Construction, Input, Reply, Request, SessionError, Tensor};

    use super::*;
    use crate::suite::BUILT_IN;

    /// Function that computes a component's answer from its parameters and inputs.
    type Computes = fn(&[(String, Tensor)], &[Input]) -> Result<Tensor, Fault>;

    struct Code {
        parameters: Vec<(String, Tensor)>,
        computes: Computes,
    }

    impl Session for Code {
        fn ask(&mut self, request: &Request) -> Asked<Reply> {
            let answer = match request {
                Request::Construct(Construction { parameters, .. }) => {
                    self.parameters.clone_from(parameters);
                    Ok(Reply::Constructed)
                }
                Request::Forward { inputs } => {
                    let output = (self.computes)(&self.parameters, inputs);
                    output.map(|it| Reply::Outputs(vec![("output".to_owned(), it)]))
                }
                Request::Hello { .. }
                | Request::Gradients { .. }
                | Request::Parameters
                | Request::ReadParameters
                | Request::SetParameters { .. }
                | Request::ConstructAndAsk { .. }
                | Request::Train { .. }
                | Request::Detectors
                | Request::Detect { .. }
                | Request::Observed(_) => panic!("not asked"),
            };
            Ok(answer.into())
        }

        fn renew(&mut self) -> Result<(), SessionError> {
            Ok(())
        }
    }

    fn of(assignment: &str, task: &str, computes: Computes) -> Reaction {
        let questions = (BUILT_IN.find(assignment).unwrap().battery)(task);
        let mut code = Code { parameters: Vec::new(), computes };
        reaction(&mut Subject::new(&mut code), &questions).unwrap()
    }

    fn input(inputs: &[Input], name: &str) -> Tensor {
        inputs.iter().find(|input| input.name == name).unwrap().tensor.clone()
    }

    fn parameter(parameters: &[(String, Tensor)], end: &str) -> Tensor {
        parameters.iter().find(|(name, _)| name.ends_with(end)).unwrap().1.clone()
    }

    fn failure(kind: FailureKind) -> Fault {
        Fault::Code(Failure { kind, message: "task 2".to_owned(), place: String::new() })
    }

    #[test]
    fn code_that_hands_on_what_it_gets_is_not_written() {
        let handed_on: [(&str, &str, Computes); 7] = [
            ("encoder", "feed-forward", |_, inputs| Ok(input(inputs, "x"))),
            ("encoder", "encoder-layer", |_, inputs| Ok(input(inputs, "x"))),
            ("encoder", "encoder", |of, _| Ok(parameter(of, "token_embedding.weight"))),
            ("attention", "scaled-dot-product", |_, inputs| Ok(input(inputs, "value"))),
            ("attention", "multi-head", |_, inputs| Ok(input(inputs, "query"))),
            ("attention", "masked-pooling", |_, inputs| Ok(input(inputs, "x"))),
            ("attention", "sinusoidal-position", |_, inputs| Ok(input(inputs, "x"))),
        ];
        for (assignment, task, computes) in handed_on {
            let reaction = of(assignment, task, computes);
            assert!(matches!(reaction, Reaction::Rests { .. }), "{task}: {reaction:?}");
            let Written::Nothing { check, why } = reaction.told("a/shapes", task) else { panic!() };
            assert!(check == "a/shapes" && why.contains(task), "{why}");
        }
    }

    #[test]
    fn a_norm_alone_is_no_layer() {
        let norm = of("encoder", "encoder-layer", |of, _| Ok(parameter(of, "norm1.weight")));
        assert!(matches!(norm, Reaction::Rests { .. }), "{norm:?}");
    }

    #[test]
    fn code_that_is_wrong_is_written() {
        let wrong: [(&str, &str, Computes); 6] = [
            ("encoder", "feed-forward", |of, _| Ok(parameter(of, "linear1.weight"))),
            ("encoder", "encoder-layer", |of, _| Ok(parameter(of, "linear2.weight"))),
            ("encoder", "encoder", |of, _| {
                let first = of.iter().find(|(name, _)| name.starts_with("layers.")).cloned();
                Ok(first.unwrap_or_else(|| of[0].clone()).1)
            }),
            ("attention", "scaled-dot-product", |_, inputs| Ok(input(inputs, "key"))),
            ("attention", "learned-position", |of, _| Ok(parameter(of, "weight"))),
            ("attention", "sinusoidal-position", |_, _| Ok(Array::full(&[1, 1, 1], 0.5).to_f32())),
        ];
        for (assignment, task, computes) in wrong {
            assert_eq!(of(assignment, task, computes), Reaction::Moves, "{task}");
        }
    }

    #[test]
    fn code_that_answers_nothing_is_not_written() {
        let todo = of("encoder", "encoder", |_, _| Err(failure(FailureKind::NotImplemented)));
        assert_eq!(todo.told("a/b", "a"), Written::Stub("task 2".to_owned()));
        let refuses = of("encoder", "encoder", |_, _| Err(failure(FailureKind::Refused)));
        assert_eq!(refuses, Reaction::Silent { stub: None });
        // A process that ends is not asked again and again.
        let exits = of("encoder", "encoder", |_, _| Err(Fault::Exited { code: 0 }));
        assert_eq!(exits, Reaction::Silent { stub: None });
    }
}
