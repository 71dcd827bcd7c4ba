//! The questions that tell the mistakes of the assignment apart.

use attention_checks::cases::{AttentionShape, MaskKind, PoolingShape, PositionShape};
use attention_checks::classifier_cases::ClassifierShape;
use softmark_checks::texts::with_empty_text;
use softmark_checks::{Array, Case};
use softmark_exam::limits::with_unknown_id;
use softmark_exam::{Aspect, Question};

use crate::checks::{
    classifier, cotangents, empty_row, learned_position, masked_pooling, scaled_dot_product,
    sinusoidal_position,
};

/// Always the same numbers: what is named must not hang on the seed of a run.
const SEED: u64 = 20;

fn ask_back(case: Case) -> Question {
    let cotangents = cotangents(&case, SEED);
    Question::gradients(case, cotangents)
}

/// The questions of a task.
pub(super) fn battery(task: &str) -> Vec<Question> {
    match task {
        "scaled-dot-product" => scaled_dot_product(),
        "multi-head" => multi_head(),
        "sinusoidal-position" => sinusoidal_position(),
        "learned-position" => learned_position(),
        "masked-pooling" => masked_pooling(),
        "classifier" => classify(),
        _ => Vec::new(),
    }
}

/// All sizes different, so that no two axes can be taken for one another unnoticed.
const SHAPE: AttentionShape = AttentionShape {
    b: 2,
    h: 3,
    tq: 4,
    tk: 5,
    k: 2,
    mask: MaskKind::None,
    strided: false,
    data: 0,
};

/// As many queries as keys, and as many of those as heads, for code that works only then.
const SQUARE: AttentionShape = AttentionShape { b: 2, h: 3, tq: 3, tk: 3, k: 3, data: 1, ..SHAPE };

const SMALL: AttentionShape = AttentionShape { b: 2, h: 2, tq: 2, tk: 3, k: 2, data: 2, ..SHAPE };

/// Widths of a head whose roots, rounded up, down or to the nearest, are neither 1 nor one another.
const WIDE: [AttentionShape; 2] = [
    AttentionShape { b: 1, h: 2, tq: 3, tk: 4, k: 5, data: 3, ..SHAPE },
    AttentionShape { b: 1, h: 2, tq: 3, tk: 4, k: 7, data: 4, ..SHAPE },
];

fn scaled_dot_product() -> Vec<Question> {
    let case = |shape: AttentionShape| shape.scaled_dot_product(SEED);
    let shared = AttentionShape { mask: MaskKind::Shared, ..SHAPE };
    let per_head = AttentionShape { mask: MaskKind::PerHead, ..SHAPE };
    vec![
        Question::new(Aspect::Plain, case(SHAPE)),
        Question::new(Aspect::Plain, case(SQUARE)),
        Question::new(Aspect::Plain, case(WIDE[0])),
        Question::new(Aspect::Plain, case(WIDE[1])),
        Question::new(Aspect::Masked, case(shared)),
        Question::new(Aspect::Masked, case(AttentionShape { mask: MaskKind::Shared, ..SQUARE })),
        Question::new(Aspect::Masked, case(per_head)),
        Question::new(Aspect::Masked, sharp(&case(shared))),
        Question::new(Aspect::Masked, ladder()),
        Question::new(Aspect::Masked, above_a_billion()),
        Question::new(Aspect::Masked, ladder_down()),
        Question::new(Aspect::Empty, empty_row::with_empty_row(&case(shared))),
        Question::new(Aspect::Empty, empty_row::with_empty_row(&case(per_head))),
        Question::new(
            Aspect::Extreme,
            scaled_dot_product::large(&case(AttentionShape { k: 4, ..SHAPE })),
        ),
        Question::new(Aspect::Strided, case(AttentionShape { strided: true, ..SHAPE })),
        Question::new(Aspect::Strided, case(AttentionShape { strided: true, ..per_head })),
        ask_back(case(SMALL)),
        ask_back(case(AttentionShape { mask: MaskKind::Shared, ..SMALL })),
        Question::new(Aspect::Limit, with_values_to_spare(&case(SMALL))),
        Question::new(Aspect::Limit, with_a_wider_mask(&case(shared))),
    ]
}

/// Scores far on both sides of any number that a mask may put in their place.
fn sharp(case: &Case) -> Case {
    case.with("query", case.get("query").map(|x| 16.0 * x))
}

/// A hidden key that fits each query eight times as well as the one before: the scores are 8, 64,
/// 512 and so on up to 262144, beside a visible key's 0.
///
/// A mask that only lowers scores is got past in those rows where it lowers them by less, which
/// tells by how much it does.
fn ladder() -> Case {
    rungs(&[8.0, 64.0, 512.0, 4096.0, 32_768.0, 262_144.0], [0.0, 2.0])
}

/// A hidden key with a score of 4·10⁹ and then of 1.5·10¹², beside a visible key's 0.
fn above_a_billion() -> Case {
    rungs(&[8e4, 3e7], [0.0, 1e5])
}

/// A visible key that fits each query eight times as badly as the one before, down to a score of −3·10¹¹,
/// beside a hidden key's 0: a number that takes the place of hidden scores wins in those rows in which
/// it is the higher one.
fn ladder_down() -> Case {
    rungs(&[8.0, 64.0, 512.0, 4_096.0, 32_768.0, 262_144.0, 3e7, 3e9, 3e11], [-2.0, 0.0])
}

/// Queries of these sizes with a visible and a hidden key of these, in four channels.
fn rungs(queries: &[f64], [visible, hidden]: [f64; 2]) -> Case {
    let rows = queries.len();
    let wide = |first: &f64| [*first, 0.0, 0.0, 0.0];
    let all: Vec<f64> = queries.iter().flat_map(wide).collect();
    Case::new(
        &attention_checks::signatures::SCALED_DOT_PRODUCT,
        format!("B=1 H=1 Tq={rows} Tk=2 K=4, masked"),
    )
    .input("query", Array::new(&[1, 1, rows, 4], all))
    .input("key", Array::new(&[1, 1, 2, 4], [wide(&visible), wide(&hidden)].concat()))
    .input("value", Array::new(&[1, 1, 2, 4], [wide(&1.0), wide(&-1.0)].concat()))
    .mask(Some(Array::new(&[1, 1, rows, 2], [1.0, 0.0].repeat(rows))))
}

/// One value more than there are keys.
fn with_values_to_spare(case: &Case) -> Case {
    let value = case.get("value");
    let shape = [value.dim(0), value.dim(1), value.dim(2) + 1, value.dim(3)];
    let longer = Array::from_fn(&shape, |at| match *at {
        [_, _, j, _] if j < value.dim(2) => value.at(at),
        _ => 0.5,
    });
    case.with("value", longer)
}

/// A mask with one column more than there are keys.
fn with_a_wider_mask(case: &Case) -> Case {
    let mask = case.get("mask");
    let shape = [mask.dim(0), mask.dim(1), mask.dim(2), mask.dim(3) + 1];
    case.with("mask", Array::full(&shape, 1.0))
}

fn multi_head() -> Vec<Question> {
    let cross = |shape: AttentionShape| shape.multi_head(SEED, false);
    let masked = AttentionShape { mask: MaskKind::Shared, ..SHAPE };
    let one_head = AttentionShape { h: 1, k: 4, ..SHAPE };
    let uneven = AttentionShape { h: 1, k: 5, ..SMALL }.multi_head(SEED, true);
    let uneven = uneven.with_size("heads", 2);
    vec![
        Question::new(Aspect::Plain, cross(SHAPE)),
        Question::new(Aspect::Plain, SQUARE.multi_head(SEED, true)),
        // As many queries as keys, which are others: what is handed in twice is no sign of a mistake.
        Question::new(Aspect::Plain, cross(AttentionShape { tk: 4, k: 5, data: 3, ..SHAPE })),
        Question::new(Aspect::Plain, cross(AttentionShape { tq: 1, tk: 1, ..SHAPE })),
        Question::new(Aspect::Masked, cross(masked)),
        Question::new(
            Aspect::Masked,
            AttentionShape { mask: MaskKind::Shared, ..SQUARE }.multi_head(SEED, true),
        ),
        Question::new(Aspect::Extreme, cross(one_head)),
        Question::new(Aspect::Extreme, cross(AttentionShape { h: 4, k: 1, ..SHAPE })),
        Question::new(Aspect::Strided, cross(AttentionShape { strided: true, ..SHAPE })),
        ask_back(cross(SMALL)),
        Question::new(Aspect::Limit, uneven),
    ]
}

/// With another number of spare rows than of other questions, so that what begins at a row of its own is
/// not taken for what ends at the last.
const POSITIONS: PositionShape =
    PositionShape { b: 2, t: 5, half: 3, spare: 2, strided: false, data: 0 };

/// As many examples as positions, for code that takes one for the other.
const AS_MANY: PositionShape =
    PositionShape { b: 3, t: 3, half: 2, spare: 1, data: 1, ..POSITIONS };

fn sinusoidal_position() -> Vec<Question> {
    let case = |shape: PositionShape| shape.sinusoidal(SEED);
    let full = PositionShape { spare: 0, ..POSITIONS };
    vec![
        Question::new(Aspect::Plain, case(POSITIONS)),
        Question::new(Aspect::Plain, case(AS_MANY)),
        Question::new(Aspect::Plain, case(PositionShape { t: 1, ..POSITIONS })),
        Question::new(Aspect::Plain, case(PositionShape { spare: 3, ..AS_MANY })),
        Question::new(Aspect::Extreme, case(full)),
        Question::new(Aspect::Extreme, case(PositionShape { b: 1, t: 60, half: 2, ..full })),
        Question::new(Aspect::Extreme, case(PositionShape { b: 1, t: 1_100, half: 2, ..full })),
        Question::new(Aspect::Strided, case(PositionShape { strided: true, ..POSITIONS })),
        ask_back(case(AS_MANY)),
        Question::new(Aspect::Limit, sinusoidal_position::odd(&case(POSITIONS))),
        Question::new(Aspect::Limit, sinusoidal_position::too_long(&case(full), 2)),
    ]
}

fn learned_position() -> Vec<Question> {
    let case = |shape: PositionShape| shape.learned(SEED);
    let full = PositionShape { spare: 0, ..POSITIONS };
    vec![
        Question::new(Aspect::Plain, case(POSITIONS)),
        Question::new(Aspect::Plain, case(AS_MANY)),
        Question::new(Aspect::Plain, case(PositionShape { t: 1, ..POSITIONS })),
        Question::new(Aspect::Plain, case(PositionShape { spare: 3, ..AS_MANY })),
        Question::new(Aspect::Extreme, case(full)),
        Question::new(Aspect::Extreme, case(PositionShape { b: 1, t: 300, half: 1, ..POSITIONS })),
        Question::new(Aspect::Strided, case(PositionShape { strided: true, ..POSITIONS })),
        ask_back(case(AS_MANY)),
        Question::new(Aspect::Limit, learned_position::too_long(&case(full), 2, SEED)),
    ]
}

fn masked_pooling() -> Vec<Question> {
    let mut questions = Vec::new();
    for kind in 0..3 {
        let whole = PoolingShape { kind, b: 2, t: 5, d: 3, masked: false, strided: false, data: 0 };
        let padded = PoolingShape { masked: true, ..whole };
        let as_many = PoolingShape { b: 3, t: 3, d: 3, data: 1, ..padded };
        let case = |shape: PoolingShape| shape.masked_pooling(SEED);
        questions.extend([
            Question::new(Aspect::Plain, case(whole)),
            Question::new(Aspect::Masked, case(padded)),
            Question::new(Aspect::Masked, case(as_many)),
            Question::new(Aspect::Empty, masked_pooling::with_empty_sequence(&case(padded))),
            Question::new(Aspect::Extreme, masked_pooling::negative(&case(padded))),
            Question::new(Aspect::Strided, case(PoolingShape { strided: true, ..padded })),
            ask_back(masked_pooling::distinct(&case(padded))),
        ]);
    }
    questions
}

/// All sizes different, but for the words.
const TEXTS: ClassifierShape = ClassifierShape {
    b: 2,
    t: 3,
    h: 2,
    k: 4,
    v: 7,
    spare: 1,
    c: 4,
    norm: false,
    kind: 0,
    padded: false,
    data: 0,
};

/// As many texts as places, for code that takes one for the other.
const AS_MANY_TEXTS: ClassifierShape = ClassifierShape { b: 3, padded: true, data: 1, ..TEXTS };

/// For gradients: every entry of every matrix is moved twice.
const FEW_TEXTS: ClassifierShape =
    ClassifierShape { t: 2, k: 2, v: 3, spare: 0, c: 2, data: 2, ..TEXTS };

fn classify() -> Vec<Question> {
    let case = |shape: ClassifierShape| shape.classifier(SEED);
    let mut questions = Vec::new();
    for shape in TEXTS.each_norm() {
        let like = |of: ClassifierShape| ClassifierShape { norm: shape.norm, ..of };
        let padded = ClassifierShape { padded: true, t: 4, ..shape };
        questions.extend(shape.each_pooling().map(|kind| Question::new(Aspect::Plain, case(kind))));
        for kind in padded.each_pooling() {
            questions.push(Question::new(Aspect::Masked, case(kind)));
            questions.push(Question::new(Aspect::Empty, with_empty_text(&case(kind))));
        }
        questions.push(Question::new(Aspect::Masked, case(like(AS_MANY_TEXTS))));
        questions.push(Question::new(Aspect::Extreme, hushed(&case(shape))));
        questions.push(ask_back(case(like(FEW_TEXTS))));
    }
    let full = ClassifierShape { spare: 0, ..TEXTS };
    questions.push(Question::new(Aspect::Limit, with_unknown_id(&case(TEXTS), 1)));
    questions.push(Question::new(Aspect::Limit, classifier::too_long(&case(full), 1)));
    questions
}

/// The case with an attention whose numbers are about as large as the square root of `ε`.
fn hushed(case: &Case) -> Case {
    ["self_attn.out_proj.weight", "self_attn.out_proj.bias"]
        .iter()
        .fold(case.clone(), |case, name| {
            case.with_parameter(name, &case.get_parameter(name).map(|x| x / 128.0))
        })
}
