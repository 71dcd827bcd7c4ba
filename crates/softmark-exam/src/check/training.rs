//! Trains a component, or fills it with parameters that were trained elsewhere, and counts its
//! right answers to unseen examples.
//!
//! A worker gets examples with labels to learn from; its parameters are read back, and its process
//! ends. A new process is constructed with these parameters and gets examples without labels to
//! answer: labels that the first process saw and did not store in its parameters are lost. Only the
//! predictions of the second process count, and the grader counts them. Token ids and class numbers
//! are permuted by a secret order first, so that a prepared table of answers is useless. The rows
//! of parameters that were learned before are permuted in the same way, so that the model computes
//! the same function.

use softmark_checks::subject::{Answer, fault};
use softmark_checks::{Array, Case, Stop};
use softmark_common::rng::Stream;
use softmark_wire::{Fault, Recipe, Reply, Request, Session, Tensor};

use crate::check::initial::first_parameters;
use crate::check::permutation::Permutation;
use crate::check::plan::{Plan, inconsistent};
use crate::check::predictions::Predictions;
use crate::check::read_back::read_back;

/// Number of unseen examples in one request.
const AT_ONCE: usize = 50;

/// Trained component: its parameters and losses.
#[derive(Debug, Clone)]
pub struct Trained {
    /// Parameters that the component was constructed with, with the trained values of those that it
    /// asked for.
    parameters: Vec<(String, Tensor)>,
    /// Mean loss of each epoch, as the worker reports it.
    losses: Vec<f64>,
}

/// Trains the component as planned, ends its process, and counts the right answers of a new process
/// with nothing but the trained parameters. The initial parameters and the secret order of ids and
/// classes come from `seed`.
///
/// # Errors
///
/// Fails with the verdict if the code fails, and with an error if the grader's side is broken.
pub fn train_and_count(
    session: &mut dyn Session,
    plan: &Plan,
    seed: u64,
) -> Result<Predictions, Stop> {
    let trained = train(session, plan, seed)?;
    count(session, plan, &trained, seed)
}

/// Trains the component as planned, reads its parameters back and ends its process.
///
/// # Errors
///
/// Fails with the verdict if the code fails, and with an error if the grader's side is broken.
pub fn train(session: &mut dyn Session, plan: &Plan, seed: u64) -> Result<Trained, Stop> {
    let Some(recipe) = &plan.recipe else {
        return Err(inconsistent("nothing says how to train".to_owned()).into());
    };
    let trained = trained(session, (plan, recipe), seed);
    // This process saw labels.
    session.renew()?;
    trained
}

/// Counts the right answers to the unseen examples of a component with trained parameters: the
/// trained component, or another one with the same parameters.
///
/// # Errors
///
/// Fails with the verdict if the code fails, and with an error if the grader's side is broken.
pub fn count(
    session: &mut dyn Session,
    plan: &Plan,
    trained: &Trained,
    seed: u64,
) -> Result<Predictions, Stop> {
    let blind = Permutation::new(plan, seed);
    let counted = counted(session, (plan, &plan.case()), &blind, trained.parameters.clone())?;
    Ok(Predictions { losses: trained.losses.clone(), ..counted })
}

/// Counts the right answers of the component with the parameters of the plan, without training. The
/// secret order of ids and classes comes from `seed`.
///
/// # Errors
///
/// Fails with the verdict if the code fails, and with an error if the grader's side is broken.
pub fn measure(session: &mut dyn Session, plan: &Plan, seed: u64) -> Result<Predictions, Stop> {
    if plan.recipe.is_some() {
        let reason = "what is measured as it is has a recipe to be trained by";
        return Err(inconsistent(reason.to_owned()).into());
    }
    let blind = Permutation::new(plan, seed);
    let parameters = first_parameters(plan, &blind, seed)?;
    counted(session, (plan, &plan.case()), &blind, parameters)
}

fn trained(
    session: &mut dyn Session,
    (plan, recipe): (&Plan, &Recipe),
    seed: u64,
) -> Result<Trained, Stop> {
    let (case, blind) = (plan.case(), Permutation::new(plan, seed));
    let first = first_parameters(plan, &blind, seed)?;
    ask(session, &case, &plan.construct(first.clone()))?;
    // The seed of the examples must not be sent: code could compute the answers from it.
    let orders = Stream::derive(seed, "training/orders", 0).below(u64::MAX);
    let recipe = Recipe { seed: orders, ..recipe.clone() };
    let train = Request::Train { examples: blind.examples(&plan.train)?, recipe };
    let Reply::Trained(losses) = ask(session, &case, &train)? else {
        return Err(garbled(&case, "train"));
    };
    let Reply::ParameterValues(values) = ask(session, &case, &Request::ReadParameters)? else {
        return Err(garbled(&case, "read-parameters"));
    };
    let parameters = read_back(plan, first, values).map_err(|told| told.into_stop(&case))?;
    Ok(Trained { parameters, losses: Array::from_tensor(&losses).values().to_vec() })
}

/// Counts the predictions of a component that is constructed with `parameters`.
fn counted(
    session: &mut dyn Session,
    (plan, case): (&Plan, &Case),
    blind: &Permutation,
    parameters: Vec<(String, Tensor)>,
) -> Result<Predictions, Stop> {
    ask(session, case, &plan.construct(parameters))?;
    let classes = plan.classes.len();
    let confusion = vec![vec![0; classes]; classes];
    let mut counted = Predictions { confusion, unanswered: 0, losses: Vec::new() };
    let chunks = plan.unseen.ids.chunks(AT_ONCE).zip(plan.unseen.labels.chunks(AT_ONCE));
    for (texts, labels) in chunks {
        let asked = Request::Forward { inputs: blind.texts(texts)? };
        let Reply::Outputs(outputs) = ask(session, case, &asked)? else {
            return Err(garbled(case, "forward"));
        };
        let logits = Answer::new(outputs).get(case, "logits", &[texts.len(), classes])?;
        for (row, &label) in logits.values().chunks(classes.max(1)).zip(labels) {
            let place = usize::try_from(label).ok().and_then(|it| counted.confusion.get_mut(it));
            let taken = largest(row).and_then(|blinded| blind.seen_through(blinded));
            match place.zip(taken).and_then(|(row, taken)| row.get_mut(taken)) {
                Some(count) => *count += 1,
                None => counted.unanswered += 1,
            }
        }
    }
    Ok(counted)
}

/// Returns the index of the largest number, the first of equal ones; `None` if a number is not
/// finite.
pub(crate) fn largest(row: &[f64]) -> Option<usize> {
    if row.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let mut best: Option<(usize, f64)> = None;
    for (at, &x) in row.iter().enumerate() {
        if best.is_none_or(|(_, before)| x > before) {
            best = Some((at, x));
        }
    }
    best.map(|(at, _)| at)
}

/// Asks the session and returns its reply.
///
/// # Errors
///
/// Fails with the verdict if the component gives no reply, or if the session breaks.
pub(crate) fn ask(
    session: &mut dyn Session,
    case: &Case,
    request: &Request,
) -> Result<Reply, Stop> {
    session.ask(request)?.into_result().map_err(|broken| fault(case, broken))
}

/// Returns the verdict on a reply of another kind than `question` asks for.
pub(crate) fn garbled(case: &Case, question: &str) -> Stop {
    let told = format!("another kind of answer than `{question}` asks for");
    fault(case, Fault::Garbled(told))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use softmark_checks::{CheckError, Outcome, Signature};
    use softmark_common::data::vocabulary::UNKNOWN;
    use softmark_common::examples::Examples;
    use softmark_wire::{Asked, Construction, Data, Failure, FailureKind, Input, SessionError};

    use super::*;
    use crate::check::plan::Initial;

    static CLASSIFIER: Signature =
        Signature::new("classifier", &[&["d_model"]], &["ids", "mask"], &["logits"]);

    const CLASSES: u32 = 4;
    const WORDS: u32 = 40;
    const IDS: usize = (UNKNOWN + 1 + WORDS) as usize;

    /// Returns a plan with texts of one word, whose number determines the class.
    fn plan() -> Plan {
        let ids = UNKNOWN + 1..UNKNOWN + 1 + WORDS;
        let all = Examples {
            ids: ids.clone().map(|id| vec![id; 1 + id as usize % 3]).collect(),
            labels: ids.map(|id| id % CLASSES).collect(),
        };
        Plan {
            signature: &CLASSIFIER,
            config: vec![("d_model", 4)],
            parameters: BTreeMap::from([
                ("a.weight".to_owned(), (vec![2, 3], Initial::Uniform(0.5))),
                ("b.bias".to_owned(), (vec![3], Initial::Constant(1.0))),
                ("words".to_owned(), (vec![IDS, CLASSES as usize], Initial::Constant(0.0))),
            ]),
            rows_of_ids: Vec::new(),
            rows_of_classes: Vec::new(),
            frozen: vec!["b.bias".to_owned()],
            recipe: Some(Recipe {
                seed: 1,
                epochs: 1,
                batch_size: 4,
                learning_rate: 0.1,
                warm_up: 0.0,
                weight_decay: 0.0,
                clip_norm: 1.0,
                stopping_threshold: 0.0,
            }),
            train: all.clone(),
            unseen: all,
            classes: &["A", "B", "C", "D"],
            vocabulary: UNKNOWN + 1 + WORDS,
        }
    }

    /// Returns a plan for a model that was trained elsewhere: it recognises class 3 by the bias
    /// alone, the others by the word's row and the class's.
    fn handed_in() -> Plan {
        let one = |is_one: bool| f32::from(u8::from(is_one));
        let given = |values: Vec<f32>| Initial::Given(Arc::from(values));
        let classes = CLASSES as usize;
        let ids = UNKNOWN + 1 + WORDS;
        let table = (0..ids)
            .flat_map(|id| (0..CLASSES).map(move |at| one(id % CLASSES == at && at < 3)))
            .collect();
        let head = (0..classes * classes).map(|at| one(at / classes == at % classes)).collect();
        let parameters = [
            ("table.weight", vec![ids as usize, classes], given(table)),
            ("head.weight", vec![classes, classes], given(head)),
            ("head.bias", vec![classes], given(vec![0.0, 0.0, 0.0, 0.5])),
        ];
        let parameters =
            parameters.map(|(name, shape, initial)| (name.to_owned(), (shape, initial)));
        Plan {
            parameters: BTreeMap::from(parameters),
            rows_of_ids: vec!["table.weight".to_owned()],
            rows_of_classes: vec!["head.weight".to_owned(), "head.bias".to_owned()],
            frozen: Vec::new(),
            recipe: None,
            train: Examples::default(),
            ..plan()
        }
    }

    /// Behaviour of the code under test in training and answering.
    #[derive(Clone, Copy, PartialEq)]
    enum Code {
        /// Stores every word with its label in a parameter.
        Learns,
        /// Stores them in its process, and leaves its parameters unchanged.
        Remembers,
        /// Stores them in a parameter, and changes another one that is frozen.
        Thaws,
        /// Has a prepared table of answers for the ids before their permutation.
        Knows,
        /// Answers with NaN.
        Undefined,
        /// Answers with logits for too few classes.
        Narrow,
        /// Is still the stub.
        Stub,
        /// Answers `Train` with another reply.
        Confused,
        /// Reads its answers from the rows of its parameters.
        Reads,
        /// Reads words from its rows, and has a prepared order of the classes.
        KnowsClasses,
        /// Reads classes from its rows, and has a prepared order of the ids.
        KnowsWords,
    }

    struct Worker {
        code: Code,
        learned: BTreeMap<Vec<u32>, u32>,
        parameters: BTreeMap<String, Tensor>,
    }

    fn worker(code: Code) -> Worker {
        Worker { code, learned: BTreeMap::new(), parameters: BTreeMap::new() }
    }

    fn rows(inputs: &[Input], name: &str) -> Vec<Vec<u32>> {
        let tensor = &inputs.iter().find(|input| input.name == name).unwrap().tensor;
        let numbers: Vec<u32> = match tensor.data() {
            Data::U32(numbers) => numbers.clone(),
            Data::U8(numbers) => numbers.iter().map(|&it| u32::from(it)).collect(),
            Data::F32(_) | Data::F64(_) | Data::I64(_) => panic!("{name} is {tensor:?}"),
        };
        let width = tensor.shape().get(1).copied().unwrap_or(1);
        numbers.chunks(width).map(<[u32]>::to_vec).collect()
    }

    /// Returns the ids where the mask is 1.
    fn texts(inputs: &[Input]) -> Vec<Vec<u32>> {
        let all = rows(inputs, "ids").into_iter().zip(rows(inputs, "mask"));
        let real = |(ids, mask): (Vec<u32>, Vec<u32>)| {
            ids.into_iter().zip(mask).filter(|(_, real)| *real == 1).map(|(id, _)| id).collect()
        };
        all.map(real).collect()
    }

    impl Worker {
        fn row(&self, name: &str, at: u32) -> Vec<f32> {
            let tensor = &self.parameters[name];
            let Data::F32(values) = tensor.data() else { panic!("{tensor:?}") };
            let width = tensor.shape().get(1).copied().unwrap_or(1);
            values.chunks(width).nth(at as usize).unwrap().to_vec()
        }

        /// Writes 1 for its label into the row of each learned word.
        fn write_down(&mut self) {
            let mut words = vec![0.0; IDS * CLASSES as usize];
            for (text, label) in &self.learned {
                words[(text[0] * CLASSES + label) as usize] = 1.0;
            }
            let words = Tensor::f32(&[IDS, CLASSES as usize], words).unwrap();
            self.parameters.insert("words".to_owned(), words);
            if self.code == Code::Thaws {
                let bias = Tensor::f32(&[3], vec![1.0, 1.0, 1.000_000_1]).unwrap();
                self.parameters.insert("b.bias".to_owned(), bias);
            }
        }

        /// Returns the row of a word.
        fn word(&self, id: u32) -> Vec<f32> {
            if self.code == Code::KnowsWords {
                let is_it = |at| id % CLASSES == at && at < 3;
                return (0..CLASSES).map(|at| f32::from(u8::from(is_it(at)))).collect();
            }
            self.row("table.weight", id)
        }

        /// Returns the logit of a class for the row of a word.
        fn logit(&self, word: &[f32], class: u32) -> f32 {
            match (self.code == Code::KnowsClasses, class) {
                (true, 3) => 0.5,
                (true, _) => word[class as usize],
                (false, _) => {
                    let weights = self.row("head.weight", class);
                    let sum: f32 = weights.iter().zip(word).map(|(w, x)| w * x).sum();
                    sum + self.row("head.bias", class)[0]
                }
            }
        }

        fn read(&self, id: u32) -> Vec<f32> {
            let word = self.word(id);
            (0..CLASSES).map(|class| self.logit(&word, class)).collect()
        }

        /// Returns logits with 1 for the predicted class of each text.
        fn logits(&self, texts: &[Vec<u32>]) -> Tensor {
            let classes = if self.code == Code::Narrow { 3 } else { CLASSES };
            let mut logits = Vec::new();
            let reads = [Code::Reads, Code::KnowsClasses, Code::KnowsWords].contains(&self.code);
            for text in texts {
                if reads {
                    logits.extend(self.read(text[0]));
                    continue;
                }
                let taken = if self.code == Code::Knows {
                    text[0] % CLASSES
                } else if self.code == Code::Remembers {
                    self.learned.get(text).copied().unwrap_or(0)
                } else {
                    let word = self.row("words", text[0]);
                    (0..CLASSES).find(|&class| word[class as usize] == 1.0).unwrap_or(0)
                };
                let row = (0..classes).map(|class| f32::from(u8::from(class == taken)));
                logits.extend(row);
                if self.code == Code::Undefined {
                    *logits.last_mut().unwrap() = f32::NAN;
                }
            }
            Tensor::f32(&[texts.len(), classes as usize], logits).unwrap()
        }
    }

    impl Session for Worker {
        fn ask(&mut self, request: &Request) -> Asked<Reply> {
            let answer = match request {
                Request::Construct(_) if self.code == Code::Stub => {
                    let kind = FailureKind::NotImplemented;
                    let (message, place) = (String::new(), String::new());
                    Err(Fault::Code(Failure { kind, message, place }))
                }
                Request::Construct(Construction { parameters, .. }) => {
                    self.parameters = parameters.iter().cloned().collect();
                    Ok(Reply::Constructed)
                }
                Request::Train { .. } if self.code == Code::Confused => Ok(Reply::Constructed),
                Request::Train { examples, recipe } => {
                    assert!(recipe.seed > 1000, "told where the examples come from");
                    let labels = rows(examples, "labels").into_iter().flatten();
                    self.learned = texts(examples).into_iter().zip(labels).collect();
                    if self.code != Code::Remembers {
                        self.write_down();
                    }
                    Ok(Reply::Trained(Tensor::f32(&[2], vec![1.0, 0.5]).unwrap()))
                }
                Request::Forward { inputs } => {
                    let logits = self.logits(&texts(inputs));
                    Ok(Reply::Outputs(vec![("logits".to_owned(), logits)]))
                }
                Request::ReadParameters => {
                    Ok(Reply::ParameterValues(self.parameters.clone().into_iter().collect()))
                }
                Request::Hello { .. }
                | Request::Gradients { .. }
                | Request::Parameters
                | Request::SetParameters { .. }
                | Request::ConstructAndAsk { .. }
                | Request::Detectors
                | Request::Detect { .. }
                | Request::Observed(_) => panic!("not asked in a training"),
            };
            Ok(answer.into())
        }

        /// Restarts: state that is not in the parameters is lost with the process.
        fn renew(&mut self) -> Result<(), SessionError> {
            *self = worker(self.code);
            Ok(())
        }
    }

    fn came_of(code: Code, plan: &Plan, seed: u64) -> Result<Predictions, Stop> {
        train_and_count(&mut worker(code), plan, seed)
    }

    fn error(came: Result<Predictions, Stop>) -> CheckError {
        came.unwrap_err().into_outcome().unwrap_err()
    }

    #[test]
    fn what_is_learned_is_asked_in_the_same_order() {
        for seed in 0..20 {
            let counted = came_of(Code::Learns, &plan(), seed).unwrap();
            assert_eq!((counted.right(), counted.asked()), (40, 40), "seed {seed}");
            assert_eq!(counted.losses, [1.0, 0.5]);
        }
    }

    /// A table of answers is right as often as a guess: a quarter, over all orders.
    #[test]
    fn what_was_known_before_is_worth_a_guess() {
        let right = (0..200).map(|seed| came_of(Code::Knows, &plan(), seed).unwrap());
        let mean = right.map(|it| it.accuracy()).sum::<f64>() / 200.0;
        // One class in four keeps its number by chance, and one id in forty keeps its own. 200
        // orders of 40 texts each: a standard deviation of about 0.01.
        assert!((mean - 0.25).abs() < 0.05, "{mean}");
    }

    /// The process loses statics, thread-locals and captured gradients alike.
    #[test]
    fn what_was_learned_outside_of_the_parameters_is_worth_a_guess() {
        let right = (0..200).map(|seed| came_of(Code::Remembers, &plan(), seed).unwrap());
        let mean = right.map(|it| it.accuracy()).sum::<f64>() / 200.0;
        assert!((mean - 0.25).abs() < 0.05, "{mean}");
    }

    #[test]
    fn a_frozen_parameter_that_training_changed_is_named() {
        let outcome = came_of(Code::Thaws, &plan(), 1).unwrap_err().into_outcome().unwrap();
        let Outcome::Wrong { message, .. } = outcome else { panic!("{outcome:?}") };
        assert!(message.starts_with("`b.bias` is frozen, and training changed it"), "{message}");
    }

    #[test]
    fn what_is_not_finite_is_no_answer() {
        let counted = came_of(Code::Undefined, &plan(), 1).unwrap();
        assert_eq!((counted.right(), counted.unanswered, counted.asked()), (0, 40, 40));
    }

    #[test]
    fn code_that_fails_is_an_outcome() {
        let outcome = |code| came_of(code, &plan(), 1).unwrap_err().into_outcome().unwrap();
        assert!(matches!(outcome(Code::Stub), Outcome::NotImplemented { .. }));
        assert!(matches!(outcome(Code::Confused), Outcome::Fault { .. }));
        assert!(matches!(outcome(Code::Narrow), Outcome::Wrong { .. }));
    }

    /// An invalid plan is an error of the grader, not of the student.
    #[test]
    fn a_plan_that_does_not_hold_together_is_an_error() {
        let problem = |plan: &Plan| error(came_of(Code::Learns, plan, 1)).to_string();
        let text = problem(&Plan { vocabulary: 10, ..plan() });
        assert!(text.ends_with("the vocabulary ends before the id 10"), "{text}");
        let text = problem(&Plan { classes: &["A", "B"], ..plan() });
        assert!(text.ends_with("there is no class 2"), "{text}");
        let mut odd = plan();
        odd.train.labels.pop();
        assert!(problem(&odd).contains("39 labels for 40 texts"));
    }

    fn measured(code: Code, plan: &Plan, seed: u64) -> Predictions {
        measure(&mut worker(code), plan, seed).unwrap()
    }

    #[test]
    fn a_model_that_is_handed_in_is_as_right_in_any_secret_order() {
        let mut orders = std::collections::BTreeSet::new();
        for seed in 0..20 {
            let mut worker = worker(Code::Reads);
            let counted = measure(&mut worker, &handed_in(), seed).unwrap();
            assert_eq!((counted.right(), counted.asked()), (40, 40), "seed {seed}");
            assert_eq!(counted.losses, [0.0; 0]);
            orders.insert(format!("{:?}", worker.parameters["table.weight"]));
        }
        assert_eq!(orders.len(), 20, "each seed has an order of its own");
    }

    /// Otherwise a rule in the code would count as a model.
    #[test]
    fn of_a_model_that_is_handed_in_only_the_parameters_are_worth_anything() {
        for code in [Code::Knows, Code::KnowsClasses, Code::KnowsWords] {
            let right = (0..200).map(|seed| measured(code, &handed_in(), seed).accuracy());
            let mean = right.sum::<f64>() / 200.0;
            // The expectation is that of a prepared table of answers.
            assert!((mean - 0.25).abs() < 0.05, "{mean}");
        }
        let still = Plan { rows_of_ids: Vec::new(), ..handed_in() };
        assert!(measured(Code::Reads, &still, 1).accuracy() < 0.6);
        let still = Plan { rows_of_classes: Vec::new(), ..handed_in() };
        assert!((0..20).any(|seed| measured(Code::Reads, &still, seed).accuracy() < 0.6));
    }

    #[test]
    fn given_values_travel_unchanged_but_for_the_order_of_their_rows() {
        let plan = handed_in();
        for seed in 0..5 {
            let mut worker = worker(Code::Reads);
            measure(&mut worker, &plan, seed).unwrap();
            for (name, (shape, initial)) in &plan.parameters {
                let sent = &worker.parameters[name];
                let (Data::F32(sent), Initial::Given(given)) = (sent.data(), initial) else {
                    panic!("{name}: {sent:?}")
                };
                let width = shape.get(1).copied().unwrap_or(1);
                let sorted = |values: &[f32]| {
                    let mut rows: Vec<Vec<u32>> = values
                        .chunks(width)
                        .map(|row| row.iter().map(|x| x.to_bits()).collect())
                        .collect();
                    rows.sort();
                    rows
                };
                assert_eq!(sorted(sent), sorted(given), "{name}");
                if name == "table.weight" {
                    // Padding and the unknown word keep their rows.
                    assert_eq!(sent[..2 * width], given[..2 * width]);
                }
            }
        }
    }

    #[test]
    fn parameters_that_do_not_fit_the_plan_are_an_error() {
        let problem = |plan: &Plan| error(measure(&mut worker(Code::Reads), plan, 1)).to_string();
        let short = |name: &str| {
            let mut plan = handed_in();
            let (_, initial) = plan.parameters.get_mut(name).unwrap();
            *initial = Initial::Given(Arc::from(vec![1.0; 3]));
            plan
        };
        assert!(problem(&short("table.weight")).contains("table.weight: "));
        assert!(problem(&short("head.bias")).contains("head.bias: "));
        let alien = Plan { rows_of_ids: vec!["no.weight".to_owned()], ..handed_in() };
        assert!(problem(&alien).contains("`no.weight` are to be moved"));
        let other = Plan { rows_of_ids: vec!["head.weight".to_owned()], ..handed_in() };
        assert!(problem(&other).contains("`head.weight` has 4 rows, and 42 are to be moved"));
        // A plan with a recipe cannot be measured, and a plan without one cannot be trained.
        assert!(problem(&plan()).contains("a recipe to be trained by"));
        let told = error(came_of(Code::Reads, &handed_in(), 1)).to_string();
        assert!(told.contains("nothing says how to train"), "{told}");
    }

    #[test]
    fn code_that_fails_with_a_model_that_is_handed_in_is_an_outcome() {
        let outcome =
            |code| measure(&mut worker(code), &handed_in(), 1).unwrap_err().into_outcome().unwrap();
        assert!(matches!(outcome(Code::Stub), Outcome::NotImplemented { .. }));
    }
}
