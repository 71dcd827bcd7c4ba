//! Task 2: attention weights in numbers.

use softmark_kit::prelude::*;

/// Means over the real queries of a batch.
#[derive(Debug)]
pub struct Statistics;

impl AttentionStatistics for Statistics {
    fn of(weights: &Tensor, mask: &Tensor) -> Result<Vec<HeadStatistics>> {
        let mask = mask.to_vec2::<u8>()?;
        let queries: usize = mask.iter().flatten().map(|&bit| usize::from(bit)).sum();
        if queries == 0 {
            candle_core::bail!("no token is real: there is nothing to take a mean of");
        }
        let of_head = |head: usize| -> Result<HeadStatistics> {
            let rows =
                weights.narrow(1, head, 1)?.squeeze(1)?.to_dtype(DType::F64)?.to_vec3::<f64>()?;
            let mut sum = HeadStatistics { entropy: 0.0, from_uniform: 0.0, on_padding: 0.0 };
            for (text, mask) in rows.iter().zip(&mask) {
                let real = text.iter().zip(mask).filter(|&(_, &bit)| bit == 1);
                for (row, _) in real {
                    add(&mut sum, row, mask);
                }
            }
            let n = queries as f64;
            Ok(HeadStatistics {
                entropy: sum.entropy / n,
                from_uniform: sum.from_uniform / n,
                on_padding: sum.on_padding / n,
            })
        };
        (0..weights.dim(1)?).map(of_head).collect()
    }
}

/// Adds what one query does.
fn add(sum: &mut HeadStatistics, row: &[f64], mask: &[u8]) {
    let n: f64 = mask.iter().map(|&bit| f64::from(bit)).sum();
    for (&w, &real) in row.iter().zip(mask) {
        sum.entropy -= if w > 0.0 { w * w.ln() } else { 0.0 };
        if real == 1 {
            sum.from_uniform += (w - 1.0 / n).abs() / 2.0;
        } else {
            sum.on_padding += w;
        }
    }
}
