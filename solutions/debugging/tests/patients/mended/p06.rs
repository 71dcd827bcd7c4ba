//! Headlines, and the time that each speaks of. The parameters are trained in groups, each with its own
//! share of the learning rate.

use std::collections::BTreeMap;

use candle_core::Var;
use candle_nn::Init;
use softmark_kit::data::Labelled;
use softmark_kit::data::topics;
use softmark_kit::init::Parameters;
use softmark_kit::nn::attention::attention_side_by_side;
use softmark_kit::nn::loss::cross_entropy;
use softmark_kit::nn::pooling::masked_mean;
use softmark_kit::nn::{Embedding, LayerNorm, Linear, embedding, layer_norm, linear_no_bias};
use softmark_kit::optim::{Optimizer, Rule, clip_gradients};
use softmark_kit::prelude::*;
use softmark_kit::train::{Batch, Examples, shuffled};

use crate::course::{Course, Epoch, Outcome};

const SIZE: usize = 32;

/// The last stands for headlines that speak of no time.
const TIMES: [&str; 5] = ["today", "yesterday", "overnight", "again", ""];

/// Groups of parameters: how their names begin, and what the learning rate is multiplied by.
const GROUPS: &[(&str, f64)] = &[("words", 1.0), ("attend", 0.5), ("norm", 0.5), ("head", 1.0)];

fn time(headline: &str) -> u32 {
    let speaks_of = |time: &str| headline.split(' ').any(|word| word == time);
    (0..).zip(TIMES).find(|(_, time)| speaks_of(time)).map_or(4, |(number, _)| number)
}

struct Model {
    embedding: Embedding,
    norm: LayerNorm,
    attention: [Linear; 4],
    head: Tensor,
}

impl Model {
    fn new(vocabulary: usize, vb: &VarBuilder<'_>) -> Result<Self> {
        let map = |name| linear_no_bias(SIZE, SIZE, vb.pp("attend").pp(name));
        Ok(Self {
            embedding: embedding(vocabulary, SIZE, vb.pp("words"))?,
            norm: layer_norm(SIZE, 1e-5, vb.pp("norm"))?,
            attention: [map("query")?, map("key")?, map("value")?, map("out")?],
            // A classifier that knows nothing gives all classes the same score.
            head: vb.get_with_hints((TIMES.len(), SIZE), "head.weight", Init::Const(0.0))?,
        })
    }

    fn forward(&self, batch: &Batch) -> Result<Tensor> {
        let (b, t) = batch.ids.dims2()?;
        let x = self.norm.forward(&self.embedding.forward(&batch.ids)?)?;
        let [q, k, v, out] = &self.attention;
        let mask = batch.mask.reshape((b, 1, 1, t))?.broadcast_as((b, 1, t, t))?;
        let (q, k, v) = (q.forward(&x)?, k.forward(&x)?, v.forward(&x)?);
        let looked = attention_side_by_side(&q, &k, &v, 4, Some(&mask), None)?;
        masked_mean(&(x + out.forward(&looked)?)?, &batch.mask)?.matmul(&self.head.t()?)
    }

    /// The loss, and how many are right.
    fn judge(&self, batch: &Batch) -> Result<(Tensor, usize)> {
        let logits = self.forward(batch)?;
        let hits = logits.argmax(1)?.eq(&batch.labels)?.to_vec1::<u8>()?;
        let right = hits.into_iter().map(usize::from).sum();
        Ok((cross_entropy(&logits, &batch.labels)?, right))
    }
}

/// An optimizer for each group of parameters.
struct Groups(Vec<(BTreeMap<String, Var>, f64, Optimizer)>);

impl Groups {
    fn new(vars: &BTreeMap<String, Var>) -> Self {
        let group = |(prefix, share): &(&str, f64)| {
            let own = vars.iter().filter(|(name, _)| name.starts_with(prefix));
            let own = own.map(|(name, var)| (name.clone(), var.clone())).collect();
            (own, *share, Optimizer::new(Rule::ADAM, 0.0))
        };
        Self(GROUPS.iter().map(group).collect())
    }

    fn step(&mut self, vars: &BTreeMap<String, Var>, loss: &Tensor, rate: f64) -> Result<()> {
        let mut gradients = loss.backward()?;
        clip_gradients(vars, &mut gradients, 1.0)?;
        let mut each = self.0.iter_mut();
        each.try_for_each(|(own, share, optimizer)| optimizer.step(own, &gradients, rate * *share))
    }
}

pub(crate) fn run(seed: u64) -> Outcome {
    let vocabulary = topics::vocabulary();
    let examples = |headlines: &[Labelled]| Examples {
        ids: headlines.iter().map(|it| vocabulary.encode(&it.text)).collect(),
        labels: headlines.iter().map(|it| time(&it.text)).collect(),
    };
    let headlines = topics::generate(seed, 900);
    let (train, validation) = headlines.split_at_checked(700).unwrap_or_default();
    let (train, validation) = (examples(train), examples(validation));

    let parameters = Parameters::new(seed, &Device::Cpu);
    let model = Model::new(vocabulary.len(), &parameters.builder())?;
    let vars = parameters.vars();
    let mut groups = Groups::new(&vars);
    let mut course = Course::default();
    for epoch in 0..8 {
        let (mut sum, mut right) = (0.0, 0);
        for numbers in shuffled(train.len(), seed, epoch).chunks(25) {
            let (loss, hits) = model.judge(&Batch::new(&train, numbers, 32, &Device::Cpu)?)?;
            groups.step(&vars, &loss, 5e-3)?;
            sum += f64::from(loss.to_scalar::<f32>()?) * numbers.len() as f64;
            right += hits;
        }
        let all: Vec<usize> = (0..validation.len()).collect();
        let (loss, hits) = model.judge(&Batch::new(&validation, &all, 32, &Device::Cpu)?)?;
        course.epochs.push(Epoch {
            train_loss: sum / train.len() as f64,
            train_accuracy: right as f64 / train.len() as f64,
            validation_loss: f64::from(loss.to_scalar::<f32>()?),
            validation_accuracy: hits as f64 / validation.len() as f64,
        });
    }
    Ok(course)
}
