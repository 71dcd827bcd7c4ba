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
    /// Every parameter that it may ask for, as it is before training.
    pub parameters: Vec<(String, Tensor)>,
    /// How it is trained.
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

    fn id(&self, id: u32) -> u32 {
        usize::try_from(id).ok().and_then(|at| self.ids.get(at)).copied().unwrap_or(UNKNOWN)
    }

    fn class(&self, class: u32) -> u32 {
        usize::try_from(class).ok().and_then(|at| self.classes.get(at)).copied().unwrap_or(0)
    }

    /// The class that goes by the number `blind`.
    fn seen_through(&self, blind: usize) -> Option<usize> {
        self.classes.iter().position(|&number| usize::try_from(number) == Ok(blind))
    }

    /// `ids` `[N, T]` and `mask` `[N, T]`, padded to the longest.
    fn texts(&self, texts: &[Vec<u32>]) -> Vec<Input> {
        let (n, t) = (texts.len(), texts.iter().map(Vec::len).max().unwrap_or(0).max(1));
        let padded = |text: &Vec<u32>, of: fn(&Self, Option<u32>) -> u32| -> Vec<u32> {
            (0..t).map(|at| of(self, text.get(at).copied())).collect()
        };
        let ids = texts
            .iter()
            .flat_map(|text| padded(text, |it, id| id.map_or(PADDING, |id| it.id(id))))
            .collect();
        let real = texts.iter().flat_map(|text| (0..t).map(|at| u8::from(at < text.len())));
        let tensor = |data| Tensor::new(&[n, t], data).ok();
        let input = |name: &str, tensor: Option<Tensor>| {
            tensor.map(|tensor| Input { name: name.to_owned(), tensor, strided: false })
        };
        let inputs =
            [input("ids", tensor(Data::U32(ids))), input("mask", tensor(Data::U8(real.collect())))];
        inputs.into_iter().flatten().collect()
    }

    fn examples(&self, examples: &Examples) -> Vec<Input> {
        let mut inputs = self.texts(&examples.ids);
        let labels = examples.labels.iter().map(|&label| self.class(label)).collect();
        let labels = Tensor::new(&[examples.labels.len()], Data::U32(labels)).ok();
        let name = "labels".to_owned();
        inputs.extend(labels.map(|tensor| Input { name, tensor, strided: false }));
        inputs
    }
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

    fn construct(&self) -> Request {
        let size = |(name, value): &(&'static str, usize)| ((*name).to_owned(), *value as u64);
        Request::Construct {
            part: self.part.to_owned(),
            config: self.config.iter().map(size).collect(),
            parameters: self.parameters.clone(),
        }
    }
}

/// Has the part trained as planned and counts what it then gets right; what is secret about the
/// order of ids and classes comes from `seed`.
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
    ask(session, &case, &plan.construct())?;
    let train =
        Request::Train { examples: blind.examples(&plan.train), recipe: plan.recipe.clone() };
    let Reply::Trained(losses) = ask(session, &case, &train)? else {
        return Err(garbled(&case, "train"));
    };
    let losses = Array::from_tensor(&losses).values().to_vec();
    let classes = plan.classes.len();
    let mut counted = Counted { confusion: vec![vec![0; classes]; classes], unanswered: 0, losses };
    let chunks = plan.unseen.ids.chunks(AT_ONCE).zip(plan.unseen.labels.chunks(AT_ONCE));
    for (texts, labels) in chunks {
        let asked = Request::Forward { inputs: blind.texts(texts) };
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
pub fn drawn(seed: u64, shapes: &BTreeMap<String, (Vec<usize>, Initial)>) -> Vec<(String, Tensor)> {
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
        Tensor::f32(shape, values).ok().map(|tensor| (name.clone(), tensor))
    };
    shapes.iter().filter_map(tensor).collect()
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
