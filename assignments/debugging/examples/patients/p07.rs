//! Songs by their titles. A token of its own stands in front of every title, and the classifier sees what
//! has become of that token.

use candle_nn::Init;
use softmark_kit::data::Vocabulary;
use softmark_kit::init::Parameters;
use softmark_kit::nn::attention::scaled_dot_product_attention;
use softmark_kit::nn::{Embedding, LayerNorm, Linear, layer_norm, linear, ops};
use softmark_kit::prelude::*;
use softmark_kit::train::{Examples, Recipe, fit, predict};

use crate::course::{Course, Outcome};
use crate::draw::Draw;

const LIMIT: usize = 32;
const D_MODEL: usize = 32;
const STYLES: [(&str, &[&str]); 3] = [
    ("shanty", &["anchor", "harbour", "whale", "sailor", "tide"]),
    ("country", &["horse", "truck", "prairie", "boots", "whiskey"]),
    ("lullaby", &["moon", "pillow", "dream", "cradle", "hush"]),
];
const OTHERS: [&str; 9] = ["my", "your", "the", "old", "little", "goodbye", "home", "and", "far"];

/// Titles of two to ten words, two of which tell the style.
fn titles(draw: &mut Draw, n: usize) -> (Vec<String>, Vec<u32>) {
    let title = |_| {
        let style = draw.below(STYLES.len());
        let (_, telling) = STYLES.get(style).copied().unwrap_or_default();
        let mut words = vec![draw.one(telling), draw.one(telling)];
        for _ in 0..draw.below(9) {
            words.push(draw.one(&OTHERS));
        }
        draw.mix(&mut words);
        (words.join(" "), u32::try_from(style).unwrap_or_default())
    };
    (0..n).map(title).unzip()
}

struct Block {
    norm: LayerNorm,
    qkv: Linear,
    out: Linear,
}

impl Block {
    fn forward(&self, x: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let (b, t, d) = x.dims3()?;
        let all = self.qkv.forward(&self.norm.forward(x)?)?.chunk(3, 2)?;
        let heads = |x: &Tensor| x.reshape((b, t, 2, d / 2))?.transpose(1, 2);
        let [query, key, value] = &all[..] else {
            candle_core::bail!("three parts were asked for")
        };
        let (query, key, value) = (heads(query)?, heads(key)?, heads(value)?);
        let y = scaled_dot_product_attention(&query, &key, &value, Some(mask), 0.0, false)?;
        x + ops::gelu(&self.out.forward(&y.transpose(1, 2)?.reshape((b, t, d))?)?)?
    }
}

struct Encoder {
    table: Embedding,
    places: Embedding,
    blocks: Vec<Block>,
    head: Linear,
}

impl Encoder {
    fn new(words: usize, vb: &VarBuilder<'_>) -> Result<Self> {
        let init = Init::Randn { mean: 0.0, stdev: 0.5 };
        let rows = |n, name| -> Result<Embedding> {
            Ok(Embedding::new(vb.get_with_hints((n, D_MODEL), name, init)?, D_MODEL))
        };
        let block = |at: usize| -> Result<Block> {
            let vb = vb.pp(format!("blocks.{at}"));
            Ok(Block {
                norm: layer_norm(D_MODEL, 1e-5, vb.pp("norm"))?,
                qkv: linear(D_MODEL, 3 * D_MODEL, vb.pp("qkv"))?,
                out: linear(D_MODEL, D_MODEL, vb.pp("out"))?,
            })
        };
        Ok(Self {
            table: rows(words, "table")?,
            places: rows(LIMIT, "places")?,
            blocks: (0..2).map(block).collect::<Result<_>>()?,
            head: linear(D_MODEL, STYLES.len(), vb.pp("head"))?,
        })
    }

    fn forward(&self, ids: &Tensor) -> Result<Tensor> {
        let (b, t) = ids.dims2()?;
        let places = Tensor::arange(0, u32::try_from(t)?, ids.device())?;
        let mut x = self.table.forward(ids)?.broadcast_add(&self.places.forward(&places)?)?;
        // Padding is 0, and no word is.
        let mask = ids.eq(0_u32)?.reshape((b, 1, 1, t))?.broadcast_as((b, 1, t, t))?;
        for block in &self.blocks {
            x = block.forward(&x, &mask)?;
        }
        self.head.forward(&x.narrow(1, 0, 1)?.squeeze(1)?)
    }
}

/// Share of the answers that are the same.
fn same(answers: &[u32], others: &[u32]) -> f64 {
    answers.iter().zip(others).filter(|(one, other)| one == other).count() as f64
        / answers.len() as f64
}

pub(crate) fn run(seed: u64) -> Outcome {
    let front = "[title]";
    let words = STYLES.iter().flat_map(|(_, words)| words.iter()).chain(&OTHERS);
    let vocabulary = Vocabulary::new(words.copied().chain([front]));
    let mut draw = Draw::new(seed, "songs");
    let mut examples = |n: usize| {
        let (titles, labels) = titles(&mut draw, n);
        let encode = |title| vocabulary.encode(&format!("{front} {title}"));
        Examples { ids: titles.into_iter().map(encode).collect(), labels }
    };
    let (train, validation) = (examples(700), examples(200));

    let parameters = Parameters::new(seed, &Device::Cpu);
    let encoder = Encoder::new(vocabulary.len(), &parameters.builder())?;
    let model = |ids: &Tensor, _mask: &Tensor, _train: bool| encoder.forward(ids);
    let recipe = Recipe {
        epochs: 7,
        batch_size: 20,
        learning_rate: 3e-3,
        max_len: LIMIT,
        seed,
        ..Recipe::default()
    };
    let vars = parameters.vars();
    let history = fit(&model, &vars, &train, Some(&validation), &recipe, &mut ())?;

    // Of every title, the words of the one after it as far as they go, and the title with padding.
    let answers = |ids: &[Vec<u32>]| predict(&model, ids, &recipe, &Device::Cpu);
    let given = answers(&validation.ids)?;
    let mut others = validation.ids.clone();
    for (own, other) in others.iter_mut().zip(validation.ids.iter().cycle().skip(1)) {
        own.iter_mut().zip(other).for_each(|(own, other)| *own = *other);
    }
    let padded: Vec<Vec<u32>> =
        validation.ids.iter().map(|ids| [&ids[..], &[0; 20]].concat()).collect();
    let mut course = Course::of(&history);
    course
        .numbers
        .push(("answers that are the same with other words", same(&given, &answers(&others)?)));
    course
        .numbers
        .push(("answers that are the same with more padding", same(&given, &answers(&padded)?)));
    Ok(course)
}
