//! What looking costs: training steps of the `debugging` assignment's model without hooks at all, with
//! hooks that nobody has registered, and with the weights of one layer recorded, in turn.
//!
//! `cargo bench --profile test --bench hooks [ROUNDS]`; on a machine with other work, give more rounds.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints times, and stops where it cannot go on"
)]

// The solution's source, which is included below, calls the specification of its assignment so.
extern crate debugging_spec as softmark_kit;
// The whole kit: the assignment withholds the recorder.
extern crate softmark_kit as kit;

use candle_core::{DType, Device, Result, Tensor};
use debugging_solution::Submission as Solution;
use debugging_solution::feed_forward::TwoLinear;
use kit::hooks::AttentionRecorder;
use nix::sys::time::TimeValLike;
use nix::time::{ClockId, clock_gettime};
use softmark_kit::DebuggingAssignment;
use softmark_kit::debugging::Wiring;
use softmark_kit::encoder::{
    Encoder, EncoderConfig, EncoderLayer, EncoderParts, FeedForward, LayerParts, SelfAttention,
    TextClassifier,
};
use softmark_kit::hooks::Hooks;
use softmark_kit::init::Parameters;
use softmark_kit::nn::attention::attention_side_by_side;
use softmark_kit::nn::loss::cross_entropy;
use softmark_kit::nn::{Linear, linear};
use softmark_kit::optim::{Optimizer, Rule};
use softmark_kit::prelude::{ClassifierParts, Module, VarBuilder};
use softmark_kit::rng::Stream;

// Compiled with the one that it is compared with, so that both are optimised alike.
#[expect(unreachable_pub, reason = "it is public where it comes from")]
#[path = "../solutions/debugging/src/attention.rs"]
mod watched;

const CLASSES: usize = 6;
/// As in the assignment's training.
const BATCH: usize = 32;
/// A long question.
const LENGTH: usize = 24;
const ROUNDS: usize = 300;
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1], [2, 0, 1], [1, 0, 2]];

/// The solution, with that attention.
struct Submission;

impl DebuggingAssignment for Submission {
    type Attention = watched::WatchedSelfAttention;
    type FeedForward = TwoLinear;
    type Buggy = <Solution as DebuggingAssignment>::Buggy;
    type Encoder = Stack;
    type Classifier = Classifier;
    type Capture = <Solution as DebuggingAssignment>::Capture;
    type Statistics = <Solution as DebuggingAssignment>::Statistics;
    type Repaired = Repaired;
    type Detectors = <Solution as DebuggingAssignment>::Detectors;
}

type Repaired = <Solution as DebuggingAssignment>::Repaired;
type Stack = <Solution as DebuggingAssignment>::Encoder;
type Classifier = <Solution as DebuggingAssignment>::Classifier;

/// The assignment's attention without a point to look at.
struct Blind {
    heads: usize,
    query: Linear,
    key: Linear,
    value: Linear,
    out: Linear,
    dropout: f32,
}

impl SelfAttention for Blind {
    fn new(config: EncoderConfig, vb: VarBuilder<'_>) -> Result<Self> {
        let d = config.d_model;
        Ok(Self {
            heads: config.heads,
            query: linear(d, d, vb.pp("q_proj"))?,
            key: linear(d, d, vb.pp("k_proj"))?,
            value: linear(d, d, vb.pp("v_proj"))?,
            out: linear(d, d, vb.pp("out_proj"))?,
            dropout: config.dropout,
        })
    }

    fn attend(&self, x: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        let (b, t, _) = x.dims3()?;
        let (q, k, v) = (self.query.forward(x)?, self.key.forward(x)?, self.value.forward(x)?);
        let seen = mask.reshape((b, 1, 1, t))?.broadcast_as((b, 1, t, t))?;
        let dropout = train.then_some(self.dropout);
        let context = attention_side_by_side(&q, &k, &v, self.heads, Some(&seen), dropout)?;
        self.out.forward(&context)
    }
}

/// What a model without hooks is made with.
struct Unhooked(EncoderConfig);

impl LayerParts for Unhooked {
    fn attention(&self, vb: VarBuilder<'_>) -> Result<Box<dyn SelfAttention>> {
        Ok(Box::new(Blind::new(self.0, vb)?))
    }

    fn feed_forward(&self, vb: VarBuilder<'_>) -> Result<Box<dyn FeedForward>> {
        Ok(Box::new(TwoLinear::new(self.0, vb)?))
    }
}

impl EncoderParts for Unhooked {
    fn layer(&self, vb: VarBuilder<'_>) -> Result<Box<dyn EncoderLayer>> {
        Ok(Box::new(Repaired::new(self.0, self, vb)?))
    }
}

impl ClassifierParts for Unhooked {
    fn encoder(&self, vb: VarBuilder<'_>) -> Result<Box<dyn Encoder>> {
        Ok(Box::new(Stack::new(self.0, self, vb)?))
    }
}

/// A model in training.
struct Trainee {
    classifier: Classifier,
    parameters: Parameters,
    optimizer: Optimizer,
    losses: Vec<f32>,
    milliseconds: Vec<f64>,
}

impl Trainee {
    fn new(parts: &dyn ClassifierParts, config: EncoderConfig) -> Result<Self> {
        let parameters = Parameters::new(1, &Device::Cpu);
        let classifier = Classifier::new(config, CLASSES, parts, parameters.builder())?;
        let optimizer = Optimizer::new(Rule::ADAM, 0.0);
        Ok(Self { classifier, parameters, optimizer, losses: Vec::new(), milliseconds: Vec::new() })
    }

    fn step(&mut self, at: usize, (ids, mask, labels): &(Tensor, Tensor, Tensor)) -> Result<()> {
        softmark_kit::nn::dropout::begin_step(1, at as u64);
        let before = used();
        let logits = self.classifier.forward(ids, mask, true)?;
        let loss = cross_entropy(&logits, labels)?;
        self.optimizer.step(&self.parameters.vars(), &loss.backward()?, 1e-3)?;
        self.milliseconds.push(used() - before);
        self.losses.push(loss.to_scalar()?);
        Ok(())
    }
}

/// Processor time of the process in milliseconds.
fn used() -> f64 {
    let time = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).unwrap();
    time.num_nanoseconds() as f64 / 1e6
}

fn median(mut of: Vec<f64>) -> f64 {
    of.sort_by(f64::total_cmp);
    of.get(of.len() / 2).copied().unwrap()
}

fn batch(config: EncoderConfig) -> Result<(Tensor, Tensor, Tensor)> {
    let mut stream = Stream::derive(1, "hooks-bench", 0);
    let mut draw = |n: usize, below: usize| -> Vec<u32> {
        (0..n).map(|_| u32::try_from(stream.below(below as u64)).unwrap()).collect()
    };
    let ids = draw(BATCH * LENGTH, config.vocabulary);
    let ids = Tensor::from_vec(ids, (BATCH, LENGTH), &Device::Cpu)?;
    let labels = Tensor::from_vec(draw(BATCH, CLASSES), BATCH, &Device::Cpu)?;
    Ok((ids, Tensor::ones((BATCH, LENGTH), DType::U8, &Device::Cpu)?, labels))
}

fn main() -> Result<()> {
    softmark_kit::in_pool(run)
}

fn run() -> Result<()> {
    let rounds = std::env::args().skip(1).find_map(|arg| arg.parse().ok()).unwrap_or(ROUNDS);
    let config = EncoderConfig { vocabulary: 1000, max_len: 32, ..EncoderConfig::reference() };
    let (silent, watched) = (Hooks::new(), Hooks::new());
    let names = ["no hooks in the model", "none registered", "one layer recorded"];
    let mut trainees = [
        Trainee::new(&Unhooked(config), config)?,
        Trainee::new(&Wiring::<Submission, Repaired>::new(config, &silent), config)?,
        Trainee::new(&Wiring::<Submission, Repaired>::new(config, &watched), config)?,
    ];
    let batch = batch(config)?;
    for at in 0..rounds + 5 {
        // Of one step, as of an epoch that is looked at: what was recorded goes with the recorder.
        let mut recorder = AttentionRecorder::new(1 << 30);
        recorder.watch(&watched, "layers.0.self_attn")?;
        // In every order alike: what a step finds in the caches is what the one before it left there.
        for next in ORDERS.iter().cycle().nth(at).unwrap() {
            trainees.get_mut(*next).unwrap().step(at, &batch)?;
        }
        assert_eq!(recorder.records().len(), 1, "a step is a call");
    }
    let [without, ..] = &trainees;
    let losses = without.losses.clone();
    assert!(trainees.iter().all(|it| it.losses == losses), "looking changes no bit");
    println!(
        "a step of {} layers, width {}, {} heads, {BATCH} texts of {LENGTH} words; processor time, \
         median of {rounds}",
        config.layers, config.d_model, config.heads
    );
    let times = trainees.map(|it| it.milliseconds.into_iter().skip(5).collect::<Vec<f64>>());
    let [base, ..] = times.clone();
    for (name, times) in names.iter().zip(times) {
        // Of each round by itself: what else the machine does weighs on all three alike.
        let ratios = times.iter().zip(&base).map(|(ms, base)| ms / base);
        let more = (median(ratios.collect()) - 1.0) * 100.0;
        println!("  {name:<24} {:>8.3} ms   {more:>+6.2} %", median(times));
    }
    Ok(())
}
