//! The sizes and switches of an encoder.

/// Activation between the two linear maps of a feed-forward network; `candle_nn::Activation::from` makes a module of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// `max(x, 0)`.
    Relu,
    /// `x · Φ(x) = x/2 · (1 + erf(x/√2))`, computed exactly and not approximated by `tanh`.
    ///
    /// From Hendrycks and Gimpel, *Gaussian Error Linear Units* (2016).
    Gelu,
}

/// Place of the two layer norms of an encoder layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NormPlacement {
    /// After each residual sum: Vaswani et al., *Attention Is All You Need* (2017).
    Post,
    /// Before each sublayer: Xiong et al., *On Layer Normalization in the Transformer Architecture*
    /// (2020).
    Pre,
}

/// The sizes and switches of an encoder and its components.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EncoderConfig {
    /// `V`, the number of token ids; id 0 is padding.
    pub vocabulary: usize,
    /// Maximum length of a sequence.
    pub max_len: usize,
    /// `D`, the width of the model.
    pub d_model: usize,
    /// `H`, the number of heads; each is `K = D / H` wide.
    pub heads: usize,
    /// `F`, the width inside a feed-forward network.
    pub d_ff: usize,
    /// `N`, the number of layers; 0 is allowed.
    pub layers: usize,
    /// Placement of the layer norms.
    pub norm: NormPlacement,
    /// Activation inside a feed-forward network.
    pub activation: Activation,
    /// `p`, the probability with which dropout sets a number to zero in training.
    pub dropout: f32,
}

impl EncoderConfig {
    /// Returns the encoder of the 20 Newsgroups benchmark, which has 419,968 parameters.
    ///
    /// ```text
    /// token embedding       5002 · 64                            320,128
    /// position embedding     512 · 64                             32,768
    /// 2 layers, each        4 · (64 · 64 + 64)            16,640
    ///                       + 2 · 64 · 128 + 128 + 64     16,576
    ///                       + 2 · 2 · 64                     256   66,944
    /// final norm            2 · 64                                   128
    /// ```
    pub fn reference() -> Self {
        Self {
            vocabulary: 5002,
            max_len: 512,
            d_model: 64,
            heads: 4,
            d_ff: 128,
            layers: 2,
            norm: NormPlacement::Pre,
            activation: Activation::Gelu,
            dropout: 0.1,
        }
    }
}
