//! Cases for the classifier of the `attention` assignment: small shapes first, including edge cases.

use proptest::prelude::*;
use softmark_checks::array::Array;
use softmark_checks::case::Case;
use softmark_checks::corners::Corners;
use softmark_checks::random_texts;
use softmark_common::rng::Stream;

use crate::cases::{MULTI_HEAD_PARAMETERS, POOLINGS};
use crate::signatures;

/// Sizes and switches of a case for the classifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassifierShape {
    /// Texts.
    pub b: usize,
    /// Length of the texts.
    pub t: usize,
    /// Heads.
    pub h: usize,
    /// Width of a head.
    pub k: usize,
    /// Token ids.
    pub v: usize,
    /// Rows of the table of positions beyond `t`.
    pub spare: usize,
    /// Classes.
    pub c: usize,
    /// True if a norm follows the attention.
    pub norm: bool,
    /// Index of the pooling in [`POOLINGS`].
    pub kind: usize,
    /// True if there is padding.
    pub padded: bool,
    /// Index of the random stream that the values are drawn from.
    pub data: u64,
}

impl ClassifierShape {
    /// Width of the model.
    pub fn d(&self) -> usize {
        self.h * self.k
    }

    /// The longest text.
    pub fn max_len(&self) -> usize {
        self.t + self.spare
    }

    fn label(&self) -> String {
        let Self { b, t, h, v, c, .. } = *self;
        let pooling = POOLINGS.get(self.kind).copied().unwrap_or("?");
        let norm = if self.norm { ", norm" } else { "" };
        let padded = if self.padded { ", padded" } else { "" };
        format!("{pooling}{norm}, B={b} T={t} D={} H={h} V={v} C={c}{padded}", self.d())
    }

    fn random(&self, seed: u64, shape: &[usize], name: &str) -> Array {
        Array::random(shape, &mut Stream::derive(seed, name, self.data))
    }

    /// Adds a linear map of `[to, from]`, its weights up to 1/2.
    fn linear(&self, seed: u64, case: Case, names: (&str, &str), [to, from]: [usize; 2]) -> Case {
        let (weight, bias) = names;
        let matrix = self.random(seed, &[to, from], weight).map(|x| x / 4.0);
        case.parameter(weight, matrix).parameter(bias, self.random(seed, &[to], bias))
    }

    fn parameters(&self, seed: u64, mut case: Case) -> Case {
        let d = self.d();
        for (name, rows) in [("token_embedding", self.v), ("position_embedding", self.max_len())] {
            let name = format!("{name}.weight");
            let table = self.random(seed, &[rows, d], &name);
            case = case.parameter(name, table);
        }
        for (weight, bias) in MULTI_HEAD_PARAMETERS {
            let names = [weight, bias].map(|name| format!("self_attn.{name}"));
            let [weight, bias] = names.each_ref().map(String::as_str);
            case = self.linear(seed, case, (weight, bias), [d, d]);
        }
        if self.norm {
            // Between 1/2 and 3/2.
            let scale = self.random(seed, &[d], "norm.weight").map(|x| 1.0 + x / 4.0);
            let shift = self.random(seed, &[d], "norm.bias");
            case = case.parameter("norm.weight", scale).parameter("norm.bias", shift);
        }
        self.linear(seed, case, ("classifier.weight", "classifier.bias"), [self.c, d])
    }

    /// Returns a case for the classifier, with id 0 at padding and nowhere else.
    pub fn classifier(&self, seed: u64) -> Case {
        let case = Case::new(&signatures::CLASSIFIER, self.label())
            .size("vocabulary", self.v)
            .size("max_len", self.max_len())
            .size("d_model", self.d())
            .size("heads", self.h)
            .size("classes", self.c)
            .size("norm", usize::from(self.norm))
            .size("kind", self.kind);
        let case = self.parameters(seed, case);
        let stream = |name| Stream::derive(seed, name, self.data);
        let mask = random_texts::real_tokens([self.b, self.t], self.padded, stream("mask"));
        let ids = random_texts::ids(&mask, self.v, stream("ids"));
        case.ids("ids", ids).mask(Some(mask))
    }

    /// Returns the same shape with and without the norm.
    pub fn each_norm(self) -> [Self; 2] {
        [Self { norm: false, ..self }, Self { norm: true, ..self }]
    }

    /// Returns the same shape with each way of pooling.
    pub fn each_pooling(self) -> [Self; 3] {
        [0, 1, 2].map(|kind| Self { kind, ..self })
    }
}

/// Corner cases with each kind of pooling, one of them after a norm.
impl Corners for ClassifierShape {
    fn corners(&self) -> Vec<Self> {
        let sizes = Self { b: 2, t: 3, h: 2, k: 4, v: 6, spare: 1, c: 5, padded: true, ..*self };
        let several = sizes.each_pooling().map(|it| Self { norm: it.kind == 1, ..it });
        // Code that fails for one text of one word must do so on every seed.
        let alone = Self { b: 1, t: 1, spare: 0, padded: false, kind: 0, norm: false, ..sizes };
        several.into_iter().chain([alone]).collect()
    }
}

/// Returns a strategy for shapes of a model at least four channels wide, so that a norm has something to work on.
pub fn classifier_shapes() -> impl Strategy<Value = ClassifierShape> {
    let sizes = (1..=3_usize, 1..=4_usize, 1..=3_usize, 0..=2_usize);
    let around = (3..=6_usize, 0..=2_usize, 2..=4_usize, 0..POOLINGS.len());
    let switches = (any::<bool>(), any::<bool>(), any::<u64>().no_shrink());
    (sizes, around, switches).prop_map(
        |((b, t, h, wider), (v, spare, c, kind), (norm, padded, data))| ClassifierShape {
            b,
            t,
            h,
            k: 4_usize.div_ceil(h) + wider,
            v,
            spare,
            c,
            norm,
            kind,
            padded,
            data,
        },
    )
}
