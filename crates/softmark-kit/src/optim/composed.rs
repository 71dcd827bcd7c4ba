//! Optimizer steps as ordinary tensor operations, for devices and dtypes without a kernel.

use candle_core::{Result, Tensor, Var};

use crate::optim::rule::{Constants, Rule};

/// Updates `parameter` and returns its new moments.
pub(crate) fn step(
    rule: Rule,
    parameter: &Var,
    gradient: &Tensor,
    moments: &Tensor,
    c: &Constants,
) -> Result<Tensor> {
    let old = parameter.as_detached_tensor();
    let gradient = ((gradient * c.scale)? + (&old * c.decay)?)?;
    match rule {
        Rule::Sgd { momentum: 0.0 } => {
            parameter.set(&(old - (gradient * c.rate)?)?)?;
            Ok(moments.clone())
        }
        Rule::Sgd { .. } => {
            let velocity = ((moments.get(0)? * c.beta1)? + gradient)?;
            parameter.set(&(old - (&velocity * c.rate)?)?)?;
            velocity.unsqueeze(0)
        }
        Rule::Adam { .. } | Rule::AdamW { .. } => {
            let first = ((moments.get(0)? * c.beta1)? + (&gradient * (1.0 - c.beta1))?)?;
            let second = ((moments.get(1)? * c.beta2)? + (gradient.sqr()? * (1.0 - c.beta2))?)?;
            let root = ((second.sqrt()? * c.root)? + c.epsilon)?;
            parameter.set(&((old * c.keep)? - ((&first * c.step)? / root)?)?)?;
            Tensor::stack(&[first, second], 0)
        }
    }
}
