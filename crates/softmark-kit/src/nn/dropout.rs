//! Dropout with reproducible masks.
//!
//! candle's generator cannot be seeded on the CPU, so masks come from this crate's streams. The mask of a
//! call depends on three numbers: the seed of the training run, the step, and the number of earlier dropout
//! calls in this step. A trainer calls [`begin_step`] before each forward pass. So a run that is resumed at
//! step 1000 draws the same masks as an uninterrupted run, and neither the number of threads nor an
//! evaluation in between changes a mask.
//!
//! The count is kept per thread: trainings on different threads do not affect one another. Without a trainer,
//! seed and step are 0, and the count continues from call to call.

use std::cell::Cell;
use std::sync::OnceLock;

use candle_core::{CpuStorage, CustomOp1, DType, Layout, ModuleT, Result, Shape, Tensor, bail};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::nn::kernel::{Host, Real, contiguous, each, fuses, kernel, of_shape, written};
use crate::rng;

thread_local! {
    static CONTEXT: Cell<Context> = const { Cell::new(Context { seed: 0, step: 0, call: 0 }) };
}

#[derive(Debug, Clone, Copy)]
struct Context {
    seed: u64,
    step: u64,
    call: u64,
}

/// Starts the step `step` of a training run with the seed `seed`: the next dropout call on this thread is the
/// first of the step.
///
/// ```
/// use candle_core::{DType, Device, Tensor};
/// use softmark_kit::nn::{Dropout, dropout};
///
/// let x = Tensor::ones(64, DType::F32, &Device::Cpu)?;
/// let layer = Dropout::new(0.5);
/// dropout::begin_step(7, 3);
/// let (a, b) = (layer.forward(&x, true)?, layer.forward(&x, true)?);
/// dropout::begin_step(7, 3);
/// let c = layer.forward(&x, true)?;
/// assert_ne!(a.to_vec1::<f32>()?, b.to_vec1::<f32>()?);
/// assert_eq!(a.to_vec1::<f32>()?, c.to_vec1::<f32>()?);
/// # Ok::<(), candle_core::Error>(())
/// ```
pub fn begin_step(seed: u64, step: u64) {
    CONTEXT.set(Context { seed, step, call: 0 });
}

/// Dropout: in training, each element is set to 0 with probability `p`, and the others are scaled so that the
/// expected value is unchanged. Outside of training it does nothing.
///
/// ```text
/// y = x · m / (1 − p)      m is 0 with probability p, otherwise 1
/// ```
///
/// From Srivastava et al., *Dropout* (2014), in the inverted form that PyTorch uses. Probabilities are
/// multiples of 2⁻¹⁶.
#[derive(Debug, Clone)]
pub struct Dropout {
    p: f32,
}

impl Dropout {
    /// Returns dropout with probability `p`, from `0 ≤ p < 1`.
    pub fn new(p: f32) -> Self {
        Self { p }
    }

    /// Drops elements of `xs` if `train` is true.
    ///
    /// # Shapes
    ///
    /// - `xs`: any shape, floating point
    /// - returns the same shape and type
    ///
    /// # Errors
    ///
    /// Fails if the probability is not within `0 ≤ p < 1`.
    pub fn forward(&self, xs: &Tensor, train: bool) -> Result<Tensor> {
        if train { dropout(xs, self.p) } else { Ok(xs.clone()) }
    }
}

impl ModuleT for Dropout {
    fn forward_t(&self, xs: &Tensor, train: bool) -> Result<Tensor> {
        self.forward(xs, train)
    }
}

/// Drops elements of `xs` with probability `p`, regardless of a mode; see [`Dropout`].
///
/// # Errors
///
/// Fails if the probability is not within `0 ≤ p < 1`.
pub fn dropout(xs: &Tensor, p: f32) -> Result<Tensor> {
    match Draw::next(p)? {
        None => Ok(xs.clone()),
        Some(draw) if fuses(xs) => {
            xs.contiguous()?.apply_op1(Dropping { draw, stays: OnceLock::new() })
        }
        Some(draw) => xs * draw.factors(xs, STREAM)?,
    }
}

/// Number of elements drawn from one stream; a multiple of the cipher's block.
const STREAM: usize = 8192;

/// Random draw of one dropout call: its streams, threshold and scale.
#[derive(Debug, Clone, Copy)]
pub(in crate::nn) struct Draw {
    key: [u8; 32],
    /// An element is kept if its 16 random bits are not below this number.
    threshold: u16,
    /// 1 / (1 − p)
    scale: f64,
}

impl Draw {
    /// Returns the draw of the next call on this thread; `None` if nothing is dropped.
    pub(in crate::nn) fn next(p: f32) -> Result<Option<Self>> {
        if !(0.0..1.0).contains(&p) {
            bail!("the probability of dropout has to be in [0, 1), got {p}")
        }
        let Context { seed, step, call } = CONTEXT.get();
        // Counted even for p = 0, so that another p leaves the masks of other layers unchanged.
        CONTEXT.set(Context { seed, step, call: call + 1 });
        let threshold = (f64::from(p) * 65_536.0).round().min(65_535.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "from 0 to 65535, and whole"
        )]
        let threshold = threshold as u16;
        let key = rng::key(seed, &format!("dropout/{call}"), step);
        let scale = 1.0 / (1.0 - f64::from(p));
        Ok((threshold > 0).then_some(Self { key, threshold, scale }))
    }

    /// Returns the scale of kept elements, 1 / (1 − p).
    pub(in crate::nn) fn scale<T: Real>(&self) -> T {
        T::from_f64(self.scale)
    }

    /// Returns stream number `n` of this call.
    pub(in crate::nn) fn stream(&self, n: usize) -> KeepStream {
        let mut rng = ChaCha8Rng::from_seed(self.key);
        rng.set_stream(n as u64);
        KeepStream { rng, threshold: self.threshold }
    }

    /// Returns the factors `m / (1 − p)` of the elements of `xs`, with a separate stream for every `per_stream`
    /// elements: those of the fused kernel, drawn in this process and copied to the device as bytes.
    pub(in crate::nn) fn factors(&self, xs: &Tensor, per_stream: usize) -> Result<Tensor> {
        let mut stays = vec![0; xs.elem_count()];
        let streams = stays.chunks_mut(per_stream.max(1)).enumerate().collect();
        each(streams, |(n, stays)| self.stream(n).fill(stays));
        Tensor::from_vec(stays, xs.shape(), xs.device())?.to_dtype(xs.dtype())? * self.scale
    }
}

/// Random stream that selects the kept elements, with 16 random bits per element.
#[derive(Debug)]
pub(in crate::nn) struct KeepStream {
    rng: ChaCha8Rng,
    threshold: u16,
}

impl KeepStream {
    /// Sets each of the next elements to 1 if it is kept, otherwise to 0.
    pub(in crate::nn) fn fill(&mut self, stays: &mut [u8]) {
        let mut bytes = [0; 1024];
        for stays in stays.chunks_mut(512) {
            let (bytes, _) = bytes.split_at_mut(2 * stays.len());
            self.rng.fill_bytes(bytes);
            for (stays, bits) in stays.iter_mut().zip(bytes.as_chunks::<2>().0) {
                *stays = u8::from(u16::from_le_bytes(*bits) >= self.threshold);
            }
        }
    }
}

kernel! {
    /// Computes `y = x · scale` for kept elements and 0 for dropped ones.
    fn apply<'a, T>(x: &'a [T], y: &'a mut [T], stays: &'a [u8], scale: T) -> () {
        for ((y, &x), &stays) in y.iter_mut().zip(x).zip(stays) {
            *y = if stays == 0 { T::zero() } else { x * scale };
        }
    }
}

/// The fused operation.
#[derive(Debug)]
struct Dropping {
    draw: Draw,
    /// Elements kept in the forward pass: reading a byte each is faster than drawing them again.
    stays: OnceLock<Vec<u8>>,
}

impl Dropping {
    fn forward<T: Real>(&self, x: &[T]) -> Vec<T> {
        let mut stays = vec![0; x.len()];
        let inputs = x.chunks(STREAM).zip(stays.chunks_mut(STREAM)).enumerate();
        let (y, _) = written(x.len(), STREAM, inputs, |(n, (x, stays)), y| {
            self.draw.stream(n).fill(stays);
            apply(x, y, stays, self.draw.scale());
        });
        self.stays.get_or_init(|| stays);
        y
    }

    /// Multiplies the gradient by the same factors as in the forward pass.
    fn backward<T: Real>(&self, grad: &Tensor) -> Result<Tensor> {
        let grad = grad.contiguous()?;
        let Some(stays) = self.stays.get() else { bail!("dropout goes back before it went forth") };
        let host = Host::of(&grad);
        let g = host.slice::<T>()?;
        let inputs = g.chunks(STREAM).zip(stays.chunks(STREAM));
        let work = |(g, stays), dx: &mut [T]| apply(g, dx, stays, self.draw.scale());
        let (dx, _) = written(g.len(), STREAM, inputs, work);
        Tensor::from_vec(dx, grad.shape(), grad.device())
    }
}

impl CustomOp1 for Dropping {
    fn name(&self) -> &'static str {
        "dropout"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        if let CpuStorage::F64(_) = storage {
            return Ok(of_shape(self.forward::<f64>(contiguous(storage, layout)?), layout.shape()));
        }
        Ok(of_shape(self.forward::<f32>(contiguous(storage, layout)?), layout.shape()))
    }

    fn bwd(&self, arg: &Tensor, _: &Tensor, grad: &Tensor) -> Result<Option<Tensor>> {
        if arg.dtype() == DType::F64 {
            self.backward::<f64>(grad).map(Some)
        } else {
            self.backward::<f32>(grad).map(Some)
        }
    }
}
