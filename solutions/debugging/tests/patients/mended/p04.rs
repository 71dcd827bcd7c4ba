//! Orders in a kitchen. Texts of one length are trained on together; the service that uses the model
//! pads every text to the same length.

use softmark_kit::data::Vocabulary;
use softmark_kit::init::Parameters;
use softmark_kit::nn::attention::scaled_dot_product_attention;
use softmark_kit::nn::loss::cross_entropy;
use softmark_kit::nn::{self, Linear, linear};
use softmark_kit::optim::{Optimizer, Rule};
use softmark_kit::prelude::*;
use softmark_kit::train::shuffled;

use crate::course::{Course, Epoch, Outcome};
use crate::draw::Draw;

const MODEL: usize = 24;
/// The length that the service pads to.
const SERVED: usize = 256;

const STATIONS: [&str; 6] = ["grill", "oven", "salads", "desserts", "soups", "drinks"];
/// Every sixth is of the same station.
const DISHES: [&str; 12] = [
    "steak", "pie", "lettuce", "cake", "broth", "coffee", "kebab", "lasagne", "radish", "pudding",
    "bisque", "cocoa",
];
const TALK: [&str; 9] = ["for", "table", "two", "four", "extra", "no", "hurry", "and", "chef"];

/// A text, and the station that its dish is made at.
type Order = (Vec<u32>, u32);

fn orders(vocabulary: &Vocabulary, draw: &mut Draw, n: usize) -> Vec<Order> {
    let order = |_| {
        let at = draw.below(DISHES.len());
        let mut words: Vec<&str> = (0..3 + draw.below(6)).map(|_| draw.one(&TALK)).collect();
        words.extend(DISHES.get(at));
        draw.mix(&mut words);
        (
            vocabulary.encode(&words.join(" ")),
            u32::try_from(at % STATIONS.len()).unwrap_or_default(),
        )
    };
    (0..n).map(order).collect()
}

/// Ids and mask, `[B, T]` each, of rows that are padded to the length `t`.
fn padded(rows: &[&Order], t: usize) -> Result<(Tensor, Tensor)> {
    let filled = |(words, _): &&Order| words.iter().copied().chain([0].repeat(t)).take(t).collect();
    let ids: Vec<Vec<u32>> = rows.iter().map(filled).collect();
    let ids = Tensor::new(ids, &Device::Cpu)?;
    let mask = ids.ne(0_u32)?;
    Ok((ids, mask))
}

struct Counted {
    loss: f64,
    right: f64,
    n: f64,
}

impl Counted {
    const NONE: Self = Self { loss: 0.0, right: 0.0, n: 0.0 };

    fn add(&mut self, loss: &Tensor, logits: &Tensor, rows: &[&Order]) -> Result<()> {
        let answers: Vec<u32> = logits.argmax(1)?.to_vec1()?;
        let right = answers.iter().zip(rows).filter(|(answer, row)| **answer == row.1).count();
        self.loss += f64::from(loss.to_scalar::<f32>()?) * rows.len() as f64;
        self.right += right as f64;
        self.n += rows.len() as f64;
        Ok(())
    }
}

pub(crate) fn run(seed: u64) -> Outcome {
    let vocabulary = Vocabulary::new(DISHES.iter().chain(&TALK).copied());
    let mut draw = Draw::new(seed, "orders");
    let mut train = orders(&vocabulary, &mut draw, 640);
    let validation = orders(&vocabulary, &mut draw, 160);
    train.sort_by_key(|(words, _)| words.len());

    let parameters = Parameters::new(seed, &Device::Cpu);
    let vb = parameters.builder();
    let words = nn::embedding(vocabulary.len(), MODEL, vb.pp("words"))?;
    let qkv = linear(MODEL, 3 * MODEL, vb.pp("qkv"))?;
    let [out, head]: [Linear; 2] =
        [linear(MODEL, MODEL, vb.pp("out"))?, linear(MODEL, STATIONS.len(), vb.pp("head"))?];
    let logits = |ids: &Tensor, mask: &Tensor| -> Result<Tensor> {
        let (b, t) = ids.dims2()?;
        let x = words.forward(ids)?; // [B, T, D]
        let parts = qkv.forward(&x)?.reshape((b, t, 3, MODEL))?.permute((2, 0, 1, 3))?;
        let part = |at: usize| parts.i(at)?.unsqueeze(1)?.contiguous();
        // Pairs of real words: [B, 1, T, T].
        let seen = mask.unsqueeze(2)?.broadcast_mul(&mask.unsqueeze(1)?)?.unsqueeze(1)?;
        let (query, key, value) = (part(0)?, part(1)?, part(2)?);
        let mixed = scaled_dot_product_attention(&query, &key, &value, Some(&seen), 0.0, false)?;
        let x = (x + out.forward(&mixed.squeeze(1)?)?)?.tanh()?;
        head.forward(&nn::pooling::masked_mean(&x, mask)?)
    };
    let judge = |rows: &[&Order], t: usize, counted: &mut Counted| -> Result<Tensor> {
        let (ids, mask) = padded(rows, t)?;
        let logits = logits(&ids, &mask)?;
        let stations: Vec<u32> = rows.iter().map(|row| row.1).collect();
        let loss = cross_entropy(&logits, &Tensor::new(stations, &Device::Cpu)?)?;
        counted.add(&loss, &logits, rows)?;
        Ok(loss)
    };

    let mut optimizer = Optimizer::new(Rule::ADAM_W, 0.01);
    let mut course = Course::default();
    let of_one_length = train.chunk_by(|one, other| one.0.len() == other.0.len());
    let buckets: Vec<&[Order]> = of_one_length.flat_map(|orders| orders.chunks(20)).collect();
    for epoch in 0..5 {
        let (mut trained, mut validated) = (Counted::NONE, Counted::NONE);
        for bucket in shuffled(buckets.len(), seed, epoch) {
            let rows: Vec<&Order> = buckets.get(bucket).into_iter().copied().flatten().collect();
            let longest = rows.iter().map(|row| row.0.len()).max().unwrap_or_default();
            let loss = judge(&rows, longest, &mut trained)?;
            optimizer.step(&parameters.vars(), &loss.backward()?, 5e-3)?;
        }
        for rows in validation.chunks(40) {
            judge(&rows.iter().collect::<Vec<_>>(), SERVED, &mut validated)?;
        }
        course.epochs.push(Epoch {
            train_loss: trained.loss / trained.n,
            train_accuracy: trained.right / trained.n,
            validation_loss: validated.loss / validated.n,
            validation_accuracy: validated.right / validated.n,
        });
    }

    let mut alone = Counted::NONE;
    for order in &validation {
        judge(&[order], order.0.len(), &mut alone)?;
    }
    course
        .numbers
        .push(("validation accuracy, each order as long as it is", alone.right / alone.n));
    Ok(course)
}
