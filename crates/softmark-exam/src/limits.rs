//! Cases that a component which reads texts must refuse, and the questions whether a case is one.

use softmark_checks::{Array, Case};

/// True if the heads do not divide the width of the model.
pub fn has_uneven_heads(case: &Case) -> bool {
    let heads = case.get_size("heads");
    heads == 0 || !case.get_size("d_model").is_multiple_of(heads)
}

/// True if an id is beyond the vocabulary.
pub fn has_unknown_ids(case: &Case) -> bool {
    case.get("ids").values().iter().any(|id| *id >= case.get_size("vocabulary") as f64)
}

/// True if the texts are longer than the table of positions.
pub fn has_long_texts(case: &Case) -> bool {
    case.get("ids").dim(1) > case.get_size("max_len")
}

/// Returns the case with an id just beyond the vocabulary at a real token of the last text.
pub fn with_unknown_id(case: &Case, by: usize) -> Case {
    let (ids, mask) = (case.get("ids"), case.get("mask"));
    let last = ids.dim(0).saturating_sub(1);
    let place = (0..ids.dim(1)).find(|&t| mask.at(&[last, t]) == 1.0).unwrap_or(0);
    let unknown = (case.get_size("vocabulary") + by) as f64;
    let strange = |at: &[usize]| if *at == [last, place] { unknown } else { ids.at(at) };
    let mut with = case.with("ids", Array::from_fn(ids.shape(), strange));
    with.label = format!("{}, id {unknown}", case.label);
    with
}

/// Returns the case with a mask that has a position more than the texts.
pub fn with_longer_mask(case: &Case) -> Case {
    let mask = case.get("mask");
    let shape = [mask.dim(0), mask.dim(1) + 1];
    let longer =
        Array::from_fn(
            &shape,
            |at| if at.last() == Some(&mask.dim(1)) { 1.0 } else { mask.at(at) },
        );
    let mut misfit = case.with("mask", longer);
    misfit.label = format!("{}, mask {shape:?}", case.label);
    misfit
}

/// Returns the case with a mask of one text, `[1, T]`, and with one of one token, `[B, 1]`.
pub fn with_other_masks(case: &Case) -> [Case; 2] {
    let mask = case.get("mask");
    let (b, t) = (mask.dim(0), mask.dim(1));
    [[1, t], [b, 1]].map(|shape| {
        let mut misfit = case.with("mask", Array::full(&shape, 1.0));
        misfit.label = format!("{}, mask {shape:?}", case.label);
        misfit
    })
}
