//! Tasks 3 and 4: sinusoidal and learned positional encoding.

use softmark_kit::prelude::*;

/// Adds the first rows of `table` (`[max_len, D]`) to a sequence.
fn add_rows(x: &Tensor, table: &Tensor) -> Result<Tensor> {
    let (_, t, d) = x.dims3()?;
    let (max_len, width) = table.dims2()?;
    if d != width {
        candle_core::bail!("an input of width {d} in a model of width {width}");
    }
    if t > max_len {
        candle_core::bail!("a sequence of length {t}, at most {max_len} can be encoded");
    }
    x.broadcast_add(&table.narrow(0, 0, t)?)
}

/// Sines and cosines of falling frequency, computed once.
#[derive(Debug)]
pub struct Sinusoidal {
    table: Tensor, // [max_len, D]
}

impl SinusoidalPosition for Sinusoidal {
    fn new(config: PositionConfig) -> Result<Self> {
        let PositionConfig { d_model, max_len } = config;
        if d_model % 2 == 1 {
            candle_core::bail!("a model of odd width {d_model} has a sine without a cosine");
        }
        let mut rows = Vec::with_capacity(max_len * d_model);
        for t in 0..max_len {
            for channel in (0..d_model).step_by(2) {
                let angle = t as f64 / 10_000_f64.powf(channel as f64 / d_model as f64);
                rows.extend([angle.sin(), angle.cos()]);
            }
        }
        // In f64 until the end: an angle of 5000 has few digits left after the point in f32.
        let table = Tensor::from_vec(rows, (max_len, d_model), &Device::Cpu)?;
        Ok(Self { table: table.to_dtype(DType::F32)? })
    }

    fn encode(&self, x: &Tensor) -> Result<Tensor> {
        add_rows(x, &self.table)
    }
}

/// A trainable row for each position.
#[derive(Debug)]
pub struct Learned {
    table: Tensor, // [max_len, D]
}

impl LearnedPosition for Learned {
    fn new(config: PositionConfig, vb: VarBuilder<'_>) -> Result<Self> {
        let shape = (config.max_len, config.d_model);
        Ok(Self { table: vb.pp("position_embedding").get(shape, "weight")? })
    }

    fn encode(&self, x: &Tensor) -> Result<Tensor> {
        add_rows(x, &self.table)
    }
}
