//! A stack of frozen layers, as one operation with a gradient for its input.
//!
//! A frozen layer needs fewer intermediate results than a trainable one: the inputs of its linear maps are
//! not kept, since they serve only the gradients of the weights. For each layer the stack keeps query, key
//! and value, the hidden numbers before the activation, and the results of both norms: half of what the same
//! layers keep as separate operations. The stack processes the real tokens alone, since padding does not
//! influence them and its outputs are not used.

mod layer;
mod rows;

use std::fmt;
use std::sync::{Arc, OnceLock};

use candle_core::{CpuStorage, CustomOp1, DType, Layout, Result, Shape, Tensor, bail};

use self::layer::Kept;
use crate::nn::kernel::{Host, Real, contiguous, fuses, of_shape};

pub(crate) use self::layer::{FrozenLayer, PostNorm};

/// Applies frozen layers, in order, to the real tokens of a batch; the output at padding is zeros.
///
/// # Shapes
///
/// - `x`: `[B, T, D]`, on the CPU
/// - `mask`: `[B, T]`, `u8`; **1 = a real token, 0 = padding**
/// - returns `[B, T, D]`
pub(crate) fn frozen_stack(
    layers: &Arc<[FrozenLayer]>,
    x: &Tensor,
    mask: &Tensor,
) -> Result<Tensor> {
    if !fuses(x) {
        bail!("frozen layers run on the CPU, in f32 or f64")
    }
    let real = mask.to_dtype(DType::U8)?.to_vec2::<u8>()?;
    let texts = Texts::new(&real);
    let x = x.contiguous()?;
    if x.dtype() == DType::F64 {
        run(Stack::<f64> { layers: Arc::clone(layers), texts, kept: OnceLock::new() }, &x)
    } else {
        run(Stack::<f32> { layers: Arc::clone(layers), texts, kept: OnceLock::new() }, &x)
    }
}

fn run<T: Real>(stack: Stack<T>, x: &Tensor) -> Result<Tensor> {
    if x.track_op() {
        x.apply_op1(stack)
    } else {
        // No gradient is needed, so nothing is kept.
        let stack = Stack { kept: OnceLock::from(Vec::new()), ..stack };
        x.apply_op1_no_bwd(&stack)
    }
}

/// The positions of the real tokens of a batch.
#[derive(Debug)]
struct Texts {
    /// Indices of the real tokens, counted through the batch.
    places: Vec<usize>,
    /// Number of real tokens of each text.
    lengths: Vec<usize>,
}

impl Texts {
    fn new(real: &[Vec<u8>]) -> Self {
        let bits = real.iter().flatten().enumerate();
        Self {
            places: bits.filter(|(_, bit)| **bit != 0).map(|(place, _)| place).collect(),
            lengths: real.iter().map(|text| text.iter().filter(|bit| **bit != 0).count()).collect(),
        }
    }

    /// Returns the concatenated rows of the real tokens.
    fn pack<T: Real>(&self, all: &[T], width: usize) -> Vec<T> {
        let mut rows = Vec::with_capacity(self.places.len() * width);
        for place in &self.places {
            rows.extend_from_slice(all.get(place * width..(place + 1) * width).unwrap_or_default());
        }
        rows
    }

    /// Returns `len` numbers with the rows at their places and zeros elsewhere.
    fn unpack<T: Real>(&self, rows: &[T], width: usize, len: usize) -> Vec<T> {
        let mut all = vec![T::zero(); len];
        for (place, row) in self.places.iter().zip(rows.chunks_exact(width.max(1))) {
            let to = all.get_mut(place * width..(place + 1) * width).unwrap_or_default();
            for (to, &from) in to.iter_mut().zip(row) {
                *to = from;
            }
        }
        all
    }
}

/// The operation on a stack of frozen layers.
struct Stack<T> {
    layers: Arc<[FrozenLayer]>,
    texts: Texts,
    /// Intermediate results of each layer; set in advance to an empty list if nothing is kept.
    kept: OnceLock<Vec<Kept<T>>>,
}

impl<T> fmt::Debug for Stack<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stack").field("layers", &self.layers.len()).finish_non_exhaustive()
    }
}

impl<T: Real> CustomOp1 for Stack<T> {
    fn name(&self) -> &'static str {
        "frozen-stack"
    }

    fn cpu_fwd(&self, x: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (_, _, width) = layout.shape().dims3()?;
        let all: &[T] = contiguous(x, layout)?;
        let keeps = self.kept.get().is_none();
        let mut rows = self.texts.pack(all, width);
        let mut kept = Vec::new();
        for layer in &*self.layers {
            let (y, of_layer) = layer.forward(rows, &self.texts.lengths, keeps)?;
            kept.extend(of_layer);
            rows = y;
        }
        self.kept.get_or_init(|| kept);
        Ok(of_shape(self.texts.unpack(&rows, width, all.len()), layout.shape()))
    }

    fn bwd(&self, x: &Tensor, _: &Tensor, grad: &Tensor) -> Result<Option<Tensor>> {
        let (_, _, width) = x.dims3()?;
        let grad = grad.contiguous()?;
        let host = Host::of(&grad);
        let mut g = self.texts.pack(host.slice::<T>()?, width);
        let kept = self.kept.get().map(Vec::as_slice).unwrap_or_default();
        if kept.len() != self.layers.len() {
            bail!("a frozen stack kept nothing for the way back")
        }
        for (layer, kept) in self.layers.iter().zip(kept).rev() {
            g = layer.backward(g, kept, &self.texts.lengths)?;
        }
        let all = self.texts.unpack(&g, width, x.elem_count());
        Tensor::from_vec(all, x.shape(), x.device()).map(Some)
    }
}
