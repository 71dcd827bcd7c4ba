//! The encoder below, as it should be: its mistakes are those of another assignment.

use std::ops::Range;

use encoder_exam::imitate::algebra::{NORM, norm};
use encoder_exam::imitate::layer;
use softmark_checks::{Array, Case};

/// Value of `train` that is passed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tells {
    /// The value that came in, as it should be.
    Given,
    /// Always true.
    Training,
    /// Always false.
    Evaluation,
    /// The opposite of what came in.
    Opposite,
}

impl Tells {
    /// Returns the case with the value of `train` that is passed on.
    pub(super) fn passed_on(self, case: &Case) -> Case {
        let train = match self {
            Self::Given => return case.clone(),
            Self::Training => 1,
            Self::Evaluation => 0,
            Self::Opposite => 1 - case.get_size("train").min(1),
        };
        case.with_size("train", train)
    }
}

/// The row of `table` at `n`; the last where there is none.
fn row(table: &Array, n: usize, c: usize) -> f64 {
    table.at(&[n.min(table.dim(0).saturating_sub(1)), c])
}

/// The embedded tokens, the first of which stands at position `first`.
pub(super) fn embed(case: &Case, first: usize) -> Array {
    let table = |of: &str| case.get_parameter(&format!("base.{of}_embedding.weight"));
    let (ids, tokens, positions) = (case.get("ids"), table("token"), table("position"));
    let types = (case.get_size("types") > 0).then(|| table("type"));
    let shape = [ids.dim(0), ids.dim(1), tokens.dim(1)];
    let sum = Array::from_fn(&shape, |at| match *at {
        [b, t, c] => {
            let id = ids.at(&[b, t]);
            let id = (0..tokens.dim(0)).find(|row| *row as f64 == id).unwrap_or(0);
            let segment = types.as_ref().map_or(0.0, |types| types.at(&[0, c]));
            tokens.at(&[id, c]) + row(&positions, first + t, c) + segment
        }
        _ => f64::NAN,
    });
    norm(NORM, case, "base.embedding_norm", &sum)
}

/// `x` `[B, P, D]` with the rows of the table of positions added.
pub(super) fn with_positions(case: &Case, x: &Array) -> Array {
    let positions = case.get_parameter("base.position_embedding.weight");
    Array::from_fn(x.shape(), |at| match *at {
        [_, t, c] => x.at(at) + row(&positions, t, c),
        _ => f64::NAN,
    })
}

/// What the layers make of `x` `[B, T, D]`; zeros at places whose mask is 0, where what comes out means nothing
/// and frozen layers leave zeros.
pub(super) fn encode(case: &Case, x: &Array, mask: &Array) -> Array {
    let all = case.get_size("layers");
    let learn = case.find_size("unfrozen").unwrap_or(0).min(all);
    // Where the encoder drops, no layer runs as a frozen one.
    let drops = case.get_size("train") == 1 && case.get_size("dropout_permille") > 0;
    let frozen = if drops { 0 } else { all - learn };
    let h = layers(case, 0..frozen, x, mask);
    let from_frozen = |at: &[usize]| match *at {
        [b, t, _] if frozen > 0 && mask.at(&[b, t]) == 0.0 => 0.0,
        _ => h.at(at),
    };
    layers(case, frozen..all, &Array::from_fn(h.shape(), from_frozen), mask)
}

fn layers(case: &Case, which: Range<usize>, x: &Array, mask: &Array) -> Array {
    // The hidden numbers of a layer's network are not dropped here. Where the others are, which are
    // dropped nearly all or not at all in questions that tell mistakes apart, it makes no difference.
    which.fold(x.clone(), |x, n| {
        let under = format!("base.layers.{n}.");
        layer::pass(&layer::RIGHT, case, (&under, 10 + 10 * n as u64), mask, &x)
    })
}
