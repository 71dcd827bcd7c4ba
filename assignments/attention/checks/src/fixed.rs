//! Cases of the `attention` assignment that are the same on every seed.
//!
//! Random cases are small, and their numbers are short fractions. These cases catch, on every seed, mistakes
//! that show only in longer sequences, in rows of a mask that few seeds draw, or in the last bits of a
//! number.

use softmark_checks::array::Array;
use softmark_checks::case::{Case, InputKind};
use softmark_common::rng::Stream;

use crate::cases::{AttentionShape, MaskKind};

/// Seed of the numbers of every fixed case.
pub const SEED: u64 = 13;

/// A question about attention, its mask not yet chosen: two heads of two examples, four queries and four
/// keys.
pub const SQUARE: AttentionShape = AttentionShape {
    b: 2,
    h: 3,
    tq: 4,
    tk: 4,
    k: 2,
    mask: MaskKind::Shared,
    strided: false,
    data: 0,
};

/// Shapes with as many queries as keys, in which one size at a time is larger than in random cases:
/// beyond 16, a usual size of a block, once beyond 64, and once 257 keys, of which one hidden key leaves 256:
/// a count in a byte comes to 0 there.
#[must_use]
pub fn large_shapes() -> Vec<AttentionShape> {
    let sizes =
        [[2, 2, 19, 3], [17, 2, 3, 2], [2, 17, 3, 1], [1, 2, 70, 2], [1, 1, 3, 33], [1, 1, 257, 1]];
    let masks = [MaskKind::Shared, MaskKind::PerHead].into_iter().cycle();
    let shape = |([b, h, t, k], mask): ([usize; 4], MaskKind)| AttentionShape {
        b,
        h,
        tq: t,
        tk: t,
        k,
        mask,
        strided: false,
        data: 1,
    };
    sizes.into_iter().zip(masks).map(shape).collect()
}

/// Shapes in which one size at a time is 1, and one in which all of them are.
#[must_use]
pub fn single_shapes() -> [AttentionShape; 6] {
    let several = AttentionShape { tk: 5, mask: MaskKind::None, ..SQUARE };
    [
        AttentionShape { b: 1, ..several },
        AttentionShape { h: 1, ..several },
        AttentionShape { tq: 1, ..several },
        AttentionShape { tk: 1, ..several },
        AttentionShape { k: 1, ..several },
        AttentionShape { b: 1, h: 1, tq: 1, tk: 1, k: 1, ..several },
    ]
}

/// Returns the case with a mask that hides one key from each query, another one for each example and head: where
/// the mask is lost for any of them, numbers change.
///
/// The case must have at least two keys.
#[must_use]
pub fn with_one_key_hidden(case: &Case) -> Case {
    with_hidden(case, |lead, i, j, tk| j == (lead + i + 1) % tk.max(1))
}

/// Returns the case with a mask that hides from each query the key at its own position.
#[must_use]
pub fn with_own_key_hidden(case: &Case) -> Case {
    with_hidden(case, |_, i, j, _| i == j)
}

/// Returns the case with a mask that hides what `hidden` says, given the sum of the indices of example and
/// head, the query, the key and the number of keys.
fn with_hidden(case: &Case, hidden: impl Fn(usize, usize, usize, usize) -> bool) -> Case {
    let mask = case.get("mask");
    let tk = mask.shape().last().copied().unwrap_or(0);
    let whole = Array::from_fn(mask.shape(), |at| match *at {
        [ref lead @ .., i, j] => f64::from(u8::from(!hidden(lead.iter().sum(), i, j, tk))),
        _ => f64::NAN,
    });
    case.with("mask", whole)
}

/// Returns the case with numbers, in inputs and parameters, that need all bits of an `f32`: each is made
/// smaller by a random factor between 3/4 and 1.
///
/// The numbers of random cases are eighths, which half precision holds exactly.
#[must_use]
pub fn with_full_mantissas(case: &Case) -> Case {
    let mut precise = case.clone();
    let inputs = precise.inputs.iter_mut().filter(|input| input.kind == InputKind::Numbers);
    for input in inputs {
        input.array = full_mantissas(&input.array, input.name);
    }
    for (name, array) in &mut precise.parameters {
        *array = full_mantissas(array, name);
    }
    precise
}

fn full_mantissas(array: &Array, name: &str) -> Array {
    let mut stream = Stream::derive(SEED, name, 1);
    array.map(|x| {
        #[expect(clippy::cast_possible_truncation, reason = "a number that f32 holds is asked for")]
        let smaller = x as f32 * (0.75 + 0.25 * stream.uniform());
        f64::from(smaller)
    })
}
