//! Recipes: does the salt or the sugar come first?

use candle_nn::Init;
use softmark_kit::data::Vocabulary;
use softmark_kit::init::Parameters;
use softmark_kit::nn::attention::attention_side_by_side;
use softmark_kit::nn::{Embedding, LayerNorm, Linear, layer_norm, linear, ops, pooling};
use softmark_kit::prelude::*;
use softmark_kit::schedule::Schedule;
use softmark_kit::train::{Examples, Recipe, fit, predict};

use crate::course::{Course, Outcome};
use crate::draw::Draw;

const CHANNELS: usize = 32;
const LONGEST: usize = 40;
const PANTRY: [&str; 10] =
    ["flour", "eggs", "butter", "milk", "yeast", "honey", "oats", "plums", "water", "oil"];

/// Six to ten ingredients in the order in which they go into the bowl; class 0 has the salt first.
fn recipes(vocabulary: &Vocabulary, draw: &mut Draw, n: usize) -> Examples {
    let mut examples = Examples::default();
    for _ in 0..n {
        let mut bowl = vec!["salt", "sugar"];
        for _ in 0..4 + draw.below(5) {
            bowl.push(draw.one(&PANTRY));
        }
        draw.mix(&mut bowl);
        let first = bowl.iter().find(|it| ["salt", "sugar"].contains(*it));
        examples.ids.push(vocabulary.encode(&bowl.join(" ")));
        examples.labels.push(u32::from(first == Some(&"sugar")));
    }
    examples
}

struct Cook {
    ingredients: Embedding,
    order: Tensor,
    norm: LayerNorm,
    attention: [Linear; 4],
    wide: Linear,
    answer: Linear,
}

impl Cook {
    fn new(words: usize, vb: &VarBuilder<'_>) -> Result<Self> {
        let init = Init::Randn { mean: 0.0, stdev: 0.3 };
        let table = |rows, name| vb.get_with_hints((rows, CHANNELS), name, init);
        let square = |name| linear(CHANNELS, CHANNELS, vb.pp(name));
        Ok(Self {
            ingredients: Embedding::new(table(words, "ingredients")?, CHANNELS),
            order: table(LONGEST, "order")?,
            norm: layer_norm(CHANNELS, 1e-5, vb.pp("norm"))?,
            attention: [square("query")?, square("key")?, square("value")?, square("out")?],
            wide: linear(CHANNELS, 64, vb.pp("wide"))?,
            answer: linear(64, 2, vb.pp("answer"))?,
        })
    }

    fn taste(&self, ids: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let (b, t) = ids.dims2()?;
        let order = self.order.narrow(0, 0, t)?.unsqueeze(0)?;
        let x = self.ingredients.forward(ids)?.broadcast_add(&order)?; // [B, T, D]
        let [query, key, value, out] = &self.attention;
        let seen = mask.reshape((b, 1, 1, t))?.broadcast_as((b, 1, t, t))?;
        let (q, k, v) = (query.forward(&x)?, key.forward(&x)?, value.forward(&x)?);
        let context = out.forward(&attention_side_by_side(&q, &k, &v, 2, Some(&seen), None)?)?;
        let x = self.norm.forward(&(x + context)?)?;
        let hidden = ops::relu(&self.wide.forward(&x)?)?;
        self.answer.forward(&pooling::masked_mean(&hidden, mask)?)
    }
}

pub(crate) fn run(seed: u64) -> Outcome {
    let vocabulary = Vocabulary::new(PANTRY.into_iter().chain(["salt", "sugar"]));
    let mut draw = Draw::new(seed, "recipes");
    let train = recipes(&vocabulary, &mut draw, 960);
    let validation = recipes(&vocabulary, &mut draw, 240);
    let parameters = Parameters::new(seed, &Device::Cpu);
    let cook = Cook::new(vocabulary.len(), &parameters.builder())?;
    let model = |ids: &Tensor, mask: &Tensor, _: bool| cook.taste(ids, mask);
    let recipe = Recipe {
        epochs: 8,
        batch_size: 24,
        max_len: LONGEST,
        learning_rate: 5e-3,
        schedule: Schedule::COSINE,
        seed,
        ..Recipe::default()
    };
    let history = fit(&model, &parameters.vars(), &train, Some(&validation), &recipe, &mut ())?;
    let mut course = Course::of(&history);

    // The same recipes, each from its last ingredient to its first; then whole ones, the batches from
    // their last recipe to their first.
    let answers = |ids: &[Vec<u32>]| predict(&model, ids, &recipe, &Device::Cpu);
    let given = answers(&validation.ids)?;
    let backwards = |ids: &Vec<u32>| ids.iter().rev().copied().collect();
    let turned = answers(&validation.ids.iter().map(backwards).collect::<Vec<_>>())?;
    let mut moved = answers(&validation.ids.iter().rev().cloned().collect::<Vec<_>>())?;
    moved.reverse();
    let same = |others: &[u32]| {
        let count = given.iter().zip(others).filter(|(one, other)| one == other).count();
        count as f64 / given.len() as f64
    };
    course.numbers.push(("answers that are the same with the recipe backwards", same(&turned)));
    course.numbers.push(("answers that are the same in another seat of the batch", same(&moved)));
    Ok(course)
}
