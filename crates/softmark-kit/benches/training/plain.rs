//! The models as a student writes them with candle alone, from layers that have gradients.

use candle_core::{D, Module, Result, Tensor};
use candle_nn::{Dropout, Embedding, Linear, loss::cross_entropy, ops};

use crate::model::{Parameters, Sizes};

fn linear(p: &Parameters, name: &str, x: &Tensor) -> Result<Tensor> {
    let (weight, bias) = (p.get(&format!("{name}.weight")), p.get(&format!("{name}.bias")));
    Linear::new(weight.clone(), Some(bias.clone())).forward(x)
}

/// Computes layer normalization from basic operations, since candle's own layer norm has no gradient.
fn norm(p: &Parameters, name: &str, x: &Tensor) -> Result<Tensor> {
    let (weight, bias) = (p.get(&format!("{name}.weight")), p.get(&format!("{name}.bias")));
    let x = x.broadcast_sub(&x.mean_keepdim(D::Minus1)?)?;
    let variance = x.sqr()?.mean_keepdim(D::Minus1)?;
    let x = x.broadcast_div(&(variance + 1e-5)?.sqrt()?)?;
    x.broadcast_mul(weight)?.broadcast_add(bias)
}

fn attention(s: &Sizes, p: &Parameters, n: usize, x: &Tensor) -> Result<Tensor> {
    let (b, t, d) = x.dims3()?;
    let part = |name: &str| {
        let y = linear(p, &format!("{n}.{name}"), x)?;
        y.reshape((b, t, s.heads, d / s.heads))?.transpose(1, 2)?.contiguous()
    };
    let (query, key, value) = (part("q")?, part("k")?, part("v")?);
    let scores = (query.matmul(&key.t()?)? / ((d / s.heads) as f64).sqrt())?;
    let mut weights = ops::softmax(&scores, D::Minus1)?;
    if s.dropout > 0.0 {
        weights = ops::dropout(&weights, s.dropout)?;
    }
    let y = weights.matmul(&value)?;
    linear(p, &format!("{n}.o"), &y.transpose(1, 2)?.reshape((b, t, d))?)
}

fn feed_forward(s: &Sizes, p: &Parameters, n: usize, x: &Tensor) -> Result<Tensor> {
    let y = linear(p, &format!("{n}.up"), x)?;
    let y = if s.pre_norm { y.gelu_erf()? } else { y.relu()? };
    linear(p, &format!("{n}.down"), &y)
}

pub(crate) fn loss(s: &Sizes, p: &Parameters, x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let dropout = Dropout::new(s.dropout);
    let tokens = Embedding::new(p.get("token").clone(), s.width).forward(x)?;
    let x = tokens.broadcast_add(p.get("position"))?;
    if s.every_token {
        let logits = linear(p, "head", &attention(s, p, 0, &x)?)?;
        return cross_entropy(&logits.flatten(0, 1)?, y);
    }
    let train = s.dropout > 0.0;
    let mut x = dropout.forward(&x, train)?;
    for n in 0..s.layers {
        let (norm1, norm2) = (format!("{n}.norm1"), format!("{n}.norm2"));
        if s.pre_norm {
            let y = attention(s, p, n, &norm(p, &norm1, &x)?)?;
            x = (x + dropout.forward(&y, train)?)?;
            let y = feed_forward(s, p, n, &norm(p, &norm2, &x)?)?;
            x = (x + dropout.forward(&y, train)?)?;
        } else {
            let y = dropout.forward(&attention(s, p, n, &x)?, train)?;
            x = norm(p, &norm1, &(x + y)?)?;
            let y = dropout.forward(&feed_forward(s, p, n, &x)?, train)?;
            x = norm(p, &norm2, &(x + y)?)?;
        }
    }
    let x = if s.pre_norm { norm(p, "norm", &x)? } else { x };
    cross_entropy(&linear(p, "head", &x.mean(1)?)?, y)
}
