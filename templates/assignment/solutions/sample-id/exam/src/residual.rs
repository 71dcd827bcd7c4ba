//! The formula of the scaled residual.

use sample_id_checks::residual::ScaledResidual;

use softmark_checks::typed::{Scalar, Tensor};
use softmark_exam::typed::{Formula, Named};

pub(crate) struct ScaledResidualFormula;

impl Formula for ScaledResidualFormula {
    type Task = ScaledResidual;

    fn formula<S: Scalar>(it: &ScaledResidual<S>) -> Vec<Named<S>> {
        Named::output(Tensor::from_fn(it.x.shape(), |at| match *at {
            [_, _, c] => it.x.at(at) + it.scale.at(&[c]) * it.branch.at(at),
            _ => S::constant(f64::NAN),
        }))
    }
}
