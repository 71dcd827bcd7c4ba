//! Statistics of attention weights: three numbers per head.

use candle_core::{DType, Result, Tensor, bail};

/// Statistics of a head's weights, as means over the real queries of a batch.
///
/// For the weights `w` of a query that sees `n` keys:
///
/// | | for one query | value 0 | largest value |
/// |---|---|---|---|
/// | `entropy` | `−Σ w ln w`, in nats | attends to one key | `ln n`: attends to all equally |
/// | `from_uniform` | `½ Σ abs(w − 1/n)` over the real keys | attends to all equally | `1 − 1/n`: attends to one key |
/// | `on_padding` | `Σ w` over padding | correct | 1: attends to padding alone |
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeadStatistics {
    /// Entropy of the weights.
    pub entropy: f64,
    /// Distance from uniform weights over the real keys: half the sum of the absolute differences.
    pub from_uniform: f64,
    /// Share of the weights on padding.
    pub on_padding: f64,
}

/// Computes the [`HeadStatistics`] of each head from weights as recorded by an
/// [`AttentionRecorder`](super::AttentionRecorder).
///
/// # Shapes
///
/// - `weights`: `[B, H, T, T]`, floating point
/// - `real`: `[B, T]`, `u8`; 1 = a real token, 0 = padding; without it, all are real
///
/// # Errors
///
/// Fails if the shapes do not match, or there is no real token.
///
/// ```
/// use softmark_kit::hooks::head_statistics;
/// use softmark_kit::prelude::*;
///
/// let uniform = Tensor::full(0.25_f32, (1, 1, 4, 4), &Device::Cpu)?;
/// let [head] = head_statistics(&uniform, None)?[..] else { panic!("one head") };
/// assert_eq!((head.entropy, head.from_uniform), (4_f64.ln(), 0.0));
/// let real = Tensor::new(&[[1_u8, 1, 1, 0]], &Device::Cpu)?;
/// assert_eq!(head_statistics(&uniform, Some(&real))?[0].on_padding, 0.25);
/// # Ok::<(), candle_core::Error>(())
/// ```
pub fn head_statistics(weights: &Tensor, real: Option<&Tensor>) -> Result<Vec<HeadStatistics>> {
    let (b, h, t, keys) = weights.dims4()?;
    if keys != t || real.is_some_and(|real| real.dims() != [b, t]) {
        let (weights, real) = (weights.shape(), real.map(Tensor::shape));
        bail!(
            "weights [B, H, T, T] and real tokens [B, T] were asked for, got {weights:?} and {real:?}"
        )
    }
    let real: Vec<u8> = match real {
        Some(real) => real.to_dtype(DType::U8)?.flatten_all()?.to_vec1()?,
        None => vec![1; b * t],
    };
    let count = real.iter().filter(|real| **real != 0).count();
    if count == 0 {
        bail!("there is no real token to take a mean over")
    }
    let heads = weights.to_dtype(DType::F64)?.transpose(0, 1)?.flatten(1, 2)?;
    let rows = |head: usize| heads.get(head)?.to_vec2::<f64>();
    (0..h).map(|head| Ok(mean(&rows(head)?, &real, t, count))).collect()
}

/// Averages the statistics over the rows `[B · T, T]` of a head.
fn mean(rows: &[Vec<f64>], real: &[u8], t: usize, count: usize) -> HeadStatistics {
    let texts = rows.chunks(t.max(1)).zip(real.chunks(t.max(1)));
    let each = texts.flat_map(|(rows, real)| {
        let queries = rows.iter().zip(real).filter(|(_, real)| **real != 0);
        queries.map(|(row, _)| of_row(row, real))
    });
    let zero = HeadStatistics { entropy: 0.0, from_uniform: 0.0, on_padding: 0.0 };
    let sum = each.fold(zero, |sum, one| HeadStatistics {
        entropy: sum.entropy + one.entropy,
        from_uniform: sum.from_uniform + one.from_uniform,
        on_padding: sum.on_padding + one.on_padding,
    });
    let n = count as f64;
    HeadStatistics {
        entropy: sum.entropy / n,
        from_uniform: sum.from_uniform / n,
        on_padding: sum.on_padding / n,
    }
}

fn of_row(row: &[f64], real: &[u8]) -> HeadStatistics {
    let n = real.iter().filter(|real| **real != 0).count() as f64;
    let pairs = || row.iter().zip(real).map(|(&weight, &real)| (weight, real != 0));
    // A weight of 0 contributes 0, since w ln w tends to 0.
    let information = |weight: f64| if weight == 0.0 { 0.0 } else { weight * weight.ln() };
    HeadStatistics {
        entropy: -row.iter().map(|&weight| information(weight)).sum::<f64>(),
        from_uniform: pairs()
            .filter(|(_, real)| *real)
            .map(|(weight, _)| (weight - 1.0 / n).abs() / 2.0)
            .sum(),
        on_padding: pairs().filter(|(_, real)| !real).map(|(weight, _)| weight).sum(),
    }
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;

    fn tensor(rows: &[[f32; 3]; 3]) -> Tensor {
        Tensor::new(rows, &Device::Cpu).unwrap().reshape((1, 1, 3, 3)).unwrap()
    }

    #[test]
    fn one_key_has_no_entropy() {
        let weights = tensor(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]);
        let head = head_statistics(&weights, None).unwrap()[0];
        assert_eq!((head.entropy, head.on_padding), (0.0, 0.0));
        assert!((head.from_uniform - 2.0 / 3.0).abs() < 1e-12, "{head:?}");
    }

    #[test]
    fn padded_queries_do_not_count() {
        let weights = tensor(&[[0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.0, 1.0]]);
        let real = Tensor::new(&[[1_u8, 1, 0]], &Device::Cpu).unwrap();
        let head = head_statistics(&weights, Some(&real)).unwrap()[0];
        // The first query attends to both real keys equally, the second to one of them and to padding.
        assert_eq!(head.on_padding, 0.25);
        assert_eq!(head.from_uniform, 0.125);
        assert!((head.entropy - 2_f64.ln()).abs() < 1e-12, "{head:?}");
    }

    #[test]
    fn heads_are_told_apart() {
        let one = tensor(&[[1.0, 0.0, 0.0]; 3]);
        let all = Tensor::full(1.0_f32 / 3.0, (1, 1, 3, 3), &Device::Cpu).unwrap();
        let both = Tensor::cat(&[Tensor::cat(&[&one, &all], 1).unwrap()], 0).unwrap();
        let heads = head_statistics(&both, None).unwrap();
        assert_eq!(heads[0].entropy, 0.0);
        assert!((heads[1].entropy - 3_f64.ln()).abs() < 1e-6 && heads[1].from_uniform < 1e-6);
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let weights = tensor(&[[1.0, 0.0, 0.0]; 3]);
        let real = |values: &[u8]| Tensor::new(values, &Device::Cpu).unwrap().unsqueeze(0).unwrap();
        assert!(head_statistics(&weights, Some(&real(&[1, 1]))).is_err());
        let error = head_statistics(&weights, Some(&real(&[0, 0, 0]))).unwrap_err().to_string();
        assert!(error.contains("no real token"), "{error}");
        assert!(head_statistics(&weights.narrow(3, 0, 2).unwrap(), None).is_err());
    }
}
