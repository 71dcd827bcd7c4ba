//! Optimizer kernels: one pass over a parameter, its gradient and its moments.
//!
//! The loops contain no operation whose result depends on the instruction set (nothing is fused or
//! reordered), so they are compiled for several instruction sets and give the same bits on all.

use pulp::Arch;

use crate::optim::rule::Constants;

/// [`Constants`] rounded to the type of the parameters.
#[derive(Clone, Copy)]
struct Rounded {
    scale: f32,
    decay: f32,
    keep: f32,
    beta1: f32,
    rest1: f32,
    beta2: f32,
    rest2: f32,
    rate: f32,
    step: f32,
    root: f32,
    epsilon: f32,
}

impl From<&Constants> for Rounded {
    #[expect(clippy::cast_possible_truncation, reason = "what they act on is f32")]
    fn from(of: &Constants) -> Self {
        Self {
            scale: of.scale as f32,
            decay: of.decay as f32,
            keep: of.keep as f32,
            beta1: of.beta1 as f32,
            rest1: (1.0 - of.beta1) as f32,
            beta2: of.beta2 as f32,
            rest2: (1.0 - of.beta2) as f32,
            rate: of.rate as f32,
            step: of.step as f32,
            root: of.root as f32,
            epsilon: of.epsilon as f32,
        }
    }
}

/// Step of Adam or `AdamW`: `first` and `second` are the moments `m` and `v`.
pub(crate) fn adam(
    parameter: &mut [f32],
    gradient: &[f32],
    first: &mut [f32],
    second: &mut [f32],
    constants: &Constants,
) {
    let c = Rounded::from(constants);
    Arch::new().dispatch(|| {
        let moments = first.iter_mut().zip(second.iter_mut());
        for ((p, &g), (m, v)) in parameter.iter_mut().zip(gradient).zip(moments) {
            let g = c.scale * g + c.decay * *p;
            *m = c.beta1 * *m + c.rest1 * g;
            *v = c.beta2 * *v + c.rest2 * (g * g);
            *p = c.keep * *p - c.step * *m / (v.sqrt() * c.root + c.epsilon);
        }
    });
}

/// Step of gradient descent with momentum: `velocity` is `u`.
pub(crate) fn momentum(
    parameter: &mut [f32],
    gradient: &[f32],
    velocity: &mut [f32],
    constants: &Constants,
) {
    let c = Rounded::from(constants);
    Arch::new().dispatch(|| {
        for ((p, &g), u) in parameter.iter_mut().zip(gradient).zip(velocity.iter_mut()) {
            *u = c.beta1 * *u + (c.scale * g + c.decay * *p);
            *p -= c.rate * *u;
        }
    });
}

/// Step of gradient descent without momentum.
pub(crate) fn descend(parameter: &mut [f32], gradient: &[f32], constants: &Constants) {
    let c = Rounded::from(constants);
    Arch::new().dispatch(|| {
        for (p, &g) in parameter.iter_mut().zip(gradient) {
            *p -= c.rate * (c.scale * g + c.decay * *p);
        }
    });
}

/// Number of parallel sums; the same on every machine, so that results have the same bits.
const LANES: usize = 16;

/// Computes `Σ x²` with squares and sums in `f64`, in an order that depends on the length alone.
pub(crate) fn sum_of_squares(values: &[f32]) -> f64 {
    let mut lanes = [0.0_f64; LANES];
    let chunks = values.chunks_exact(LANES);
    let rest = chunks.remainder();
    Arch::new().dispatch(|| {
        for chunk in chunks {
            for (lane, &x) in lanes.iter_mut().zip(chunk) {
                *lane += f64::from(x) * f64::from(x);
            }
        }
    });
    let rest: f64 = rest.iter().map(|&x| f64::from(x) * f64::from(x)).sum();
    lanes.iter().sum::<f64>() + rest
}
