//! Questions about captures and statistics: small shapes first, edges among them.

use proptest::prelude::*;
use softmark_kit::rng::Stream;

use crate::array::Array;
use crate::case::Case;
use crate::corners::Corners;
use crate::words::count;

/// A module that the model of a capture does not have.
pub const ABSENT: usize = 9;

/// What happens while, before and after a capture is at work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaptureShape {
    /// Texts of each call in the epoch of the module that is captured.
    pub batches: Vec<usize>,
    /// Whether the other module is called after each of these calls, and whether both are called
    /// before and after the epoch.
    pub around: bool,
    /// Heads.
    pub h: usize,
    /// Length of the sequences.
    pub t: usize,
    /// Which module is captured.
    pub module: usize,
    /// Whether the epoch ends in an error.
    pub fails: bool,
    /// Which random numbers.
    pub data: u64,
}

impl CaptureShape {
    /// Module and texts of each call, in their order: before the epoch, in it, and after it.
    fn calls(&self) -> [Vec<(usize, usize)>; 3] {
        let (own, other) = (self.module.min(1), 1 - self.module.min(1));
        let around = if self.around { vec![(own, 1), (other, 1)] } else { Vec::new() };
        let beside = self.around.then_some((other, 1));
        let inside = self.batches.iter().flat_map(|&texts| [Some((own, texts)), beside]);
        [around.clone(), inside.flatten().collect(), around]
    }

    /// The question.
    pub fn case(&self, seed: u64) -> Case {
        let Self { h, t, module, fails, data, .. } = *self;
        let [before, inside, after] = self.calls();
        let (first, last) = (before.len(), after.len());
        let calls = [before, inside, after].concat();
        let most = calls.iter().map(|(_, texts)| *texts).max().unwrap_or(1);
        let mut stream = Stream::derive(seed, "weights", data);
        // Dyadic, so that f32 holds them; that rows sum to one is nothing that a capture looks at.
        let weights = Array::random(&[calls.len(), most, h, t, t], &mut stream);
        let column = |of: &dyn Fn(&(usize, usize)) -> usize| {
            Array::new(&[calls.len()], calls.iter().map(|call| of(call) as f64).collect())
        };
        let around = if self.around { ", others call around" } else { "" };
        let calls_inside = count(self.batches.len(), "call", "calls");
        let label = format!("{calls_inside} in the epoch, H={h} T={t}{around}");
        Case::new("capture", label)
            .size("module", module)
            .size("before", first)
            .size("after", last)
            .size("fails", usize::from(fails))
            .ids("calls", column(&|call| call.0))
            .ids("batches", column(&|call| call.1))
            .input("weights", weights)
    }

    /// What a right capture gives back: the shapes of its tensors and their values, one after another.
    pub fn captured(&self, case: &Case) -> (Vec<[usize; 4]>, Vec<f64>) {
        let weights = case.get("weights");
        let [before, inside, _] = self.calls();
        let own = self.module.min(1);
        let of_module = inside.iter().enumerate().filter(|(_, (module, _))| *module == own);
        let (h, t) = (self.h, self.t);
        let (mut shapes, mut values) = (Vec::new(), Vec::new());
        for (n, (_, texts)) in of_module {
            shapes.push([*texts, h, t, t]);
            let call = Array::from_fn(&[*texts, h, t, t], |at| {
                weights.at(&[&[before.len() + n], at].concat())
            });
            values.extend_from_slice(call.values());
        }
        (shapes, values)
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
            data,
        },
    )
}

/// Attention weights of a batch, and which tokens are real.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightsShape {
    /// Real tokens of each text.
    pub texts: Vec<usize>,
    /// Heads.
    pub h: usize,
    /// Length of the sequences.
    pub t: usize,
    /// Which random numbers.
    pub data: u64,
}

/// How finely weights are cut: a row is made of so many equal shares, which `f32` holds exactly.
const SHARES: u64 = 16;

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

    /// The question with these weights `[B, H, T, T]`.
    pub fn of(&self, weights: impl FnMut(&[usize]) -> f64) -> Case {
        let shape = [self.texts.len(), self.h, self.t, self.t];
        Case::new("statistics", self.label())
            .input("weights", Array::from_fn(&shape, weights))
            .mask(Some(self.mask()))
    }

    /// The question with random rows that sum to one, on padding too.
    pub fn case(&self, seed: u64) -> Case {
        let mut stream = Stream::derive(seed, "rows", self.data);
        let rows = self.texts.len() * self.h * self.t;
        let mut weights = vec![0.0; rows * self.t];
        for row in weights.chunks_mut(self.t.max(1)) {
            for _ in 0..SHARES {
                let at = usize::try_from(stream.below(row.len() as u64)).unwrap_or(0);
                if let Some(weight) = row.get_mut(at) {
                    *weight += 1.0 / SHARES as f64;
                }
            }
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
