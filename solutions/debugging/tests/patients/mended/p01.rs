//! Weather reports, sorted by what they are about: two encoder layers and the kit's trainer.

use softmark_kit::data::Vocabulary;
use softmark_kit::init::Parameters;
use softmark_kit::nn::attention::attention_side_by_side;
use softmark_kit::nn::{LayerNorm, Linear, embedding, layer_norm, linear, ops, pooling};
use softmark_kit::optim::Rule;
use softmark_kit::prelude::*;
use softmark_kit::train::{Examples, Recipe, fit};

use crate::course::{Course, Outcome};
use crate::draw::Draw;

const WIDTH: usize = 32;
const HEADS: usize = 4;

const SIGNS: [[&str; 4]; 4] = [
    ["rain", "drizzle", "puddles", "showers"],
    ["snow", "frost", "icicles", "sleet"],
    ["sunshine", "heat", "haze", "drought"],
    ["gusts", "thunder", "hail", "lightning"],
];
const PLACES: [&str; 6] = ["valley", "harbour", "village", "moor", "city", "island"];
const DAYS: [&str; 6] = ["monday", "tuesday", "friday", "noon", "dawn", "midnight"];

/// Reports that show two signs of one kind of weather.
fn reports(draw: &mut Draw, n: usize) -> Vec<(String, u32)> {
    let report = |(signs, kind): (&[&str; 4], u32)| {
        let [first, second, place, day] =
            [signs, signs, &PLACES[..], &DAYS[..]].map(|it| draw.one(it));
        (format!("{first} over the {place} and {second} since {day}"), kind)
    };
    SIGNS.iter().zip(0..).cycle().take(n).map(report).collect()
}

/// Attention and a network, with a norm behind each residual sum.
struct Layer {
    maps: [Linear; 4],
    wide: Linear,
    narrow: Linear,
    norms: [LayerNorm; 2],
}

impl Layer {
    fn new(vb: &VarBuilder<'_>) -> Result<Self> {
        let square = |name: &str| linear(WIDTH, WIDTH, vb.pp(name));
        let norm = |name: &str| layer_norm(WIDTH, 1e-5, vb.pp(name));
        Ok(Self {
            maps: [square("query")?, square("key")?, square("value")?, square("out")?],
            wide: linear(WIDTH, 2 * WIDTH, vb.pp("wide"))?,
            narrow: linear(2 * WIDTH, WIDTH, vb.pp("narrow"))?,
            norms: [norm("norm1")?, norm("norm2")?],
        })
    }

    fn forward(&self, x: &Tensor, seen: &Tensor) -> Result<Tensor> {
        let ([query, key, value, out], [norm1, norm2]) = (&self.maps, &self.norms);
        let (q, k, v) = (query.forward(x)?, key.forward(x)?, value.forward(x)?);
        let mixed = attention_side_by_side(&q, &k, &v, HEADS, Some(seen), None)?;
        let x = norm1.forward(&(x + out.forward(&mixed)?)?)?;
        let hidden = ops::relu(&self.wide.forward(&x)?)?;
        norm2.forward(&(&x + self.narrow.forward(&hidden)?)?)
    }
}

pub(crate) fn run(seed: u64) -> Outcome {
    let mut draw = Draw::new(seed, "weather");
    let (train, validation) = (reports(&mut draw, 640), reports(&mut draw, 200));
    let vocabulary = Vocabulary::new(train.iter().flat_map(|(text, _)| text.split(' ')));
    let examples = |reports: &[(String, u32)]| Examples {
        ids: reports.iter().map(|(text, _)| vocabulary.encode(text)).collect(),
        labels: reports.iter().map(|(_, kind)| *kind).collect(),
    };

    let parameters = Parameters::new(seed, &Device::Cpu);
    let vb = parameters.builder();
    let words = embedding(vocabulary.len(), WIDTH, vb.pp("words"))?;
    let layers = [Layer::new(&vb.pp("layers.0"))?, Layer::new(&vb.pp("layers.1"))?];
    let head = linear(WIDTH, SIGNS.len(), vb.pp("head"))?;
    let model = |ids: &Tensor, mask: &Tensor, _train: bool| {
        let (b, t) = ids.dims2()?;
        let seen = mask.reshape((b, 1, 1, t))?.broadcast_as((b, 1, t, t))?;
        let mut x = words.forward(ids)?; // [B, T, D]
        for layer in &layers {
            x = layer.forward(&x, &seen)?;
        }
        head.forward(&pooling::masked_mean(&x, mask)?)
    };

    let recipe = Recipe {
        epochs: 8,
        batch_size: 16,
        max_len: 12,
        optimizer: Rule::ADAM,
        learning_rate: 0.01,
        seed,
        ..Recipe::default()
    };
    let (train, validation) = (examples(&train), examples(&validation));
    let history = fit(&model, &parameters.vars(), &train, Some(&validation), &recipe, &mut ())?;
    Ok(Course::of(&history))
}
