//! Attention as an operation of candle's: which head reads and writes what.

use candle_core::{CpuStorage, CustomOp3, DType, Layout, Result, Shape, Tensor, bail};

use super::head::{self, Gradients, Head};
use super::in_rows;
use super::product::{Rows, RowsMut};
use crate::nn::dropout::Draw;
use crate::nn::kernel::{Host, Real, each, of_shape};

/// The fused operation, on `[B, H, T, K]` or on `[B, T, H · K]`.
#[derive(Debug)]
pub(super) struct Attention {
    pub(super) mask: Option<Vec<u8>>,
    /// How many heads the mask has: all, or one for all.
    pub(super) mask_heads: usize,
    pub(super) draw: Option<Draw>,
    /// How many heads lie side by side in the channels; `None` where they have an axis.
    pub(super) beside: Option<usize>,
}

/// The rows of the head `n`, counted through the batch.
fn rows<'a, T>((all, layout): &Laid<'a, T>, n: usize) -> Result<Rows<'a, T>> {
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

/// Numbers, and how they lie in memory as `[B, H, T, K]`.
type Laid<'a, T> = (&'a [T], Layout);

/// What is handed to a thread to write to: some rows of heads.
type Part<'a, T> = &'a mut [T];

impl Attention {
    /// The layout with an axis for the heads.
    fn split(&self, layout: &Layout) -> Result<Layout> {
        let Some(heads) = self.beside else { return Ok(layout.clone()) };
        let (b, t, d) = layout.shape().dims3()?;
        let &[batch_step, row_step, step] = layout.stride() else {
            bail!("attention takes three axes, got {:?}", layout.shape())
        };
        let width = d / heads.max(1);
        let strides = vec![batch_step, width * step, row_step, step];
        Ok(Layout::new(Shape::from((b, heads, t, width)), strides, layout.start_offset()))
    }

    /// How many heads a part has.
    fn together(&self) -> usize {
        self.beside.unwrap_or(1).max(1)
    }

    /// The shape of a result with these sizes.
    fn shape(&self, (b, h, t, k): (usize, usize, usize, usize)) -> Shape {
        if self.beside.is_some() { Shape::from((b, t, h * k)) } else { Shape::from((b, h, t, k)) }
    }

    /// The rows of a part's head `n` of `width` channels.
    fn target<'a, T>(&self, part: &'a mut [T], n: usize, width: usize) -> RowsMut<'a, T> {
        RowsMut { all: part, start: n * width, width, step: self.together() * width }
    }

    fn head<'a, T: Real>(&'a self, n: usize, [q, k, v]: [&Laid<'a, T>; 3]) -> Result<Head<'a, T>> {
        let (_, heads, queries, width) = q.1.shape().dims4()?;
        let key = rows(k, n)?;
        let mask = self.mask.as_deref().and_then(|mask| {
            let of = if self.mask_heads == 1 { n / heads.max(1) } else { n };
            let size = queries * key.count;
            mask.get(of * size..(of + 1) * size)
        });
        Ok(Head {
            query: rows(q, n)?,
            key,
            value: rows(v, n)?,
            mask,
            dropout: self.draw.map(|draw| (draw.stream(n), draw.scale())),
            scale: T::from_f64(1.0 / (width.max(1) as f64).sqrt()),
        })
    }

    fn forward<T: Real>(&self, inputs: [(&CpuStorage, &Layout); 3]) -> Result<(CpuStorage, Shape)> {
        let [q, k, v] = inputs.map(|(storage, layout)| {
            Ok::<Laid<'_, T>, candle_core::Error>((storage.as_slice()?, self.split(layout)?))
        });
        let (q, k, v) = (q?, k?, v?);
        let (b, h, tq, _) = q.1.shape().dims4()?;
        let (_, _, _, width) = v.1.shape().dims4()?;
        let mut output = vec![T::zero(); b * h * tq * width];
        let shape = self.shape((b, h, tq, width));
        if k.1.shape().elem_count() == 0 {
            return Ok(of_shape(output, shape)); // nothing to look at
        }
        let together = self.together();
        let parts = output.chunks_mut((together * tq * width).max(1)).enumerate().collect();
        let done = each(parts, |(part, output): (usize, Part<'_, T>)| {
            (0..together).try_for_each(|n| {
                let head = self.head(part * together + n, [&q, &k, &v])?;
                head::forward(head, self.target(output, n, width));
                Ok(())
            })
        });
        done.into_iter().collect::<Result<()>>()?;
        Ok(of_shape(output, shape))
    }

    fn backward<T: Real>(&self, [query, key, value, grad]: [&Tensor; 4]) -> Result<[Tensor; 3]> {
        if key.elem_count() == 0 {
            return Ok([query.zeros_like()?, key.zeros_like()?, value.zeros_like()?]);
        }
        let grad = &in_rows(grad)?;
        let hosts = [query, key, value, grad].map(Host::of);
        let [q, k, v, g] = hosts.each_ref().map(|host| {
            let (numbers, layout) = host.strided()?;
            Ok::<Laid<'_, T>, candle_core::Error>((numbers, self.split(layout)?))
        });
        let (q, k, v, g) = (q?, k?, v?, g?);
        let [mut dq, mut dk, mut dv] =
            [query, key, value].map(|of| vec![T::zero(); of.elem_count()]);
        let together = self.together();
        let size = |of: &Laid<'_, T>| {
            let (_, _, t, width) = of.1.shape().dims4()?;
            Ok::<_, candle_core::Error>(((together * t * width).max(1), width))
        };
        let ((q_size, width), (k_size, _), (v_size, v_width)) = (size(&q)?, size(&k)?, size(&v)?);
        let parts = dq.chunks_mut(q_size).zip(dk.chunks_mut(k_size)).zip(dv.chunks_mut(v_size));
        let done = each(parts.enumerate().collect(), |(part, ((dq, dk), dv))| {
            (0..together).try_for_each(|n| {
                let number = part * together + n;
                let gradients = Gradients {
                    query: self.target(dq, n, width),
                    key: self.target(dk, n, width),
                    value: self.target(dv, n, v_width),
                };
                head::backward(self.head(number, [&q, &k, &v])?, rows(&g, number)?, gradients);
                Ok(())
            })
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
        let inputs = [(query, query_layout), (key, key_layout), (value, value_layout)];
        if let CpuStorage::F64(_) = query {
            self.forward::<f64>(inputs)
        } else {
            self.forward::<f32>(inputs)
        }
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
