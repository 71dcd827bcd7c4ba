//! Multi-head attention, written in ways of its own.

use softmark_checks::{Array, Case};
use softmark_exam::Response;

use crate::names::{Simulated, hold, panicking};

/// Rows of numbers: `[T][D]`.
type Rows = Vec<Vec<f64>>;

/// A variant of multi-head attention, by its deviations from the right one.
struct Way {
    /// The inputs of the three projections: 0 is the query, 1 the key, 2 the value.
    inputs: [usize; 3],
    /// Names of the parameters of the four projections; empty for no projection.
    names: [&'static str; 4],
    /// For each projection, whether it adds a bias.
    biased: [bool; 4],
    /// For each projection, whether it takes columns of its weight for rows.
    turned: [bool; 4],
    /// The channel of the projected row that is channel `c` of head `h`, by the heads' number and width.
    channel: fn(h: usize, c: usize, heads: usize, width: usize) -> usize,
    /// True if the mask is used.
    masks: bool,
    /// Additional factor of the scores, by the widths of a head and of the model.
    scale: fn(f64, f64) -> f64,
    /// True if the query's row is added to the output.
    adds_query: bool,
}

const RIGHT: Way = Way {
    inputs: [0, 1, 2],
    names: ["q_proj", "k_proj", "v_proj", "out_proj"],
    biased: [true; 4],
    turned: [false; 4],
    channel: |h, c, _, width| h * width + c,
    masks: true,
    scale: |_, _| 1.0,
    adds_query: false,
};

fn rows(x: &Array, b: usize) -> Rows {
    (0..x.dim(1)).map(|t| (0..x.dim(2)).map(|c| x.at(&[b, t, c])).collect()).collect()
}

fn project(way: &Way, place: usize, case: &Case, x: &Rows) -> Rows {
    let name = way.names[place];
    if name.is_empty() {
        return x.clone();
    }
    let weight = case.get_parameter(&format!("{name}.weight"));
    let bias = case.get_parameter(&format!("{name}.bias"));
    let one = |row: &Vec<f64>| {
        let sums = (0..row.len()).map(|o| {
            let at = |i: usize| if way.turned[place] { [i, o] } else { [o, i] };
            let sum: f64 = row.iter().enumerate().map(|(i, x)| x * weight.at(&at(i))).sum();
            if way.biased[place] { sum + bias.at(&[o]) } else { sum }
        });
        sums.collect()
    };
    x.iter().map(one).collect()
}

/// Adds a share of some channels of a row to a sum.
fn add(sum: &mut [f64], share: f64, row: &[f64], channels: impl Iterator<Item = usize>) {
    for c in channels {
        sum[c] += share * row[c];
    }
}

fn answer(way: &Way, case: &Case) -> Response {
    let (d, heads) = (case.get_size("d_model"), case.get_size("heads"));
    if heads == 0 || d % heads != 0 {
        return Response::Refused;
    }
    let given = case.get("query");
    let key = case.find("key").unwrap_or_else(|| given.clone());
    let value = case.find("value").unwrap_or_else(|| key.clone());
    let sources = [given.clone(), key, value];
    let [x, y, z] = way.inputs.map(|n| &sources[n]);
    let mask = case.find("mask").filter(|_| way.masks);
    let (n, tq, tk, width) = (given.dim(0), x.dim(1), y.dim(1), d / heads);
    if z.dim(1) != tk || mask.as_ref().is_some_and(|m| m.dim(2) != tk || m.dim(1) != tq) {
        return Response::Refused;
    }
    let mut weights = Array::full(&[n, heads, tq, tk], 0.0);
    let mut output = Array::full(&[n, tq, d], 0.0);
    for b in 0..n {
        let q = project(way, 0, case, &rows(x, b));
        let k = project(way, 1, case, &rows(y, b));
        let v = project(way, 2, case, &rows(z, b));
        let mut mixed = vec![vec![0.0; d]; tq];
        for h in 0..heads {
            let channel = |c: usize| (way.channel)(h, c, heads, width);
            for i in 0..tq {
                let score = |j: usize| {
                    let products = (0..width).map(|c| q[i][channel(c)] * k[j][channel(c)]);
                    let factor = (way.scale)(width as f64, d as f64) / (width as f64).sqrt();
                    products.sum::<f64>() * factor
                };
                let seen = |j: usize| mask.as_ref().is_none_or(|m| m.at(&[b, i, j]) == 1.0);
                let powers: Vec<f64> =
                    (0..tk).map(|j| if seen(j) { score(j).exp() } else { 0.0 }).collect();
                let total: f64 = powers.iter().sum();
                for (j, power) in powers.iter().enumerate() {
                    let share = power / total;
                    weights.set(&[b, h, i, j], share);
                    add(&mut mixed[i], share, &v[j], (0..width).map(channel));
                }
            }
        }
        for (i, row) in project(way, 3, case, &mixed).into_iter().enumerate() {
            for (c, y) in row.into_iter().enumerate() {
                let residual = if way.adds_query { given.at(&[b, i, c]) } else { 0.0 };
                output.set(&[b, i, c], y + residual);
            }
        }
    }
    Response::attended(output, weights)
}

/// The answer with other weights.
fn with_weights(way: &Way, case: &Case, change: fn(&Array) -> Array) -> Response {
    let Response::Outputs(outputs) = answer(way, case) else { return Response::Refused };
    Response::attended(outputs["output"].clone(), change(&outputs["weights"]))
}

/// Something of all heads.
fn over_heads(weights: &Array, shape: &[usize], fold: fn(&[f64]) -> f64) -> Array {
    let heads = weights.dim(1);
    Array::from_fn(shape, |at| {
        let [b, .., i, j] = *at else { return f64::NAN };
        let all: Vec<f64> = (0..heads).map(|h| weights.at(&[b, h, i, j])).collect();
        fold(&all)
    })
}

fn sizes(weights: &Array) -> [usize; 4] {
    [0, 1, 2, 3].map(|axis| weights.dim(axis))
}

fn mean(all: &[f64]) -> f64 {
    all.iter().sum::<f64>() / all.len() as f64
}

#[test]
fn mistakes_in_the_projections_of_heads_are_named_however_they_are_written() {
    let table: &[(&[&str], Simulated)] = &[
        (
            &["projections-without-bias"],
            ("no bias", |case| answer(&Way { biased: [false; 4], ..RIGHT }, case)),
        ),
        (
            &["projections-without-bias"],
            ("no bias at the value alone", |case| {
                answer(&Way { biased: [true, true, false, true], ..RIGHT }, case)
            }),
        ),
        (
            &["projections-without-bias"],
            ("no bias at the query alone", |case| {
                answer(&Way { biased: [false, true, true, true], ..RIGHT }, case)
            }),
        ),
        (
            &["weight-not-transposed"],
            ("x · W", |case| answer(&Way { turned: [true; 4], ..RIGHT }, case)),
        ),
        (
            &["weight-not-transposed"],
            ("x · W at the end alone", |case| {
                answer(&Way { turned: [false, false, false, true], ..RIGHT }, case)
            }),
        ),
        (
            &["weight-not-transposed"],
            ("x · W for values alone", |case| {
                answer(&Way { turned: [false, false, true, false], ..RIGHT }, case)
            }),
        ),
        (
            &["missing-output-projection"],
            ("no end", |case| {
                answer(&Way { names: ["q_proj", "k_proj", "v_proj", ""], ..RIGHT }, case)
            }),
        ),
        (
            &["value-not-projected"],
            ("bare values", |case| {
                answer(&Way { names: ["q_proj", "k_proj", "", "out_proj"], ..RIGHT }, case)
            }),
        ),
        (
            &["one-projection-for-all"],
            ("keys through q_proj", |case| {
                answer(&Way { names: ["q_proj", "q_proj", "v_proj", "out_proj"], ..RIGHT }, case)
            }),
        ),
        (
            &["query-key-projections-swapped"],
            ("swapped", |case| {
                answer(&Way { names: ["k_proj", "q_proj", "v_proj", "out_proj"], ..RIGHT }, case)
            }),
        ),
    ];
    hold("attention", "multi-head", table);
}

#[test]
fn mistakes_in_multi_head_attention_are_named_however_they_are_written() {
    let table: &[(&[&str], Simulated)] = &[
        (
            &["heads-interleaved"],
            ("every H-th channel", |case| {
                answer(&Way { channel: |h, c, heads, _| c * heads + h, ..RIGHT }, case)
            }),
        ),
        (&["mask-not-passed"], ("no mask", |case| answer(&Way { masks: false, ..RIGHT }, case))),
        (
            &["scaled-twice"],
            ("twice", |case| answer(&Way { scale: |k, _| k.sqrt().recip(), ..RIGHT }, case)),
        ),
        (
            &["scaled-twice"],
            ("and by √D", |case| answer(&Way { scale: |_, d| d.sqrt().recip(), ..RIGHT }, case)),
        ),
        (
            &["residual-added"],
            ("plus query", |case| answer(&Way { adds_query: true, ..RIGHT }, case)),
        ),
        (
            &["key-value-ignored"],
            ("query alone", |case| answer(&Way { inputs: [0, 0, 0], ..RIGHT }, case)),
        ),
        (
            &["key-value-ignored"],
            ("value from key", |case| answer(&Way { inputs: [0, 1, 1], ..RIGHT }, case)),
        ),
        (
            &["weights-averaged-over-heads"],
            ("[B, Tq, Tk]", |case| {
                with_weights(&RIGHT, case, |weights| {
                    let [b, _, tq, tk] = sizes(weights);
                    over_heads(weights, &[b, tq, tk], mean)
                })
            }),
        ),
        (
            &["weights-averaged-over-heads"],
            ("[B, 1, Tq, Tk]", |case| {
                with_weights(&RIGHT, case, |weights| {
                    let [b, _, tq, tk] = sizes(weights);
                    over_heads(weights, &[b, 1, tq, tk], mean)
                })
            }),
        ),
        (
            &["weights-averaged-over-heads"],
            ("sums", |case| {
                with_weights(&RIGHT, case, |weights| {
                    let [b, _, tq, tk] = sizes(weights);
                    over_heads(weights, &[b, tq, tk], |all| all.iter().sum())
                })
            }),
        ),
        (&["uneven-heads-panic"], ("an assertion", |case| panicking(answer(&RIGHT, case)))),
    ];
    hold("attention", "multi-head", table);
}

#[test]
fn two_mistakes_in_multi_head_attention_are_both_named() {
    hold(
        "attention",
        "multi-head",
        &[
            (
                &["mask-not-passed", "missing-output-projection"],
                ("neither mask nor end", |case| {
                    let names = ["q_proj", "k_proj", "v_proj", ""];
                    answer(&Way { masks: false, names, ..RIGHT }, case)
                }),
            ),
            (
                &["mask-not-passed", "uneven-heads-panic"],
                ("no mask, and an assertion", |case| {
                    panicking(answer(&Way { masks: false, ..RIGHT }, case))
                }),
            ),
            // Each check that the scale fails is failed by the residual too, which shows in more cases: the scale is named once the
            // residual is gone.
            (
                &["residual-added"],
                ("a scale and a residual", |case| {
                    answer(&Way { scale: |k, _| 1.0 / k.sqrt(), adds_query: true, ..RIGHT }, case)
                }),
            ),
        ],
    );
}

#[test]
fn near_misses_in_multi_head_attention_are_given_no_name() {
    let none: &[&str] = &[];
    hold(
        "attention",
        "multi-head",
        &[
            (
                none,
                ("a mask without an axis for heads", |case| {
                    if case.find("mask").is_some() {
                        Response::Refused
                    } else {
                        answer(&RIGHT, case)
                    }
                }),
            ),
            (
                none,
                ("other lengths refused", |case| {
                    let key = case.find("key").unwrap_or_else(|| case.get("query"));
                    if key.dim(1) == case.get("query").dim(1) {
                        answer(&RIGHT, case)
                    } else {
                        Response::Refused
                    }
                }),
            ),
            (
                none,
                ("other lengths panic", |case| {
                    let key = case.find("key").unwrap_or_else(|| case.get("query"));
                    if key.dim(1) == case.get("query").dim(1) {
                        answer(&RIGHT, case)
                    } else {
                        Response::Panicked
                    }
                }),
            ),
            (none, ("scaled back", |case| answer(&Way { scale: |k, _| k.sqrt(), ..RIGHT }, case))),
            (
                none,
                ("the query twice", |case| {
                    let Response::Outputs(outputs) = answer(&RIGHT, case) else {
                        return Response::Refused;
                    };
                    let (query, output) = (case.get("query"), &outputs["output"]);
                    let sum =
                        Array::from_fn(output.shape(), |at| output.at(at) + 2.0 * query.at(at));
                    Response::attended(sum, outputs["weights"].clone())
                }),
            ),
            (
                none,
                ("the first head's weights alone", |case| {
                    with_weights(&RIGHT, case, |weights| {
                        let [b, _, tq, tk] = sizes(weights);
                        over_heads(weights, &[b, tq, tk], |all| all[0])
                    })
                }),
            ),
            (
                none,
                ("heads in the opposite order", |case| {
                    answer(
                        &Way { channel: |h, c, _, width| h * width + width - 1 - c, ..RIGHT },
                        case,
                    )
                }),
            ),
        ],
    );
}
