//! Loss functions.

use std::sync::{Mutex, PoisonError};

use candle_core::{CpuStorage, CustomOp1, DType, Layout, Result, Shape, Tensor, bail};

use crate::nn::composed;
use crate::nn::kernel::{Host, Real, block_of, contiguous, each, fuses, kernel, max, sum};

pub use crate::nn::options::CrossEntropyOptions;

/// Computes the cross-entropy between logits and classes, averaged over the rows.
///
/// ```text
/// loss = −1/N · Σₙ ln softmax(logits[n])[targets[n]]
/// ```
///
/// # Shapes
///
/// - `logits`: `[N, C]`, floating point
/// - `targets`: `[N]`, `u32`, each below `C`
/// - returns a scalar
///
/// # Errors
///
/// Fails if the shapes do not match, or a target is not a class; the message names the row.
pub fn cross_entropy(logits: &Tensor, targets: &Tensor) -> Result<Tensor> {
    cross_entropy_with(logits, targets, CrossEntropyOptions::default())
}

/// Computes the cross-entropy with label smoothing and ignored targets, as defined by PyTorch.
///
/// ```text
/// q[n, c] = (1 − ε) · [c = targets[n]] + ε / C
/// loss    = −1/M · Σₙ Σ_c q[n, c] · ln softmax(logits[n])[c]
/// ```
///
/// over the `M` rows whose target is not ignored; 0 if there are none. Label smoothing is from Szegedy et
/// al.,
/// *Rethinking the Inception Architecture* (2016), section 7.
///
/// # Errors
///
/// Returns the errors of [`cross_entropy`]; fails if ε is not within `0 ≤ ε < 1`.
///
/// ```
/// use candle_core::{Device, Tensor};
/// use softmark_kit::nn::loss::{CrossEntropyOptions, cross_entropy_with};
///
/// let logits = Tensor::new(&[[0_f32, 0.0], [0.0, 90.0]], &Device::Cpu)?;
/// let targets = Tensor::new(&[1_u32, 0], &Device::Cpu)?;
/// let options = CrossEntropyOptions { ignore_index: Some(0), ..Default::default() };
/// let loss = cross_entropy_with(&logits, &targets, options)?;
/// assert_eq!(loss.to_scalar::<f32>()?, std::f32::consts::LN_2);
/// # Ok::<(), candle_core::Error>(())
/// ```
pub fn cross_entropy_with(
    logits: &Tensor,
    targets: &Tensor,
    options: CrossEntropyOptions,
) -> Result<Tensor> {
    let CrossEntropyOptions { label_smoothing: smoothing, ignore_index } = options;
    if !(0.0..1.0).contains(&smoothing) {
        bail!("label smoothing has to be in [0, 1), got {smoothing}")
    }
    let &[rows, classes] = logits.dims() else {
        bail!("cross-entropy takes logits [N, C], got {:?}: reshape them", logits.shape())
    };
    if targets.dims() != [rows] {
        bail!(
            "cross-entropy of logits [{rows}, {classes}] takes targets [{rows}], got {:?}",
            targets.shape()
        )
    }
    let numbers = targets.to_dtype(DType::U32)?.to_vec1::<u32>()?;
    let counts = |target: &u32| Some(*target) != ignore_index;
    let wrong = |target: &u32| counts(target) && *target as usize >= classes;
    if let Some(row) = numbers.iter().position(wrong) {
        bail!(
            "the target of row {row} is not one of the {classes} classes, 0 to {}",
            classes.max(1) - 1
        )
    }
    let counting = numbers.iter().filter(|target| counts(target)).count();
    if !fuses(logits) {
        return composed::cross_entropy(logits, &numbers, options);
    }
    let targets = numbers.into_iter().map(|t| counts(&t).then_some(t as usize)).collect();
    let weight = 1.0 / counting.max(1) as f64;
    let gradient = Mutex::new(None);
    logits.contiguous()?.apply_op1(CrossEntropy { targets, smoothing, weight, gradient })
}

/// Target distribution and weight of a row.
#[derive(Debug, Clone, Copy)]
struct Target<T> {
    /// Share of the row's own class.
    own: T,
    /// Share of each class.
    each: T,
    /// Weight of the row, 1 / M.
    weight: T,
}

kernel! {
    /// Returns the sum of the rows' losses, and computes `∂/∂x = weight · (softmax(x) − q)`.
    fn forward<'a, T>(
        x: &'a [T], targets: &'a [Option<usize>], dx: &'a mut [T], width: usize, target: Target<T>,
    ) -> f64 {
        let mut total = 0.0;
        let rows = x.chunks_exact(width).zip(dx.chunks_exact_mut(width));
        for ((x, dx), class) in rows.zip(targets) {
            let Some(class) = *class else { continue };
            let largest = max(x);
            for (dx, &x) in dx.iter_mut().zip(x) {
                *dx = (x - largest).exp();
            }
            let weights = sum(dx);
            let shift = largest + weights.ln();
            let own = x.get(class).copied().unwrap_or(shift);
            total += ((shift - own) * target.own).to_f64();
            if target.each > T::zero() {
                let spread = T::from_f64(width as f64) * shift - sum(x);
                total += (spread * target.each).to_f64();
            }
            let (scale, even) = (target.weight / weights, target.weight * target.each);
            for dx in dx.iter_mut() {
                *dx = (*dx).mul_add(scale, -even);
            }
            if let Some(dx) = dx.get_mut(class) {
                *dx -= target.weight * target.own;
            }
        }
        total * target.weight.to_f64()
    }
}

kernel! {
    fn scale<'a, T>(x: &'a mut [T], by: T) -> () {
        for x in x {
            *x *= by;
        }
    }
}

/// The fused operation, on the logits.
///
/// The gradient is known together with the value, up to a factor that is 1 unless a student scales the loss.
/// It is therefore computed in the forward pass, while the exponentials are at hand, and kept until it is requested.
#[derive(Debug)]
struct CrossEntropy {
    targets: Vec<Option<usize>>,
    smoothing: f64,
    weight: f64,
    gradient: Mutex<Option<CpuStorage>>,
}

impl CrossEntropy {
    fn run<T: Real>(&self, x: &[T], width: usize) -> (T, Vec<T>) {
        let target = Target {
            own: T::from_f64(1.0 - self.smoothing),
            each: T::from_f64(self.smoothing / width.max(1) as f64),
            weight: T::from_f64(self.weight),
        };
        let mut dx = vec![T::zero(); x.len()];
        let rows = block_of(width);
        let block = (rows * width).max(1);
        let tasks = x.chunks(block).zip(self.targets.chunks(rows)).zip(dx.chunks_mut(block));
        let losses =
            each(tasks.collect(), |((x, targets), dx)| forward(x, targets, dx, width, target));
        (T::from_f64(losses.iter().sum()), dx)
    }

    fn forward<T: Real>(&self, x: &[T], width: usize) -> CpuStorage {
        let (loss, gradient) = self.run(x, width);
        let mut kept = self.gradient.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = Some(T::to_cpu_storage_owned(gradient));
        T::to_cpu_storage_owned(vec![loss])
    }

    fn backward<T: Real>(&self, logits: &Tensor, grad: &Tensor) -> Result<Tensor> {
        let kept = self.gradient.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut dx = match kept {
            Some(kept) => T::cpu_storage_data(kept)?,
            // Second backward pass through the same loss.
            None => self.run(Host::of(logits).slice::<T>()?, logits.dim(1)?).1,
        };
        let by = T::from_f64(grad.to_dtype(DType::F64)?.to_scalar::<f64>()?);
        if by != T::one() {
            each(dx.chunks_mut(block_of(1)).collect(), |dx| scale(dx, by));
        }
        Tensor::from_vec(dx, logits.shape(), logits.device())
    }
}

impl CustomOp1 for CrossEntropy {
    fn name(&self) -> &'static str {
        "cross-entropy"
    }

    fn cpu_fwd(&self, logits: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (_, width) = layout.shape().dims2()?;
        let loss = if let CpuStorage::F64(_) = logits {
            self.forward::<f64>(contiguous(logits, layout)?, width)
        } else {
            self.forward::<f32>(contiguous(logits, layout)?, width)
        };
        Ok((loss, Shape::from(())))
    }

    fn bwd(&self, logits: &Tensor, _: &Tensor, grad: &Tensor) -> Result<Option<Tensor>> {
        if logits.dtype() == DType::F64 {
            self.backward::<f64>(logits, grad).map(Some)
        } else {
            self.backward::<f32>(logits, grad).map(Some)
        }
    }
}
