//! Tolerances of the two kinds of attention.

use attention_checks::cases::AttentionShape;
use softmark_checks::{Array, Case};
use softmark_common::compare::Tolerance;

use crate::oracle::projected;

/// Tolerance of scaled dot-product attention, for inputs up to 2 and heads `k` wide.
///
/// A score is a sum of `k` products up to 4, divided by `√k`: at most `4·√k`, with an error of
/// `(k + 2)` roundings of that. A weight's relative error is twice its score's error, and `tk` more
/// roundings for the sum below the line. The output is a mean of values up to 2.
pub(super) fn of_attention(shape: &AttentionShape) -> Tolerance {
    let score = 4.0 * (shape.k as f64).sqrt();
    let in_scores = 2.0 * (shape.k as f64 + 2.0) * score;
    Tolerance::f32(shape.tk + 10, 2.0) + Tolerance::f32(1, 2.0 * in_scores)
}

/// Bound on every error of multi-head attention, from the very numbers of the case: how large queries, keys and values become decides how far
/// rounding can go.
///
/// Each projected number is a sum of `D` products and a bias, so it carries `D + 1` roundings of its
/// magnitude. A score then has `K + 2(D + 1) + 2` roundings of `√K · |q| · |k|`; twice that is a
/// weight's relative error; a context is a mean of values; and the last projection sums `D` of
/// those with weights up to 1/2.
pub(super) fn of_multi_head(case: &Case) -> Tolerance {
    let (d, heads) = (case.get_size("d_model"), case.get_size("heads"));
    let k = d / heads.max(1);
    let query = case.get("query");
    let key = case.find("key").unwrap_or_else(|| query.clone());
    let value = case.find("value").unwrap_or_else(|| key.clone());
    let size = |x: &Array, names| projected(case, x, names).magnitude();
    let q = size(&query, ("q_proj.weight", "q_proj.bias"));
    let k_size = size(&key, ("k_proj.weight", "k_proj.bias"));
    let v = size(&value, ("v_proj.weight", "v_proj.bias")).max(1.0);
    let score = (q * k_size * (k as f64).sqrt()).max(1.0);
    let in_weights = 2.0 * (k + 2 * d + 4) as f64 * score + key.dim(1) as f64 + 10.0;
    Tolerance::f32(1, (in_weights + 2.0 * d as f64 + 4.0) * v * (d as f64 / 2.0).max(1.0))
}
