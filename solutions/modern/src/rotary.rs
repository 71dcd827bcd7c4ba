//! Task 3: rotary positions.

use softmark_kit::BASE;
use softmark_kit::prelude::*;

/// Rotates the pairs of channels `i` and `i + K/2`.
#[derive(Debug)]
pub struct HalfSplit {
    /// Angle of each pair from one position to the next.
    steps: Vec<f64>, // [K/2]
}

impl Rotary for HalfSplit {
    fn new(width: usize) -> Result<Self> {
        if width % 2 == 1 {
            candle_core::bail!("{width} channels cannot be rotated in pairs");
        }
        let step = |i| BASE.powf(-2.0 * i as f64 / width as f64);
        Ok(Self { steps: (0..width / 2).map(step).collect() })
    }

    fn rotate(&self, x: &Tensor) -> Result<Tensor> {
        let (_, _, t, k) = x.dims4()?;
        let half = self.steps.len();
        if k != 2 * half {
            candle_core::bail!("heads of width {k} for rotations of width {}", 2 * half);
        }
        // In f64 until the end: an angle of 5000 has few digits left after the point in f32.
        let angles: Vec<f64> =
            (0..t).flat_map(|t| self.steps.iter().map(move |step| t as f64 * step)).collect();
        let table = |f: fn(f64) -> f64| {
            let values = angles.iter().map(|&angle| f(angle)).collect();
            Tensor::from_vec(values, (t, half), x.device())?.to_dtype(DType::F32)
        };
        let (cos, sin) = (table(f64::cos)?, table(f64::sin)?); // [T, K/2]
        let (a, b) = (x.narrow(3, 0, half)?, x.narrow(3, half, half)?); // [B, H, T, K/2]
        let first = (a.broadcast_mul(&cos)? - b.broadcast_mul(&sin)?)?;
        let second = (a.broadcast_mul(&sin)? + b.broadcast_mul(&cos)?)?;
        Tensor::cat(&[first, second], 3)
    }
}
