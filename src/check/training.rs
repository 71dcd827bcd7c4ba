//! Has a part trained, and counts how many unseen examples it then gets right.
//!
//! The worker gets examples with labels to learn from, and examples without labels to answer. What
//! it predicts is all that counts, and it is counted here. Token ids and class numbers are mixed by
//! a secret order first, so that no table of answers that was made elsewhere fits.

use std::collections::BTreeMap;

use softmark_checks::check::outcome;
use softmark_checks::subject::{Answer, fault};
use softmark_checks::{Array, Case, CheckError, Outcome, Stop};
use softmark_kit::data::vocabulary::{PADDING, UNKNOWN};
use softmark_kit::rng::Stream;
use softmark_kit::train::Examples;
use softmark_wire::{Data, Fault, Input, Recipe, Reply, Request, Session, Tensor};

/// How many unseen examples are asked about at once.
const AT_ONCE: usize = 50;

/// What is trained, on what, and what it is asked then.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The part that is a classifier.
    pub part: &'static str,
    /// Its sizes.
    pub config: Vec<(&'static str, usize)>,
    /// Every parameter that it may ask for: its shape, and what it is before training.
    pub parameters: BTreeMap<String, (Vec<usize>, Initial)>,
    /// How it is trained; with a seed of its own instead of this one.
    pub recipe: Recipe,
    /// What it learns from.
    pub train: Examples,
    /// What it has never seen; the labels stay with the grader.
    pub unseen: Examples,
    /// The names of the classes.
    pub classes: &'static [&'static str],
    /// How many ids there are.
    pub vocabulary: u32,
}

/// What came of a training.
#[derive(Debug, Clone, PartialEq)]
pub struct Counted {
    /// Of examples of class `i`, `confusion[i][j]` were taken for class `j`.
    pub confusion: Vec<Vec<usize>>,
    /// Examples without an answer, because a number was not finite.
    pub unanswered: usize,
    /// The mean loss of each epoch, as the worker has it: to be shown.
    pub losses: Vec<f64>,
}

impl Counted {
    /// How many were right.
    pub fn right(&self) -> usize {
        self.confusion.iter().enumerate().filter_map(|(class, row)| row.get(class)).sum()
    }

    /// How many were asked about.
    pub fn asked(&self) -> usize {
        self.confusion.iter().flatten().sum::<usize>() + self.unanswered
    }

    /// The share of right answers.
    pub fn accuracy(&self) -> f64 {
        self.right() as f64 / self.asked().max(1) as f64
    }

    /// Which class was taken for another one most often.
    pub fn worst(&self) -> Option<Confused> {
        let pairs = self.confusion.iter().enumerate().flat_map(|(class, row)| {
            let all = row.iter().sum();
            let others = row.iter().enumerate().filter(move |(other, _)| *other != class);
            others.map(move |(taken_for, &count)| Confused { class, taken_for, count, all })
        });
        // Of those that are as frequent, the first.
        pairs.filter(|pair| pair.count > 0).fold(
            None,
            |worst: Option<Confused>, pair| match worst {
                Some(before) if before.count >= pair.count => Some(before),
                Some(_) | None => Some(pair),
            },
        )
    }
}

/// A class that was taken for another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Confused {
    /// What it is.
    pub class: usize,
    /// What it was taken for.
    pub taken_for: usize,
    /// How often.
    pub count: usize,
    /// Of how many of its class.
    pub all: usize,
}

/// An order of the ids and of the classes that only the grader knows.
#[derive(Debug, Clone)]
struct Blind {
    ids: Vec<u32>,
    classes: Vec<u32>,
}

fn mixed(mut numbers: Vec<u32>, stream: &mut Stream) -> Vec<u32> {
    for last in (1..numbers.len()).rev() {
        let at = usize::try_from(stream.below(last as u64 + 1)).unwrap_or(0);
        numbers.swap(last, at);
    }
    numbers
}

impl Blind {
    /// Padding and the unknown word stay what they are: a model may have to know them.
    fn new(plan: &Plan, seed: u64) -> Self {
        let mut stream = Stream::derive(seed, "training/blind", 0);
        let words = mixed((UNKNOWN + 1..plan.vocabulary).collect(), &mut stream);
        let count = u32::try_from(plan.classes.len()).unwrap_or(0);
        let classes = mixed((0..count).collect(), &mut stream);
        Self { ids: [PADDING, UNKNOWN].into_iter().chain(words).collect(), classes }
    }

    fn id(&self, id: u32) -> Result<u32, CheckError> {
        let known = usize::try_from(id).ok().and_then(|at| self.ids.get(at)).copied();
        known.ok_or_else(|| unfit(format!("the vocabulary ends before the id {id}")))
    }

    fn class(&self, class: u32) -> Result<u32, CheckError> {
        let known = usize::try_from(class).ok().and_then(|at| self.classes.get(at)).copied();
        known.ok_or_else(|| unfit(format!("there is no class {class}")))
    }

    /// The class that goes by the number `blind`.
    fn seen_through(&self, blind: usize) -> Option<usize> {
        self.classes.iter().position(|&number| usize::try_from(number) == Ok(blind))
    }

    /// `ids` `[N, T]` and `mask` `[N, T]`, padded to the longest.
    fn texts(&self, texts: &[Vec<u32>]) -> Result<Vec<Input>, CheckError> {
        let (n, t) = (texts.len(), texts.iter().map(Vec::len).max().unwrap_or(0).max(1));
        let places = || texts.iter().flat_map(|text| (0..t).map(|at| text.get(at).copied()));
        let ids = places().map(|id| id.map_or(Ok(PADDING), |id| self.id(id)));
        let real = places().map(|id| u8::from(id.is_some())).collect();
        Ok(vec![
            input("ids", &[n, t], Data::U32(ids.collect::<Result<_, _>>()?))?,
            input("mask", &[n, t], Data::U8(real))?,
        ])
    }

    fn examples(&self, examples: &Examples) -> Result<Vec<Input>, CheckError> {
        let (texts, labels) = (examples.ids.len(), examples.labels.len());
        if texts != labels {
            return Err(unfit(format!("{labels} labels for {texts} texts")));
        }
        let mut inputs = self.texts(&examples.ids)?;
        let labels = examples.labels.iter().map(|&label| self.class(label));
        let labels = Data::U32(labels.collect::<Result<_, _>>()?);
        inputs.push(input("labels", &[examples.labels.len()], labels)?);
        Ok(inputs)
    }
}

/// What was to be trained on does not fit together: never the student's fault.
fn unfit(reason: String) -> CheckError {
    CheckError::Inputs { check: "training".to_owned(), reason }
}

fn input(name: &str, shape: &[usize], data: Data) -> Result<Input, CheckError> {
    let tensor = Tensor::new(shape, data).map_err(|error| unfit(format!("{name}: {error}")))?;
    Ok(Input { name: name.to_owned(), tensor, strided: false })
}

impl Plan {
    /// What a message says of it.
    fn case(&self) -> Case {
        let (n, m) = (self.train.len(), self.unseen.len());
        let Recipe { epochs, batch_size, .. } = self.recipe;
        let label = format!(
            "{n} examples to learn from, {epochs} epochs in steps of {batch_size}; {m} unseen ones"
        );
        Case::new(self.part, label)
    }

    fn construct(&self, seed: u64) -> Result<Request, CheckError> {
        let size = |(name, value): &(&'static str, usize)| ((*name).to_owned(), *value as u64);
        Ok(Request::Construct {
            part: self.part.to_owned(),
            config: self.config.iter().map(size).collect(),
            parameters: drawn(seed, &self.parameters)?,
        })
    }
}

/// Has the part trained as planned and counts what it then gets right; the first parameters, and what
/// is secret about the order of ids and classes, come from `seed`.
///
/// # Errors
///
/// Only when the grader's side is broken; code that fails is an outcome.
pub fn train_and_count(
    session: &mut dyn Session,
    plan: &Plan,
    seed: u64,
) -> Result<Result<Counted, Outcome>, CheckError> {
    match counted(session, plan, seed) {
        Ok(counted) => Ok(Ok(counted)),
        Err(stop) => outcome(Err(stop)).map(Err),
    }
}

fn counted(session: &mut dyn Session, plan: &Plan, seed: u64) -> Result<Counted, Stop> {
    let case = plan.case();
    let blind = Blind::new(plan, seed);
    ask(session, &case, &plan.construct(seed)?)?;
    // Not the seed that the examples come from: from that, whoever trains could compute the answers.
    let orders = Stream::derive(seed, "training/orders", 0).below(u64::MAX);
    let recipe = Recipe { seed: orders, ..plan.recipe.clone() };
    let train = Request::Train { examples: blind.examples(&plan.train)?, recipe };
    let Reply::Trained(losses) = ask(session, &case, &train)? else {
        return Err(garbled(&case, "train"));
    };
    let losses = Array::from_tensor(&losses).values().to_vec();
    let classes = plan.classes.len();
    let mut counted = Counted { confusion: vec![vec![0; classes]; classes], unanswered: 0, losses };
    let chunks = plan.unseen.ids.chunks(AT_ONCE).zip(plan.unseen.labels.chunks(AT_ONCE));
    for (texts, labels) in chunks {
        let asked = Request::Forward { inputs: blind.texts(texts)? };
        let Reply::Outputs(outputs) = ask(session, &case, &asked)? else {
            return Err(garbled(&case, "forward"));
        };
        let answer = Answer::new(outputs);
        let logits = answer.get(&case, "logits", &[texts.len(), classes])?;
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

/// The place of the largest of finite numbers, the first of those that are equal; `None` where one
/// is not finite.
fn largest(row: &[f64]) -> Option<usize> {
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

fn ask(session: &mut dyn Session, case: &Case, request: &Request) -> Result<Reply, Stop> {
    session.ask(request)?.map_err(|broken| fault(case, broken))
}

fn garbled(case: &Case, question: &str) -> Stop {
    let told = format!("another kind of answer than `{question}` asks for");
    fault(case, Fault::Garbled(told))
}

/// The parameters by name, each drawn from a stream of its own.
fn drawn(
    seed: u64,
    shapes: &BTreeMap<String, (Vec<usize>, Initial)>,
) -> Result<Vec<(String, Tensor)>, CheckError> {
    let tensor = |(name, (shape, initial)): (&String, &(Vec<usize>, Initial))| {
        let count = shape.iter().product();
        let mut stream = Stream::derive(seed, name, 0);
        let values: Vec<f32> = match initial {
            Initial::Constant(value) => vec![*value; count],
            // A sum of twelve uniform numbers less six has mean 0 and variance 1, and is near
            // enough to normal: only exact sums are needed, so that it is the same everywhere.
            Initial::Normal(deviation) => (0..count)
                .map(|_| {
                    let sum: f32 = (0..12).map(|_| stream.uniform()).sum();
                    (sum - 6.0) * deviation
                })
                .collect(),
            Initial::Uniform(bound) => {
                (0..count).map(|_| (2.0 * stream.uniform() - 1.0) * bound).collect()
            }
        };
        let tensor =
            Tensor::f32(shape, values).map_err(|error| unfit(format!("{name}: {error}")))?;
        Ok((name.clone(), tensor))
    };
    shapes.iter().map(tensor).collect()
}

/// What a parameter is before training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Initial {
    /// One number throughout.
    Constant(f32),
    /// Normal, with mean 0 and this deviation.
    Normal(f32),
    /// From `-bound` to `bound`.
    Uniform(f32),
}

#[cfg(test)]
mod tests {
    use softmark_wire::{Asked, Failure, FailureKind};

    use super::*;

    const CLASSES: u32 = 4;
    const WORDS: u32 = 40;

    /// Texts of one word; the word's number says the class.
    fn plan() -> Plan {
        let ids = UNKNOWN + 1..UNKNOWN + 1 + WORDS;
        let all = Examples {
            ids: ids.clone().map(|id| vec![id; 1 + id as usize % 3]).collect(),
            labels: ids.map(|id| id % CLASSES).collect(),
        };
        Plan {
            part: "classifier",
            config: vec![("d_model", 4)],
            parameters: BTreeMap::from([
                ("a.weight".to_owned(), (vec![2, 3], Initial::Uniform(0.5))),
                ("b.bias".to_owned(), (vec![3], Initial::Constant(1.0))),
            ]),
            recipe: Recipe {
                seed: 1,
                epochs: 1,
                batch_size: 4,
                learning_rate: 0.1,
                warm_up: 0.0,
                weight_decay: 0.0,
                clip_norm: 1.0,
            },
            train: all.clone(),
            unseen: all,
            classes: &["A", "B", "C", "D"],
            vocabulary: UNKNOWN + 1 + WORDS,
        }
    }

    /// What code does that is asked to train and to answer.
    #[derive(Clone, Copy, PartialEq)]
    enum Code {
        /// Keeps every text with its label.
        Learns,
        /// Has brought a table of answers along, for the ids as they are before they are mixed.
        Knows,
        /// Answers what is not a number.
        Undefined,
        /// Answers with too few classes.
        Narrow,
        /// Has left the stub.
        Stub,
        /// Answers `Train` with something else.
        Confused,
    }

    struct Worker {
        code: Code,
        learned: BTreeMap<Vec<u32>, u32>,
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

    /// The ids where the mask is 1.
    fn texts(inputs: &[Input]) -> Vec<Vec<u32>> {
        let all = rows(inputs, "ids").into_iter().zip(rows(inputs, "mask"));
        let real = |(ids, mask): (Vec<u32>, Vec<u32>)| {
            ids.into_iter().zip(mask).filter(|(_, real)| *real == 1).map(|(id, _)| id).collect()
        };
        all.map(real).collect()
    }

    impl Worker {
        /// 1 for the class that it takes a text for.
        fn logits(&self, texts: &[Vec<u32>]) -> Tensor {
            let classes = if self.code == Code::Narrow { 3 } else { CLASSES };
            let mut logits = Vec::new();
            for text in texts {
                let known = self.code == Code::Knows;
                let taken = if known { text[0] % CLASSES } else { self.learned[text] };
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
            Ok(match request {
                Request::Construct { .. } if self.code == Code::Stub => {
                    let kind = FailureKind::NotImplemented;
                    let (message, place) = (String::new(), String::new());
                    Err(Fault::Code(Failure { kind, message, place }))
                }
                Request::Construct { .. } => Ok(Reply::Constructed),
                Request::Train { .. } if self.code == Code::Confused => Ok(Reply::Constructed),
                Request::Train { examples, recipe } => {
                    assert!(recipe.seed > 1000, "told where the examples come from");
                    let labels = rows(examples, "labels").into_iter().flatten();
                    self.learned = texts(examples).into_iter().zip(labels).collect();
                    Ok(Reply::Trained(Tensor::f32(&[2], vec![1.0, 0.5]).unwrap()))
                }
                Request::Forward { inputs } => {
                    let logits = self.logits(&texts(inputs));
                    Ok(Reply::Outputs(vec![("logits".to_owned(), logits)]))
                }
                Request::Hello { .. }
                | Request::Gradients { .. }
                | Request::Parameters
                | Request::Detectors
                | Request::Detect { .. }
                | Request::Observed(_) => panic!("not asked in a training"),
            })
        }
    }

    fn came_of(code: Code, plan: &Plan, seed: u64) -> Result<Result<Counted, Outcome>, CheckError> {
        train_and_count(&mut Worker { code, learned: BTreeMap::new() }, plan, seed)
    }

    #[test]
    fn what_is_learned_is_asked_in_the_same_order() {
        for seed in 0..20 {
            let counted = came_of(Code::Learns, &plan(), seed).unwrap().unwrap();
            assert_eq!((counted.right(), counted.asked()), (40, 40), "seed {seed}");
            assert_eq!(counted.losses, [1.0, 0.5]);
        }
    }

    /// A table of answers is right as often as a guess: a quarter, over all orders.
    #[test]
    fn what_was_known_before_is_worth_a_guess() {
        let right = (0..200).map(|seed| came_of(Code::Knows, &plan(), seed).unwrap().unwrap());
        let mean = right.map(|it| it.accuracy()).sum::<f64>() / 200.0;
        // A class in four keeps its number by chance, and an id in forty its own besides. 200 orders
        // of 40 texts each: a deviation of about 0.01.
        assert!((mean - 0.25).abs() < 0.05, "{mean}");
    }

    #[test]
    fn what_is_not_finite_is_no_answer() {
        let counted = came_of(Code::Undefined, &plan(), 1).unwrap().unwrap();
        assert_eq!((counted.right(), counted.unanswered, counted.asked()), (0, 40, 40));
    }

    #[test]
    fn code_that_fails_is_an_outcome() {
        let outcome = |code| came_of(code, &plan(), 1).unwrap().unwrap_err();
        assert!(matches!(outcome(Code::Stub), Outcome::NotImplemented { .. }));
        assert!(matches!(outcome(Code::Confused), Outcome::Fault { .. }));
        assert!(matches!(outcome(Code::Narrow), Outcome::Wrong { .. }));
    }

    /// Whoever made the plan is to hear of it, and nobody is marked down.
    #[test]
    fn a_plan_that_does_not_hold_together_is_an_error() {
        let problem = |plan: &Plan| came_of(Code::Learns, plan, 1).unwrap_err().to_string();
        let text = problem(&Plan { vocabulary: 10, ..plan() });
        assert!(text.ends_with("the vocabulary ends before the id 10"), "{text}");
        let text = problem(&Plan { classes: &["A", "B"], ..plan() });
        assert!(text.ends_with("there is no class 2"), "{text}");
        let mut odd = plan();
        odd.train.labels.pop();
        assert!(problem(&odd).contains("39 labels for 40 texts"));
    }

    #[test]
    fn parameters_are_drawn_by_name() {
        let values = |seed| drawn(seed, &plan().parameters).unwrap();
        assert_eq!(values(1), values(1));
        assert_ne!(values(1)[0], values(2)[0]);
        assert_eq!(values(1)[1], values(2)[1]);
        let uniform = Array::from_tensor(&values(1)[0].1);
        assert!(uniform.values().iter().all(|x| x.abs() <= 0.5), "{uniform:?}");
    }
}
