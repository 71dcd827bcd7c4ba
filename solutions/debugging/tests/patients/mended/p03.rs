//! Questions from a file in TREC's format, `COARSE:fine question` a line, and what kind of answer they
//! ask for.

use candle_nn::Init;
use softmark_kit::data::questions::{self, CLASSES};
use softmark_kit::data::{Labelled, Vocabulary};
use softmark_kit::init::Parameters;
use softmark_kit::nn::attention::attention_side_by_side;
use softmark_kit::nn::pooling::masked_mean;
use softmark_kit::nn::{Embedding, LayerNorm, Linear, layer_norm, linear, ops};
use softmark_kit::prelude::*;
use softmark_kit::train::{Examples, Recipe, evaluate, fit};

use crate::course::{Course, Outcome};

const DIM: usize = 32;
const LONGEST: usize = 24;

/// The questions of a file, each with the number of its coarse class.
fn parse(file: &str) -> Vec<(&str, u32)> {
    let class = |name: &str| CLASSES.iter().zip(0..).find(|(class, _)| **class == name);
    let mut entries = Vec::new();
    for line in file.lines() {
        let Some((labels, question)) = line.split_once(' ') else { continue };
        // What is left of a label's colon is the coarse one.
        let coarse = labels.split(':').next().unwrap_or(labels);
        entries.extend(class(coarse).map(|(_, number)| (question, number)));
    }
    entries
}

fn encode(vocabulary: &Vocabulary, questions: &[(&str, u32)]) -> Examples {
    Examples {
        ids: questions.iter().map(|(text, _)| vocabulary.encode(text)).collect(),
        labels: questions.iter().map(|(_, class)| *class).collect(),
    }
}

/// One layer with its norms in front, and the mean of what comes out.
struct Classifier {
    tokens: Embedding,
    places: Tensor,
    norms: Vec<LayerNorm>,
    attention: Vec<Linear>,
    network: [Linear; 2],
    head: Linear,
}

impl Classifier {
    fn new(vocabulary: usize, vb: &VarBuilder<'_>) -> Result<Self> {
        let init = Init::Randn { mean: 0.0, stdev: 0.5 };
        let table = |rows, name| vb.get_with_hints((rows, DIM), name, init);
        let norm = |name| layer_norm(DIM, 1e-5, vb.pp(name));
        let square = |name| linear(DIM, DIM, vb.pp(name));
        Ok(Self {
            tokens: Embedding::new(table(vocabulary, "tokens")?, DIM),
            places: table(LONGEST, "places")?,
            norms: ["norm1", "norm2", "norm3"].into_iter().map(norm).collect::<Result<_>>()?,
            attention: ["q", "k", "v", "out"].into_iter().map(square).collect::<Result<_>>()?,
            network: [linear(DIM, 64, vb.pp("up"))?, linear(64, DIM, vb.pp("down"))?],
            head: linear(DIM, CLASSES.len(), vb.pp("head"))?,
        })
    }

    fn forward(&self, ids: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let (b, t) = ids.dims2()?;
        let ([norm1, norm2, norm3], [q, k, v, out]) = (&self.norms[..], &self.attention[..]) else {
            candle_core::bail!("three norms and four maps make a layer")
        };
        let x = self.tokens.forward(ids)?.broadcast_add(&self.places.narrow(0, 0, t)?)?;
        let y = norm1.forward(&x)?;
        let seen = mask.reshape((b, 1, 1, t))?.broadcast_as((b, 1, t, t))?;
        let (q, k, v) = (q.forward(&y)?, k.forward(&y)?, v.forward(&y)?);
        let x = (x + out.forward(&attention_side_by_side(&q, &k, &v, 2, Some(&seen), None)?)?)?;
        let [up, down] = &self.network;
        let x = (&x + down.forward(&ops::relu(&up.forward(&norm2.forward(&x)?)?)?)?)?;
        self.head.forward(&masked_mean(&norm3.forward(&x)?, mask)?)
    }
}

pub(crate) fn run(seed: u64) -> Outcome {
    let file = questions::to_trec(&questions::generate(seed, 3000));
    let all = parse(&file);
    let (training, validation) = all.split_at_checked(2700).unwrap_or_default();
    let vocabulary = Vocabulary::new(training.iter().flat_map(|(text, _)| text.split(' ')));
    let parameters = Parameters::new(seed, &Device::Cpu);
    let classifier = Classifier::new(vocabulary.len(), &parameters.builder())?;
    let model = |ids: &Tensor, mask: &Tensor, _: bool| classifier.forward(ids, mask);

    let recipe =
        Recipe { epochs: 6, learning_rate: 5e-3, max_len: LONGEST, seed, ..Recipe::default() };
    let (training, validation) = (encode(&vocabulary, training), encode(&vocabulary, validation));
    let vars = parameters.vars();
    let history = fit(&model, &vars, &training, Some(&validation), &recipe, &mut ())?;

    // What people type has no file around it.
    let typed = questions::generate(seed + 1_000_000, 300);
    let typed: Vec<_> =
        typed.iter().map(|Labelled { text, label, .. }| (&**text, *label)).collect();
    let typed = evaluate(&model, &encode(&vocabulary, &typed), &recipe, &Device::Cpu)?;
    let mut course = Course::of(&history);
    course.numbers.push(("accuracy on questions typed by hand", typed.accuracy));
    Ok(course)
}
