//! Components of the assignment, as checks construct and call them.

use candle_core::Result;
use softmark_kit::component::{self, Component, Components, Inputs, Outputs};

use crate::{Assignment, ScaledResidual};

/// A component that is called through its trait.
struct Residual<R>(R);

impl<R: ScaledResidual> Component for Residual<R> {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        let output = self.0.forward(inputs.get("x")?, inputs.get("branch")?)?;
        Ok(vec![("output", output)])
    }
}

/// Returns the components of a submission.
pub fn components<S: Assignment>() -> Components {
    Box::new(|name, sizes, vb| match name {
        "scaled-residual" => Ok(Box::new(Residual(S::Residual::new(sizes.get("d_model")?, vb)?))),
        other => Err(component::unknown(other)),
    })
}
