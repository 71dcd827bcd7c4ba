//! Votes: was the motion carried? Memory is short, so a step's gradients are summed over small parts of
//! its batch. Plain gradient descent, written out.

use std::collections::BTreeMap;

use candle_core::Var;
use candle_core::backprop::GradStore;
use softmark_kit::data::Vocabulary;
use softmark_kit::init::Parameters;
use softmark_kit::nn::attention::attention_side_by_side;
use softmark_kit::nn::loss::cross_entropy;
use softmark_kit::nn::{Embedding, Linear, embedding, linear, linear_no_bias, pooling};
use softmark_kit::prelude::*;
use softmark_kit::train::{Batch, Examples, shuffled};

use crate::course::{Course, Epoch, Outcome};
use crate::draw::Draw;

const H: usize = 2;
const N: usize = 16;
/// How many texts a step is about, and how many of them fit into memory.
const STEP: usize = 32;
const PART: usize = 8;
const RATE: f64 = 0.1;

/// Minutes of meetings: an odd number of votes among absent members.
fn minutes(draw: &mut Draw, n: usize) -> Vec<(String, u32)> {
    let meeting = |_| {
        let votes = 3 + 2 * draw.below(3);
        let ayes = draw.below(votes + 1);
        let mut words = vec!["aye"; ayes];
        words.resize(votes, "nay");
        words.resize(votes + draw.below(4), "absent");
        draw.mix(&mut words);
        (words.join(" "), u32::from(2 * ayes > votes))
    };
    (0..n).map(meeting).collect()
}

struct Clerk {
    said: Embedding,
    query: Linear,
    key: Linear,
    value: Linear,
    verdict: Linear,
}

impl Clerk {
    fn new(words: usize, vb: &VarBuilder<'_>) -> Result<Self> {
        Ok(Self {
            said: embedding(words, N, vb.pp("said"))?,
            query: linear_no_bias(N, N, vb.pp("query"))?,
            key: linear_no_bias(N, N, vb.pp("key"))?,
            value: linear(N, N, vb.pp("value"))?,
            verdict: linear(N, 2, vb.pp("verdict"))?,
        })
    }

    /// The loss, and how many verdicts are right.
    fn judge(&self, batch: &Batch) -> Result<(Tensor, f64)> {
        let (b, t) = batch.ids.dims2()?;
        let x = self.said.forward(&batch.ids)?;
        let (q, k, v) = (self.query.forward(&x)?, self.key.forward(&x)?, self.value.forward(&x)?);
        let seen = batch.mask.reshape((b, 1, 1, t))?.expand((b, 1, t, t))?;
        let x = (x + attention_side_by_side(&q, &k, &v, H, Some(&seen), None)?)?;
        let verdicts = self.verdict.forward(&pooling::masked_mean(&x, &batch.mask)?)?;
        let right = verdicts.argmax(1)?.eq(&batch.labels)?.to_dtype(DType::F32)?.sum_all()?;
        Ok((cross_entropy(&verdicts, &batch.labels)?, f64::from(right.to_scalar::<f32>()?)))
    }
}

/// Gradients of several parts of a batch, added up by the names of the parameters.
#[derive(Default)]
struct Sums(BTreeMap<String, Tensor>);

impl Sums {
    fn add(
        &mut self,
        vars: &BTreeMap<String, Var>,
        gradients: &GradStore,
        share: f64,
    ) -> Result<()> {
        for (name, var) in vars {
            let Some(gradient) = gradients.get(var) else { continue };
            let gradient = (gradient * share)?;
            let sum = match self.0.get(name) {
                Some(sum) => (sum + gradient)?,
                None => gradient,
            };
            self.0.insert(name.clone(), sum.detach());
        }
        Ok(())
    }

    /// Walks down the slope.
    fn descend(&mut self, vars: &BTreeMap<String, Var>) -> Result<()> {
        for (name, var) in vars {
            let Some(sum) = self.0.get(name) else { continue };
            var.set(&(var.as_tensor() - (sum * RATE)?)?)?;
        }
        Ok(())
    }
}

pub(crate) fn run(seed: u64) -> Outcome {
    let vocabulary = Vocabulary::new(["aye", "nay", "absent"]);
    let mut draw = Draw::new(seed, "minutes");
    let mut examples = |n| {
        let (texts, labels): (Vec<_>, Vec<_>) = minutes(&mut draw, n).into_iter().unzip();
        Examples { ids: texts.iter().map(|text| vocabulary.encode(text)).collect(), labels }
    };
    let (train, validation) = (examples(640), examples(200));
    let everything: Vec<usize> = (0..validation.len()).collect();
    let validation = Batch::new(&validation, &everything, 16, &Device::Cpu)?;

    let parameters = Parameters::new(seed, &Device::Cpu);
    let clerk = Clerk::new(vocabulary.len(), &parameters.builder())?;
    let vars = parameters.vars();
    let mut sums = Sums::default();
    let mut course = Course::default();
    for epoch in 0..8 {
        let (mut losses, mut rights) = (0.0, 0.0);
        for numbers in shuffled(train.len(), seed, epoch).chunks(STEP) {
            for part in numbers.chunks(PART) {
                let share = part.len() as f64 / numbers.len() as f64;
                let (loss, right) = clerk.judge(&Batch::new(&train, part, 16, &Device::Cpu)?)?;
                sums.add(&vars, &loss.backward()?, share)?;
                losses += f64::from(loss.to_scalar::<f32>()?) * part.len() as f64;
                rights += right;
            }
            sums.descend(&vars)?;
        }
        let (loss, right) = clerk.judge(&validation)?;
        course.epochs.push(Epoch {
            train_loss: losses / train.len() as f64,
            train_accuracy: rights / train.len() as f64,
            validation_loss: f64::from(loss.to_scalar::<f32>()?),
            validation_accuracy: right / everything.len() as f64,
        });
    }
    Ok(course)
}
