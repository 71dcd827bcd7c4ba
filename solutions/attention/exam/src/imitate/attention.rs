//! Scaled dot-product attention by changeable rules.

use softmark_checks::{Array, Case};
use softmark_exam::Response;

/// Over which axis the softmax runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Softmax {
    /// The keys, as it should.
    OverKeys,
    /// The queries.
    OverQueries,
    /// The heads.
    OverHeads,
    /// There is none: the scores themselves are the weights.
    Missing,
}

/// What a mask does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Masking {
    /// Hidden keys take no part.
    Hides,
    /// Keys that may be seen take no part.
    Inverted,
    /// Nothing.
    Ignored,
    /// The first number is added to the score of a visible key, the second to that of a hidden one.
    Adds(f64, f64),
    /// The score of a hidden key becomes this number.
    SetsTo(f64),
    /// Weights are set to zero after the softmax, and the others left as they are.
    AfterSoftmax,
    /// The weights that are returned are right; those that mix the values never saw a mask.
    WeightsOnly,
}

/// From which queries later keys are hidden although nobody asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Causal {
    /// None, as it should be.
    Never,
    /// All of them, where there is no mask.
    Unmasked,
    /// All of them, beside what a mask hides.
    Always,
    /// The same, where a query from which only both together hide every key becomes NaN.
    Unguarded,
}

/// Which part of a mask is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaskOf {
    /// Each example's and each head's own, as it should.
    Each,
    /// The first example's, for every example.
    FirstExample,
    /// The first head's, for every head.
    FirstHead,
    /// The bytes in the order in which they lie in memory, whatever the view says.
    Memory,
}

/// What becomes of a softmax in which nothing takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmptyRow {
    /// Zeros, as it should.
    Zeros,
    /// `NaN`.
    NotANumber,
    /// Equal weights.
    Uniform,
}

/// What is returned as the weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returned {
    /// The weights, as it should.
    Weights,
    /// The scores before any mask.
    Scores,
    /// The scores with something very negative where they are hidden.
    MaskedScores,
    /// The weights with queries and keys swapped.
    Transposed,
    /// Those of the same scores without a mask.
    Unmasked,
}

/// What the weights are multiplied with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mixes {
    /// The values, as it should.
    Values,
    /// The keys.
    Keys,
}

/// The rules; [`RIGHT`] are the right ones.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// What a score is multiplied with, by the width of a head.
    pub scale: fn(f64) -> f64,
    pub softmax: Softmax,
    pub masking: Masking,
    pub mask_of: MaskOf,
    /// The queries from which later keys are hidden.
    pub causal: Causal,
    pub empty_row: EmptyRow,
    pub returned: Returned,
    pub mixes: Mixes,
    /// Whether keys come to stand as `[B, H, K, Tk]` by a reshape, not by a transposition.
    pub reshapes_keys: bool,
    pub exponential: Exponential,
    /// True if the weights of hidden keys are set to zero at the end, whatever the mask did before.
    pub zeroes_hidden: bool,
    /// What becomes of views that are not contiguous.
    pub strided: Strided,
    /// What becomes of values without a key.
    pub misfit: Misfit,
}

/// How exponentials are kept within what `f32` holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exponential {
    /// The largest score is taken off all of them first, as it should be.
    Shifted,
    /// They are not.
    Plain,
    /// They are not, but a sum of zeros is not divided by.
    Guarded,
}

/// What becomes of views that are not contiguous.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strided {
    /// They make no difference, as it should be.
    Accepted,
    /// They are refused.
    Refused,
}

/// What becomes of values without a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misfit {
    /// They are refused, as it should be.
    Refused,
    /// They are left out.
    LeftOut,
}

/// The right rules.
pub const RIGHT: Rules = Rules {
    scale: |k| 1.0 / k.sqrt(),
    softmax: Softmax::OverKeys,
    masking: Masking::Hides,
    mask_of: MaskOf::Each,
    causal: Causal::Never,
    empty_row: EmptyRow::Zeros,
    returned: Returned::Weights,
    mixes: Mixes::Values,
    reshapes_keys: false,
    exponential: Exponential::Shifted,
    zeroes_hidden: false,
    strided: Strided::Accepted,
    misfit: Misfit::Refused,
};

/// What attention by these rules gives in answer.
pub(crate) fn imitate(rules: &Rules, case: &Case) -> Response {
    let (query, key, value) = (case.get("query"), case.get("key"), case.get("value"));
    let mask = case.find("mask");
    let keys = key.dim(2);
    let values_fit = value.dim(2) == keys
        || rules.mixes == Mixes::Keys
        || (rules.misfit == Misfit::LeftOut && value.dim(2) > keys);
    let mask_fits = rules.masking == Masking::Ignored
        || mask.as_ref().is_none_or(|mask| mask.dim(3) == keys && mask.dim(2) == query.dim(2));
    if query.dim(0) != key.dim(0) || query.dim(3) != key.dim(3) || !values_fit || !mask_fits {
        return Response::Refused;
    }
    let strided = case.inputs.iter().any(|input| input.strided);
    if strided && rules.strided == Strided::Refused {
        return Response::Refused;
    }
    // A mask that lies in memory as it is seen is read rightly.
    let in_step = rules.mask_of == MaskOf::Memory && !strided;
    let rules = if in_step { Rules { mask_of: MaskOf::Each, ..*rules } } else { *rules };
    let (output, weights) = attend(&rules, &query, &key, &value, mask.as_ref());
    Response::attended(output, weights)
}

/// Output and weights by these rules.
pub fn attend(
    rules: &Rules,
    query: &Array,
    key: &Array,
    value: &Array,
    mask: Option<&Array>,
) -> (Array, Array) {
    let bit = |at: &[usize]| match (mask, at) {
        (Some(mask), &[b, h, i, j]) => {
            let later = matches!(rules.causal, Causal::Always | Causal::Unguarded);
            let hidden = later && j > i;
            !hidden && mask_bit(rules.mask_of, mask, [b, h, i, j])
        }
        (None, &[_, _, i, j]) => rules.causal == Causal::Never || j <= i,
        _ => true,
    };
    let scores = scores(rules, query, key);
    let scored = match rules.masking {
        Masking::Adds(seen, hidden) if mask.is_some() => {
            by_index(&scores, |at, s| s + if bit(at) { seen } else { hidden })
        }
        Masking::SetsTo(number) => by_index(&scores, |at, s| if bit(at) { s } else { number }),
        Masking::Adds(..)
        | Masking::Hides
        | Masking::Inverted
        | Masking::Ignored
        | Masking::AfterSoftmax
        | Masking::WeightsOnly => scores.clone(),
    };
    let takes_part = |at: &[usize]| match rules.masking {
        Masking::Hides | Masking::WeightsOnly => bit(at),
        Masking::Inverted => mask.is_none() || !bit(at),
        Masking::Ignored | Masking::Adds(..) | Masking::SetsTo(_) | Masking::AfterSoftmax => true,
    };
    let mut weights = normalize(rules, &scored, &takes_part);
    let blind = |at: &[usize]| match *at {
        [b, h, i, _] => (0..key.dim(2)).all(|j| !bit(&[b, h, i, j])),
        _ => false,
    };
    // Where nothing is hidden from the softmax, a query that sees nothing is set to zeros apart.
    let zeroes_blind = matches!(rules.masking, Masking::Adds(..) | Masking::SetsTo(_))
        && rules.empty_row == EmptyRow::Zeros;
    let zeroed = |at: &[usize]| {
        let zeroes_hidden = rules.masking == Masking::AfterSoftmax || rules.zeroes_hidden;
        (zeroes_hidden && !bit(at)) || (zeroes_blind && blind(at))
    };
    weights = by_index(&weights, |at, w| if zeroed(at) { 0.0 } else { w });
    if let (Causal::Unguarded, Some(mask)) = (rules.causal, mask) {
        let shown = |at: &[usize]| match *at {
            [b, h, i, _] => (0..key.dim(2)).any(|j| mask_bit(rules.mask_of, mask, [b, h, i, j])),
            _ => false,
        };
        weights = by_index(&weights, |at, w| if blind(at) && shown(at) { f64::NAN } else { w });
    }
    let mixing = if rules.masking == Masking::WeightsOnly {
        normalize(rules, &scores, &|_| true)
    } else {
        weights.clone()
    };
    let output = mix(&mixing, if rules.mixes == Mixes::Keys { key } else { value });
    let returned = match rules.returned {
        Returned::Weights => weights,
        Returned::Scores => scores,
        Returned::Transposed => swapped(&weights),
        Returned::Unmasked => normalize(rules, &scores, &|_| true),
        Returned::MaskedScores => {
            by_index(&scores, |at, s| if bit(at) { s } else { f64::NEG_INFINITY })
        }
    };
    (output, returned)
}

/// Whether a query may see a key, by the part of the mask that is looked at.
fn mask_bit(of: MaskOf, mask: &Array, [b, h, i, j]: [usize; 4]) -> bool {
    let h = h.min(mask.dim(1) - 1);
    let bit = match of {
        MaskOf::Each => mask.at(&[b, h, i, j]),
        MaskOf::FirstExample => mask.at(&[0, h, i, j]),
        MaskOf::FirstHead => mask.at(&[b, 0, i, j]),
        MaskOf::Memory => {
            // Views are laid out as [B, Tq, H, Tk]: what is taken for row `i` of head `h` lies
            // elsewhere.
            let (heads, rows) = (mask.dim(1), mask.dim(2));
            let row = h * rows + i;
            mask.at(&[b, row % heads, row / heads, j])
        }
    };
    bit != 0.0
}

fn by_index(array: &Array, f: impl Fn(&[usize], f64) -> f64) -> Array {
    Array::from_fn(array.shape(), |at| f(at, array.at(at)))
}

fn scores(rules: &Rules, query: &Array, key: &Array) -> Array {
    let (width, keys) = (query.dim(3), key.dim(2));
    let scale = (rules.scale)(width as f64);
    let entry = |b: usize, h: usize, j: usize, c: usize| {
        if rules.reshapes_keys {
            // Place `[c, j]` of `[K, Tk]` is number `c · Tk + j` in memory.
            let place = c * keys + j;
            key.at(&[b, h, place / width, place % width])
        } else {
            key.at(&[b, h, j, c])
        }
    };
    Array::from_fn(&[query.dim(0), query.dim(1), query.dim(2), keys], |at| match *at {
        [b, h, i, j] => {
            let dot: f64 = (0..width).map(|c| query.at(&[b, h, i, c]) * entry(b, h, j, c)).sum();
            dot * scale
        }
        _ => f64::NAN,
    })
}

/// The softmax along its axis over those that take part; 0 for the others.
fn normalize(rules: &Rules, scores: &Array, takes_part: &dyn Fn(&[usize]) -> bool) -> Array {
    let axis = match rules.softmax {
        Softmax::OverKeys => 3,
        Softmax::OverQueries => 2,
        Softmax::OverHeads => 1,
        Softmax::Missing => {
            return by_index(scores, |at, s| if takes_part(at) { s } else { 0.0 });
        }
    };
    // Each line is gone through once, and not once for each of its scores.
    let length = scores.dim(axis);
    let mut lines = scores.shape().to_vec();
    lines.iter_mut().skip(axis).take(1).for_each(|size| *size = 1);
    let over_lines = |total: &dyn Fn(&[f64], &[usize]) -> f64| {
        Array::from_fn(&lines, |line| {
            let places = (0..length).map(|place| moved(line, axis, place));
            let taking = places.filter(|at| takes_part(at)).map(|at| scores.at(&at));
            total(&taking.collect::<Vec<f64>>(), line)
        })
    };
    let counts = over_lines(&|taking, _| taking.len() as f64);
    let highest = over_lines(&|taking, _| taking.iter().copied().fold(f64::NEG_INFINITY, f64::max));
    let sums = over_lines(&|taking, line| match rules.exponential {
        Exponential::Shifted => taking.iter().map(|s| (s - highest.at(line)).exp()).sum(),
        Exponential::Plain => taking.iter().map(|s| in_f32(*s)).sum(),
        Exponential::Guarded => taking.iter().map(|s| in_f32(*s)).sum::<f64>().max(SMALLEST),
    });
    by_index(scores, |at, score| {
        let line = moved(at, axis, 0);
        if counts.at(&line) == 0.0 {
            return match rules.empty_row {
                EmptyRow::Zeros => 0.0,
                EmptyRow::NotANumber => f64::NAN,
                EmptyRow::Uniform => 1.0 / length as f64,
            };
        }
        if !takes_part(at) {
            return 0.0;
        }
        match rules.exponential {
            Exponential::Shifted => (score - highest.at(&line)).exp() / sums.at(&line),
            Exponential::Plain | Exponential::Guarded => in_f32(score) / sums.at(&line),
        }
    })
}

/// An index with another place on one of its four axes.
fn moved(at: &[usize], axis: usize, place: usize) -> [usize; 4] {
    let mut moved = [0; 4];
    for (n, (to, from)) in moved.iter_mut().zip(at).enumerate() {
        *to = if n == axis { place } else { *from };
    }
    moved
}

/// What keeps a sum of exponentials that are all 0 from being divided by.
const SMALLEST: f64 = 1e-38;

/// The exponential with the range of `f32`: infinite beyond 88.7, 0 below −104. Within it nothing is rounded, so
/// that differences of it are slopes.
fn in_f32(score: f64) -> f64 {
    let exponential = score.exp();
    if exponential > f64::from(f32::MAX) {
        f64::INFINITY
    } else if score < -104.0 {
        0.0
    } else {
        exponential
    }
}

/// `[B, H, Tq, Tk]` → `[B, H, Tk, Tq]`.
fn swapped(weights: &Array) -> Array {
    let shape = [weights.dim(0), weights.dim(1), weights.dim(3), weights.dim(2)];
    Array::from_fn(&shape, |at| match *at {
        [b, h, j, i] => weights.at(&[b, h, i, j]),
        _ => f64::NAN,
    })
}

fn mix(weights: &Array, value: &Array) -> Array {
    let shape = [weights.dim(0), weights.dim(1), weights.dim(2), value.dim(3)];
    Array::from_fn(&shape, |at| match *at {
        [b, h, i, c] => {
            (0..weights.dim(3)).map(|j| weights.at(&[b, h, i, j]) * value.at(&[b, h, j, c])).sum()
        }
        _ => f64::NAN,
    })
}
