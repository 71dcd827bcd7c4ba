//! Attention as a candle operation; maps heads to their rows in memory.

use std::hint::black_box;
use std::sync::OnceLock;

use candle_core::{CpuStorage, CustomOp3, DType, Layout, Result, Shape, Tensor, bail};

use super::head::{self, Draws, Gradients, Head};
use super::product::{Rows, RowsMut};
use crate::nn::dropout::Draw;
use crate::nn::kernel::{Host, LANES, Real, each, of_shape, written};

/// The fused operation, on `[B, H, T, K]` or on `[B, T, H · K]`.
#[derive(Debug)]
pub(super) struct Attention {
    mask: Option<Vec<u8>>,
    /// Number of heads of the mask: all heads, or 1 shared by all.
    mask_heads: usize,
    draw: Option<Draw>,
    /// `Some(H)`: tensors are `[B, T, H · K]`; `None`: tensors are `[B, H, T, K]`.
    beside: Option<usize>,
    /// Weights kept by dropout in the forward pass, `[B, H, Tq, Tk]`: reading a byte each is faster than
    /// drawing them again.
    stays: OnceLock<Vec<u8>>,
}

/// Returns a tensor whose rows are contiguous; most views of heads already are.
pub(super) fn in_rows(x: &Tensor) -> Result<Tensor> {
    if x.stride().last() == Some(&1) { Ok(x.clone()) } else { x.contiguous() }
}

/// Returns the rows of head `n`, counted through the batch.
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

/// Prefetches the rows that adjacent heads share, in memory order.
///
/// Each head reads only its own few channels of every row, with a stride that the hardware prefetcher does
/// not predict. Without prefetching it waits for memory at every row, 3 to 9 % of a training step in all.
fn fetch<T: Real>(of: &Laid<'_, T>, first: usize, heads: usize) -> Result<()> {
    if heads > 1 {
        let Rows { all, start, count, step, .. } = rows(of, first)?;
        let shared = all.get(start..start + count * step).unwrap_or_default();
        // Read one number of each cache line.
        black_box(shared.iter().step_by(LANES).fold(T::zero(), |sum, &x| sum + x));
    }
    Ok(())
}

/// A slice and its layout as `[B, H, T, K]`.
type Laid<'a, T> = (&'a [T], Layout);

impl Attention {
    /// Returns the operation for heads with their own axis (`beside` is `None`) or for `beside` adjacent heads.
    pub(super) fn new(
        mask: Option<Vec<u8>>,
        mask_heads: usize,
        draw: Option<Draw>,
        beside: Option<usize>,
    ) -> Self {
        Self { mask, mask_heads, draw, beside, stays: OnceLock::new() }
    }

    /// Returns the layout with an axis for the heads.
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

    /// Returns the number of heads of one unit of work.
    fn together(&self) -> usize {
        self.beside.unwrap_or(1).max(1)
    }

    /// Returns the shape of a result with these sizes.
    fn shape(&self, [b, h, t, k]: [usize; 4]) -> Shape {
        if self.beside.is_some() { Shape::from((b, t, h * k)) } else { Shape::from((b, h, t, k)) }
    }

    /// Returns the rows of head `n`, of `width` channels, within a unit of work.
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
            kept: self.draw.map_or(T::one(), |draw| draw.scale()),
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
        let len = b * h * tq * width;
        let shape = self.shape([b, h, tq, width]);
        if k.1.shape().elem_count() == 0 {
            return Ok(of_shape(vec![T::zero(); len], shape)); // nothing to look at
        }
        let together = self.together();
        let size = tq * k.1.shape().dims4()?.2;
        let mut stays = vec![0; if self.draw.is_some() { b * h * size } else { 0 }];
        let mut of_parts = stays.chunks_mut((together * size).max(1));
        let parts = (0..).map(|part| (part, of_parts.next().unwrap_or_default()));
        let (output, done) = written(len, together * tq * width, parts, |(part, stays), output| {
            self.forward_part(part, [&q, &k, &v], stays, output)
        });
        done.into_iter().collect::<Result<()>>()?;
        // A second forward pass would draw the same weights.
        self.stays.get_or_init(|| stays);
        Ok(of_shape(output, shape))
    }

    /// Computes the output of the heads of one unit of work, with dropout if `stays` has room for it.
    fn forward_part<T: Real>(
        &self,
        part: usize,
        inputs: [&Laid<'_, T>; 3],
        stays: &mut [u8],
        output: &mut [T],
    ) -> Result<()> {
        let (together, [_, _, value]) = (self.together(), inputs);
        let (_, _, _, width) = value.1.shape().dims4()?;
        let size = stays.len() / together;
        let mut stays = stays.chunks_mut(size.max(1));
        for of in inputs {
            fetch(of, part * together, together)?;
        }
        for n in 0..together {
            let number = part * together + n;
            let draws = self.draw.zip(stays.next());
            let draws = draws.map(|(draw, stays)| Draws { stream: draw.stream(number), stays });
            head::forward(self.head(number, inputs)?, draws, self.target(output, n, width));
        }
        Ok(())
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
            Ok::<_, candle_core::Error>((together * t * width).max(1))
        };
        let (q_size, k_size, v_size) = (size(&q)?, size(&k)?, size(&v)?);
        let parts = dq.chunks_mut(q_size).zip(dk.chunks_mut(k_size)).zip(dv.chunks_mut(v_size));
        let done = each(parts.enumerate().collect(), |(part, ((dq, dk), dv))| {
            self.backward_part(part, [&q, &k, &v, &g], [dq, dk, dv])
        });
        done.into_iter().collect::<Result<()>>()?;
        let device = query.device();
        Ok([
            Tensor::from_vec(dq, query.shape(), device)?,
            Tensor::from_vec(dk, key.shape(), device)?,
            Tensor::from_vec(dv, value.shape(), device)?,
        ])
    }

    /// Computes the gradients of the heads of one unit of work.
    fn backward_part<T: Real>(
        &self,
        part: usize,
        [q, k, v, g]: [&Laid<'_, T>; 4],
        [dq, dk, dv]: [&mut [T]; 3],
    ) -> Result<()> {
        let together = self.together();
        let (_, _, queries, width) = q.1.shape().dims4()?;
        let (_, _, keys, v_width) = v.1.shape().dims4()?;
        let weights = queries * keys;
        let stays = self.stays.get().map(Vec::as_slice).unwrap_or_default();
        for of in [q, k, v, g] {
            fetch(of, part * together, together)?;
        }
        for n in 0..together {
            let number = part * together + n;
            let gradients = Gradients {
                query: self.target(dq, n, width),
                key: self.target(dk, n, width),
                value: self.target(dv, n, v_width),
            };
            let stays = stays.get(number * weights..(number + 1) * weights);
            head::backward(self.head(number, [q, k, v])?, stays, rows(g, number)?, gradients);
        }
        Ok(())
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
