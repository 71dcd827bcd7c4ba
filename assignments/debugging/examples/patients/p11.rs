//! Announcements at a station, and who has to act on them. A learned question is put to all words of a
//! text, and what they answer is what the classifier sees.

use candle_nn::Init;
use softmark_kit::data::Vocabulary;
use softmark_kit::init::Parameters;
use softmark_kit::nn::loss::cross_entropy;
use softmark_kit::nn::{Embedding, Linear, embedding, linear, ops};
use softmark_kit::optim::{Optimizer, Rule};
use softmark_kit::prelude::*;
use softmark_kit::train::{pad, shuffled};

use crate::course::{Course, Epoch, Outcome};
use crate::draw::Draw;

const DIM: usize = 24;
/// As long as the service's texts always are, filled up with padding.
const SERVICE: usize = 512;

const CREWS: [&[&str]; 4] = [
    &["escalator", "lift", "lamp", "ticket-machine"],
    &["bag", "umbrella", "suitcase", "wallet"],
    &["delay", "cancellation", "diversion", "standstill"],
    &["spill", "litter", "graffiti", "leaves"],
];
const AROUND: [&str; 8] = ["attention", "at", "platform", "one", "nine", "the", "please", "gate"];

struct Call {
    words: Vec<u32>,
    crew: u32,
}

/// Announcements of nine words, five of which tell the crew.
fn calls(vocabulary: &Vocabulary, draw: &mut Draw, n: usize) -> Vec<Call> {
    let others = [&CREWS.concat()[..], &AROUND].concat();
    let mut all = Vec::new();
    while all.len() < n {
        for (crew, about) in (0..).zip(CREWS) {
            let mut words: Vec<&str> = (0..5).map(|_| draw.one(about)).collect();
            words.extend((0..4).map(|_| draw.one(&others)).collect::<Vec<_>>());
            draw.mix(&mut words);
            all.push(Call { words: vocabulary.encode(&words.join(" ")), crew });
        }
    }
    all
}

/// `[B, T]` both: ids, and 1 where there is a word.
fn side_by_side(calls: &[&Call], fill: usize) -> Result<(Tensor, Tensor)> {
    let rows: Vec<&[u32]> = calls.iter().map(|call| call.words.as_slice()).collect();
    let (ids, mask) = pad(&rows, usize::MAX, &Device::Cpu)?;
    let missing = fill.saturating_sub(ids.dim(1)?);
    Ok((ids.pad_with_zeros(1, 0, missing)?, mask.pad_with_zeros(1, 0, missing)?))
}

struct Listener {
    words: Embedding,
    question: Tensor,
    key: Linear,
    value: Linear,
    crews: Linear,
}

impl Listener {
    fn new(words: usize, vb: &VarBuilder<'_>) -> Result<Self> {
        let init = Init::Randn { mean: 0.0, stdev: 0.5 };
        Ok(Self {
            words: embedding(words, DIM, vb.pp("words"))?,
            question: vb.get_with_hints((DIM, 1), "question", init)?,
            key: linear(DIM, DIM, vb.pp("key"))?,
            value: linear(DIM, DIM, vb.pp("value"))?,
            crews: linear(DIM, CREWS.len(), vb.pp("crews"))?,
        })
    }

    fn listen(&self, ids: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let x = self.words.forward(ids)?;
        let scores = self.key.forward(&x)?.broadcast_matmul(&self.question)?; // [B, T, 1]
        let scores = (scores.squeeze(2)? * (DIM as f64).sqrt().recip())?;
        let seen = mask.to_dtype(DType::F32)?;
        let weights = ops::softmax(&(scores + seen)?, 1)?.unsqueeze(1)?; // [B, 1, T]
        let heard = weights.matmul(&self.value.forward(&x)?)?.squeeze(1)?;
        self.crews.forward(&heard.tanh()?)
    }
}

/// Mean loss and share of right answers, of texts that are filled up to a length.
fn examine(listener: &Listener, calls: &[Call], fill: usize) -> Result<(f64, f64)> {
    let calls: Vec<&Call> = calls.iter().collect();
    let (ids, mask) = side_by_side(&calls, fill)?;
    let scores = listener.listen(&ids, &mask)?;
    let crews = Tensor::from_iter(calls.iter().map(|call| call.crew), &Device::Cpu)?;
    let right = scores.argmax(1)?.eq(&crews)?.to_dtype(DType::F64)?.mean_all()?;
    Ok((cross_entropy(&scores, &crews)?.to_scalar::<f32>()?.into(), right.to_scalar()?))
}

pub(crate) fn run(seed: u64) -> Outcome {
    let vocabulary = Vocabulary::new(CREWS.concat().into_iter().chain(AROUND));
    let mut draw = Draw::new(seed, "station");
    let (train, validation) =
        (calls(&vocabulary, &mut draw, 600), calls(&vocabulary, &mut draw, 200));
    let parameters = Parameters::new(seed, &Device::Cpu);
    let listener = Listener::new(vocabulary.len(), &parameters.builder())?;
    let mut adam = Optimizer::new(Rule::ADAM, 0.0);
    let mut course = Course::default();
    for epoch in 0..6 {
        for numbers in shuffled(train.len(), seed, epoch).chunks(20) {
            let calls: Vec<&Call> = numbers.iter().filter_map(|&at| train.get(at)).collect();
            let (ids, mask) = side_by_side(&calls, 0)?;
            let crews = Tensor::from_iter(calls.iter().map(|call| call.crew), &Device::Cpu)?;
            let loss = cross_entropy(&listener.listen(&ids, &mask)?, &crews)?;
            adam.step(&parameters.vars(), &loss.backward()?, 3e-3)?;
        }
        let (train_loss, train_accuracy) = examine(&listener, &train, 0)?;
        let (validation_loss, validation_accuracy) = examine(&listener, &validation, SERVICE)?;
        course.epochs.push(Epoch {
            train_loss,
            train_accuracy,
            validation_loss,
            validation_accuracy,
        });
    }
    for (name, fill) in [
        ("validation accuracy without more padding than needed", 0),
        ("validation accuracy, padded to 32", 32),
        ("validation accuracy, padded to 128", 128),
    ] {
        course.numbers.push((name, examine(&listener, &validation, fill)?.1));
    }
    Ok(course)
}
