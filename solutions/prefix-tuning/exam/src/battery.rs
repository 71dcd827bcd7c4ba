//! The questions that tell the mistakes of the assignment apart.

use encoder_checks::cases::EncoderShape;
use prefix_tuning_checks::cases::TuningShape;
use prefix_tuning_checks::checkpoint::SavedShape;
use prefix_tuning_checks::prefix::without_prefix;
use prefix_tuning_checks::steps::{INFINITE, LoopShape};
use softmark_checks::dropout::with_dropout;
use softmark_checks::texts::with_empty_text;
use softmark_checks::{Array, Case};
use softmark_exam::{Aspect, Question};

use crate::checks::checkpoint::unfit;
use crate::checks::clipping::on_both_sides;
use crate::checks::{cotangents, small};

/// Always the same numbers: what is named must not hang on the seed of a run.
const SEED: u64 = 20;

/// Gradients in training, as the checks ask for them, with nothing dropped.
fn ask_back(case: &Case) -> Question {
    let case = with_dropout(case, 0, true);
    let cotangents = cotangents(&case, SEED);
    Question::gradients(case, cotangents)
}

/// The questions of a task.
pub(super) fn battery(task: &str) -> Vec<Question> {
    match task {
        "prefix" => prefix(),
        "partial" => partial(),
        "loop" => steps(),
        "checkpoint" => checkpoint(),
        _ => Vec::new(),
    }
}

/// All sizes different, so that no two axes can be taken for one another unnoticed.
const BASE: EncoderShape = EncoderShape {
    b: 2,
    t: 3,
    h: 2,
    k: 4,
    f: 5,
    v: 7,
    spare: 6,
    layers: 3,
    c: 4,
    gelu: true,
    ..EncoderShape::BARE
};

const SHAPE: TuningShape = TuningShape { base: BASE, prefix: 5, unfrozen: 2, types: 2 };

/// As many examples as positions, for code that takes one for the other.
const AS_MANY: TuningShape = TuningShape {
    base: EncoderShape { b: 3, gelu: false, data: 1, ..BASE },
    prefix: 1,
    unfrozen: 1,
    types: 0,
};

const PADDED: TuningShape = TuningShape { base: EncoderShape { padded: true, ..BASE }, ..SHAPE };

/// A single position and few channels, so that nearly all or nearly none of its few numbers are
/// dropped.
const TINY: TuningShape = TuningShape {
    base: EncoderShape { b: 1, t: 1, k: 2, f: 3, layers: 1, data: 3, ..BASE },
    prefix: 1,
    unfrozen: 1,
    types: 0,
};

/// Gradients of a classifier in which one layer of four is tuned, so that two layers too many are not all of them. The
/// outputs have large weights, because gradients become small on their way through four layers.
fn four_layers() -> Question {
    let small = small(&SHAPE);
    let base = EncoderShape { layers: 4, ..small.base };
    let question = ask_back(&TuningShape { base, unfrozen: 1, ..small }.partial(SEED));
    let enlarged = |(name, weights): (&'static str, Array)| (name, weights.map(|x| 100.0 * x));
    let cotangents = question.cotangents.map(|all| all.into_iter().map(enlarged).collect());
    Question { cotangents, ..question }
}

/// With dropout of nearly everything, in training and not.
fn dropouts(case: &Case) -> [Question; 2] {
    [(999, true), (999, false)].map(|(permille, train)| {
        Question::new(Aspect::Dropout, with_dropout(case, permille, train))
    })
}

fn prefix() -> Vec<Question> {
    let case = |shape: TuningShape| shape.prefix(SEED);
    let mut questions = vec![
        Question::new(Aspect::Plain, case(SHAPE)),
        Question::new(Aspect::Plain, case(AS_MANY)),
        Question::new(Aspect::Masked, case(PADDED)),
        Question::new(Aspect::Empty, case(without_prefix(&SHAPE))),
        Question::new(Aspect::Empty, case(without_prefix(&PADDED))),
        Question::new(Aspect::Empty, with_empty_text(&case(PADDED))),
        ask_back(&case(small(&SHAPE))),
    ];
    questions.extend(dropouts(&case(TINY)));
    questions
}

fn partial() -> Vec<Question> {
    let case = |shape: TuningShape| shape.partial(SEED);
    let unfrozen = |unfrozen: usize| TuningShape { unfrozen, ..small(&SHAPE) };
    let mut questions = vec![
        Question::new(Aspect::Plain, case(SHAPE)),
        Question::new(Aspect::Plain, case(AS_MANY)),
        Question::new(Aspect::Masked, case(PADDED)),
        ask_back(&case(unfrozen(1))),
        ask_back(&case(unfrozen(0))),
        ask_back(&case(unfrozen(2))),
        four_layers(),
    ];
    questions.extend(dropouts(&case(TINY)));
    // With dropout of nearly nothing, which leaves a scale.
    questions.push(Question::new(Aspect::Dropout, with_dropout(&case(TINY), 10, true)));
    // Without layers, the rate of the encoder's dropout is nothing to what comes after it.
    let base = EncoderShape { layers: 0, ..TINY.base };
    let bare = case(TuningShape { base, unfrozen: 0, ..TINY });
    let of_encoder = with_dropout(&bare, 0, true).with_size("base_dropout_permille", 999);
    questions.push(Question::new(Aspect::Dropout, of_encoder));
    // With layers, and with no dropout in the head, it shows what the encoder is told.
    questions.extend([true, false].map(|train| {
        let case = with_dropout(&case(TINY), 0, train).with_size("base_dropout_permille", 999);
        Question::new(Aspect::Dropout, case)
    }));
    questions
}

fn steps() -> Vec<Question> {
    let shape = |losses: &[Option<u8>], patience: usize| LoopShape {
        losses: losses.to_vec(),
        batches: 3,
        width: 2,
        patience,
        prefix: true,
        clips: false,
        silent: false,
        warm_up: 1,
        data: 0,
    };
    let falling = shape(&[Some(9), Some(7), Some(5)], 3);
    let case = |shape: LoopShape| shape.case(SEED);
    vec![
        Question::new(Aspect::Plain, case(falling.clone())),
        Question::new(
            Aspect::Plain,
            case(LoopShape { prefix: false, silent: true, warm_up: 2, ..falling.clone() }),
        ),
        Question::new(Aspect::Plain, case(LoopShape { warm_up: 0, ..falling.clone() })),
        Question::new(Aspect::Masked, case(LoopShape { clips: true, ..falling.clone() })),
        // By this one, a wrong clip norm is told from gradients that are always scaled.
        Question::new(
            Aspect::Masked,
            on_both_sides(&case(LoopShape { clips: true, ..falling.clone() })),
        ),
        Question::new(Aspect::Masked, case(LoopShape { clips: true, silent: true, ..falling })),
        Question::new(Aspect::Empty, case(shape(&[None, Some(7), Some(6)], 3))),
        Question::new(Aspect::Empty, case(shape(&[Some(7), None, Some(6), None], 4))),
        Question::new(Aspect::Empty, case(shape(&[None, None, None], 3))),
        Question::new(Aspect::Empty, case(shape(&[Some(INFINITE), Some(7), Some(8)], 4))),
        Question::new(Aspect::Empty, case(shape(&[Some(INFINITE), Some(INFINITE)], 3))),
        Question::new(Aspect::Empty, case(shape(&[None, Some(INFINITE), None], 4))),
        Question::new(Aspect::Extreme, case(shape(&[Some(9), Some(5), Some(7), Some(6)], 4))),
        Question::new(
            Aspect::Extreme,
            case(shape(&[Some(9), Some(5), Some(7), Some(6), Some(8)], 2)),
        ),
        Question::new(
            Aspect::Extreme,
            case(shape(&[Some(9), Some(5), Some(5), Some(5), Some(5)], 1)),
        ),
        Question::new(
            Aspect::Extreme,
            case(shape(&[Some(5), Some(6), Some(7), Some(8), Some(9)], 2)),
        ),
        Question::new(
            Aspect::Extreme,
            case(shape(&[Some(5), Some(6), Some(4), Some(4), Some(5)], 2)),
        ),
    ]
}

fn checkpoint() -> Vec<Question> {
    let shape = |prefix: bool| SavedShape { d: 4, c: 5, p: 2, prefix, data: 0 };
    let mut questions = Vec::new();
    for shape in [shape(true), shape(false)] {
        questions.push(Question::new(Aspect::Plain, shape.save(SEED)));
        questions.push(Question::new(Aspect::Plain, shape.load(SEED)));
        questions.extend(
            unfit(&shape, SEED).into_iter().map(|(case, _)| Question::new(Aspect::Limit, case)),
        );
    }
    questions
}

#[cfg(test)]
mod tests {
    use softmark_exam::check::numeric_gradients;

    use super::*;
    use crate::oracle::oracle;

    /// A gradient that arrives at the first layer, and should not, is noticed: answers differ if a value does by a
    /// thousandth.
    #[test]
    fn the_first_of_four_layers_has_a_gradient() {
        let Question { case, cotangents, .. } = four_layers();
        let gradients = numeric_gradients(&case, &oracle, &cotangents.unwrap());
        for n in 0..4 {
            let of_layer =
                gradients.iter().filter(|(name, _)| name.starts_with(&format!("base.layers.{n}.")));
            let most = of_layer.map(|(_, it)| it.magnitude()).fold(0.0, f64::max);
            assert!(most > 0.01, "layer {n}: {most}");
        }
    }
}
