//! What is right for every question, those that are to be refused among them.

use softmark_checks::Case;

use crate::suite::Given;
use crate::suite::encoder::oracle::{glove, oracle};

/// What a right part gives in answer.
pub(in crate::suite) fn truth(case: &Case) -> Given {
    if is_beyond_limits(case) {
        return Given::Refused;
    }
    let named = oracle(case).into_iter().map(|(name, array)| (name.to_owned(), array));
    Given::Outputs(named.collect())
}

/// Whether the case has no answer: sizes that do not fit, or what no table holds.
pub(super) fn is_beyond_limits(case: &Case) -> bool {
    match case.part {
        "encoder-layer" => has_uneven_heads(case),
        "encoder" | "classifier" => has_unknown_ids(case) || is_too_long(case),
        "glove" => glove(case).is_none(),
        _ => false,
    }
}

/// Whether the heads do not divide the width of the model.
pub(super) fn has_uneven_heads(case: &Case) -> bool {
    !case.get_size("d_model").is_multiple_of(case.get_size("heads").max(1))
}

/// Whether an id is beyond the vocabulary.
pub(super) fn has_unknown_ids(case: &Case) -> bool {
    case.get("ids").values().iter().any(|id| *id >= case.get_size("vocabulary") as f64)
}

/// Whether the sequence is longer than the table of positions.
pub(super) fn is_too_long(case: &Case) -> bool {
    case.get("ids").dim(1) > case.get_size("max_len")
}
