//! Cases for the parts of the `attention` assignment: small shapes first, including edge cases.

use proptest::prelude::*;
use softmark_checks::Signature;
use softmark_checks::array::Array;
use softmark_checks::case::Case;
use softmark_checks::corners::Corners;
use softmark_common::rng::Stream;

use crate::signatures;

/// Kind of mask that a case passes to the part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaskKind {
    /// No mask: every query sees every key.
    None,
    /// One mask for all heads: `[B, 1, Tq, Tk]`, or `[B, Tq, Tk]` for multi-head attention.
    Shared,
    /// One mask for each head: `[B, H, Tq, Tk]`.
    PerHead,
}

/// Sizes and switches of a case for attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttentionShape {
    /// Examples.
    pub b: usize,
    /// Heads.
    pub h: usize,
    /// Queries.
    pub tq: usize,
    /// Keys.
    pub tk: usize,
    /// Width of a head.
    pub k: usize,
    /// Kind of mask.
    pub mask: MaskKind,
    /// True if the inputs are non-contiguous views.
    pub strided: bool,
    /// Index of the random stream that the values are drawn from.
    pub data: u64,
}

/// The weight and the bias of each projection, by name.
pub const MULTI_HEAD_PARAMETERS: [(&str, &str); 4] = [
    ("q_proj.weight", "q_proj.bias"),
    ("k_proj.weight", "k_proj.bias"),
    ("v_proj.weight", "v_proj.bias"),
    ("out_proj.weight", "out_proj.bias"),
];

impl AttentionShape {
    fn label(&self) -> String {
        let Self { b, h, tq, tk, k, .. } = self;
        let mask = match self.mask {
            MaskKind::None => ", no mask",
            MaskKind::Shared => ", masked",
            MaskKind::PerHead => ", masked per head",
        };
        let strided = if self.strided { ", inputs not contiguous" } else { "" };
        format!("B={b} H={h} Tq={tq} Tk={tk} K={k}{mask}{strided}")
    }

    fn stream(&self, seed: u64, name: &str) -> Stream {
        Stream::derive(seed, name, self.data)
    }

    /// Returns the same shape without a mask.
    #[must_use]
    pub fn unmasked(self) -> Self {
        Self { mask: MaskKind::None, ..self }
    }

    /// Returns the same shape with the mask that it has, or else a shared one.
    #[must_use]
    pub fn masked(self) -> Self {
        let mask = if self.mask == MaskKind::None { MaskKind::Shared } else { self.mask };
        Self { mask, ..self }
    }

    /// Returns the same shape with as many queries as keys: other checks test different numbers of them.
    #[must_use]
    pub fn square(self) -> Self {
        Self { tq: self.tk, ..self }
    }

    /// A mask in which every query sees something.
    fn random_mask(&self, seed: u64) -> Option<Array> {
        let heads = match self.mask {
            MaskKind::None => return None,
            MaskKind::Shared => 1,
            MaskKind::PerHead => self.h,
        };
        let mut stream = self.stream(seed, "mask");
        let shape = [self.b, heads, self.tq, self.tk];
        let mask = Array::from_fn(&shape, |_| f64::from(u8::from(stream.below(5) < 3)));
        // Every query sees at least one key; other checks test fully masked queries.
        let rows =
            Array::from_fn(&[self.b, heads, self.tq], |_| stream.below(self.tk as u64) as f64);
        Some(Array::from_fn(&shape, |at| match *at {
            [b, h, i, j] if rows.at(&[b, h, i]) == j as f64 => 1.0,
            _ => mask.at(at),
        }))
    }

    /// Returns a case for scaled dot-product attention.
    pub fn scaled_dot_product(&self, seed: u64) -> Case {
        let Self { b, h, tq, tk, k, .. } = *self;
        let random = |shape: &[usize], name| Array::random(shape, &mut self.stream(seed, name));
        let case = Case::new(&signatures::SCALED_DOT_PRODUCT, self.label())
            .input("query", random(&[b, h, tq, k], "query"))
            .input("key", random(&[b, h, tk, k], "key"))
            .input("value", random(&[b, h, tk, k], "value"))
            .mask(self.random_mask(seed));
        if self.strided { case.strided() } else { case }
    }

    /// Returns a case for multi-head attention: cross-attention, or self-attention where `tq == tk` and
    /// `self_attention` is asked for.
    ///
    /// Multi-head attention takes no mask per head, so such a mask becomes a shared one.
    pub fn multi_head(&self, seed: u64, self_attention: bool) -> Case {
        let shape = Self {
            mask: if self.mask == MaskKind::None { MaskKind::None } else { MaskKind::Shared },
            tk: if self_attention { self.tq } else { self.tk },
            ..*self
        };
        let Self { b, h, tq, tk, k, .. } = shape;
        let d = h * k;
        let kind = if self_attention { "self-attention" } else { "cross-attention" };
        let random = |shape: &[usize], name| Array::random(shape, &mut self.stream(seed, name));
        let label = format!("{kind}, D={d} {}", shape.label());
        let mut case = Case::new(&signatures::MULTI_HEAD, label)
            .size("d_model", d)
            .size("heads", h)
            .input("query", random(&[b, tq, d], "query"));
        if !self_attention {
            case = case
                .input("key", random(&[b, tk, d], "key"))
                .input("value", random(&[b, tk, d], "value"));
        }
        for (weight, bias) in MULTI_HEAD_PARAMETERS {
            // Halved, so that the softmax does not saturate.
            let matrix = random(&[d, d], weight).map(|x| x / 2.0);
            case = case.parameter(weight, matrix).parameter(bias, random(&[d], bias));
        }
        let mask = shape.random_mask(seed);
        let case = case.mask(mask.map(|mask| Array::new(&[b, tq, tk], mask.values().to_vec())));
        if self.strided { case.strided() } else { case }
    }
}

/// Corner cases with each kind of mask, and without one.
impl Corners for AttentionShape {
    fn corners(&self) -> Vec<Self> {
        let sizes = Self { b: 2, h: 3, tq: 4, tk: 5, k: 2, ..*self };
        let masks = [MaskKind::None, MaskKind::Shared, MaskKind::PerHead];
        masks.map(|mask| Self { mask, ..sizes }).to_vec()
    }
}

/// Returns a strategy for shapes of attention with any mask.
pub fn attention_shapes() -> impl Strategy<Value = AttentionShape> {
    let mask = prop_oneof![Just(MaskKind::None), Just(MaskKind::Shared), Just(MaskKind::PerHead),];
    (
        1..=3_usize,
        1..=3_usize,
        1..=4_usize,
        1..=5_usize,
        1..=5_usize,
        mask,
        any::<u64>().no_shrink(),
    )
        .prop_map(|(b, h, tq, tk, k, mask, data)| AttentionShape {
            b,
            h,
            tq,
            tk,
            k,
            mask,
            strided: false,
            data,
        })
}

/// Returns a strategy for shapes of attention without a mask.
pub fn unmasked_shapes() -> impl Strategy<Value = AttentionShape> {
    attention_shapes().prop_map(AttentionShape::unmasked)
}

/// Returns a strategy for shapes of attention with a mask and at least two keys, so that there is something to hide.
pub fn masked_shapes() -> impl Strategy<Value = AttentionShape> {
    (attention_shapes(), any::<bool>()).prop_map(|(shape, per_head)| AttentionShape {
        mask: if per_head { MaskKind::PerHead } else { MaskKind::Shared },
        // With one head, a mask per head is the same as a shared one.
        h: if per_head { shape.h.max(2) } else { shape.h },
        tk: shape.tk.max(2),
        ..shape
    })
}

/// Sizes of a case for positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PositionShape {
    /// Examples.
    pub b: usize,
    /// Length of the sequences.
    pub t: usize,
    /// Half the width of the model.
    pub half: usize,
    /// Rows of the table beyond `t`.
    pub spare: usize,
    /// True if the input is a non-contiguous view.
    pub strided: bool,
    /// Index of the random stream that the values are drawn from.
    pub data: u64,
}

impl PositionShape {
    fn case(&self, signature: &'static Signature, seed: u64) -> Case {
        let (b, t, d, max_len) = (self.b, self.t, 2 * self.half, self.t + self.spare);
        let strided = if self.strided { ", input not contiguous" } else { "" };
        let x = Array::random(&[b, t, d], &mut Stream::derive(seed, "x", self.data));
        let case = Case::new(signature, format!("B={b} T={t} D={d} max_len={max_len}{strided}"))
            .size("d_model", d)
            .size("max_len", max_len)
            .input("x", x);
        if self.strided { case.strided() } else { case }
    }

    /// Returns a case for sinusoidal positions.
    pub fn sinusoidal(&self, seed: u64) -> Case {
        self.case(&signatures::SINUSOIDAL_POSITION, seed)
    }

    /// Returns a case for learned positions.
    pub fn learned(&self, seed: u64) -> Case {
        let shape = [self.t + self.spare, 2 * self.half];
        let table = Array::random(&shape, &mut Stream::derive(seed, "table", self.data));
        self.case(&signatures::LEARNED_POSITION, seed).parameter("position_embedding.weight", table)
    }
}

/// Corner cases with few spare rows, and with several.
impl Corners for PositionShape {
    fn corners(&self) -> Vec<Self> {
        [3, 2].map(|spare| Self { b: 2, t: 4, half: 3, spare, ..*self }).to_vec()
    }
}

/// Returns a strategy for shapes of sequences to which positions are added, each at least two shorter than
/// `max_len`: another check tests longer ones, so that a table with unused first rows fails no other check.
pub fn position_shapes() -> impl Strategy<Value = PositionShape> {
    (1..=3_usize, 1..=6_usize, 1..=4_usize, 2..=6_usize, any::<u64>().no_shrink()).prop_map(
        |(b, t, half, spare, data)| PositionShape { b, t, half, spare, strided: false, data },
    )
}

/// The three kinds of pooling, in the worker's numbering.
pub const POOLINGS: [&str; 3] = ["mean", "max", "first"];

/// Sizes and switches of a case for pooling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolingShape {
    /// Index of the pooling in [`POOLINGS`].
    pub kind: usize,
    /// Examples.
    pub b: usize,
    /// Length of the sequences.
    pub t: usize,
    /// Width of the model.
    pub d: usize,
    /// True if there is padding.
    pub masked: bool,
    /// True if the input is a non-contiguous view.
    pub strided: bool,
    /// Index of the random stream that the values are drawn from.
    pub data: u64,
}

impl PoolingShape {
    /// Returns the same shape, a position longer where there are as many sequences as positions: one check asks about
    /// those, so that code which takes the two axes for one another fails no other one by chance.
    #[must_use]
    pub fn oblong(self) -> Self {
        let is_square = self.b == self.t && self.t > 1;
        Self { t: self.t + usize::from(is_square), ..self }
    }

    /// Returns a case for masked pooling, with a mask in which every sequence has a real token.
    pub fn masked_pooling(&self, seed: u64) -> Case {
        let Self { kind, b, t, d, .. } = *self;
        let stream = |name| Stream::derive(seed, name, self.data);
        let name = POOLINGS.get(kind).copied().unwrap_or("?");
        let masked = if self.masked { ", masked" } else { ", no mask" };
        let strided = if self.strided { ", input not contiguous" } else { "" };
        let mut bits = stream("mask");
        let mut mask = Array::from_fn(&[b, t], |_| f64::from(u8::from(bits.below(5) < 3)));
        for example in 0..b {
            let at = usize::try_from(bits.below(t as u64)).unwrap_or(0);
            mask.set(&[example, at], 1.0);
        }
        let x = Array::random(&[b, t, d], &mut stream("x"));
        let case = Case::new(
            &signatures::MASKED_POOLING,
            format!("{name}, B={b} T={t} D={d}{masked}{strided}"),
        )
        .size("kind", kind)
        .input("x", x)
        .mask(self.masked.then_some(mask));
        if self.strided { case.strided() } else { case }
    }
}

impl Corners for PoolingShape {
    fn corners(&self) -> Vec<Self> {
        [0, 1, 2].map(|kind| Self { kind, b: 2, t: 4, d: 3, masked: true, ..*self }).to_vec()
    }
}

/// Returns a strategy for shapes of sequences to be pooled.
pub fn pooling_shapes() -> impl Strategy<Value = PoolingShape> {
    let sizes = (1..=3_usize, 1..=5_usize, 1..=4_usize);
    (0..3_usize, sizes, any::<bool>(), any::<u64>().no_shrink()).prop_map(
        |(kind, (b, t, d), masked, data)| PoolingShape {
            kind,
            b,
            t,
            d,
            masked,
            strided: false,
            data,
        },
    )
}
