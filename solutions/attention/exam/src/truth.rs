//! What is right for every question, those that are to be refused among them.

use softmark_checks::Case;
use softmark_exam::Response;
use softmark_exam::limits::{has_long_texts, has_uneven_heads, has_unknown_ids};

use crate::oracle::oracle;

/// What a right part gives in answer.
pub(crate) fn expected_response(case: &Case) -> Response {
    if is_beyond_limits(case) {
        return Response::Refused;
    }
    Response::from(oracle(case))
}

/// Whether the case has no answer: sizes that do not fit, or more than a table holds.
pub(crate) fn is_beyond_limits(case: &Case) -> bool {
    has_misfit(case)
        || match case.part() {
            "multi-head" => has_uneven_heads(case),
            "sinusoidal-position" => {
                is_too_long(case) || !case.get_size("d_model").is_multiple_of(2)
            }
            "learned-position" => is_too_long(case),
            "classifier" => has_uneven_heads(case) || has_unknown_ids(case) || has_long_texts(case),
            _ => false,
        }
}

/// True if the shapes of the inputs do not fit one another or the width of the part.
pub(crate) fn has_misfit(case: &Case) -> bool {
    let mask = case.find("mask");
    match case.part() {
        "scaled-dot-product" => {
            let (query, key, value) = (case.get("query"), case.get("key"), case.get("value"));
            let [b, h, tq, width] = [0, 1, 2, 3].map(|axis| query.dim(axis));
            let tk = key.dim(2);
            key.shape() != [b, h, tk, width]
                || value.shape() != [b, h, tk, width]
                || mask.is_some_and(|mask| {
                    mask.shape() != [b, 1, tq, tk] && mask.shape() != [b, h, tq, tk]
                })
        }
        "multi-head" => {
            let query = case.get("query");
            let key = case.find("key").unwrap_or_else(|| query.clone());
            let value = case.find("value").unwrap_or_else(|| key.clone());
            let (b, tq, tk, d) = (query.dim(0), query.dim(1), key.dim(1), case.get_size("d_model"));
            query.shape() != [b, tq, d]
                || key.shape() != [b, tk, d]
                || value.shape() != [b, tk, d]
                || mask.is_some_and(|mask| mask.shape() != [b, tq, tk])
        }
        "sinusoidal-position" | "learned-position" => {
            case.get("x").dim(2) != case.get_size("d_model")
        }
        "masked-pooling" => {
            let x = case.get("x");
            mask.is_some_and(|mask| mask.shape() != [x.dim(0), x.dim(1)])
        }
        "classifier" => mask.is_some_and(|mask| mask.shape() != case.get("ids").shape()),
        _ => false,
    }
}

/// Whether the sequence is longer than the table of positions.
pub(crate) fn is_too_long(case: &Case) -> bool {
    case.get("x").dim(1) > case.get_size("max_len")
}
