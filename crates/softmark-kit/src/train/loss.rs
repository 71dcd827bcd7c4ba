//! Cross-entropy as ordinary tensor operations.

use candle_core::{D, Result, Tensor};

/// The mean cross-entropy of `logits` `[B, C]` against `labels` `[B]` (`u32`), with label smoothing
/// `ε`: a tensor without axes.
///
/// ```text
/// loss = mean over b of  −(1 − ε) · log p[b, y_b]  −  ε/C · Σ_c log p[b, c]        p = softmax
/// ```
///
/// Smoothing is Szegedy et al., *Rethinking the Inception Architecture* (2016), section 7, as
/// PyTorch's `CrossEntropyLoss` has it.
///
/// # Errors
///
/// When shapes do not fit one another, or a label is no class.
pub fn cross_entropy(logits: &Tensor, labels: &Tensor, smoothing: f64) -> Result<Tensor> {
    let log_p = candle_nn::ops::log_softmax(logits, D::Minus1)?;
    let of_label = log_p.gather(&labels.unsqueeze(1)?, 1)?.mean_all()?.neg()?;
    if smoothing == 0.0 {
        return Ok(of_label);
    }
    let of_all = log_p.mean_all()?.neg()?;
    (of_label * (1.0 - smoothing))? + (of_all * smoothing)?
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;

    #[test]
    fn the_loss_is_what_it_is_by_hand() {
        let logits = Tensor::new(&[[0.0_f32, 0.0, 0.0], [2.0, 0.0, 0.0]], &Device::Cpu).unwrap();
        let labels = Tensor::new(&[1_u32, 0], &Device::Cpu).unwrap();
        let loss = |smoothing| {
            cross_entropy(&logits, &labels, smoothing).unwrap().to_scalar::<f32>().unwrap()
        };
        // ln 3 and ln(e² + 2) − 2.
        let (first, second) = (3.0_f32.ln(), (2.0_f32.exp() + 2.0).ln() - 2.0);
        assert!((loss(0.0) - f32::midpoint(first, second)).abs() < 1e-6);
        // The mean over the classes of −log p: ln 3, and ln(e² + 2) − 2/3.
        let all = f32::midpoint(first, second + 2.0 - 2.0 / 3.0);
        let want = 0.9 * f32::midpoint(first, second) + 0.1 * all;
        assert!((loss(0.1) - want).abs() < 1e-6);
    }
}
