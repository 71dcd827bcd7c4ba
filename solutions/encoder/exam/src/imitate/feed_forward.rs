//! The feed-forward network by changeable rules.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use softmark_checks::{Array, Case};
use softmark_exam::Response;
use softmark_exam::formula::erf;

use crate::imitate::algebra::{DROPS, Dropping, drop, linear, sum};
use crate::truth::is_misfit;

/// Which activation is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// That of the config, as it should be.
    Configured,
    /// The other one.
    Swapped,
    /// None.
    Missing,
    /// `ReLU`, whatever the config says.
    Relu,
    /// GELU, whatever the config says.
    Gelu,
    /// The approximation by `tanh` where GELU is asked for.
    Tanh,
    /// `x · sigmoid(1.702 x)` where GELU is asked for.
    Sigmoid,
}

/// Where the activation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stands {
    /// Between the maps, as it should.
    Between,
    /// After the second map.
    After,
    /// In both places.
    Both,
}

/// Where dropout stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DropsAt {
    /// On the hidden numbers, as it should.
    Hidden,
    /// On what comes out.
    Output,
    /// In both places.
    Both,
}

/// The rules; [`RIGHT`] are the right ones.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a mistake of its own")]
pub struct Rules {
    pub activation: Activation,
    pub stands: Stands,
    pub biases: [bool; 2],
    pub drops_at: DropsAt,
    pub dropping: Dropping,
    /// Whether the input is added.
    pub residual: bool,
    /// Whether views that are not contiguous are refused.
    pub refuses_strided: bool,
    /// Whether hidden numbers are brought to mean 0 and variance 1 over all positions of the batch.
    pub norms_over_batch: bool,
    /// Whether what comes out is in double precision.
    pub in_f64: bool,
}

/// The right rules.
pub const RIGHT: Rules = Rules {
    activation: Activation::Configured,
    stands: Stands::Between,
    biases: [true; 2],
    drops_at: DropsAt::Hidden,
    dropping: DROPS,
    residual: false,
    refuses_strided: false,
    norms_over_batch: false,
    in_f64: false,
};

fn activate(rules: &Rules, case: &Case, x: &Array) -> Array {
    let relu = |x: f64| x.max(0.0);
    let exact = |x: f64| x * 0.5 * (1.0 + erf(x * FRAC_1_SQRT_2));
    let tanh = |x: f64| x * 0.5 * (1.0 + ((2.0 / PI).sqrt() * (x + 0.044_715 * x.powi(3))).tanh());
    let sigmoid = |x: f64| x / (1.0 + (-1.702 * x).exp());
    let gelu = case.get_size("gelu") == 1;
    match (rules.activation, gelu) {
        (Activation::Missing, _) => x.clone(),
        (Activation::Tanh, true) => x.map(tanh),
        (Activation::Sigmoid, true) => x.map(sigmoid),
        (Activation::Configured, true) | (Activation::Swapped, false) | (Activation::Gelu, _) => {
            x.map(exact)
        }
        (Activation::Configured | Activation::Tanh | Activation::Sigmoid, false)
        | (Activation::Swapped, true)
        | (Activation::Relu, _) => x.map(relu),
    }
}

/// Each hidden number with mean 0 and variance 1 over all positions of all examples.
fn normed_over_batch(x: &Array) -> Array {
    let n = (x.dim(0) * x.dim(1)) as f64;
    let column =
        |c: usize| (0..x.dim(0)).flat_map(move |b| (0..x.dim(1)).map(move |t| x.at(&[b, t, c])));
    Array::from_fn(x.shape(), |at| match *at {
        [_, _, c] => {
            let mean = column(c).sum::<f64>() / n;
            let variance = column(c).map(|x| (x - mean).powi(2)).sum::<f64>() / n;
            (x.at(at) - mean) / (variance + 1e-5).sqrt()
        }
        _ => f64::NAN,
    })
}

/// What comes out by these rules; the parameters stand below `under`, and `call` tells one network
/// from another.
pub(crate) fn pass(rules: &Rules, case: &Case, under: &str, call: u64, x: &Array) -> Array {
    let hidden = linear(case, &format!("{under}linear1"), rules.biases[0], x);
    let hidden = if rules.norms_over_batch { normed_over_batch(&hidden) } else { hidden };
    let hidden = match rules.stands {
        Stands::Between | Stands::Both => activate(rules, case, &hidden),
        Stands::After => hidden,
    };
    let hidden = match rules.drops_at {
        DropsAt::Hidden | DropsAt::Both => drop(rules.dropping, case, call, &hidden),
        DropsAt::Output => hidden,
    };
    let output = linear(case, &format!("{under}linear2"), rules.biases[1], &hidden);
    let output = match rules.stands {
        Stands::Between => output,
        Stands::After | Stands::Both => activate(rules, case, &output),
    };
    let output = match rules.drops_at {
        DropsAt::Hidden => output,
        DropsAt::Output | DropsAt::Both => drop(rules.dropping, case, call + 1, &output),
    };
    if rules.residual { sum(&output, x) } else { output }
}

/// What a network by these rules gives in answer.
pub(crate) fn imitate(rules: &Rules, case: &Case) -> Response {
    if is_misfit(case) || rules.refuses_strided && case.inputs.iter().any(|input| input.strided) {
        return Response::Refused;
    }
    if rules.in_f64 {
        return Response::OtherType;
    }
    Response::output(pass(rules, case, "", 0, &case.get("x")))
}
