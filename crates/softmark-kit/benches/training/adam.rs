//! Adam that updates in place.

use std::collections::BTreeMap;

use candle_core::backprop::GradStore;
use candle_core::{CpuStorage, InplaceOp2, Layout, Result, Tensor, Var, bail};

use crate::model::Parameters;

/// The moments of each parameter, in one tensor `[2, n]`.
pub(crate) struct Adam {
    moments: BTreeMap<String, Tensor>,
    learning_rate: f64,
    step: i32,
}

impl Adam {
    pub(crate) fn new(parameters: &Parameters, learning_rate: f64) -> Result<Self> {
        let zeros = |(name, var): (&String, &Var)| {
            let moments = Tensor::zeros((2, var.elem_count()), var.dtype(), var.device())?;
            Ok((name.clone(), moments))
        };
        let moments = parameters.all.iter().map(zeros).collect::<Result<_>>()?;
        Ok(Self { moments, learning_rate, step: 0 })
    }

    pub(crate) fn step(&mut self, parameters: &Parameters, gradients: &GradStore) -> Result<()> {
        self.step += 1;
        let first = 1.0 - 0.9_f64.powi(self.step);
        let second = 1.0 - 0.999_f64.powi(self.step);
        #[expect(clippy::cast_possible_truncation, reason = "computed in f32 from here on")]
        let update =
            Move { rate: (self.learning_rate / first) as f32, second: (1.0 / second) as f32 };
        for (name, var) in &parameters.all {
            let gradient = gradients.get(var).expect("every parameter has a gradient");
            let moments = &self.moments[name];
            moments.inplace_op2(&gradient.contiguous()?, &Follow)?;
            var.inplace_op2(moments, &update)?;
        }
        Ok(())
    }
}

/// Moments `[2, n]` after a gradient `[n]`.
struct Follow;

impl InplaceOp2 for Follow {
    fn name(&self) -> &'static str {
        "adam-moments"
    }

    fn cpu_fwd(
        &self,
        moments: &mut CpuStorage,
        _: &Layout,
        gradient: &CpuStorage,
        layout: &Layout,
    ) -> Result<()> {
        let CpuStorage::F32(moments) = moments else { bail!("the benchmark computes in f32") };
        let gradient = &gradient.as_slice::<f32>()?[layout.start_offset()..];
        let half = moments.len() / 2;
        let (first, second) = moments.split_at_mut(half);
        for ((m, v), &g) in first.iter_mut().zip(second).zip(gradient) {
            *m = 0.9 * *m + 0.1 * g;
            *v = 0.999 * *v + 0.001 * g * g;
        }
        Ok(())
    }
}

/// Parameters `[n]` after the moments `[2, n]`.
struct Move {
    rate: f32,
    second: f32,
}

impl InplaceOp2 for Move {
    fn name(&self) -> &'static str {
        "adam-update"
    }

    fn cpu_fwd(
        &self,
        parameter: &mut CpuStorage,
        _: &Layout,
        moments: &CpuStorage,
        _: &Layout,
    ) -> Result<()> {
        let CpuStorage::F32(parameter) = parameter else { bail!("the benchmark computes in f32") };
        let moments = moments.as_slice::<f32>()?;
        let (first, second) = moments.split_at(moments.len() / 2);
        for ((p, &m), &v) in parameter.iter_mut().zip(first).zip(second) {
            *p -= self.rate * m / ((v * self.second).sqrt() + 1e-8);
        }
        Ok(())
    }
}
