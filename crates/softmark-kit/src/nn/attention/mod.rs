//! Scaled dot-product attention as one operation.

mod head;
mod product;

use candle_core::{CpuStorage, CustomOp3, D, DType, Layout, Result, Shape, Tensor, bail};

use self::head::{Gradients, Head};
use self::product::Rows;
use super::composed;
use super::dropout::Draw;
use super::kernel::{Host, Real, each, fuses, of_shape};

/// Scaled dot-product attention over `H` heads, with dropout on the weights while training.
///
/// ```text
/// weights = softmax(query · keyᵀ / √K)     over the keys whose mask is 1; exactly 0 at the others
/// output  = dropout(weights) · value
/// ```
///
/// From Vaswani et al., *Attention Is All You Need* (2017), section 3.2.1.
///
/// # Shapes
///
/// - `query`: `[B, H, Tq, K]`, floating point
/// - `key`, `value`: `[B, H, Tk, K]`; any views, such as `[B, T, H, K]` with two axes swapped
/// - `mask`: `[B, 1, Tq, Tk]` or `[B, H, Tq, Tk]`, `u8`, **1 = may look, 0 = may not**
/// - returns `[B, H, Tq, K]`
///
/// A query that may look at nothing gets an output of 0.
/// The weights are never in memory as a whole; for those, see [`composed`].
///
/// # Errors
///
/// When the shapes do not fit one another, or `dropout` is not within `0 ≤ p < 1`.
///
/// ```
/// use candle_core::{DType, Device, Tensor};
/// use softmark_kit::nn::attention::scaled_dot_product_attention;
///
/// let query = Tensor::zeros((1, 1, 1, 2), DType::F32, &Device::Cpu)?;
/// let key = Tensor::ones((1, 1, 3, 2), DType::F32, &Device::Cpu)?;
/// let value = Tensor::new(&[[[[1_f32, 0.0], [3.0, 0.0], [8.0, 8.0]]]], &Device::Cpu)?;
/// let mask = Tensor::new(&[[[[1_u8, 1, 0]]]], &Device::Cpu)?;
/// let y = scaled_dot_product_attention(&query, &key, &value, Some(&mask), 0.0, false)?;
/// assert_eq!(y.flatten_all()?.to_vec1::<f32>()?, [2.0, 0.0]);
/// # Ok::<(), candle_core::Error>(())
/// ```
pub fn scaled_dot_product_attention(
    query: &Tensor,
    key: &Tensor,
    value: &Tensor,
    mask: Option<&Tensor>,
    dropout: f32,
    train: bool,
) -> Result<Tensor> {
    let (b, h, tq, k) = query.dims4()?;
    let tk = key.dim(2)?;
    if key.dims() != [b, h, tk, k] || value.dims() != [b, h, tk, value.dim(D::Minus1)?] {
        let (query, key, value) = (query.shape(), key.shape(), value.shape());
        bail!(
            "attention from a query {query:?} to a key {key:?} and a value {value:?}: \
               batch, heads, keys and the width of query and key have to agree"
        )
    }
    let heads = match mask.map(Tensor::dims) {
        None => 1,
        Some(&[mb, mh, mq, mk]) if mb == b && (mh == 1 || mh == h) && mq == tq && mk == tk => mh,
        Some(dims) => bail!("attention takes a mask [{b}, 1 or {h}, {tq}, {tk}], got {dims:?}"),
    };
    let draw = if train { Draw::next(dropout)? } else { None };
    let same = key.dtype() == query.dtype() && value.dtype() == query.dtype();
    if !same || !fuses(query) {
        return composed::attention_with(query, key, value, mask, |weights| match &draw {
            Some(draw) => {
                let factors = draw.factors_by(weights.shape(), weights.device(), tq * tk)?;
                weights * factors.to_dtype(weights.dtype())?
            }
            None => Ok(weights.clone()),
        });
    }
    let mask = match mask {
        Some(mask) => Some(mask.to_dtype(DType::U8)?.flatten_all()?.to_vec1()?),
        None => None,
    };
    let (query, key, value) = (in_rows(query)?, in_rows(key)?, in_rows(value)?);
    query.apply_op3(&key, &value, Attention { mask, heads, draw })
}

/// A tensor each of whose rows lies in one piece; most views of heads do.
fn in_rows(x: &Tensor) -> Result<Tensor> {
    if x.stride().last() == Some(&1) { Ok(x.clone()) } else { x.contiguous() }
}

/// The fused operation.
#[derive(Debug)]
struct Attention {
    mask: Option<Vec<u8>>,
    /// How many heads the mask has: all, or one for all.
    heads: usize,
    draw: Option<Draw>,
}

/// The rows of the head `n`, counted through the batch.
fn rows<'a, T>(all: &'a [T], layout: &Layout, n: usize) -> Result<Rows<'a, T>> {
    let (_, heads, count, width) = layout.shape().dims4()?;
    let &[batch_step, head_step, row_step, step] = layout.stride() else {
        bail!("attention takes four axes, got {:?}", layout.shape())
    };
    if step != 1 && width > 1 {
        bail!("attention reads rows that lie in one piece, got {layout:?}")
    }
    let heads = heads.max(1);
    let start = layout.start_offset() + n / heads * batch_step + n % heads * head_step;
    Ok(Rows { all, start, count, width, step: row_step })
}

/// Numbers, and how they lie in memory.
type Laid<'a, T> = (&'a [T], &'a Layout);

impl Attention {
    fn head<'a, T: Real>(
        &'a self,
        n: usize,
        query: Laid<'a, T>,
        key: Laid<'a, T>,
        value: Laid<'a, T>,
    ) -> Result<Head<'a, T>> {
        let (_, heads, queries, width) = query.1.shape().dims4()?;
        let key = rows(key.0, key.1, n)?;
        let mask = self.mask.as_deref().and_then(|mask| {
            let of = if self.heads == 1 { n / heads.max(1) } else { n };
            let size = queries * key.count;
            mask.get(of * size..(of + 1) * size)
        });
        Ok(Head {
            query: rows(query.0, query.1, n)?,
            key,
            value: rows(value.0, value.1, n)?,
            mask,
            dropout: self.draw.map(|draw| (draw.stream(n), draw.scale())),
            scale: T::from_f64(1.0 / (width.max(1) as f64).sqrt()),
        })
    }

    fn forward<T: Real>(
        &self,
        query: Laid<'_, T>,
        key: Laid<'_, T>,
        value: Laid<'_, T>,
    ) -> Result<(CpuStorage, Shape)> {
        let (b, h, tq, _) = query.1.shape().dims4()?;
        let (_, _, _, k) = value.1.shape().dims4()?;
        let mut output = vec![T::zero(); b * h * tq * k];
        let tasks = output.chunks_mut((tq * k).max(1)).enumerate().collect();
        let done = each(tasks, |(n, output)| {
            head::forward(self.head(n, query, key, value)?, output);
            Ok(())
        });
        done.into_iter().collect::<Result<()>>()?;
        Ok(of_shape(output, (b, h, tq, k)))
    }

    fn backward<T: Real>(&self, [query, key, value, grad]: [&Tensor; 4]) -> Result<[Tensor; 3]> {
        let grad = &in_rows(grad)?;
        let (hq, hk, hv, hg) = (Host::of(query), Host::of(key), Host::of(value), Host::of(grad));
        let (q, k, v) = (hq.strided::<T>()?, hk.strided::<T>()?, hv.strided::<T>()?);
        let (g, g_layout) = hg.strided::<T>()?;
        let zeros = |of: &Tensor| vec![T::zero(); of.elem_count()];
        let [mut dq, mut dk, mut dv] = [query, key, value].map(zeros);
        let size = |of: &Tensor| Ok::<usize, candle_core::Error>((of.dim(2)? * of.dim(3)?).max(1));
        let (q_size, k_size, v_size) = (size(query)?, size(key)?, size(value)?);
        let tasks = dq.chunks_mut(q_size).zip(dk.chunks_mut(k_size)).zip(dv.chunks_mut(v_size));
        let done = each(tasks.enumerate().collect(), |(n, ((query, key), value))| {
            let head = self.head(n, q, k, v)?;
            head::backward(head, rows(g, g_layout, n)?, Gradients { query, key, value });
            Ok(())
        });
        done.into_iter().collect::<Result<()>>()?;
        let device = query.device();
        Ok([
            Tensor::from_vec(dq, query.shape(), device)?,
            Tensor::from_vec(dk, key.shape(), device)?,
            Tensor::from_vec(dv, value.shape(), device)?,
        ])
    }
}

impl CustomOp3 for Attention {
    fn name(&self) -> &'static str {
        "attention"
    }

    fn cpu_fwd(
        &self,
        query: &CpuStorage,
        query_layout: &Layout,
        key: &CpuStorage,
        key_layout: &Layout,
        value: &CpuStorage,
        value_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        if let CpuStorage::F64(_) = query {
            let (key, value) = (key.as_slice::<f64>()?, value.as_slice()?);
            let (key, value) = ((key, key_layout), (value, value_layout));
            return self.forward((query.as_slice()?, query_layout), key, value);
        }
        let (key, value) = (key.as_slice::<f32>()?, value.as_slice()?);
        let (key, value) = ((key, key_layout), (value, value_layout));
        self.forward((query.as_slice()?, query_layout), key, value)
    }

    fn bwd(
        &self,
        query: &Tensor,
        key: &Tensor,
        value: &Tensor,
        _: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let [dq, dk, dv] = if query.dtype() == DType::F64 {
            self.backward::<f64>([query, key, value, grad])?
        } else {
            self.backward::<f32>([query, key, value, grad])?
        };
        Ok((Some(dq), Some(dk), Some(dv)))
    }
}
