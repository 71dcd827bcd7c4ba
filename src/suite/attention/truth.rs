//! What is right for every question, those that are to be refused among them.

use softmark_checks::Case;

use crate::suite::Given;
use crate::suite::attention::oracle::oracle;

/// What a right part gives in answer.
pub(super) fn truth(case: &Case) -> Given {
    if is_beyond_limits(case) {
        return Given::Refused;
    }
    let named = oracle(case).into_iter().map(|(name, array)| (name.to_owned(), array));
    Given::Outputs(named.collect())
}

/// Whether the case has no answer: sizes that do not fit, or more than a table holds.
pub(super) fn is_beyond_limits(case: &Case) -> bool {
    match case.part {
        "scaled-dot-product" => {
            let (query, key, value) = (case.get("query"), case.get("key"), case.get("value"));
            let keys = key.dim(2);
            query.dim(3) != key.dim(3)
                || keys != value.dim(2)
                || case.find("mask").is_some_and(|mask| mask.dim(3) != keys)
        }
        "multi-head" => !case.get_size("d_model").is_multiple_of(case.get_size("heads").max(1)),
        "sinusoidal-position" => is_too_long(case) || !case.get_size("d_model").is_multiple_of(2),
        "learned-position" => is_too_long(case),
        "classifier" => has_unknown_ids(case) || is_text_too_long(case),
        _ => false,
    }
}

/// Whether the sequence is longer than the table of positions.
pub(super) fn is_too_long(case: &Case) -> bool {
    case.get("x").dim(1) > case.get_size("max_len")
}

/// Whether an id is beyond the vocabulary.
pub(super) fn has_unknown_ids(case: &Case) -> bool {
    case.get("ids").values().iter().any(|id| *id >= case.get_size("vocabulary") as f64)
}

/// Whether a text is longer than the table of positions.
pub(super) fn is_text_too_long(case: &Case) -> bool {
    case.get("ids").dim(1) > case.get_size("max_len")
}
