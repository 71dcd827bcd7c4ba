//! The questions about the scaled residual, and its own check.

use softmark_checks::check::CheckError;
use softmark_checks::subject::compare;
use softmark_checks::typed::checks::{if_computing, outputs_of};
use softmark_checks::typed::{Dim, Draw, Output, Tensor, TypedTask, shapes};
use softmark_checks::{Check, Outcome, Subject, search, typed_input};
use softmark_common::compare::Tolerance;

typed_input! {
    /// The scaled residual: what it is made with and called with.
    pub struct ScaledResidual for "scaled-residual" {
        sizes { d_model }
        parameters { scale = "scale" }
        inputs { x, branch }
        outputs { "output" }
    }
}

impl TypedTask for ScaledResidual {
    const TRAIT: &'static str = "ScaledResidual";
    const DIMS: &'static [Dim] = &[Dim::new("B", 1, 3), Dim::new("T", 1, 5), Dim::new("D", 1, 7)];
    type Sizes = [usize; 3];

    fn draw([b, t, d]: [usize; 3], draw: Draw) -> Self {
        Self {
            d_model: d,
            scale: draw.scales("scale", &[d]),
            x: draw.numbers("x", &[b, t, d]),
            branch: draw.numbers("branch", &[b, t, d]),
        }
    }

    fn outputs(&self) -> Vec<Output> {
        vec![Output { name: "output", shape: self.x.shape().to_vec() }]
    }

    fn fits(&self) -> Result<(), &'static str> {
        if self.x.dim(2) != self.d_model {
            Err("`x` has another width")
        } else if self.branch.shape() != self.x.shape() {
            Err("`branch` has another shape than `x`")
        } else {
            Ok(())
        }
    }

    fn misfits(&self) -> Vec<Self> {
        let zeros = |d| Tensor::from_fn(&[1, 2, d], |_| 0.5);
        let with = |x, branch| Self {
            d_model: 3,
            scale: Tensor::from_fn(&[3], |_| 1.0),
            x: zeros(x),
            branch: zeros(branch),
        };
        // One channel could be broadcast to any number.
        vec![with(4, 4), with(1, 1), with(3, 1), with(1, 3)]
    }
}

/// A check beside the standard ones: with a scale of 0, nothing of the branch is left.
pub(crate) const ZERO_SCALE: Check = Check {
    id: "scaled-residual/zero-scale",
    title: "with a scale of 0 the output is the input",
    run: zero_scale,
};

fn zero_scale(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = (ZERO_SCALE.id, seed);
    let found = search(subject, run, 4, shapes(ScaledResidual::DIMS), |subject, shape| {
        let case = ScaledResidual::case(shape, seed);
        let scale = case.get_parameter("scale").map(|_| 0.0);
        let case = case.with_parameter("scale", &scale);
        let x = case.get("x");
        for (output, found) in outputs_of::<ScaledResidual>(subject, &case)? {
            let words = (
                "With a scale of 0 in each channel, nothing of the branch should be left",
                "Look at what the scale is multiplied with.",
            );
            // `x + 0 · branch` has no rounding.
            compare(&case, output.name, (&found, &x), Tolerance::f32(0, 0.0), words)?;
        }
        Ok(())
    })?;
    // Code that only returns its input would pass.
    if_computing::<ScaledResidual>(subject, found)
}
