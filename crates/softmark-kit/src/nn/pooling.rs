//! Pooling of a sequence into one vector, ignoring padding.

use candle_core::{CpuStorage, CustomOp1, DType, Layout, Result, Shape, Tensor, bail};

use crate::nn::composed;
use crate::nn::kernel::{Host, Real, contiguous, each, fuses, kernel, of_shape};

pub use crate::nn::options::Pooling;

/// Computes the mean over the real tokens: `y[b] = Σₜ mask[b, t] · x[b, t] / Σₜ mask[b, t]`.
///
/// # Shapes
///
/// - `x`: `[B, T, D]`, floating point
/// - `mask`: `[B, T]`, `u8`; **1 = a real token, 0 = padding**
/// - returns `[B, D]`; zeros for a sequence without a real token
///
/// # Errors
///
/// Fails if the shapes do not match.
pub fn masked_mean(x: &Tensor, mask: &Tensor) -> Result<Tensor> {
    pool(x, mask, Pooling::Mean)
}

/// Computes the largest number of each channel among the real tokens. Shapes are those of [`masked_mean`].
/// Among equal numbers, the gradient goes to the first.
///
/// # Errors
///
/// Fails if the shapes do not match.
pub fn masked_max(x: &Tensor, mask: &Tensor) -> Result<Tensor> {
    pool(x, mask, Pooling::Max)
}

/// Returns the vector of the first real token. Shapes are those of [`masked_mean`].
///
/// # Errors
///
/// Fails if the shapes do not match.
pub fn masked_first(x: &Tensor, mask: &Tensor) -> Result<Tensor> {
    pool(x, mask, Pooling::First)
}

fn pool(x: &Tensor, mask: &Tensor, kind: Pooling) -> Result<Tensor> {
    let (b, t, _) = x.dims3()?;
    if mask.dims() != [b, t] {
        bail!("pooling {:?} takes a mask [{b}, {t}], got {:?}", x.shape(), mask.shape())
    }
    if !fuses(x) {
        return composed::pooling(x, mask, kind);
    }
    let mask = mask.to_dtype(DType::U8)?.flatten_all()?.to_vec1()?;
    x.contiguous()?.apply_op1(Pool { mask, kind })
}

kernel! {
    /// Pools one sequence. `x` is `[T, D]`, `y` is `[D]` and initially zeros.
    fn forward<'a, T>(x: &'a [T], mask: &'a [u8], y: &'a mut [T], kind: Pooling) -> () {
        let seen = x.chunks_exact(y.len()).zip(mask).filter(|&(_, &seen)| seen != 0);
        let mut count = 0_u32;
        for (row, _) in seen {
            for (y, &x) in y.iter_mut().zip(row) {
                *y = match kind {
                    Pooling::Mean => *y + x,
                    Pooling::Max if count > 0 => y.larger(x),
                    Pooling::First if count > 0 => *y,
                    Pooling::Max | Pooling::First => x,
                };
            }
            count += 1;
        }
        if kind == Pooling::Mean {
            let share = T::one() / T::from_f64(f64::from(count.max(1)));
            for y in y {
                *y *= share;
            }
        }
    }
}

kernel! {
    /// Computes one sequence's gradient. `dx` is `[T, D]` and initially zeros.
    fn backward<'a, T>(
        x: &'a [T], mask: &'a [u8], pooled: (&'a [T], &'a [T]), dx: &'a mut [T], kind: Pooling,
    ) -> () {
        let (y, g) = pooled;
        let count = mask.iter().filter(|&&seen| seen != 0).count();
        let share = T::one() / T::from_f64(count.max(1) as f64);
        // For each channel, true once its largest number was found.
        let mut found = vec![false; y.len()];
        let rows = x.chunks_exact(y.len()).zip(dx.chunks_exact_mut(y.len()));
        for ((x, dx), _) in rows.zip(mask).filter(|&(_, &seen)| seen != 0) {
            match kind {
                Pooling::Mean => {
                    for (dx, &g) in dx.iter_mut().zip(g) {
                        *dx = g * share;
                    }
                }
                Pooling::Max => {
                    let channels = dx.iter_mut().zip(x).zip(y).zip(g).zip(&mut found);
                    for ((((dx, x), y), &g), found) in channels {
                        if !*found && x == y {
                            *dx = g;
                            *found = true;
                        }
                    }
                }
                Pooling::First => {
                    dx.copy_from_slice(g);
                    break;
                }
            }
        }
    }
}

/// The fused operation.
#[derive(Debug)]
struct Pool {
    mask: Vec<u8>,
    kind: Pooling,
}

impl Pool {
    fn forward<T: Real>(&self, x: &[T], shape: &Shape) -> Result<(CpuStorage, Shape)> {
        let (b, t, d) = shape.dims3()?;
        let mut y = vec![T::zero(); b * d];
        let (sequence, width) = ((t * d).max(1), d.max(1));
        let tasks = x.chunks(sequence).zip(self.mask.chunks(t.max(1))).zip(y.chunks_mut(width));
        each(tasks.collect(), |((x, mask), y)| forward(x, mask, y, self.kind));
        Ok(of_shape(y, (b, d)))
    }

    fn backward<T: Real>(&self, arg: &Tensor, res: &Tensor, grad: &Tensor) -> Result<Tensor> {
        let grad = grad.contiguous()?;
        let (x, y, g) = (Host::of(arg), Host::of(res), Host::of(&grad));
        let (x, y, g) = (x.slice::<T>()?, y.slice::<T>()?, g.slice::<T>()?);
        let (_, t, d) = arg.dims3()?;
        let mut dx = vec![T::zero(); x.len()];
        let (sequence, width) = ((t * d).max(1), d.max(1));
        let pooled = y.chunks(width).zip(g.chunks(width));
        let tasks = x.chunks(sequence).zip(self.mask.chunks(t.max(1))).zip(pooled);
        let tasks = tasks.zip(dx.chunks_mut(sequence)).collect();
        each(tasks, |(((x, mask), pooled), dx)| backward(x, mask, pooled, dx, self.kind));
        Tensor::from_vec(dx, arg.shape(), arg.device())
    }
}

impl CustomOp1 for Pool {
    fn name(&self) -> &'static str {
        "masked-pooling"
    }

    fn cpu_fwd(&self, x: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        if let CpuStorage::F64(_) = x {
            return self.forward::<f64>(contiguous(x, layout)?, layout.shape());
        }
        self.forward::<f32>(contiguous(x, layout)?, layout.shape())
    }

    fn bwd(&self, arg: &Tensor, res: &Tensor, grad: &Tensor) -> Result<Option<Tensor>> {
        if arg.dtype() == DType::F64 {
            self.backward::<f64>(arg, res, grad).map(Some)
        } else {
            self.backward::<f32>(arg, res, grad).map(Some)
        }
    }
}
