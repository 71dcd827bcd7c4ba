//! Update rules of optimizers.

use serde::{Deserialize, Serialize};

/// Update of a parameter `p` by a gradient `g`, with the learning rate `η`, the weight decay `λ` and the
/// number `t` of steps of the parameter, including this one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "rule")]
pub enum Rule {
    /// Stochastic gradient descent, with momentum `μ` (0 for none; classical momentum of Polyak, 1964, as in PyTorch).
    ///
    /// ```text
    /// g ← g + λ p        u ← μ u + g        p ← p − η u
    /// ```
    Sgd {
        /// `μ`
        momentum: f64,
    },
    /// Adam: Kingma and Ba, *Adam: A Method for Stochastic Optimization* (2015), algorithm 1; the decay is
    /// added to the gradient.
    ///
    /// ```text
    /// g ← g + λ p        m ← β₁ m + (1 − β₁) g        v ← β₂ v + (1 − β₂) g²
    /// p ← p − η · m / (1 − β₁ᵗ) / (√(v / (1 − β₂ᵗ)) + ε)
    /// ```
    Adam {
        /// `β₁`
        beta1: f64,
        /// `β₂`
        beta2: f64,
        /// `ε`
        epsilon: f64,
    },
    /// Adam with decoupled decay: Loshchilov and Hutter, *Decoupled Weight Decay Regularization* (2019),
    /// algorithm 2. Its first line is `p ← p − η λ p` instead of `g ← g + λ p`.
    AdamW {
        /// `β₁`
        beta1: f64,
        /// `β₂`
        beta2: f64,
        /// `ε`
        epsilon: f64,
    },
}

impl Rule {
    /// Stochastic gradient descent without momentum.
    pub const SGD: Self = Self::Sgd { momentum: 0.0 };
    /// Adam with the constants of the paper.
    pub const ADAM: Self = Self::Adam { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };
    /// `AdamW` with Adam's constants.
    pub const ADAM_W: Self = Self::AdamW { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };

    /// Returns `μ`, or 0 if the rule has none.
    pub(crate) fn momentum(self) -> f64 {
        match self {
            Self::Sgd { momentum } => momentum,
            Self::Adam { .. } | Self::AdamW { .. } => 0.0,
        }
    }

    /// Returns `β₁` and `β₂`, or 0 if the rule has none.
    pub(crate) fn betas(self) -> (f64, f64) {
        match self {
            Self::Sgd { .. } => (0.0, 0.0),
            Self::Adam { beta1, beta2, .. } | Self::AdamW { beta1, beta2, .. } => (beta1, beta2),
        }
    }

    /// Returns the number of moments kept for each element of a parameter.
    pub(crate) fn moments(self) -> usize {
        match self {
            Self::Sgd { momentum: 0.0 } => 0,
            Self::Sgd { .. } => 1,
            Self::Adam { .. } | Self::AdamW { .. } => 2,
        }
    }

    /// Returns the constants of step number `t`, in `f64`.
    pub(crate) fn constants(self, rate: f64, decay: f64, scale: f64, t: u32) -> Constants {
        let (beta1, beta2, epsilon) = match self {
            Self::Sgd { momentum } => (momentum, 0.0, 0.0),
            Self::Adam { beta1, beta2, epsilon } | Self::AdamW { beta1, beta2, epsilon } => {
                (beta1, beta2, epsilon)
            }
        };
        let coupled = !matches!(self, Self::AdamW { .. });
        Constants {
            scale,
            decay: if coupled { decay } else { 0.0 },
            keep: if coupled { 1.0 } else { 1.0 - rate * decay },
            beta1,
            beta2,
            rate,
            step: rate / (1.0 - libm::pow(beta1, f64::from(t))),
            root: 1.0 / (1.0 - libm::pow(beta2, f64::from(t))).sqrt(),
            epsilon,
        }
    }
}

/// Constants of a step, computed once per parameter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Constants {
    /// Factor of the gradient, for clipping.
    pub(crate) scale: f64,
    /// `λ` if it is added to the gradient, otherwise 0.
    pub(crate) decay: f64,
    /// Factor of the parameter: `1 − η λ` if the decay is decoupled.
    pub(crate) keep: f64,
    pub(crate) beta1: f64,
    pub(crate) beta2: f64,
    /// `η`
    pub(crate) rate: f64,
    /// `η / (1 − β₁ᵗ)`
    pub(crate) step: f64,
    /// `1 / √(1 − β₂ᵗ)`
    pub(crate) root: f64,
    pub(crate) epsilon: f64,
}
