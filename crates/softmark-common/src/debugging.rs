//! Limits of a detector's experiments with a layer, and the names and shapes of the layer's parameters.

use std::collections::BTreeMap;

use crate::encoder::EncoderConfig;

/// Largest number of detectors in a submission.
pub const MAX_DETECTORS: usize = 8;

/// Largest number of experiments of a detector with one suspect; further ones are errors.
///
/// Four times what a careful detector needs: a suspect answers from another process, and a class is
/// waiting.
pub const MAX_EXPERIMENTS: usize = 64;

/// Largest number of tokens in all experiments of a detector with one suspect, including padding: the sum
/// of `B · T`. An experiment that exceeds it is an error.
///
/// Twenty times what a careful detector needs, and room for [`MAX_EXPERIMENTS`] of two texts of four
/// tokens: what a detector computes costs its author, and what a suspect computes costs the grader.
pub const MAX_TOKENS: usize = 512;

/// Counts of the experiments that a detector has made with one suspect, and of their tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Allowance {
    experiments: usize,
    tokens: usize,
}

impl Allowance {
    /// Counts an experiment on an `x` of that shape.
    ///
    /// # Errors
    ///
    /// Fails if the experiment exceeds a limit; the message states the limit.
    ///
    /// ```
    /// use softmark_common::debugging::Allowance;
    ///
    /// let mut allowance = Allowance::default();
    /// assert!(allowance.count(&[2, 4, 8]).is_ok());
    /// // 8 · 16 tokens are a quarter of what is allowed.
    /// let made = (0..4).take_while(|_| allowance.count(&[8, 16, 8]).is_ok()).count();
    /// assert_eq!(made, 3);
    /// ```
    pub fn count(&mut self, shape: &[usize]) -> Result<(), String> {
        self.experiments += 1;
        if self.experiments > MAX_EXPERIMENTS {
            return Err(format!(
                "a detector may make {MAX_EXPERIMENTS} experiments with a layer, and no more"
            ));
        }
        // Without the width; the layer itself checks that there is one.
        let texts = shape.split_last().map_or(&[][..], |(_, texts)| texts);
        let tokens = texts.iter().fold(1, |product: usize, size| product.saturating_mul(*size));
        self.tokens = self.tokens.saturating_add(tokens);
        if self.tokens > MAX_TOKENS {
            return Err(format!(
                "the experiments of a detector with a layer may have {MAX_TOKENS} tokens together, \
                 and no more"
            ));
        }
        Ok(())
    }
}

/// Names and shapes of all parameters of an encoder layer, in the order of the names.
///
/// | name | shape |
/// |---|---|
/// | `self_attn.{q,k,v,out}_proj.weight` | `[D, D]` |
/// | `feed_forward.linear1.weight`, `.bias` | `[F, D]`, `[F]` |
/// | `feed_forward.linear2.weight`, `.bias` | `[D, F]`, `[D]` |
/// | `norm1.weight`, `norm2.weight` and all other biases | `[D]` |
pub fn layer_parameter_shapes(config: EncoderConfig) -> BTreeMap<String, Vec<usize>> {
    let (d, f) = (config.d_model, config.d_ff);
    let mut shapes = BTreeMap::new();
    let mut map = |name: &str, to: usize, from: usize| {
        shapes.insert(format!("{name}.weight"), vec![to, from]);
        shapes.insert(format!("{name}.bias"), vec![to]);
    };
    for projection in ["q_proj", "k_proj", "v_proj", "out_proj"] {
        map(&format!("self_attn.{projection}"), d, d);
    }
    map("feed_forward.linear1", f, d);
    map("feed_forward.linear2", d, f);
    for norm in ["norm1", "norm2"] {
        shapes.insert(format!("{norm}.weight"), vec![d]);
        shapes.insert(format!("{norm}.bias"), vec![d]);
    }
    shapes
}
