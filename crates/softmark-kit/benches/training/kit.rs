//! The models built from the kit's layers.

use candle_core::{Module, Result, Tensor};
use softmark_kit::nn::attention::attention_side_by_side;
use softmark_kit::nn::loss::cross_entropy;
use softmark_kit::nn::pooling::masked_mean;
use softmark_kit::nn::{Dropout, Embedding, LayerNorm, Linear, ops};

use crate::model::{Parameters, Sizes};

fn linear(p: &Parameters, name: &str, x: &Tensor) -> Result<Tensor> {
    let (weight, bias) = (p.get(&format!("{name}.weight")), p.get(&format!("{name}.bias")));
    Linear::new(weight.clone(), Some(bias.clone())).forward(x)
}

fn norm(p: &Parameters, name: &str, x: &Tensor) -> Result<Tensor> {
    let (weight, bias) = (p.get(&format!("{name}.weight")), p.get(&format!("{name}.bias")));
    LayerNorm::new(weight.clone(), bias.clone(), 1e-5).forward(x)
}

fn attention(s: &Sizes, p: &Parameters, n: usize, x: &Tensor) -> Result<Tensor> {
    let part = |name: &str| linear(p, &format!("{n}.{name}"), x);
    let (query, key, value) = (part("q")?, part("k")?, part("v")?);
    let y = attention_side_by_side(&query, &key, &value, s.heads, None, Some(s.dropout))?;
    linear(p, &format!("{n}.o"), &y)
}

fn feed_forward(s: &Sizes, p: &Parameters, n: usize, x: &Tensor) -> Result<Tensor> {
    let y = linear(p, &format!("{n}.up"), x)?;
    let y = if s.pre_norm { ops::gelu_erf(&y)? } else { ops::relu(&y)? };
    linear(p, &format!("{n}.down"), &y)
}

pub(crate) fn loss(s: &Sizes, p: &Parameters, ids: &Tensor, y: &Tensor) -> Result<Tensor> {
    let dropout = Dropout::new(s.dropout);
    let tokens = Embedding::new(p.get("token").clone(), s.width).forward(ids)?;
    let x = tokens.broadcast_add(p.get("position"))?;
    if s.every_token {
        let logits = linear(p, "head", &attention(s, p, 0, &x)?)?;
        return cross_entropy(&logits.flatten(0, 1)?, y);
    }
    let mut x = dropout.forward(&x, true)?;
    for n in 0..s.layers {
        let (norm1, norm2) = (format!("{n}.norm1"), format!("{n}.norm2"));
        if s.pre_norm {
            let y = attention(s, p, n, &norm(p, &norm1, &x)?)?;
            x = (x + dropout.forward(&y, true)?)?;
            let y = feed_forward(s, p, n, &norm(p, &norm2, &x)?)?;
            x = (x + dropout.forward(&y, true)?)?;
        } else {
            let y = dropout.forward(&attention(s, p, n, &x)?, true)?;
            x = norm(p, &norm1, &(x + y)?)?;
            let y = dropout.forward(&feed_forward(s, p, n, &x)?, true)?;
            x = norm(p, &norm2, &(x + y)?)?;
        }
    }
    let x = if s.pre_norm { norm(p, "norm", &x)? } else { x };
    let real = ids.ones_like()?;
    cross_entropy(&linear(p, "head", &masked_mean(&x, &real)?)?, y)
}
