//! What is right for each part of the `prefix-tuning` assignment, in `f64`.

use prefix_tuning_checks::signatures::NAMES;
use softmark_checks::{Array, Case};
use softmark_common::compare::{F32_ROUNDING, Tolerance};
use softmark_exam::Response;
use softmark_exam::check::Expected;
use softmark_exam::limits::{has_long_texts, has_unknown_ids};

use crate::course::course;
use crate::network;

/// What a right part gives in answer.
pub(super) fn expected_response(case: &Case) -> Response {
    if is_beyond_limits(case) {
        return Response::Refused;
    }
    if case.part() == "loop" {
        let epochs = course(case).0;
        if runs_into_error(case, [epochs * case.get_size("batches"), epochs]) {
            return Response::Refused;
        }
    }
    Response::from(oracle(case))
}

/// True if the encoder of a tuned classifier returns an error: at an id beyond the vocabulary, at a text that
/// is too long, or at a mask that does not fit the ids. A classifier with a prefix makes a mask of its own.
pub(super) fn is_beyond_limits(case: &Case) -> bool {
    let is_misfit =
        || case.get_size("layers") > 0 && case.get("mask").shape() != case.get("ids").shape();
    match case.part() {
        "prefix" => has_unknown_ids(case) || has_long_texts(case),
        "partial" => has_unknown_ids(case) || has_long_texts(case) || is_misfit(),
        _ => false,
    }
}

/// True if one of so many losses, or of so many validation losses, cannot be computed in the case: the loop is
/// to return that error.
pub(super) fn runs_into_error(case: &Case, asked: [usize; 2]) -> bool {
    let failing = ["failing_loss", "failing_validation"].map(|name| case.get_size(name));
    failing.into_iter().zip(asked).any(|(nth, asked)| (1..=asked).contains(&nth))
}

/// The right outputs of a case.
pub(super) fn oracle(case: &Case) -> Expected {
    match case.part() {
        "prefix" | "partial" => Expected::from([("logits", network::logits(case))]),
        "loop" => tuned(case),
        "save" => saved(case),
        _ => loaded(case),
    }
}

/// `AdamW`'s moments of one number.
#[derive(Clone, Copy, Default)]
struct Moments {
    first: f64,
    second: f64,
}

/// The parameters after each epoch that a right loop carries out.
pub(super) fn after_each_epoch(case: &Case) -> Vec<Array> {
    let (gradients, learns) = (case.get("gradients"), case.get("learns"));
    let settings = case.get("settings");
    let [rate, warm_up, decay, clip] = [0, 1, 2, 3].map(|at| settings.at(&[at]));
    let batches = case.get_size("batches");
    let steps = (case.get_size("epochs") * batches) as f64;
    let rise = (warm_up * steps).ceil();
    let learned = || (0..NAMES.len()).filter(|&n| learns.at(&[n]) == 1.0);
    let mut now = case.get("start");
    let width = now.dim(1);
    let mut moments = vec![Moments::default(); NAMES.len() * width];
    let mut after = Vec::new();
    for step in 0..course(case).0 * batches {
        let g = |n: usize, i: usize| gradients.at(&[step, n, i]);
        let squares = learned().flat_map(|n| (0..width).map(move |i| g(n, i).powi(2)));
        let scale = (clip / (squares.sum::<f64>().sqrt() + 1e-6)).min(1.0);
        let s = step as f64;
        let share = if s < rise { (s + 1.0) / rise } else { (steps - s) / (steps - rise) };
        let (eta, t) = (rate * share, s + 1.0);
        for n in learned() {
            for i in 0..width {
                let Some(m) = moments.get_mut(n * width + i) else { continue };
                let g = scale * g(n, i);
                m.first = 0.9 * m.first + 0.1 * g;
                m.second = 0.999 * m.second + 0.001 * g * g;
                let (first, second) =
                    (m.first / (1.0 - 0.9_f64.powf(t)), m.second / (1.0 - 0.999_f64.powf(t)));
                let before = now.at(&[n, i]);
                let stepped = before * (1.0 - eta * decay) - eta * first / (second.sqrt() + 1e-8);
                now.set(&[n, i], stepped);
            }
        }
        if (step + 1) % batches == 0 {
            after.push(now.clone());
        }
    }
    after
}

/// Expected result of the loop on a problem with given gradients.
fn tuned(case: &Case) -> Expected {
    let (epochs, best) = course(case);
    let batches = case.get_size("batches");
    let after = after_each_epoch(case);
    let kept = best.and_then(|epoch| after.get(epoch).cloned());
    let kept = kept.unwrap_or_else(|| case.get("start"));
    let visited: Vec<f64> =
        (0..epochs).flat_map(|_| (0..batches).map(|batch| batch as f64)).collect();
    let losses: Vec<f64> = case.get("losses").values().iter().take(epochs).copied().collect();
    let start = case.get("start");
    let looks: Vec<f64> = after.iter().take(epochs).flat_map(Array::values).copied().collect();
    Expected::from([
        ("values", kept),
        ("looks", Array::new(&[epochs, start.dim(0), start.dim(1)], looks)),
        ("visited", Array::new(&[visited.len()], visited)),
        ("validated", Array::new(&[1], vec![epochs as f64])),
        ("validation_losses", Array::new(&[losses.len()], losses)),
        ("best", Array::new(&[1], vec![best.map_or(-1.0, |epoch| epoch as f64)])),
    ])
}

/// How far the parameters at the loop's end may be from the oracle's.
///
/// With `u` for a rounding and `t` steps: both moments are weighted means, of `g` and of `g²`, and each
/// sum is off by at most `3t·u` of the same mean of magnitudes. The weights of the first are at most twice
/// those of the second up to `t = 15`, the most that is asked, so that the mean of `|g|` is at most
/// `√2` of the root (Jensen), whatever the gradients are and however they were clipped. A step is
/// therefore at most `√2` times the learning rate, and off by `√2·(3t + 1.5t + 8)·u` of it; 8 is for
/// the factor of clipping, the corrections and the quotient. The parameter, at most 6, is rounded twice.
///
/// 4 stands here for `√2`, and all of it is taken four times: there are many ways of writing this down, each
/// with its own few roundings, and none of them is to come near.
pub(super) fn loop_tolerance(case: &Case) -> Tolerance {
    let steps = (case.get_size("epochs") * case.get_size("batches")) as f64;
    let rate = case.get("settings").at(&[0]);
    let step = rate * 4.0 * (4.5 * steps + 8.0) + 12.0;
    Tolerance { relative: 0.0, absolute: 4.0 * steps * step * F32_ROUNDING }
}

/// How many numbers each parameter of a checkpoint's model has.
fn counts(case: &Case) -> [usize; 7] {
    let [d, c, p] = ["d_model", "classes", "prefix"].map(|name| case.get_size(name));
    [d, d, c, c * d, d * d, d, p * d]
}

/// For each number of a checkpoint's model, whether its parameter's bit in `mask` is 1.
pub(super) fn spread(case: &Case, mask: &Array) -> Vec<bool> {
    let bits = mask.values().iter().zip(counts(case));
    bits.flat_map(|(bit, count)| vec![*bit == 1.0; count]).collect()
}

fn in_order(case: &Case) -> Array {
    Array::from_fn(&[case.get_size("classes")], |at| match *at {
        [place] => place as f64,
        _ => f64::NAN,
    })
}

fn saved(case: &Case) -> Expected {
    let (tuned, learns) = (case.get("tuned"), case.get("learns"));
    let bits = spread(case, &learns);
    let values = tuned.values().iter().zip(bits).map(|(x, kept)| if kept { *x } else { 0.0 });
    let one = |x: f64| Array::new(&[1], vec![x]);
    Expected::from([
        ("values", Array::new(tuned.shape(), values.collect())),
        ("kept", learns),
        ("strangers", one(0.0)),
        ("labels", in_order(case)),
        ("told", one(1.0)),
    ])
}

/// Whether a checkpoint does not fit the model that it is to be put onto.
pub(super) fn is_unfit(case: &Case) -> bool {
    let wrong = ["other_base", "stranger", "misshapen"].iter().any(|it| case.get_size(it) != 0);
    wrong || case.get("kept").values() != case.get("learns").values()
}

fn loaded(case: &Case) -> Expected {
    let (saved, fresh) = (case.get("saved"), case.get("fresh"));
    let refused = is_unfit(case);
    let bits = spread(case, &case.get("learns"));
    let pairs = saved.values().iter().zip(fresh.values()).zip(bits);
    let values = pairs.map(|((new, old), kept)| if kept && !refused { *new } else { *old });
    let values = Array::new(saved.shape(), values.collect());
    Expected::from([
        ("values", values),
        ("refused", Array::new(&[1], vec![f64::from(u8::from(refused))])),
        ("labels", in_order(case).map(|place| if refused { -1.0 } else { place })),
    ])
}
