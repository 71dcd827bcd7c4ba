//! Cases for the parts of an encoder: small shapes first, including edge cases.

use proptest::prelude::*;
use softmark_checks::Signature;
use softmark_checks::array::Array;
use softmark_checks::case::{Case, InputKind};
use softmark_checks::corners::Corners;
use softmark_checks::random_texts;
use softmark_common::rng::Stream;

use crate::signatures;

/// Sizes and switches of a case for a part of an encoder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each switch is one of the assignment's own")]
pub struct EncoderShape {
    /// Examples.
    pub b: usize,
    /// Length of the sequences.
    pub t: usize,
    /// Heads.
    pub h: usize,
    /// Width of a head.
    pub k: usize,
    /// Width inside the feed-forward network.
    pub f: usize,
    /// Token ids.
    pub v: usize,
    /// Rows of the table of positions beyond `t`.
    pub spare: usize,
    /// Layers.
    pub layers: usize,
    /// Classes.
    pub c: usize,
    /// True if norms precede the sublayers (pre-norm).
    pub pre_norm: bool,
    /// True if the activation is GELU.
    pub gelu: bool,
    /// True if there is padding.
    pub padded: bool,
    /// Dropout probability, in thousandths.
    pub dropout_permille: usize,
    /// True if the part is passed `train = true`.
    pub train: bool,
    /// True if the inputs are non-contiguous views.
    pub strided: bool,
    /// Index of the random stream that the values are drawn from.
    pub data: u64,
}

/// The parameters of a feed-forward network.
pub const FEED_FORWARD_PARAMETERS: [&str; 4] =
    ["linear1.weight", "linear1.bias", "linear2.weight", "linear2.bias"];

impl EncoderShape {
    /// The smallest shape without anything that can be switched on, from which others are made.
    pub const BARE: Self = Self {
        b: 1,
        t: 1,
        h: 1,
        k: 2,
        f: 3,
        v: 2,
        spare: 0,
        layers: 0,
        c: 2,
        pre_norm: false,
        gelu: false,
        padded: false,
        dropout_permille: 0,
        train: false,
        strided: false,
        data: 0,
    };

    /// Width of the model.
    pub fn d(&self) -> usize {
        self.h * self.k
    }

    /// The longest sequence.
    pub fn max_len(&self) -> usize {
        self.t + self.spare
    }

    fn label(&self) -> String {
        let Self { b, t, f, .. } = *self;
        let train = if self.train { ", train" } else { "" };
        let dropout = match self.dropout_permille {
            0 => String::new(),
            permille => format!(", dropout {}", permille as f64 / 1000.0),
        };
        let strided = if self.strided { ", inputs not contiguous" } else { "" };
        format!("B={b} T={t} D={} F={f}{dropout}{train}{strided}", self.d())
    }

    fn placement(&self) -> &'static str {
        if self.pre_norm { "pre-norm" } else { "post-norm" }
    }

    fn stream(&self, seed: u64, name: &str) -> Stream {
        Stream::derive(seed, name, self.data)
    }

    /// Returns random values for the array `name` of a case of this shape.
    pub fn random(&self, seed: u64, shape: &[usize], name: &str) -> Array {
        Array::random(shape, &mut self.stream(seed, name))
    }

    /// A question with the sizes of this shape; each part is told all of them.
    fn case(&self, signature: &'static Signature, label: String) -> Case {
        Case::new(signature, label)
            .size("vocabulary", self.v)
            .size("max_len", self.max_len())
            .size("d_model", self.d())
            .size("heads", self.h)
            .size("d_ff", self.f)
            .size("layers", self.layers)
            .size("pre_norm", usize::from(self.pre_norm))
            .size("gelu", usize::from(self.gelu))
            .size("dropout_permille", self.dropout_permille)
            .size("train", usize::from(self.train))
    }

    /// Adds a linear map of `[to, from]`, its weights up to 1/2: so that sums over the channels, and
    /// with them what rounding can make of a number, do not grow from layer to layer.
    pub fn linear(&self, seed: u64, case: Case, name: &str, [to, from]: [usize; 2]) -> Case {
        let (weight, bias) = (format!("{name}.weight"), format!("{name}.bias"));
        let matrix = self.random(seed, &[to, from], &weight).map(|x| x / 4.0);
        // Inputs are eighths and weights are 32nds: their sums with this are never 0, where ReLU has
        // no slope.
        let shift = self.random(seed, &[to], &bias).map(|x| x + 1.0 / 512.0);
        case.parameter(weight, matrix).parameter(bias, shift)
    }

    /// Adds a norm, its weights between 1/2 and 3/2.
    pub fn norm(&self, seed: u64, case: Case, name: &str) -> Case {
        let (weight, bias) = (format!("{name}.weight"), format!("{name}.bias"));
        let scale = self.random(seed, &[self.d()], &weight).map(|x| 1.0 + x / 4.0);
        let shift = self.random(seed, &[self.d()], &bias);
        case.parameter(weight, scale).parameter(bias, shift)
    }

    fn feed_forward_parameters(&self, seed: u64, case: Case, under: &str) -> Case {
        let (d, f) = (self.d(), self.f);
        let case = self.linear(seed, case, &format!("{under}linear1"), [f, d]);
        self.linear(seed, case, &format!("{under}linear2"), [d, f])
    }

    /// Adds the parameters of an encoder layer, whose names begin with `under`.
    pub fn layer_parameters(&self, seed: u64, mut case: Case, under: &str) -> Case {
        let d = self.d();
        for name in ["q_proj", "k_proj", "v_proj", "out_proj"] {
            case = self.linear(seed, case, &format!("{under}self_attn.{name}"), [d, d]);
        }
        case = self.feed_forward_parameters(seed, case, &format!("{under}feed_forward."));
        case = self.norm(seed, case, &format!("{under}norm1"));
        self.norm(seed, case, &format!("{under}norm2"))
    }

    fn encoder_parameters(&self, seed: u64, mut case: Case) -> Case {
        for (name, rows) in [("token_embedding", self.v), ("position_embedding", self.max_len())] {
            let name = format!("{name}.weight");
            let table = self.random(seed, &[rows, self.d()], &name);
            case = case.parameter(name, table);
        }
        for n in 0..self.layers {
            case = self.layer_parameters(seed, case, &format!("layers.{n}."));
        }
        if self.pre_norm { self.norm(seed, case, "norm") } else { case }
    }

    /// A mask in which each text has a real token, and padding too where the shape says so.
    fn real_tokens(&self, seed: u64) -> Array {
        let stream = self.stream(seed, "mask");
        self.tell_apart(random_texts::real_tokens([self.b, self.t], self.padded, stream))
    }

    /// The mask with the second text's row turned by one place where it is the first one's: code that
    /// reads one row for all texts must not be right by chance.
    fn tell_apart(&self, mut mask: Array) -> Array {
        let row = |text: usize| (0..self.t).map(|t| mask.at(&[text, t])).collect::<Vec<_>>();
        let second = if self.b > 1 { row(1) } else { Vec::new() };
        if !second.is_empty() && second == row(0) {
            for (t, bit) in second.into_iter().enumerate() {
                mask.set(&[1, (t + 1) % self.t], bit);
            }
        }
        mask
    }

    fn finish(&self, case: Case) -> Case {
        if self.strided { case.strided() } else { case }
    }

    /// Returns a case for the feed-forward network.
    pub fn feed_forward(&self, seed: u64) -> Case {
        let activation = if self.gelu { "GELU" } else { "ReLU" };
        let case = self.case(&signatures::FEED_FORWARD, format!("{activation}, {}", self.label()));
        let case = self.feed_forward_parameters(seed, case, "");
        self.finish(case.input("x", self.random(seed, &[self.b, self.t, self.d()], "x")))
    }

    /// Returns a case for the encoder layer.
    pub fn encoder_layer(&self, seed: u64) -> Case {
        let label = format!("{}, H={} {}", self.placement(), self.h, self.label());
        let case = self.layer_parameters(seed, self.case(&signatures::ENCODER_LAYER, label), "");
        let case = case
            .input("x", self.random(seed, &[self.b, self.t, self.d()], "x"))
            .mask(Some(self.real_tokens(seed)));
        self.finish(case)
    }

    /// Adds ids, with 0 at padding and no 0 elsewhere, and the mask.
    pub fn text(&self, seed: u64, case: Case) -> Case {
        let mask = self.real_tokens(seed);
        let ids = random_texts::ids(&mask, self.v, self.stream(seed, "ids"));
        self.finish(case.ids("ids", ids).mask(Some(mask)))
    }

    fn of_layers(&self) -> String {
        let layers = match self.layers {
            1 => "1 layer".to_owned(),
            n => format!("{n} layers"),
        };
        format!("{layers}, {}, V={} {}", self.placement(), self.v, self.label())
    }

    /// Returns a case for the encoder.
    pub fn encoder(&self, seed: u64) -> Case {
        let case = self.case(&signatures::STACK, self.of_layers());
        self.text(seed, self.encoder_parameters(seed, case))
    }

    /// Returns a case for the classifier.
    pub fn classifier(&self, seed: u64) -> Case {
        let label = format!("C={} {}", self.c, self.of_layers());
        let case = self.case(&signatures::CLASSIFIER, label).size("classes", self.c);
        let case = self.encoder_parameters(seed, case);
        let case = self.linear(seed, case, "classifier", [self.c, self.d()]);
        self.text(seed, case)
    }

    /// Returns the same shape with pre-norm layers, and a table of positions with a row to spare: what only
    /// post-norm layers show, and what a text of the greatest length shows, are questions of their own.
    #[must_use]
    pub fn usual(self) -> Self {
        Self { pre_norm: true, spare: self.spare.max(1), ..self }
    }

    /// Returns the same shape with each of the two placements of the norms.
    pub fn each_placement(self) -> [Self; 2] {
        [Self { pre_norm: false, ..self }, Self { pre_norm: true, ..self }]
    }

    /// Returns the same shape with each of the two activations.
    pub fn each_activation(self) -> [Self; 2] {
        [Self { gelu: false, ..self }, Self { gelu: true, ..self }]
    }
}

/// Corner cases with each placement of the norms and with each activation; and a single text without padding
/// that is as long as the table of positions: code that fails there must do so on every seed.
impl Corners for EncoderShape {
    fn corners(&self) -> Vec<Self> {
        let sizes = Self { b: 2, t: 3, h: 2, k: 4, f: 5, v: 6, spare: 1, layers: 2, c: 4, ..*self };
        let padded = Self { padded: true, ..sizes };
        let several = padded.each_placement().map(|it| Self { gelu: it.pre_norm, ..it });
        let alone = Self { b: 1, t: 2, spare: 0, padded: false, pre_norm: true, ..sizes };
        several.into_iter().chain([alone]).collect()
    }
}

/// Returns a strategy for shapes of a model at least four channels wide, so that a norm has something to work on.
pub fn encoder_shapes() -> impl Strategy<Value = EncoderShape> {
    let sizes = (1..=3_usize, 1..=4_usize, 1..=3_usize, 0..=2_usize, 1..=6_usize);
    let around = (3..=6_usize, 0..=2_usize, 1..=2_usize, 2..=4_usize);
    let switches = (any::<bool>(), any::<bool>(), any::<bool>());
    (sizes, around, switches, any::<u64>().no_shrink()).prop_map(
        |((b, t, h, wider, f), (v, spare, layers, c), (pre_norm, gelu, padded), data)| {
            EncoderShape {
                b,
                t,
                h,
                k: 4_usize.div_ceil(h) + wider,
                f,
                v,
                spare,
                layers,
                c,
                pre_norm,
                gelu,
                padded,
                data,
                ..EncoderShape::BARE
            }
        },
    )
}

/// A layer norm with `ε = 1e-5` over the last axis of `[B, T, D]`, in `f64`.
#[must_use]
pub fn layer_norm(x: &Array, weight: &Array, bias: &Array) -> Array {
    normed(x, (weight, bias), 1e-5)
}

/// A layer norm with any `ε` over the last axis of `[B, T, D]`, in `f64`.
#[must_use]
pub fn normed(x: &Array, (weight, bias): (&Array, &Array), epsilon: f64) -> Array {
    let d = x.dim(2);
    let row = |b: usize, t: usize| (0..d).map(move |c| x.at(&[b, t, c]));
    Array::from_fn(x.shape(), |at| match *at {
        [b, t, c] => {
            let mean = row(b, t).sum::<f64>() / d as f64;
            let variance = row(b, t).map(|x| (x - mean).powi(2)).sum::<f64>() / d as f64;
            (x.at(at) - mean) / (variance + epsilon).sqrt() * weight.at(&[c]) + bias.at(&[c])
        }
        _ => f64::NAN,
    })
}

/// Returns the case with numbers that need every bit of `f32`, in parameters and inputs. The ones that are handed
/// out otherwise are short enough to read, and so short that a narrower type holds them as well.
#[must_use]
pub fn full_mantissas(case: &Case, seed: u64) -> Case {
    let mut full = case.clone();
    let mut stream = Stream::derive(seed, "full mantissas", 0);
    let mut shaken = |array: &Array| {
        array.map(|x| {
            let x = x * (1.0 + (f64::from(stream.uniform()) - 0.5) / 64.0);
            #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the purpose")]
            let x = x as f32;
            f64::from(x)
        })
    };
    for (_, array) in &mut full.parameters {
        *array = shaken(array);
    }
    for input in full.inputs.iter_mut().filter(|input| input.kind == InputKind::Numbers) {
        input.array = shaken(&input.array);
    }
    full
}
