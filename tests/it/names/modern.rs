//! Relatives of known mistakes in `modern`, made of right answers to changed questions where that can be done.

use softmark_checks::{Array, Case};
use softmark_exam::Response;

use crate::names::answers::{output, parameter, reference_response, taken, zeroed};
use crate::names::changed::Relative;

fn modern(case: &Case) -> Response {
    reference_response("modern", case)
}

/// The array whose last axis holds the channels `channel(row, c)` of each row.
fn by_row(x: &Array, channel: impl Fn(&[f64], usize) -> f64) -> Array {
    let width = x.dim(x.shape().len() - 1);
    let rows: Vec<f64> = x
        .values()
        .chunks(width)
        .flat_map(|row| (0..width).map(|c| channel(row, c)).collect::<Vec<_>>())
        .collect();
    Array::new(x.shape(), rows)
}

fn plus(one: &Array, other: &Array, sign: f64) -> Array {
    Array::from_fn(one.shape(), |at| one.at(at) + sign * other.at(at))
}

/// The case with the input `x` changed.
fn with_x(case: &Case, change: impl FnOnce(&Array) -> Array) -> Case {
    case.with("x", change(&case.get("x")))
}

/// Each row of `x` divided by what `root` makes of its squares, times the weight.
fn normed(case: &Case, root: fn(&[f64]) -> f64) -> Response {
    let weight = case.get_parameter("weight");
    let x = case.get("x");
    output(modern(case), "output", |_| by_row(&x, |row, c| row[c] / root(row) * weight.values()[c]))
}

/// `down(combine(gate(x), up(x)))`.
fn fed_forward(case: &Case, combine: fn(f64, f64) -> f64) -> Response {
    let weights =
        ["gate_proj.weight", "up_proj.weight", "down_proj.weight"].map(|it| case.get_parameter(it));
    let [gate, up, down] = &weights;
    let x = case.get("x");
    let dot = |w: &Array, row: &[f64], f: usize| -> f64 {
        row.iter().enumerate().map(|(c, x)| x * w.at(&[f, c])).sum()
    };
    let channel = |row: &[f64], d: usize| -> f64 {
        let inner = |f| combine(dot(gate, row, f), dot(up, row, f));
        (0..gate.dim(0)).map(|f| inner(f) * down.at(&[d, f])).sum()
    };
    output(modern(case), "output", |_| by_row(&x, channel))
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn silu(x: f64) -> f64 {
    x * sigmoid(x)
}

/// The channel of the other half that is rotated together with `c`.
fn partner(c: usize, width: usize) -> usize {
    (c + width / 2) % width
}

/// The answer in which the channel `c` of inputs is what the formula calls `place(c)`.
fn reordered(case: &Case, place: fn(usize, usize) -> usize) -> Response {
    if computed(&modern(case)).is_none() {
        return modern(case);
    }
    let x = case.get("x");
    let width = x.dim(x.shape().len() - 1);
    let places: Vec<usize> = (0..width).map(|c| place(c, width)).collect();
    let back = |row: &[f64], c: usize| row[(0..width).find(|&it| places[it] == c).unwrap()];
    let moved = case.with("x", by_row(&x, back));
    output(modern(&moved), "output", |y| by_row(y, |row, c| row[places[c]]))
}

/// The answer whose first position is `first` instead of 0.
fn shifted(case: &Case, first: usize) -> Response {
    let longer = with_x(case, |x| {
        let mut shape = x.shape().to_vec();
        shape[2] += first;
        Array::from_fn(&shape, |at| {
            if at[2] < first { 0.0 } else { x.at(&[at[0], at[1], at[2] - first, at[3]]) }
        })
    });
    let x = case.get("x");
    output(modern(&longer), "output", |y| {
        Array::from_fn(x.shape(), |at| y.at(&[at[0], at[1], at[2] + first, at[3]]))
    })
}

/// The width of a head; 1 in questions that are to be refused.
fn head_width(case: &Case) -> usize {
    case.get_size("d_model").checked_div(case.get_size("heads")).unwrap_or(0).max(1)
}

/// Right response where scores are `factor` times as large.
fn scaled(case: &Case, factor: f64) -> Response {
    modern(&parameter(case, "q_proj.weight", |w| w * factor))
}

fn exchanged(case: &Case, [one, other]: [&str; 2]) -> Case {
    case.with_parameter(one, &case.get_parameter(other))
        .with_parameter(other, &case.get_parameter(one))
}

/// The projection whose heads all have the rows of the first.
fn of_first_head(case: &Case, name: &str) -> Case {
    let width = head_width(case);
    let weight = case.get_parameter(name);
    let first = Array::from_fn(weight.shape(), |at| weight.at(&[at[0] % width, at[1]]));
    case.with_parameter(name, &first)
}

/// `x` with attention added, without the feed-forward network.
fn after_attention(case: &Case) -> Response {
    modern(&zeroed(case, "feed_forward.down_proj.weight"))
}

/// `x` with the feed-forward network added, without attention.
fn after_feed_forward(case: &Case) -> Response {
    modern(&zeroed(case, "self_attn.out_proj.weight"))
}

/// Returns the output of a response, if it has one.
fn computed(response: &Response) -> Option<Array> {
    matches!(response, Response::Outputs(_)).then(|| taken(response, "output"))
}

fn without_second_residual(case: &Case) -> Response {
    let Some(inside) = computed(&after_attention(case)) else { return modern(case) };
    output(modern(case), "output", |y| plus(y, &inside, -1.0))
}

fn without_first_residual(case: &Case) -> Response {
    let Some(inside) = computed(&after_attention(case)) else { return modern(case) };
    after_feed_forward(&with_x(case, |x| plus(&inside, x, -1.0)))
}

fn in_parallel(case: &Case) -> Response {
    let Some(inside) = computed(&after_attention(case)) else { return modern(case) };
    let x = case.get("x");
    output(after_feed_forward(case), "output", |y| plus(&plus(y, &inside, 1.0), &x, -1.0))
}

fn feed_forward_first(case: &Case) -> Response {
    let case = exchanged(case, ["norm1.weight", "norm2.weight"]);
    let Some(inside) = computed(&after_feed_forward(&case)) else { return modern(&case) };
    after_attention(&case.with("x", inside))
}

fn mean_of_squares(row: &[f64]) -> f64 {
    row.iter().map(|x| x * x).sum::<f64>() / row.len() as f64
}

pub(super) const RELATIVES: &[Relative] = &[
    ("modern", "rms-norm", &["rms-weight-ignored"], |case| {
        modern(&parameter(case, "weight", |_| 1.0))
    }),
    ("modern", "rms-norm", &["rms-weight-plus-one"], |case| {
        modern(&parameter(case, "weight", |w| w + 1.0))
    }),
    ("modern", "rms-norm", &["rms-mean-subtracted"], |case| {
        modern(&with_x(case, |x| {
            by_row(x, |row, c| row[c] - row.iter().sum::<f64>() / row.len() as f64)
        }))
    }),
    ("modern", "rms-norm", &["rms-sum-for-mean"], |case| {
        normed(case, |row| (row.len() as f64 * mean_of_squares(row) + 1e-6).sqrt())
    }),
    ("modern", "rms-norm", &["rms-root-missing"], |case| {
        normed(case, |row| mean_of_squares(row) + 1e-6)
    }),
    ("modern", "rms-norm", &["rms-epsilon-outside"], |case| {
        normed(case, |row| mean_of_squares(row).sqrt() + 1e-6)
    }),
    ("modern", "swiglu", &["swiglu-gate-up-exchanged"], |case| {
        modern(&exchanged(case, ["gate_proj.weight", "up_proj.weight"]))
    }),
    ("modern", "swiglu", &["swiglu-activation-missing"], |case| fed_forward(case, |g, u| g * u)),
    ("modern", "swiglu", &["swiglu-relu-for-silu"], |case| {
        fed_forward(case, |g, u| g.max(0.0) * u)
    }),
    ("modern", "swiglu", &["swiglu-sigmoid-for-silu"], |case| {
        fed_forward(case, |g, u| sigmoid(g) * u)
    }),
    ("modern", "swiglu", &["swiglu-gate-added"], |case| fed_forward(case, |g, u| silu(g) + u)),
    ("modern", "swiglu", &["swiglu-both-activated"], |case| {
        fed_forward(case, |g, u| silu(g) * silu(u))
    }),
    ("modern", "swiglu", &["swiglu-up-ignored"], |case| fed_forward(case, |g, _| silu(g))),
    ("modern", "rotary", &["rotary-positions-from-one"], |case| shifted(case, 1)),
    ("modern", "rotary", &["rotary-turned-backwards"], |case| reordered(case, partner)),
    ("modern", "rotary", &["rotary-interleaved"], |case| {
        reordered(case, |c, width| c / 2 + c % 2 * (width / 2))
    }),
    ("modern", "rotary", &["rotary-second-half-unrotated"], |case| {
        let x = case.get("x");
        output(modern(case), "output", |y| {
            let half = x.dim(3) / 2;
            Array::from_fn(y.shape(), |at| if at[3] < half { y.at(at) } else { x.at(at) })
        })
    }),
    ("modern", "grouped-query", &["gqa-key-value-exchanged"], |case| {
        modern(&exchanged(case, ["k_proj.weight", "v_proj.weight"]))
    }),
    ("modern", "grouped-query", &["gqa-scale-missing"], |case| {
        scaled(case, (head_width(case) as f64).sqrt())
    }),
    ("modern", "grouped-query", &["gqa-scale-inverted"], |case| {
        scaled(case, head_width(case) as f64)
    }),
    ("modern", "grouped-query", &["gqa-scale-without-root"], |case| {
        scaled(case, (head_width(case) as f64).powf(-0.5))
    }),
    ("modern", "grouped-query", &["gqa-first-group-for-all"], |case| {
        modern(&of_first_head(&of_first_head(case, "k_proj.weight"), "v_proj.weight"))
    }),
    ("modern", "decoder-block", &["block-norms-exchanged"], |case| {
        modern(&exchanged(case, ["norm1.weight", "norm2.weight"]))
    }),
    ("modern", "decoder-block", &["block-second-residual-missing"], without_second_residual),
    ("modern", "decoder-block", &["block-first-residual-missing"], without_first_residual),
    ("modern", "decoder-block", &["block-branches-parallel"], in_parallel),
    ("modern", "decoder-block", &["block-feed-forward-first"], feed_forward_first),
];
