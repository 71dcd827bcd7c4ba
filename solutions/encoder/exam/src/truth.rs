//! What is right for every question, those that are to be refused among them.

use encoder_checks::cases::FEED_FORWARD_PARAMETERS;
use softmark_checks::Case;
use softmark_exam::Response;
use softmark_exam::limits::{has_long_texts, has_uneven_heads, has_unknown_ids};

use crate::oracle::{glove, oracle};

/// What a right part gives in answer.
pub(crate) fn expected_response(case: &Case) -> Response {
    if is_beyond_limits(case) {
        return Response::Refused;
    }
    Response::from(oracle(case))
}

/// Whether the case has no answer: sizes that do not fit, or what no table holds.
pub(crate) fn is_beyond_limits(case: &Case) -> bool {
    is_misfit(case)
        || match case.part() {
            "encoder-layer" => has_uneven_heads(case),
            "encoder" | "classifier" => has_unknown_ids(case) || has_long_texts(case),
            "glove" => glove(case).is_none(),
            _ => false,
        }
}

/// True if a parameter is missing, an input does not fit the rest, or a part below returns an error.
pub(crate) fn is_misfit(case: &Case) -> bool {
    let has = |name: &str| case.parameters.iter().any(|(of, _)| of == name);
    let masked = |name: &str| {
        let (mask, of) = (case.get("mask"), case.get(name));
        Some(mask.shape()) != of.shape().get(..2)
    };
    match case.part() {
        "feed-forward" => {
            let width = case.get("x").dim(2);
            !FEED_FORWARD_PARAMETERS.iter().all(|name| has(name))
                || width != case.get_size("d_model")
        }
        "encoder-layer" => {
            let norms = ["norm1.weight", "norm1.bias", "norm2.weight", "norm2.bias"];
            !norms.iter().all(|name| has(name)) || masked("x")
        }
        "encoder" | "classifier" => {
            let head = ["classifier.weight", "classifier.bias"];
            let tables = ["token_embedding.weight", "position_embedding.weight"];
            let has_layers = case.get_size("layers") > 0;
            !tables.iter().all(|name| has(name))
                || (case.part() == "classifier" && !head.iter().all(|name| has(name)))
                || (has_layers && (masked("ids") || has_uneven_heads(case)))
        }
        "sweep" => case.find("broken").is_some(),
        _ => false,
    }
}
