//! What is right of captures and statistics, in `f64`.

use softmark_checks::{Array, Case};
use softmark_exam::Response;
use softmark_exam::check::Expected;

use crate::imitate::capture;

/// What a right part gives in answer.
pub(crate) fn expected_response(case: &Case) -> Response {
    match case.part() {
        "encoder-layer" => (encoder_exam::SUITE.truth)(case),
        "statistics" if case.get("mask").values().iter().all(|bit| *bit == 0.0) => {
            Response::Refused
        }
        "statistics" => Response::from(statistics(case)),
        "capture" => capture::imitate(&capture::RIGHT, case),
        _ => Response::Nothing,
    }
}

/// Entropy, distance to uniform and share on padding of each head: means over the real queries.
pub(crate) fn statistics(case: &Case) -> Expected {
    let (weights, mask) = (case.get("weights"), case.get("mask"));
    let (texts, heads, t) = (weights.dim(0), weights.dim(1), weights.dim(3));
    let is_real = |b: usize, at: usize| mask.at(&[b, at]) == 1.0;
    let mean = |of: &dyn Fn(f64, bool, f64) -> f64| {
        let of_head = |h: usize| {
            let (mut sum, mut queries) = (0.0, 0.0);
            let places = (0..texts).flat_map(|b| (0..t).map(move |query| (b, query)));
            for (b, query) in places.filter(|&(b, query)| is_real(b, query)) {
                queries += 1.0;
                let n = (0..t).filter(|&key| is_real(b, key)).count() as f64;
                for key in 0..t {
                    sum += of(weights.at(&[b, h, query, key]), is_real(b, key), n);
                }
            }
            sum / queries
        };
        Array::new(&[heads], (0..heads).map(of_head).collect())
    };
    let entropy = |w: f64, _: bool, _: f64| if w > 0.0 { -w * w.ln() } else { 0.0 };
    let distance = |w: f64, real: bool, n: f64| if real { (w - 1.0 / n).abs() / 2.0 } else { 0.0 };
    let padding = |w: f64, real: bool, _: f64| if real { 0.0 } else { w };
    Expected::from([
        ("entropy", mean(&entropy)),
        ("from_uniform", mean(&distance)),
        ("on_padding", mean(&padding)),
    ])
}
