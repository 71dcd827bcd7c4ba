//! What imitations of the network are made of: small functions over arrays of three axes.

use softmark_checks::{Array, Case};
use softmark_common::rng::Stream;
use softmark_exam::dropout::step_of;

/// `x · Wᵀ + b` along the last axis, with or without the bias.
pub fn linear(case: &Case, name: &str, biased: bool, x: &Array) -> Array {
    let weight = case.get_parameter(&format!("{name}.weight"));
    let bias = case.get_parameter(&format!("{name}.bias"));
    let width = weight.dim(1).max(1);
    let mut values = Vec::new();
    for row in x.values().chunks(width) {
        for (o, line) in weight.values().chunks(width).enumerate() {
            let dot: f64 = row.iter().zip(line).map(|(x, w)| x * w).sum();
            values.push(if biased { dot + bias.at(&[o]) } else { dot });
        }
    }
    let mut shape = x.shape().to_vec();
    if let Some(last) = shape.last_mut() {
        *last = weight.dim(0);
    }
    Array::new(&shape, values)
}

/// The sum of two arrays of one shape.
pub fn sum(x: &Array, y: &Array) -> Array {
    Array::new(x.shape(), x.values().iter().zip(y.values()).map(|(x, y)| x + y).collect())
}

/// `[A, B, C]` → `[B, A, C]`.
pub fn turned(x: &Array) -> Array {
    Array::from_fn(&[x.dim(1), x.dim(0), x.dim(2)], |at| match *at {
        [a, b, c] => x.at(&[b, a, c]),
        _ => f64::NAN,
    })
}

/// When dropout is at work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// In training, as it should be.
    Training,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The rules of dropout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dropping {
    pub when: When,
    /// Whether what stays is multiplied with `1 / (1 − p)`.
    pub scales: bool,
    /// True if `p` is taken for the probability of keeping a number.
    pub inverted: bool,
}

/// The right rules of dropout.
pub const DROPS: Dropping = Dropping { when: When::Training, scales: true, inverted: false };

/// Dropout by these rules; `call` tells one use in a part from another.
///
/// Nearly always and nearly never, as the questions have it, are always and never.
pub fn drop(rules: Dropping, case: &Case, call: u64, x: &Array) -> Array {
    let p = case.get_size("dropout_permille") as f64 / 1000.0;
    let at_work = match rules.when {
        When::Training => case.get_size("train") == 1,
        When::Always => true,
        When::Never => false,
    };
    if !at_work || p == 0.0 {
        return x.clone();
    }
    let p = if rules.inverted { 1.0 - p } else { p };
    let kept = if rules.scales { 1.0 / (1.0 - p) } else { 1.0 };
    let mut stream = Stream::derive(2, "imitated dropout", step_of(case).wrapping_add(call));
    x.map(|x| {
        let draw = f64::from(stream.uniform());
        let is_dropped = p >= 0.9 || (p > 0.1 && draw < p);
        if is_dropped { 0.0 } else { x * kept }
    })
}

/// What mean and variance of a norm run over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// The channels of one position, as they should.
    Channels,
    /// The positions, in each channel.
    Positions,
    /// The positions and the channels of an example.
    Example,
}

/// The rules of a layer norm.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a mistake of its own")]
pub struct Norm {
    pub over: Over,
    pub epsilon: f64,
    /// Whether `ε` is added to the root instead of to the variance.
    pub outside: bool,
    /// Whether the variance is divided by one less.
    pub unbiased: bool,
    /// Whether the root is taken of the variance.
    pub rooted: bool,
    /// Whether the mean is taken off.
    pub centered: bool,
    pub weight: bool,
    pub bias: bool,
}

/// The right rules of a layer norm.
pub const NORM: Norm = Norm {
    over: Over::Channels,
    epsilon: 1e-5,
    outside: false,
    unbiased: false,
    rooted: true,
    centered: true,
    weight: true,
    bias: true,
};

/// A layer norm by these rules over `[B, T, D]`.
pub fn norm(rules: Norm, case: &Case, name: &str, x: &Array) -> Array {
    let weight = case.get_parameter(&format!("{name}.weight"));
    let bias = case.get_parameter(&format!("{name}.bias"));
    let (positions, channels) = (x.dim(1), x.dim(2));
    let peers = |b: usize, t: usize, c: usize| -> Vec<f64> {
        match rules.over {
            Over::Channels => (0..channels).map(|c| x.at(&[b, t, c])).collect(),
            Over::Positions => (0..positions).map(|t| x.at(&[b, t, c])).collect(),
            Over::Example => (0..positions)
                .flat_map(|t| (0..channels).map(move |c| (t, c)))
                .map(|(t, c)| x.at(&[b, t, c]))
                .collect(),
        }
    };
    Array::from_fn(x.shape(), |at| match *at {
        [b, t, c] => {
            let peers = peers(b, t, c);
            let n = peers.len() as f64;
            let mean = if rules.centered { peers.iter().sum::<f64>() / n } else { 0.0 };
            let squares: f64 = peers.iter().map(|x| (x - mean).powi(2)).sum();
            let variance = squares / if rules.unbiased { n - 1.0 } else { n };
            let below = match (rules.rooted, rules.outside) {
                (true, false) => (variance + rules.epsilon).sqrt(),
                (true, true) => variance.sqrt() + rules.epsilon,
                (false, _) => variance + rules.epsilon,
            };
            let scale = if rules.weight { weight.at(&[c]) } else { 1.0 };
            let shift = if rules.bias { bias.at(&[c]) } else { 0.0 };
            (x.at(at) - mean) / below * scale + shift
        }
        _ => f64::NAN,
    })
}
