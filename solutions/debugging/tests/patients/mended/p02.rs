//! Memos, and the desk that each belongs to. A memo opens with the word `memo`; what attention has
//! gathered there decides.

use softmark_kit::data::Vocabulary;
use softmark_kit::init::Parameters;
use softmark_kit::nn::loss::cross_entropy;
use softmark_kit::nn::ops::softmax;
use softmark_kit::nn::{Embedding, Linear, embedding, linear};
use softmark_kit::optim::{Optimizer, Rule};
use softmark_kit::prelude::*;
use softmark_kit::train::{pad, shuffled};

use crate::course::{Course, Epoch, Outcome};
use crate::draw::Draw;

const WIDTH: usize = 32;
const HEADS: usize = 2;
const TOGETHER: usize = 16;

const DESKS: [[&str; 5]; 3] = [
    ["invoice", "payment", "refund", "tax", "receipt"],
    ["printer", "screen", "password", "keyboard", "backup"],
    ["parcel", "pallet", "courier", "label", "customs"],
];
const REST: [&str; 8] = ["please", "the", "again", "today", "old", "not", "with", "see"];

struct Memo {
    words: Vec<u32>,
    desk: u32,
}

/// Two of a desk's words among two to six others.
fn memos(vocabulary: &Vocabulary, draw: &mut Draw, n: usize) -> Vec<Memo> {
    let memo = |(own, desk): (&[&str; 5], u32)| {
        let mut words = vec![draw.one(own), draw.one(own)];
        words.extend((0..2 + draw.below(5)).map(|_| draw.one(&REST)).collect::<Vec<_>>());
        draw.mix(&mut words);
        Memo { words: vocabulary.encode(&format!("memo {}", words.join(" "))), desk }
    };
    DESKS.iter().zip(0..).cycle().take(n).map(memo).collect()
}

struct Desk {
    words: Embedding,
    query: Linear,
    key: Linear,
    value: Linear,
    out: Linear,
}

/// The heads' shares of the channels, side by side: `[_, H, _, K]`.
fn split(x: &Tensor) -> Result<Tensor> {
    let (b, t, d) = x.dims3()?;
    x.reshape((b, t, HEADS, d / HEADS))?.transpose(1, 2)?.contiguous()
}

impl Desk {
    fn new(words: usize, vb: &VarBuilder<'_>) -> Result<Self> {
        Ok(Self {
            words: embedding(words, WIDTH, vb.pp("words"))?,
            query: linear(WIDTH, WIDTH, vb.pp("query"))?,
            key: linear(WIDTH, WIDTH, vb.pp("key"))?,
            value: linear(WIDTH, WIDTH, vb.pp("value"))?,
            out: linear(WIDTH, DESKS.len(), vb.pp("out"))?,
        })
    }

    /// `[B, T]` twice to `[B, C]`.
    fn scores(&self, ids: &Tensor, real: &Tensor) -> Result<Tensor> {
        let x = self.words.forward(ids)?;
        let query = split(&self.query.forward(&x)?)?;
        let key = split(&self.key.forward(&x)?)?;
        let value = split(&self.value.forward(&x)?)?;
        let scale = ((WIDTH / HEADS) as f64).sqrt().recip();
        let scores = (query.matmul(&key.t()?)? * scale)?;
        let (groups, _, keys, _) = key.dims4()?;
        let seen = real.reshape((groups, 1, 1, keys))?.broadcast_as(scores.shape())?;
        let lowest = Tensor::full(f32::MIN, scores.shape(), scores.device())?;
        let scores = seen.where_cond(&scores, &lowest)?;
        let mixed = softmax(&scores, D::Minus1)?.matmul(&value)?.transpose(1, 2)?;
        let x = (mixed.reshape(x.shape())? + x)?;
        self.out.forward(&x.i((.., 0))?.contiguous()?)
    }

    /// Loss and answers for memos that are looked at together.
    fn read(&self, memos: &[&Memo]) -> Result<(Tensor, Vec<u32>)> {
        let words: Vec<&[u32]> = memos.iter().map(|memo| memo.words.as_slice()).collect();
        let desks: Vec<u32> = memos.iter().map(|memo| memo.desk).collect();
        let (ids, real) = pad(&words, 16, &Device::Cpu)?;
        let scores = self.scores(&ids, &real)?;
        let loss = cross_entropy(&scores, &Tensor::new(desks, &Device::Cpu)?)?;
        Ok((loss, scores.argmax(1)?.to_vec1()?))
    }
}

fn right(memos: &[&Memo], answers: &[u32]) -> f64 {
    memos.iter().zip(answers).filter(|(memo, answer)| memo.desk == **answer).count() as f64
}

pub(crate) fn run(seed: u64) -> Outcome {
    let lists = DESKS.as_flattened().iter().chain(&REST).chain(&["memo"]);
    let vocabulary = Vocabulary::new(lists.copied());
    let mut draw = Draw::new(seed, "memos");
    let (train, validation) =
        (memos(&vocabulary, &mut draw, 640), memos(&vocabulary, &mut draw, 160));
    let parameters = Parameters::new(seed, &Device::Cpu);
    let desk = Desk::new(vocabulary.len(), &parameters.builder())?;
    let (vars, mut optimizer) = (parameters.vars(), Optimizer::new(Rule::ADAM, 0.0));

    let mut course = Course::default();
    for epoch in 0..6 {
        let (mut loss_of, mut right_of) = ([0.0; 2], [0.0; 2]);
        for numbers in shuffled(train.len(), seed, epoch).chunks(TOGETHER) {
            let batch: Vec<&Memo> = numbers.iter().filter_map(|&at| train.get(at)).collect();
            let (loss, answers) = desk.read(&batch)?;
            optimizer.step(&vars, &loss.backward()?, 3e-3)?;
            loss_of[0] += f64::from(loss.to_scalar::<f32>()?) * batch.len() as f64;
            right_of[0] += right(&batch, &answers);
        }
        for batch in validation.chunks(TOGETHER) {
            let batch: Vec<&Memo> = batch.iter().collect();
            let (loss, answers) = desk.read(&batch)?;
            loss_of[1] += f64::from(loss.to_scalar::<f32>()?) * batch.len() as f64;
            right_of[1] += right(&batch, &answers);
        }
        let counts = [train.len() as f64, validation.len() as f64];
        course.epochs.push(Epoch {
            train_loss: loss_of[0] / counts[0],
            train_accuracy: right_of[0] / counts[0],
            validation_loss: loss_of[1] / counts[1],
            validation_accuracy: right_of[1] / counts[1],
        });
    }

    let (mut alone, mut as_first) = (0.0, 0);
    for batch in validation.chunks(TOGETHER) {
        let batch: Vec<&Memo> = batch.iter().collect();
        let (_, answers) = desk.read(&batch)?;
        as_first += answers.iter().filter(|answer| Some(*answer) == answers.first()).count();
        for memo in batch {
            alone += right(&[memo], &desk.read(&[memo])?.1);
        }
    }
    let n = validation.len() as f64;
    course.numbers.push(("accuracy, each memo alone", alone / n));
    course.numbers.push(("answered like the first of the batch", as_first as f64 / n));
    Ok(course)
}
