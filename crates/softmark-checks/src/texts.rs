//! Helpers for cases with token ids.

use softmark_common::rng::Stream;

use crate::array::Array;
use crate::case::Case;

/// Returns the case with a different id at each index for which `which` returns true.
#[must_use]
pub fn other_ids(case: &Case, seed: u64, which: impl Fn(&[usize]) -> bool) -> Case {
    let ids = case.get("ids");
    let vocabulary = case.get_size("vocabulary") as u64;
    let mut stream = Stream::derive(seed, "other ids", 0);
    let other = |at: &[usize]| {
        let by = 1 + stream.below(vocabulary.saturating_sub(1).max(1));
        let id = ids.at(at);
        if which(at) { (id + by as f64) % vocabulary.max(1) as f64 } else { id }
    };
    case.with("ids", Array::from_fn(ids.shape(), other))
}

/// Returns the case with different ids at padding.
#[must_use]
pub fn other_padding(case: &Case, seed: u64) -> Case {
    let mask = case.get("mask");
    other_ids(case, seed, |at| mask.at(at) == 0.0)
}

/// Returns the case with one more word in the vocabulary, whose id is used for all padding: each number of its
/// row is `size` or `-size`.
#[must_use]
pub fn enlarged_padding(case: &Case, size: f64) -> Case {
    let name = "token_embedding.weight";
    let (mask, ids, table) = (case.get("mask"), case.get("ids"), case.get_parameter(name));
    let last = table.dim(0).saturating_sub(1);
    let rows = [last + 2, table.dim(1)];
    let table = Array::from_fn(&rows, |at| match *at {
        [row, c] if row > last && c % 2 == 0 => size,
        [row, _] if row > last => -size,
        _ => table.at(at),
    });
    let padded = Array::from_fn(ids.shape(), |at| match mask.at(at) {
        1.0 => ids.at(at),
        _ => (last + 1) as f64,
    });
    let mut enlarged =
        case.with("ids", padded).with_parameter(name, &table).with_size("vocabulary", last + 2);
    enlarged.label = format!("{}, {size:e} at padding", case.label);
    enlarged
}

/// Returns the case with other texts after the first.
#[must_use]
pub fn other_texts(case: &Case, seed: u64) -> Case {
    other_ids(case, seed, |at| at.first() != Some(&0))
}

/// Returns the case with twice as many texts: after its own, the same ones with the next word for each, which end in
/// padding where there is room for it.
///
/// The batch then always has more than one text, and padding as well if there is room for it. Texts of one or two
/// positions become texts of three: a norm along the positions gives the same for any single one.
#[must_use]
pub fn with_more_texts(case: &Case) -> Case {
    let case = &with_three_positions(case);
    let vocabulary = case.get_size("vocabulary").max(1) as f64;
    let (ids, mask) = (case.get("ids"), case.get("mask"));
    let (b, t) = (ids.dim(0), ids.dim(1));
    let words = Array::from_fn(&[2 * b, t], |at| match *at {
        [row, position] if row >= b => (ids.at(&[row - b, position]) + 1.0) % vocabulary,
        _ => ids.at(at),
    });
    let real = Array::from_fn(&[2 * b, t], |at| match *at {
        [row, 0] if row >= b => 1.0,
        [row, position] if row >= b => f64::from(u8::from(position + 1 < t)),
        _ => mask.at(at),
    });
    let mut more = case.with("ids", words).with("mask", real);
    more.label = format!("{}, beside as many other texts", case.label);
    more
}

/// Least length of the texts of [`with_more_texts`].
const POSITIONS: usize = 3;

/// Returns the case with texts of three positions at least, all of the new ones real, and with as many more rows in
/// the table of positions; a case without such a table stays as it is.
fn with_three_positions(case: &Case) -> Case {
    let (ids, mask) = (case.get("ids"), case.get("mask"));
    let (b, t) = (ids.dim(0), ids.dim(1));
    let is_table = |name: &str| name.ends_with("position_embedding.weight");
    let table = case.parameters.iter().find(|(name, _)| is_table(name));
    let (Some((name, table)), Some(max_len)) = (table, case.find_size("max_len")) else {
        return case.clone();
    };
    let more = POSITIONS.saturating_sub(t);
    if more == 0 || t == 0 {
        return case.clone();
    }
    let vocabulary = case.get_size("vocabulary").max(1) as f64;
    let words = Array::from_fn(&[b, t + more], |at| match *at {
        [row, position] if position >= t => {
            (ids.at(&[row, t - 1]) + (position - t + 1) as f64) % vocabulary
        }
        _ => ids.at(at),
    });
    let real =
        Array::from_fn(&[b, t + more], |at| if at.last() >= Some(&t) { 1.0 } else { mask.at(at) });
    let rows = table.dim(0);
    let longer = Array::from_fn(&[rows + more, table.dim(1)], |at| match *at {
        [row, c] if row >= rows => 0.5 - table.at(&[row % rows.max(1), c]),
        _ => table.at(at),
    });
    let case = case.with("ids", words).with("mask", real).with_parameter(name, &longer);
    case.with_size("max_len", max_len + more)
}

/// Returns the case with a first text that is padding throughout.
#[must_use]
pub fn with_empty_text(case: &Case) -> Case {
    with_empty_texts(case, |text| text == 0)
}

/// Returns the case with padding throughout in each text for which `which` is true.
#[must_use]
pub fn with_empty_texts(case: &Case, which: impl Fn(usize) -> bool) -> Case {
    let clear = |name: &str| {
        let array = case.get(name);
        let is_empty = |at: &[usize]| at.first().is_some_and(|&text| which(text));
        Array::from_fn(array.shape(), |at| if is_empty(at) { 0.0 } else { array.at(at) })
    };
    case.with("mask", clear("mask")).with("ids", clear("ids"))
}

/// Returns the case with every row of its tables of tokens and positions raised, each number by another amount,
/// which no norm evens out: neighbours by amounts so different that no shorter format rounds them away, and
/// rows by different ones, which no mean over texts takes away.
#[must_use]
pub fn raised(case: &Case) -> Case {
    let mut moved = case.clone();
    let is_table = |name: &str| {
        name.ends_with("token_embedding.weight") || name.ends_with("position_embedding.weight")
    };
    for (_, table) in moved.parameters.iter_mut().filter(|(name, _)| is_table(name)) {
        let mut n = 0.0;
        *table = table.map(|x| {
            n += 1.0;
            x + 1.0 / n + (n % 3.0) / 2.0
        });
    }
    moved
}

/// The embedded tokens and positions of a case, in `f64`: row 0 of the tokens counts as zeros.
#[must_use]
pub fn embedded(case: &Case) -> Array {
    let (ids, tokens) = (case.get("ids"), case.get_parameter("token_embedding.weight"));
    let positions = case.get_parameter("position_embedding.weight");
    let row = |id: f64| (0..tokens.dim(0)).find(|row| *row as f64 == id);
    let token = |id: f64, c: usize| match row(id) {
        Some(0) => 0.0,
        Some(id) => tokens.at(&[id, c]),
        None => f64::NAN,
    };
    Array::from_fn(&[ids.dim(0), ids.dim(1), tokens.dim(1)], |at| match *at {
        [b, t, c] => token(ids.at(&[b, t]), c) + positions.at(&[t, c]),
        _ => f64::NAN,
    })
}

/// Returns the case with padding at the end of the first example, and a real token before it.
#[must_use]
pub fn padded_at_the_end(case: &Case) -> Case {
    let mask = case.get("mask");
    let last = mask.dim(1).saturating_sub(1);
    case.with(
        "mask",
        Array::from_fn(mask.shape(), |at| match *at {
            [0, t] if t == last => 0.0,
            [0, 0] => 1.0,
            _ => mask.at(at),
        }),
    )
}

/// Returns the case with padding at the start of the first example, and a real token after it.
#[must_use]
pub fn padded_at_the_start(case: &Case) -> Case {
    let mask = case.get("mask");
    let last = mask.dim(1).saturating_sub(1);
    case.with(
        "mask",
        Array::from_fn(mask.shape(), |at| match *at {
            [0, t] if t == last => 1.0,
            [0, 0] => 0.0,
            _ => mask.at(at),
        }),
    )
}

/// Returns `array`, `[B, T, …]`, with zeros at padding.
#[must_use]
pub fn at_real_tokens(array: &Array, mask: &Array) -> Array {
    Array::from_fn(array.shape(), |at| match *at {
        [b, t, ..] if mask.at(&[b, t]) == 1.0 => array.at(at),
        _ => 0.0,
    })
}

/// Returns example 0 of `array`.
#[must_use]
pub fn first_example(array: &Array) -> Array {
    let rest = array.shape().get(1..).unwrap_or_default();
    Array::from_fn(rest, |at| array.at(&[&[0], at].concat()))
}
