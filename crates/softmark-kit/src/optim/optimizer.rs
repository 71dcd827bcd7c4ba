//! The optimizer: its state, and a step over all parameters.

use std::cell::RefCell;
use std::collections::BTreeMap;

use candle_core::backprop::GradStore;
use candle_core::{
    CpuStorage, DType, Error, InplaceOp1, InplaceOp2, Layout, Result, Shape, Tensor, Var,
};

use crate::optim::rule::{Constants, Rule};
use crate::optim::{composed, kernels};

/// An optimizer: updates parameters by a [`Rule`], and keeps the rule's state.
///
/// On the CPU a parameter in `f32` and its moments are updated in place, in one pass. On other devices, and
/// for other dtypes, the same formulas are tensor operations.
///
/// A parameter without a gradient is left unchanged, and so are its moments, as in PyTorch.
#[derive(Debug)]
pub struct Optimizer {
    rule: Rule,
    weight_decay: f64,
    slots: BTreeMap<String, Slot>,
}

/// State of one parameter.
#[derive(Debug)]
struct Slot {
    steps: u32,
    /// The moments, stacked: the parameter's shape with an additional first axis.
    moments: Tensor,
}

impl Optimizer {
    /// Returns an optimizer without state.
    pub fn new(rule: Rule, weight_decay: f64) -> Self {
        Self { rule, weight_decay, slots: BTreeMap::new() }
    }

    /// Updates every parameter that has a gradient, in the order of their names.
    ///
    /// # Errors
    ///
    /// Fails if a gradient has another shape than its parameter, which an incorrect `bwd` can cause.
    pub fn step(
        &mut self,
        vars: &BTreeMap<String, Var>,
        gradients: &GradStore,
        learning_rate: f64,
    ) -> Result<()> {
        self.step_scaled(vars, gradients, learning_rate, 1.0)
    }

    /// Performs a [`step`](Self::step) with every gradient multiplied by `scale`, such as the factor of
    /// [`clip_factor`](crate::optim::clip_factor), without a separate pass.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`step`](Self::step).
    pub fn step_scaled(
        &mut self,
        vars: &BTreeMap<String, Var>,
        gradients: &GradStore,
        learning_rate: f64,
        scale: f64,
    ) -> Result<()> {
        for (name, var) in vars {
            let Some(gradient) = gradients.get(var) else { continue };
            if gradient.dims() != var.dims() {
                return said(format!(
                    "parameter `{name}` is {:?}, its gradient {:?}",
                    var.dims(),
                    gradient.dims()
                ));
            }
            if !self.slots.contains_key(name) {
                self.slots.insert(name.clone(), Slot::new(self.rule, var)?);
            }
            let Some(slot) = self.slots.get_mut(name) else { continue };
            slot.steps += 1;
            let constants =
                self.rule.constants(learning_rate, self.weight_decay, scale, slot.steps);
            slot.step(self.rule, var, gradient, &constants)?;
        }
        Ok(())
    }

    /// Returns the same optimizer as it was before its first step.
    pub(crate) fn emptied(&self) -> Self {
        Self::new(self.rule, self.weight_decay)
    }

    /// Returns the optimizer's state: `moments/NAME`, with the parameter's shape and an additional first axis
    /// for the moments, and `steps/NAME`, the parameter's number of steps (`u32`, no axes).
    ///
    /// # Errors
    ///
    /// Fails if a tensor cannot be copied.
    pub fn state(&self) -> Result<BTreeMap<String, Tensor>> {
        let mut state = BTreeMap::new();
        for (name, slot) in &self.slots {
            let device = slot.moments.device();
            state.insert(format!("steps/{name}"), Tensor::new(slot.steps, device)?);
            // Copied, since the next step changes the slot's tensor.
            state.insert(format!("moments/{name}"), slot.moments.copy()?);
        }
        Ok(state)
    }

    /// Sets the optimizer's state to one that [`state`](Self::state) returned.
    ///
    /// # Errors
    ///
    /// Fails if a tensor belongs to a parameter that is not in `vars`, has another shape than the rule
    /// requires, or lacks its counterpart (moments or steps); the message names it.
    pub fn restore(
        &mut self,
        vars: &BTreeMap<String, Var>,
        state: &BTreeMap<String, Tensor>,
    ) -> Result<()> {
        let mut slots = BTreeMap::new();
        for (name, tensor) in state {
            let var = |parameter: &str| {
                let unknown = || Error::Msg(format!("`{name}` is of no parameter of this model"));
                vars.get(parameter).ok_or_else(unknown)
            };
            if let Some(parameter) = name.strip_prefix("moments/") {
                let var = var(parameter)?;
                let shape = stacked(self.rule.moments(), var);
                if tensor.shape() != &shape {
                    return said(format!(
                        "`{name}` is {:?}, but should be {shape:?}",
                        tensor.shape()
                    ));
                }
                let Some(steps) = state.get(&format!("steps/{parameter}")) else {
                    return said(format!("there is `{name}`, but no `steps/{parameter}`"));
                };
                let moments = tensor.to_device(var.device())?.to_dtype(var.dtype())?.copy()?;
                let slot = Slot { steps: steps.to_scalar()?, moments };
                slots.insert(parameter.to_owned(), slot);
            } else if let Some(parameter) = name.strip_prefix("steps/") {
                var(parameter)?;
                if !state.contains_key(&format!("moments/{parameter}")) {
                    return said(format!("there is `{name}`, but no `moments/{parameter}`"));
                }
            } else {
                return said(format!("`{name}` is no optimizer's"));
            }
        }
        self.slots = slots;
        Ok(())
    }
}

/// Returns an error without the backtrace that candle adds to its own, since the fault is not in this code.
fn said<T>(message: String) -> Result<T> {
    Err(Error::Msg(message))
}

/// Returns the shape of a parameter's moments.
fn stacked(moments: usize, var: &Var) -> Shape {
    let mut dims = vec![moments];
    dims.extend(var.dims());
    Shape::from(dims)
}

impl Slot {
    fn new(rule: Rule, var: &Var) -> Result<Self> {
        let moments = Tensor::zeros(stacked(rule.moments(), var), var.dtype(), var.device())?;
        Ok(Self { steps: 0, moments })
    }

    fn step(&mut self, rule: Rule, var: &Var, gradient: &Tensor, c: &Constants) -> Result<()> {
        if !var.device().is_cpu() || var.dtype() != DType::F32 || gradient.dtype() != DType::F32 {
            self.moments = composed::step(rule, var, gradient, &self.moments, c)?;
            return Ok(());
        }
        // The gradient of a transposed weight is transposed as well.
        let gradient = gradient.contiguous()?;
        self.moments.inplace_op1(&OnMoments { rule, var, gradient: &gradient, constants: c })
    }
}

/// The update as an operation on the moments: candle allows changes of one tensor at a time, so the parameter
/// is updated inside.
struct OnMoments<'a> {
    rule: Rule,
    var: &'a Var,
    gradient: &'a Tensor,
    constants: &'a Constants,
}

impl InplaceOp1 for OnMoments<'_> {
    fn name(&self) -> &'static str {
        "optimizer-moments"
    }

    fn cpu_fwd(&self, storage: &mut CpuStorage, layout: &Layout) -> Result<()> {
        let moments = RefCell::new(floats_mut(storage, layout)?);
        let step = OnParameter { rule: self.rule, moments, constants: self.constants };
        self.var.inplace_op2(self.gradient, &step)
    }
}

/// The update as an operation on the parameter.
struct OnParameter<'a> {
    rule: Rule,
    moments: RefCell<&'a mut [f32]>,
    constants: &'a Constants,
}

impl InplaceOp2 for OnParameter<'_> {
    fn name(&self) -> &'static str {
        "optimizer-step"
    }

    fn cpu_fwd(
        &self,
        parameter: &mut CpuStorage,
        parameter_layout: &Layout,
        gradient: &CpuStorage,
        gradient_layout: &Layout,
    ) -> Result<()> {
        let parameter = floats_mut(parameter, parameter_layout)?;
        let gradient = floats(gradient, gradient_layout)?;
        let mut moments = self.moments.borrow_mut();
        match self.rule {
            Rule::Sgd { momentum: 0.0 } => kernels::descend(parameter, gradient, self.constants),
            Rule::Sgd { .. } => {
                kernels::momentum(parameter, gradient, &mut moments, self.constants);
            }
            Rule::Adam { .. } | Rule::AdamW { .. } => {
                let (first, second) = moments.split_at_mut(parameter.len());
                kernels::adam(parameter, gradient, first, second, self.constants);
            }
        }
        Ok(())
    }
}

/// Returns the elements of a contiguous tensor in `f32`.
pub(crate) fn floats<'a>(storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [f32]> {
    let values = storage.as_slice::<f32>()?;
    let range = layout.contiguous_offsets().map(|(start, end)| start..end);
    range.and_then(|range| values.get(range)).ok_or_else(not_contiguous)
}

fn floats_mut<'a>(storage: &'a mut CpuStorage, layout: &Layout) -> Result<&'a mut [f32]> {
    let CpuStorage::F32(values) = storage else {
        return said("an optimizer's kernel takes f32 alone".to_owned());
    };
    let range = layout.contiguous_offsets().map(|(start, end)| start..end);
    range.and_then(|range| values.get_mut(range)).ok_or_else(not_contiguous)
}

fn not_contiguous() -> Error {
    Error::Msg("an optimizer's kernel takes contiguous tensors alone".to_owned())
}
