//! Lost property: notes of what was found, in one sheet, and the shelf that each thing is on, in another.

use softmark_kit::data::Vocabulary;
use softmark_kit::init::Parameters;
use softmark_kit::nn::attention::attention_side_by_side;
use softmark_kit::nn::{Dropout, embedding_with_padding, layer_norm, linear, pooling};
use softmark_kit::prelude::*;
use softmark_kit::schedule::Schedule;
use softmark_kit::train::{Examples, Recipe, fit};

use crate::course::{Course, Outcome};
use crate::draw::Draw;

const CHANNELS: usize = 24;
const SHELVES: [&str; 3] = ["clothing", "keys", "books"];
/// What stands on none of the shelves is in the box.
const BOX: u32 = 3;

const THINGS: [[&str; 6]; 4] = [
    ["scarf", "mitten", "jacket", "cap", "shawl", "sock"],
    ["latchkey", "keyring", "padlock", "fob", "passkey", "keycard"],
    ["novel", "atlas", "diary", "comic", "textbook", "songbook"],
    ["kettle", "trumpet", "racket", "lamp", "skateboard", "teapot"],
];
const LOOKS: [&str; 8] = ["red", "small", "torn", "new", "wet", "green", "worn", "heavy"];
const WHERE: [&str; 7] = ["seat", "platform", "bench", "stairs", "door", "counter", "window"];

/// Two sheets with a row for each thing: what it is, and where it is kept.
fn sheets(draw: &mut Draw, n: usize) -> (String, String) {
    let (mut notes, mut shelves) = ("note".to_owned(), "shelf".to_owned());
    for _ in 0..n {
        let kind = draw.below(THINGS.len());
        let thing = draw.one(THINGS.get(kind).map_or(&[], |things| things));
        let (look, other, place) = (draw.one(&LOOKS), draw.one(&LOOKS), draw.one(&WHERE));
        notes.extend(["\n", look, " ", other, " ", thing, " found by the ", place]);
        shelves.extend(["\n", SHELVES.get(kind).unwrap_or(&"box")]);
    }
    (notes, shelves)
}

/// The number of a shelf; whatever is no shelf is the box.
fn number(shelf: &str) -> u32 {
    (0..).zip(SHELVES).find(|(_, name)| *name == shelf).map_or(BOX, |(number, _)| number)
}

pub(crate) fn run(seed: u64) -> Outcome {
    let (notes, shelves) = sheets(&mut Draw::new(seed, "lost property"), 1000);
    let notes: Vec<&str> = notes.lines().skip(1).collect();
    let shelves: Vec<u32> = shelves.lines().map(number).collect();
    let vocabulary = Vocabulary::new(notes.iter().flat_map(|note| note.split(' ')));
    let part = |from: usize, n: usize| Examples {
        ids: notes.iter().skip(from).take(n).map(|note| vocabulary.encode(note)).collect(),
        labels: shelves.iter().copied().skip(from).take(n).collect(),
    };
    let (train, validation) = (part(0, 800), part(800, 200));

    let parameters = Parameters::new(seed, &Device::Cpu);
    let root = parameters.builder();
    let tokens = embedding_with_padding(vocabulary.len(), CHANNELS, 0, root.pp("tokens"))?;
    let norm = layer_norm(CHANNELS, 1e-5, root.pp("norm"))?;
    let query = linear(CHANNELS, CHANNELS, root.pp("query"))?;
    let key = linear(CHANNELS, CHANNELS, root.pp("key"))?;
    let value = linear(CHANNELS, CHANNELS, root.pp("value"))?;
    let head = linear(CHANNELS, THINGS.len(), root.pp("head"))?;
    let dropout = Dropout::new(0.1);
    let model = |ids: &Tensor, mask: &Tensor, train: bool| {
        let (b, t) = ids.dims2()?;
        let x = tokens.forward(ids)?;
        let y = norm.forward(&x)?;
        let (q, k, v) = (query.forward(&y)?, key.forward(&y)?, value.forward(&y)?);
        let may_look = mask.reshape((b, 1, 1, t))?.broadcast_as((b, 1, t, t))?;
        let gathered = attention_side_by_side(&q, &k, &v, 3, Some(&may_look), None)?;
        let x = (x + dropout.forward(&gathered, train)?)?;
        head.forward(&pooling::masked_max(&x, mask)?)
    };

    let recipe = Recipe {
        epochs: 8,
        batch_size: 20,
        learning_rate: 4e-3,
        schedule: Schedule::cosine(0.1),
        clip_norm: Some(1.0),
        seed,
        ..Recipe::default()
    };
    let vars = parameters.vars();
    let history = fit(&model, &vars, &train, Some(&validation), &recipe, &mut ())?;
    Ok(Course::of(&history))
}
