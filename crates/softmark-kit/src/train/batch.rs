//! Batches: examples padded to one length.

use std::iter::repeat;

use candle_core::{Device, Result, Tensor};
use softmark_common::examples::Examples;

/// Input of a training step.
#[derive(Debug, Clone)]
pub struct Batch {
    /// Token ids `[B, T]`, `u32`; padding is 0.
    pub ids: Tensor,
    /// Mask `[B, T]`, `u8`; **1 = a real token, 0 = padding**.
    pub mask: Tensor,
    /// Labels `[B]`, `u32`.
    pub labels: Tensor,
    /// Copy of the labels in host memory.
    pub(crate) classes: Vec<u32>,
}

impl Batch {
    /// Returns the batch of the examples with the given numbers, in that order.
    ///
    /// # Errors
    ///
    /// Fails if there are no examples, or a tensor cannot be created.
    pub fn new(
        examples: &Examples,
        numbers: &[usize],
        max_len: usize,
        device: &Device,
    ) -> Result<Self> {
        let rows: Vec<&[u32]> =
            numbers.iter().filter_map(|&i| examples.ids.get(i).map(Vec::as_slice)).collect();
        let classes: Vec<u32> =
            numbers.iter().filter_map(|&i| examples.labels.get(i).copied()).collect();
        let (ids, mask) = pad(&rows, max_len, device)?;
        let labels = Tensor::from_slice(&classes, classes.len(), device)?;
        Ok(Self { ids, mask, labels, classes })
    }
}

/// Cuts sequences at `max_len` and pads them with 0 to the longest of them: returns the ids, `[B, T]` in
/// `u32`, and the mask, `[B, T]` in `u8` with 1 for tokens.
///
/// `T` is at least 1, so that even empty sequences give a valid shape.
///
/// ```
/// use softmark_kit::prelude::*;
/// use softmark_kit::train::pad;
///
/// let (ids, mask) = pad(&[&[5, 6, 7], &[8]], 2, &Device::Cpu)?;
/// assert_eq!(ids.to_vec2::<u32>()?, [[5, 6], [8, 0]]);
/// assert_eq!(mask.to_vec2::<u8>()?, [[1, 1], [1, 0]]);
/// # Ok::<(), candle_core::Error>(())
/// ```
///
/// # Errors
///
/// Fails if a tensor cannot be created.
pub fn pad(rows: &[&[u32]], max_len: usize, device: &Device) -> Result<(Tensor, Tensor)> {
    let longest = rows.iter().map(|row| row.len()).max().unwrap_or_default();
    let length = longest.min(max_len).max(1);
    let mut ids = Vec::with_capacity(rows.len() * length);
    let mut mask = Vec::with_capacity(rows.len() * length);
    for row in rows {
        let real = row.len().min(max_len);
        ids.extend(row.iter().copied().take(real).chain(repeat(0)).take(length));
        mask.extend((0..length).map(|t| u8::from(t < real)));
    }
    let shape = (rows.len(), length);
    Ok((Tensor::from_vec(ids, shape, device)?, Tensor::from_vec(mask, shape, device)?))
}
