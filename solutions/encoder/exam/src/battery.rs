//! The questions that tell the mistakes of the assignment apart.

use encoder_checks::cases::EncoderShape;
use encoder_checks::encoder_layer::silent;
use encoder_checks::glove::{GloveShape, Listed, lines_of, with_line};
use encoder_checks::sweep::{SweepShape, level};
use softmark_checks::dropout::with_dropout;
use softmark_checks::texts::with_empty_text;
use softmark_checks::{Array, Case};
use softmark_exam::limits::with_unknown_id;
use softmark_exam::{Aspect, Question};

use crate::checks::{
    cotangents, encoder_layer, encoder_limits, glove as vectors, meaningful, sweep as searches,
};

/// Always the same numbers: what is named must not hang on the seed of a run.
const SEED: u64 = 20;

fn ask(aspect: Aspect, case: Case) -> Question {
    Question { meaningful, ..Question::new(aspect, case) }
}

fn ask_back(case: Case) -> Question {
    let cotangents = cotangents(&case, SEED);
    Question { meaningful, ..Question::gradients(case, cotangents) }
}

/// The questions of a task.
pub(super) fn battery(task: &str) -> Vec<Question> {
    match task {
        "feed-forward" => feed_forward(),
        "encoder-layer" => layer(),
        "encoder" => stack(),
        "classifier" => classify(),
        "glove" => glove(),
        "sweep" => sweep(),
        _ => Vec::new(),
    }
}

/// All sizes different, so that no two axes can be taken for one another unnoticed.
const SHAPE: EncoderShape = EncoderShape {
    b: 2,
    t: 3,
    h: 2,
    k: 4,
    f: 5,
    v: 7,
    spare: 1,
    layers: 2,
    c: 4,
    ..EncoderShape::BARE
};

/// As many examples as positions, for code that takes one for the other.
const AS_MANY: EncoderShape = EncoderShape { b: 3, data: 1, ..SHAPE };

/// For gradients: every entry of every matrix is moved twice.
const SMALL: EncoderShape =
    EncoderShape { b: 2, t: 2, k: 2, f: 2, v: 3, spare: 0, layers: 1, c: 2, data: 2, ..SHAPE };

/// A single position, so that nearly all or nearly none of its few numbers are dropped.
const TINY: EncoderShape = EncoderShape { b: 1, t: 1, k: 2, f: 3, layers: 1, data: 3, ..SHAPE };

/// With dropout of nearly everything, in training and not, and of nearly nothing: what is left of the
/// last is a scale.
fn dropouts(case: &Case) -> [Question; 3] {
    [(999, true), (999, false), (10, true)]
        .map(|(permille, train)| ask(Aspect::Dropout, with_dropout(case, permille, train)))
}

fn feed_forward() -> Vec<Question> {
    let case = |shape: EncoderShape| shape.feed_forward(SEED);
    let gelu = EncoderShape { gelu: true, ..SHAPE };
    let mut questions = vec![
        ask(Aspect::Plain, case(SHAPE)),
        ask(Aspect::Plain, case(gelu)),
        ask(Aspect::Plain, case(AS_MANY)),
        ask(Aspect::Extreme, steep(&case(gelu))),
        ask(Aspect::Strided, case(EncoderShape { strided: true, ..SHAPE })),
        ask_back(case(SMALL)),
        ask_back(case(EncoderShape { gelu: true, ..SMALL })),
    ];
    questions.extend(dropouts(&steep(&case(TINY))));
    questions.extend(dropouts(&steep(&case(EncoderShape { gelu: true, ..TINY }))));
    questions
}

/// A second map that enlarges what little one GELU, or one dropout, differs from another.
fn steep(case: &Case) -> Case {
    let name = "linear2.weight";
    case.with_parameter(name, &case.get_parameter(name).map(|x| 64.0 * x))
}

fn layer() -> Vec<Question> {
    let case = |shape: EncoderShape| shape.encoder_layer(SEED);
    let mut questions = Vec::new();
    for shape in SHAPE.each_placement() {
        let like = |of: EncoderShape| EncoderShape { pre_norm: shape.pre_norm, ..of };
        questions.extend([
            ask(Aspect::Plain, case(shape)),
            ask(Aspect::Plain, case(EncoderShape { gelu: true, ..like(AS_MANY) })),
            ask(Aspect::Plain, silent(&case(shape))),
            ask(Aspect::Masked, case(EncoderShape { padded: true, ..shape })),
            ask(Aspect::Masked, case(EncoderShape { padded: true, ..like(AS_MANY) })),
            ask(Aspect::Extreme, encoder_layer::faint(&case(shape))),
            ask(Aspect::Extreme, encoder_layer::faint(&silent(&case(shape)))),
            ask(Aspect::Strided, case(EncoderShape { strided: true, ..shape })),
        ]);
        questions.extend(dropouts(&encoder_layer::constant(&case(like(TINY)))));
        // Two numbers that differ, so that what the network adds is more than a shift of both.
        questions.push(ask(Aspect::Dropout, with_dropout(&case(like(TINY)), 999, true)));
        // What the sublayers drop inside shows as a scale; and what the second norm divides by.
        questions.push(ask(Aspect::Dropout, with_dropout(&case(like(TINY)), 10, true)));
        let second = if shape.pre_norm {
            encoder_layer::faint(&encoder_layer::without_attention(&case(shape)))
        } else {
            encoder_layer::hushed(&silent(&case(shape)))
        };
        questions.push(ask(Aspect::Extreme, second));
    }
    // Post-norm alone: a way back that ends at the norms is there cut off as a whole, where a pre-norm
    // layer's leads past them.
    questions.push(ask_back(case(SMALL)));
    let uneven = case(EncoderShape { h: 1, k: 5, ..SMALL }).with_size("heads", 2);
    questions.push(ask(Aspect::Limit, uneven));
    questions
}

fn stack() -> Vec<Question> {
    let case = |shape: EncoderShape| shape.encoder(SEED);
    let mut questions = Vec::new();
    for shape in SHAPE.each_placement() {
        let like = |of: EncoderShape| EncoderShape { pre_norm: shape.pre_norm, ..of };
        let full = EncoderShape { spare: 0, ..shape };
        questions.extend([
            ask(Aspect::Plain, case(shape)),
            ask(Aspect::Plain, case(EncoderShape { layers: 0, ..shape })),
            ask(Aspect::Plain, case(EncoderShape { layers: 1, ..like(AS_MANY) })),
            ask(Aspect::Plain, with_id_zero(&case(shape))),
            ask(Aspect::Plain, case(EncoderShape { layers: 0, t: 20, ..like(AS_MANY) })),
            ask(Aspect::Masked, case(EncoderShape { padded: true, ..shape })),
            ask(Aspect::Masked, other_padding(&case(EncoderShape { padded: true, ..shape }))),
            ask(Aspect::Limit, with_unknown_id(&case(shape), 1)),
            ask(Aspect::Limit, encoder_limits::too_long(&case(full), 1)),
            ask(Aspect::Extreme, faint(&case(EncoderShape { layers: 0, ..shape }))),
            ask_back(case(like(SMALL))),
        ]);
    }
    questions.extend(dropouts(&case(EncoderShape { layers: 0, ..TINY })));
    // What a layer drops: nearly everything, or nothing.
    let [nearly_all, rests, _] = dropouts(&case(EncoderShape { pre_norm: true, ..TINY }));
    questions.extend([nearly_all, rests]);
    // Of two layers, each is to be told.
    let two = EncoderShape { pre_norm: true, layers: 2, ..TINY };
    let [nearly_all, rests, _] = dropouts(&case(two));
    questions.extend([nearly_all, rests]);
    let uneven = case(EncoderShape { h: 1, k: 5, ..SMALL }).with_size("heads", 2);
    questions.push(ask(Aspect::Limit, uneven));
    questions
}

/// The case with embedded tokens about as large as the square root of `ε`.
fn faint(case: &Case) -> Case {
    let small = |case: Case, name: &str| {
        case.with_parameter(name, &case.get_parameter(name).map(|x| x / 256.0))
    };
    small(small(case.clone(), "token_embedding.weight"), "position_embedding.weight")
}

/// The case with padding's id at a place where the mask says that a token is real.
fn with_id_zero(case: &Case) -> Case {
    let ids = case.get("ids");
    let zero = |at: &[usize]| if matches!(*at, [0, 1]) { 0.0 } else { ids.at(at) };
    case.with("ids", Array::from_fn(ids.shape(), zero))
}

/// The case with an id that is not padding's where the mask says that it is padding.
fn other_padding(case: &Case) -> Case {
    case.with("ids", case.get("ids").map(|id| if id == 0.0 { 2.0 } else { id }))
}

fn classify() -> Vec<Question> {
    let case = |shape: EncoderShape| EncoderShape { layers: 1, ..shape }.classifier(SEED);
    let pre = EncoderShape { pre_norm: true, ..SHAPE };
    let padded = EncoderShape { padded: true, ..pre };
    let as_many = EncoderShape { padded: true, ..AS_MANY };
    let mut questions = vec![
        ask(Aspect::Plain, case(SHAPE)),
        ask(Aspect::Plain, case(pre)),
        ask(Aspect::Plain, case(AS_MANY)),
        ask(Aspect::Masked, case(padded)),
        ask(Aspect::Masked, case(as_many)),
        ask(Aspect::Empty, with_empty_text(&case(padded))),
        ask_back(case(SMALL)),
    ];
    // An encoder without layers, so that its only dropout is that of the embeddings.
    questions.extend(dropouts(&EncoderShape { layers: 0, ..TINY }.classifier(SEED)));
    let full = case(EncoderShape { spare: 0, ..SHAPE });
    questions.push(ask(Aspect::Limit, with_unknown_id(&full, 1)));
    questions.push(ask(Aspect::Limit, encoder_limits::too_long(&full, 1)));
    questions
}

fn glove() -> Vec<Question> {
    let shape = GloveShape {
        words: vec![
            Listed::AsWritten,
            Listed::Missing,
            Listed::AsWritten,
            Listed::Missing,
            Listed::AsWritten,
        ],
        d: 4,
        others: 2,
        seed: 3,
        data: 0,
    };
    let spelled = GloveShape {
        words: vec![Listed::InLowerCase, Listed::BothWays, Listed::AsWritten],
        data: 1,
        ..shape
    };
    let case = shape.case(SEED);
    let last = lines_of(&case) - 1;
    let shorter = with_line(&case, last, |line| {
        line.rsplit_once(' ').map_or_else(String::new, |(rest, _)| rest.to_owned())
    });
    vec![
        ask(Aspect::Plain, case.clone()),
        ask(Aspect::Plain, GloveShape { seed: 4, data: 2, ..shape }.case(SEED)),
        ask(Aspect::Extreme, spelled.case(SEED)),
        ask(Aspect::Extreme, vectors::listed_twice(&case)),
        ask(Aspect::Limit, with_line(&case, 1, |line| format!("{line} 0.5"))),
        ask(Aspect::Limit, shorter),
        ask(Aspect::Limit, vectors::with_field(&case, 1, "0.5x")),
        ask(Aspect::Limit, vectors::with_field(&case, 1, "NaN")),
        ask(Aspect::Limit, vectors::of_other_words(&case)),
    ]
}

fn sweep() -> Vec<Question> {
    let shape = SweepShape { rates: 3, sizes: 4, beyond: 0, placed: false, data: 0 };
    let case = shape.case(SEED);
    let square = SweepShape { sizes: 3, data: 1, ..shape };
    vec![
        ask(Aspect::Plain, case.clone()),
        ask(Aspect::Plain, square.case(SEED)),
        ask(Aspect::Plain, SweepShape { rates: 2, data: 2, ..shape }.case(SEED)),
        ask(Aspect::Extreme, searches::tied(&case, SEED)),
        ask(Aspect::Extreme, level(&case, 0.5)),
        ask(Aspect::Extreme, searches::diverged(&case, false)),
        ask(Aspect::Extreme, searches::diverged(&case, true)),
        ask(Aspect::Extreme, SweepShape { beyond: 5, ..shape }.case(SEED)),
        ask(Aspect::Extreme, SweepShape { beyond: 10, data: 3, ..shape }.case(SEED)),
    ]
}
