//! candle-nn for the assignment `modern`: without norms that divide by the root mean square, gated activations
//! (`Activation` has one) and rotary positions, which it asks for.
//!
//! Students' crates call this crate `candle_nn`. `softmark_candle_nn` says what its items are, and that candle computes
//! convolutions in one dimension wrong for more than one example.

#[doc(no_inline)]
pub use softmark_candle_nn::{
    AdamW, BatchNorm, BatchNormConfig, Conv1d, Conv1dConfig, Conv2d, Conv2dConfig, ConvTranspose1d,
    ConvTranspose1dConfig, ConvTranspose2d, ConvTranspose2dConfig, Dropout, Embedding, Func, FuncT,
    GRU, GRUConfig, GroupNorm, Init, LSTM, LSTMConfig, Linear, Module, ModuleT, Optimizer, PReLU,
    ParamsAdamW, RNN, SGD, Sequential, VarBuilder, VarMap, batch_norm, conv, conv_transpose1d,
    conv_transpose1d_no_bias, conv_transpose2d, conv_transpose2d_no_bias, conv1d, conv1d_no_bias,
    conv2d, conv2d_no_bias, embedding, encoding, func, func_t, group_norm, gru, init, kv_cache,
    linear, linear_b, linear_no_bias, loss, lstm, optim, prelu, rnn, sampling, seq, sequential,
    var_builder, var_map,
};

/// Functions of tensors.
pub mod ops {
    #[doc(no_inline)]
    pub use softmark_candle_nn::ops::{
        Dropout, Identity, dropout, hard_sigmoid, layer_norm, layer_norm_slow, leaky_relu,
        log_softmax, mish, pixel_shuffle, pixel_unshuffle, replication_pad2d, selu, sigmoid, silu,
        softmax, softmax_last_dim,
    };
}
