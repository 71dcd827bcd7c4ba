//! The embedding table.

use candle_core::{CpuStorage, CustomOp1, DType, Layout, Module, Result, Shape, Tensor, bail};
use candle_nn::{Init, VarBuilder};

use crate::nn::composed;
use crate::nn::kernel::{Host, Real, contiguous, fuses, of_shape};

/// A table of vectors, looked up by id.
///
/// ```text
/// y[i] = table[ids[i]]        zeros where ids[i] is the padding index
/// ```
///
/// # Shapes
///
/// - table: `[V, D]`
/// - `forward` takes ids `[…]`, `u32`, and returns `[…, D]`
///
/// The row of the padding index, if there is one, counts as zeros and gets no gradient.
#[derive(Debug, Clone)]
pub struct Embedding {
    embeddings: Tensor,
    hidden_size: usize,
    padding: Option<u32>,
}

impl Embedding {
    /// Returns an embedding with a table `[V, D]` and its width `D`.
    pub fn new(embeddings: Tensor, hidden_size: usize) -> Self {
        Self { embeddings, hidden_size, padding: None }
    }

    /// Returns the same embedding, where the id `padding` gives zeros and gets no gradient.
    #[must_use]
    pub fn with_padding(self, padding: u32) -> Self {
        Self { padding: Some(padding), ..self }
    }

    /// Returns the table, `[V, D]`.
    pub fn embeddings(&self) -> &Tensor {
        &self.embeddings
    }

    /// Returns the width `D` of the table.
    pub fn hidden_size(&self) -> usize {
        self.hidden_size
    }

    /// Returns the id that gives zeros, if there is one.
    pub fn padding(&self) -> Option<u32> {
        self.padding
    }
}

impl Module for Embedding {
    /// Looks up each id: `[…]` to `[…, D]`.
    ///
    /// # Errors
    ///
    /// Fails if an id is not less than the number of rows; the message names the id.
    fn forward(&self, ids: &Tensor) -> Result<Tensor> {
        let (rows, width) = self.embeddings.dims2()?;
        if width != self.hidden_size {
            bail!("an embedding of width {} has a table of width {width}", self.hidden_size)
        }
        let flat = ids.to_dtype(DType::U32)?;
        let known = flat.flatten_all()?.to_vec1::<u32>()?;
        // On a GPU, an id that does not exist would end all work of the process.
        if let Some(id) = known.iter().find(|&&id| id as usize >= rows) {
            bail!(
                "the id {id} is not one of an embedding with {rows} rows, 0 to {}",
                rows.max(1) - 1
            )
        }
        if !fuses(&self.embeddings) {
            return composed::embedding(&self.embeddings, &flat, self.padding);
        }
        let mut dims = ids.dims().to_vec();
        dims.push(width);
        let lookup = Lookup { ids: known, shape: Shape::from(dims), padding: self.padding };
        self.embeddings.contiguous()?.apply_op1(lookup)
    }
}

/// Constructs an embedding of `in_size` rows of `out_size` numbers, the parameter `weight`, initialized from
/// the standard normal distribution.
///
/// # Errors
///
/// Fails if the parameter is missing from `vb` or has another shape.
pub fn embedding(in_size: usize, out_size: usize, vb: VarBuilder<'_>) -> Result<Embedding> {
    let init = Init::Randn { mean: 0.0, stdev: 1.0 };
    Ok(Embedding::new(vb.get_with_hints((in_size, out_size), "weight", init)?, out_size))
}

/// Constructs an embedding whose row `padding` gives zeros and gets no gradient.
///
/// # Errors
///
/// Returns the errors of [`embedding`].
pub fn embedding_with_padding(
    in_size: usize,
    out_size: usize,
    padding: u32,
    vb: VarBuilder<'_>,
) -> Result<Embedding> {
    Ok(embedding(in_size, out_size, vb)?.with_padding(padding))
}

/// The fused operation, applied to the table.
#[derive(Debug, Clone)]
struct Lookup {
    ids: Vec<u32>,
    shape: Shape,
    padding: Option<u32>,
}

impl Lookup {
    /// Returns position and id of each vector that is copied or added; padding is left out.
    fn counting(&self) -> impl Iterator<Item = (usize, usize)> {
        let numbered = self.ids.iter().enumerate().filter(|&(_, id)| Some(*id) != self.padding);
        numbered.map(|(n, &id)| (n, id as usize))
    }

    fn forward<T: Real>(&self, table: &[T], width: usize) -> Vec<T> {
        let mut y = Vec::with_capacity(self.ids.len() * width);
        for &id in &self.ids {
            let from = id as usize * width;
            match table.get(from..from + width) {
                Some(row) if Some(id) != self.padding => y.extend_from_slice(row),
                _ => y.resize(y.len() + width, T::zero()),
            }
        }
        y
    }

    /// Adds each vector's gradient to its row, in the order of the ids in the input.
    fn backward<T: Real>(&self, table: &Tensor, grad: &Tensor) -> Result<Tensor> {
        let grad = grad.contiguous()?;
        let host = Host::of(&grad);
        let g = host.slice::<T>()?;
        let (rows, width) = table.dims2()?;
        let mut sums = vec![T::zero(); rows * width];
        for (n, id) in self.counting() {
            let (from, to) = (n * width, id * width);
            let row = sums.get_mut(to..to + width).unwrap_or_default();
            for (sum, &g) in row.iter_mut().zip(g.get(from..from + width).unwrap_or_default()) {
                *sum += g;
            }
        }
        Tensor::from_vec(sums, (rows, width), table.device())
    }
}

impl CustomOp1 for Lookup {
    fn name(&self) -> &'static str {
        "embedding"
    }

    fn cpu_fwd(&self, table: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (_, width) = layout.shape().dims2()?;
        if let CpuStorage::F64(_) = table {
            let y = self.forward::<f64>(contiguous(table, layout)?, width);
            return Ok(of_shape(y, self.shape.clone()));
        }
        let y = self.forward::<f32>(contiguous(table, layout)?, width);
        Ok(of_shape(y, self.shape.clone()))
    }

    fn bwd(&self, table: &Tensor, _: &Tensor, grad: &Tensor) -> Result<Option<Tensor>> {
        if table.dtype() == DType::F64 {
            self.backward::<f64>(table, grad).map(Some)
        } else {
            self.backward::<f32>(table, grad).map(Some)
        }
    }
}
