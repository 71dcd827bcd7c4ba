//! Questions of the tasks: what each component is made with and called with.

use softmark_checks::typed::{Dim, Draw, Output, Tensor, TypedTask};
use softmark_checks::typed_input;

typed_input! {
    /// RMS norm.
    pub struct RmsNorm for "rms-norm" {
        sizes { d_model }
        parameters { weight = "weight" }
        inputs { x }
        outputs { "output" }
    }
}

typed_input! {
    /// The feed-forward network.
    pub struct SwiGlu for "swiglu" {
        sizes { d_model, d_ff }
        parameters { gate = "gate_proj.weight", up = "up_proj.weight", down = "down_proj.weight" }
        inputs { x }
        outputs { "output" }
    }
}

typed_input! {
    /// Rotary positions.
    pub struct Rotary for "rotary" {
        sizes { width }
        parameters {}
        inputs { x }
        outputs { "output" }
    }
}

typed_input! {
    /// Grouped-query attention.
    pub struct GroupedQuery for "grouped-query" {
        sizes { d_model, heads, kv_heads }
        parameters {
            q = "q_proj.weight",
            k = "k_proj.weight",
            v = "v_proj.weight",
            out = "out_proj.weight",
        }
        inputs { x }
        outputs { "output" }
    }
}

typed_input! {
    /// The decoder block.
    pub struct DecoderBlock for "decoder-block" {
        sizes { d_model, heads, kv_heads, d_ff }
        parameters {
            norm1 = "norm1.weight",
            q = "self_attn.q_proj.weight",
            k = "self_attn.k_proj.weight",
            v = "self_attn.v_proj.weight",
            out = "self_attn.out_proj.weight",
            norm2 = "norm2.weight",
            gate = "feed_forward.gate_proj.weight",
            up = "feed_forward.up_proj.weight",
            down = "feed_forward.down_proj.weight",
        }
        inputs { x }
        outputs { "output" }
    }
}

const BATCH: Dim = Dim::new("B", 1, 3);
const LENGTH: Dim = Dim::new("T", 1, 5);

/// The output of a component that keeps the shape of its input.
fn like(x: &Tensor) -> Vec<Output> {
    vec![Output { name: "output", shape: x.shape().to_vec() }]
}

/// The input with one more channel.
fn wider(x: &Tensor) -> Tensor {
    let mut shape = x.shape().to_vec();
    if let Some(last) = shape.last_mut() {
        *last += 1;
    }
    Tensor::from_fn(&shape, |_| 0.5)
}

impl TypedTask for RmsNorm {
    const TRAIT: &'static str = "RmsNorm";
    const DIMS: &'static [Dim] = &[BATCH, LENGTH, Dim::new("D", 2, 7)];
    type Sizes = [usize; 3];

    fn draw([b, t, d]: [usize; 3], draw: Draw) -> Self {
        // Weights of both signs, as a training may make them.
        let (weight, x) = (draw.numbers("weight", &[d]), draw.numbers("x", &[b, t, d]));
        Self { d_model: d, weight, x }
    }

    fn outputs(&self) -> Vec<Output> {
        like(&self.x)
    }

    fn fits(&self) -> Result<(), &'static str> {
        if self.x.dim(2) == self.d_model { Ok(()) } else { Err("`x` has another width") }
    }

    fn misfits(&self) -> Vec<Self> {
        // One channel could be broadcast to any number.
        let narrow = Tensor::from_fn(&[1, 2, 1], |_| 0.5);
        [wider(&self.x), narrow].map(|x| Self { x, ..self.clone() }).into()
    }
}

impl TypedTask for SwiGlu {
    const TRAIT: &'static str = "SwiGlu";
    const DIMS: &'static [Dim] = &[BATCH, LENGTH, Dim::new("D", 1, 5), Dim::new("F", 1, 6)];
    type Sizes = [usize; 4];

    fn draw([b, t, d, f]: [usize; 4], draw: Draw) -> Self {
        let weights = |name, shape: [usize; 2]| draw.weights(name, &shape);
        Self {
            d_model: d,
            d_ff: f,
            gate: weights("gate", [f, d]),
            up: weights("up", [f, d]),
            down: weights("down", [d, f]),
            x: draw.numbers("x", &[b, t, d]),
        }
    }

    fn outputs(&self) -> Vec<Output> {
        like(&self.x)
    }
}

impl TypedTask for Rotary {
    const TRAIT: &'static str = "Rotary";
    const DIMS: &'static [Dim] =
        &[BATCH, Dim::new("H", 1, 4), Dim::new("T", 2, 6), Dim::new("K/2", 1, 5)];
    type Sizes = [usize; 4];

    fn draw([b, h, t, half]: [usize; 4], draw: Draw) -> Self {
        Self { width: 2 * half, x: draw.numbers("x", &[b, h, t, 2 * half]) }
    }

    fn outputs(&self) -> Vec<Output> {
        like(&self.x)
    }

    fn fits(&self) -> Result<(), &'static str> {
        match (self.width % 2, self.x.dim(3) == self.width) {
            (1, _) => Err("the width is odd"),
            (_, false) => Err("`x` has another width"),
            (_, true) => Ok(()),
        }
    }

    fn misfits(&self) -> Vec<Self> {
        let wide = wider(&self.x);
        vec![Self { x: wide.clone(), ..*self }, Self { width: self.width + 1, x: wide }]
    }
}

/// The sizes of an attention: `[KV, H/KV, K/2]`.
const HEADS: [Dim; 3] = [Dim::new("KV", 1, 2), Dim::new("H/KV", 1, 3), Dim::new("K/2", 1, 2)];

impl TypedTask for GroupedQuery {
    const TRAIT: &'static str = "GroupedQueryAttention";
    const DIMS: &'static [Dim] = &[BATCH, LENGTH, HEADS[0], HEADS[1], HEADS[2]];
    const CAUSAL_AXIS: Option<usize> = Some(1);
    type Sizes = [usize; 5];

    fn draw([b, t, kv, group, half]: [usize; 5], draw: Draw) -> Self {
        let (heads, width) = (kv * group, 2 * half);
        let (d, few) = (heads * width, kv * width);
        Self {
            d_model: d,
            heads,
            kv_heads: kv,
            q: draw.weights("q", &[d, d]),
            k: draw.weights("k", &[few, d]),
            v: draw.weights("v", &[few, d]),
            out: draw.weights("out", &[d, d]),
            x: draw.numbers("x", &[b, t, d]),
        }
    }

    fn outputs(&self) -> Vec<Output> {
        like(&self.x)
    }

    fn fits(&self) -> Result<(), &'static str> {
        let divides = |part: usize, all: usize| part > 0 && all.is_multiple_of(part);
        if self.x.dim(2) != self.d_model {
            Err("`x` has another width")
        } else if !divides(self.heads, self.d_model) {
            Err("the heads do not divide the width")
        } else if !divides(self.kv_heads, self.heads) {
            Err("the key-value heads do not divide the heads")
        } else {
            Ok(())
        }
    }

    fn misfits(&self) -> Vec<Self> {
        let one = |heads: usize, kv_heads: usize| {
            let (d, few) = (6, kv_heads * (6 / heads.max(1)));
            let zeros = |shape: [usize; 2]| Tensor::from_fn(&shape, |_| 0.0);
            Self {
                d_model: d,
                heads,
                kv_heads,
                q: zeros([d, d]),
                k: zeros([few, d]),
                v: zeros([few, d]),
                out: zeros([d, d]),
                x: Tensor::from_fn(&[1, 1, d], |_| 0.5),
            }
        };
        let wide = Self { x: wider(&self.x), ..self.clone() };
        vec![wide, one(4, 4), one(3, 2), one(0, 1), one(3, 0)]
    }
}

impl TypedTask for DecoderBlock {
    const TRAIT: &'static str = "DecoderBlock";
    const DIMS: &'static [Dim] =
        &[BATCH, LENGTH, HEADS[0], HEADS[1], HEADS[2], Dim::new("F", 1, 5)];
    const CAUSAL_AXIS: Option<usize> = Some(1);
    type Sizes = [usize; 6];

    fn draw([b, t, kv, group, half, f]: [usize; 6], draw: Draw) -> Self {
        let GroupedQuery { d_model, heads, kv_heads, q, k, v, out, x } =
            GroupedQuery::draw([b, t, kv, group, half], draw);
        let SwiGlu { gate, up, down, .. } = SwiGlu::draw([1, 1, d_model, f], draw);
        let (norm1, norm2) = (draw.scales("norm1", &[d_model]), draw.scales("norm2", &[d_model]));
        Self { d_model, heads, kv_heads, d_ff: f, norm1, q, k, v, out, norm2, gate, up, down, x }
    }

    fn outputs(&self) -> Vec<Output> {
        like(&self.x)
    }

    fn fits(&self) -> Result<(), &'static str> {
        if self.x.dim(2) == self.d_model { Ok(()) } else { Err("`x` has another width") }
    }

    fn misfits(&self) -> Vec<Self> {
        vec![Self { x: wider(&self.x), ..self.clone() }]
    }
}
