//! Cases for captures and statistics: small shapes first, including edge cases.

use proptest::prelude::*;
use softmark_checks::array::Array;
use softmark_checks::case::Case;
use softmark_checks::corners::Corners;
use softmark_checks::mantissa;
use softmark_common::rng::Stream;

use crate::signatures;

/// Names of the modules of a capture's model, which are numbered from 0.
pub const MODULES: [&str; 2] = ["layers.0.self_attn", "layers.1.self_attn"];

/// Names of modules that the model does not have, which are numbered after its [`MODULES`].
pub const ABSENT: [&str; 4] =
    ["layers.2.self_attn", "layers.1.self", "self_attn", "layers.1.self_attn.out_proj"];

/// Calls of a model's modules before, during and after the epoch that a capture runs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct CaptureShape {
    /// Texts of each call in the epoch of the module that is captured.
    pub batches: Vec<usize>,
    /// True if the other module is called after each of these calls, and both are called before and after
    /// the epoch.
    pub around: bool,
    /// Heads.
    pub h: usize,
    /// Length of the longest sequence. Every second call has one token less, unless calls repeat or there
    /// is only one token.
    pub t: usize,
    /// The module that is captured.
    pub module: usize,
    /// True if the epoch ends in an error.
    pub fails: bool,
    /// True if every call shows the same numbers.
    pub repeats: bool,
    /// True if the last call in the epoch of the module that is captured shows no weights.
    pub unnamed: bool,
    /// Index of the random stream that the values are drawn from.
    pub data: u64,
}

/// One call of a module.
#[derive(Debug, Clone, Copy)]
struct Call {
    module: usize,
    texts: usize,
}

impl CaptureShape {
    /// The calls in their order: before the epoch, in it, and after it.
    fn calls(&self) -> [Vec<Call>; 3] {
        let (own, other) = (self.module.min(1), 1 - self.module.min(1));
        let call = |module, texts| Call { module, texts };
        let around = if self.around { vec![call(own, 1), call(other, 1)] } else { Vec::new() };
        let beside = self.around.then_some(call(other, 1));
        let inside = self.batches.iter().flat_map(|&texts| [Some(call(own, texts)), beside]);
        [around.clone(), inside.flatten().collect(), around]
    }

    /// Length of the sequences of call `n`, counted over all calls.
    fn length(&self, n: usize) -> usize {
        if self.t > 1 && !self.repeats { self.t - n % 2 } else { self.t }
    }

    /// Returns the case.
    pub fn case(&self, seed: u64) -> Case {
        let Self { h, t, module, fails, data, .. } = *self;
        let [before, inside, after] = self.calls();
        let (first, last) = (before.len(), after.len());
        let calls = [before, inside, after].concat();
        let most = calls.iter().map(|call| call.texts).max().unwrap_or(1);
        let mut stream = Stream::derive(seed, "weights", data);
        // A capture does not depend on rows that sum to one.
        let drawn = mantissa::between(&[calls.len(), most, h, t, t], [-2.0, 2.0], &mut stream);
        let weights = Array::from_fn(drawn.shape(), |at| match *at {
            [_, b, h, i, j] if self.repeats => drawn.at(&[0, b, h, i, j]),
            _ => drawn.at(at),
        });
        let column = |of: &dyn Fn(usize, &Call) -> usize| {
            let values = calls.iter().enumerate().map(|(n, call)| of(n, call) as f64);
            Array::new(&[calls.len()], values.collect())
        };
        Case::new(&signatures::CAPTURE, self.label())
            .size("module", module)
            .size("before", first)
            .size("after", last)
            .size("fails", usize::from(fails))
            .size("unnamed", usize::from(self.unnamed))
            .ids("calls", column(&|_, call| call.module))
            .ids("batches", column(&|_, call| call.texts))
            .ids("lengths", column(&|n, _| self.length(n)))
            .input("weights", weights)
    }

    fn label(&self) -> String {
        let Self { h, t, .. } = *self;
        let n = self.batches.len();
        let calls = if n == 1 { "1 call".to_owned() } else { format!("{n} calls") };
        let mut label = format!("{calls} in the epoch, H={h} T={t}");
        for (switch, said) in [
            (self.around, "others call around"),
            (self.repeats, "every call shows the same numbers"),
            (self.unnamed, "the last call shows no `weights`"),
            (self.fails, "the epoch ends in an error"),
        ] {
            if switch {
                label.push_str(", ");
                label.push_str(said);
            }
        }
        label
    }

    /// Returns the shapes of the tensors that a correct capture returns, and their concatenated values.
    pub fn captured(&self, case: &Case) -> (Vec<[usize; 4]>, Vec<f64>) {
        let weights = case.get("weights");
        let [before, inside, _] = self.calls();
        let own = self.module.min(1);
        let of_module = inside.iter().enumerate().filter(|(_, call)| call.module == own);
        let (mut shapes, mut values) = (Vec::new(), Vec::new());
        for (n, call) in of_module {
            let n = before.len() + n;
            let shape = [call.texts, self.h, self.length(n), self.length(n)];
            shapes.push(shape);
            let shown = Array::from_fn(&shape, |at| weights.at(&[&[n], at].concat()));
            values.extend_from_slice(shown.values());
        }
        (shapes, values)
    }

    /// The same with a single call in the epoch.
    #[must_use]
    pub fn once(&self) -> Self {
        Self { batches: self.batches.iter().copied().take(1).collect(), ..self.clone() }
    }
}

impl Corners for CaptureShape {
    fn corners(&self) -> Vec<Self> {
        let of = |module| Self { batches: vec![2, 1, 4], h: 2, t: 3, module, ..self.clone() };
        vec![of(0), of(1)]
    }
}

/// Captures of up to four calls of one module, with nothing around them.
pub fn capture_shapes() -> impl Strategy<Value = CaptureShape> {
    let batches = prop::collection::vec(1..=3_usize, 1..=4);
    (batches, 1..=2_usize, 1..=3_usize, 0..=1_usize, any::<u64>().no_shrink()).prop_map(
        |(batches, h, t, module, data)| CaptureShape {
            batches,
            around: false,
            h,
            t,
            module,
            fails: false,
            repeats: false,
            unnamed: false,
            data,
        },
    )
}

/// Attention weights of a batch, and which tokens are real.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightsShape {
    /// Real tokens of each text; 0 for a text of padding alone.
    pub texts: Vec<usize>,
    /// Heads.
    pub h: usize,
    /// Length of the sequences.
    pub t: usize,
    /// Index of the random stream that the values are drawn from.
    pub data: u64,
}

impl WeightsShape {
    /// `[B, T]`: the real tokens come first.
    fn mask(&self) -> Array {
        Array::from_fn(&[self.texts.len(), self.t], |at| match *at {
            [b, t] => f64::from(u8::from(self.texts.get(b).is_some_and(|real| t < *real))),
            _ => f64::NAN,
        })
    }

    fn label(&self) -> String {
        let real: Vec<String> = self.texts.iter().map(usize::to_string).collect();
        let (h, t) = (self.h, self.t);
        format!("B={} H={h} T={t}, real tokens {}", self.texts.len(), real.join(" and "))
    }

    /// Returns the case with these weights `[B, H, T, T]`.
    pub fn of(&self, weights: impl FnMut(&[usize]) -> f64) -> Case {
        let shape = [self.texts.len(), self.h, self.t, self.t];
        Case::new(&signatures::STATISTICS, self.label())
            .input("weights", Array::from_fn(&shape, weights))
            .mask(Some(self.mask()))
    }

    /// Returns the case with random rows that sum to one, on padding too; no weight is 0.
    pub fn case(&self, seed: u64) -> Case {
        let mut stream = Stream::derive(seed, "rows", self.data);
        let rows = self.texts.len() * self.h * self.t;
        let drawn = mantissa::between(&[rows, self.t], [0.1, 1.0], &mut stream);
        let mut weights = Vec::with_capacity(rows * self.t);
        for row in drawn.values().chunks(self.t.max(1)) {
            let sum: f64 = row.iter().sum();
            weights.extend(row.iter().map(|x| mantissa::single(x / sum)));
        }
        let all = Array::new(&[self.texts.len(), self.h, self.t, self.t], weights);
        self.of(|at| all.at(at))
    }
}

impl Corners for WeightsShape {
    fn corners(&self) -> Vec<Self> {
        vec![Self { texts: vec![4, 3], h: 3, t: 6, ..self.clone() }]
    }
}

/// Up to three texts of different lengths, each with a real token at least.
pub fn weights_shapes() -> impl Strategy<Value = WeightsShape> {
    let texts = prop::collection::vec(1..=5_usize, 1..=3);
    (texts, 1..=3_usize, 0..=2_usize, any::<u64>().no_shrink()).prop_map(
        |(texts, h, padding, data)| {
            let t = texts.iter().copied().max().unwrap_or(1) + padding;
            WeightsShape { texts, h, t, data }
        },
    )
}
