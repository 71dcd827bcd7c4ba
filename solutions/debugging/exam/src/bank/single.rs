//! Right layers in single precision, in two writings: they round differently.

use softmark_checks::{Array, Case};

/// Number added to the variance in a norm.
const EPSILON: f32 = 1e-5;

/// A row of numbers for each token of a text.
type Rows = Vec<Vec<f32>>;

/// One way of writing the formulas down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Writing {
    /// Products are added without a rounding in between, in four sums at once; numbers are divided.
    Fused,
    /// Products are rounded and added one after another; numbers are multiplied by a reciprocal.
    ByHand,
}

impl Writing {
    fn dot(self, a: &[f32], b: &[f32]) -> f32 {
        match self {
            Self::Fused => {
                let mut sums = [0.0_f32; 4];
                for (a, b) in a.chunks(4).zip(b.chunks(4)) {
                    for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
                        *sum = a.mul_add(*b, *sum);
                    }
                }
                let [a, b, c, d] = sums;
                (a + c) + (b + d)
            }
            Self::ByHand => a.iter().zip(b).map(|(a, b)| a * b).sum(),
        }
    }

    fn sum(self, of: &[f32]) -> f32 {
        self.dot(of, &vec![1.0; of.len()])
    }

    fn divided(self, of: &[f32], by: f32) -> Vec<f32> {
        match self {
            Self::Fused => of.iter().map(|x| x / by).collect(),
            Self::ByHand => {
                let factor = 1.0 / by;
                of.iter().map(|x| x * factor).collect()
            }
        }
    }

    /// `a · b + c`, number by number.
    fn scaled(self, a: &[f32], b: &[f32], c: &[f32]) -> Vec<f32> {
        let all = a.iter().zip(b).zip(c);
        match self {
            Self::Fused => all.map(|((a, b), c)| a.mul_add(*b, *c)).collect(),
            Self::ByHand => all.map(|((a, b), c)| a * b + c).collect(),
        }
    }

    /// `x · Φ(x)`, with the distribution function of the normal distribution.
    fn gelu(self, x: f32) -> f32 {
        let scaled = x * std::f32::consts::FRAC_1_SQRT_2;
        match self {
            Self::Fused => 0.5 * (x * (1.0 + libm::erff(scaled))),
            Self::ByHand => 0.5 * x * libm::erfcf(-scaled),
        }
    }
}

/// Output of attention for a text, and its weights: a row for each query of each head.
struct Attended {
    output: Rows,
    weights: Rows,
}

/// Attention weights of a query.
struct Row {
    /// Exponentials of the scores of the visible keys.
    exponentials: Vec<f32>,
    /// Sum of the exponentials.
    total: f32,
    /// Weights of the visible keys.
    visible: Vec<f32>,
    /// Weights of all keys.
    weights: Vec<f32>,
}

/// Visible keys and values of a head: those whose mask is 1.
struct Visible {
    writing: Writing,
    /// Places of the keys in the text.
    places: Vec<usize>,
    keys: Rows,
    values: Rows,
    /// Number of all keys.
    length: usize,
}

impl Visible {
    fn new(writing: Writing, keys: Rows, values: Rows, mask: &[f32]) -> Self {
        let length = keys.len();
        let places: Vec<usize> = (0..length).filter(|j| mask.get(*j) == Some(&1.0)).collect();
        let real = |rows: Rows| -> Rows {
            rows.into_iter().zip(mask).filter(|(_, bit)| **bit == 1.0).map(|(row, _)| row).collect()
        };
        Self { writing, places, keys: real(keys), values: real(values), length }
    }

    fn weights(&self, query: &[f32]) -> Row {
        let query = self.writing.divided(query, (query.len() as f32).sqrt());
        let scores: Vec<f32> = self.keys.iter().map(|key| self.writing.dot(&query, key)).collect();
        let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let exponentials: Vec<f32> = scores.iter().map(|score| libm::expf(score - most)).collect();
        let total = self.writing.sum(&exponentials);
        let visible = self.writing.divided(&exponentials, total);
        let mut weights = vec![0.0; self.length];
        for (place, weight) in self.places.iter().zip(&visible) {
            if let Some(at) = weights.get_mut(*place) {
                *at = *weight;
            }
        }
        Row { exponentials, total, visible, weights }
    }

    /// The mixed values of a query, `width` numbers: zeros if no key is visible.
    fn mixed(&self, row: &Row, width: usize) -> Vec<f32> {
        match self.writing {
            _ if self.places.is_empty() => vec![0.0; width],
            Writing::Fused => self.writing.divided(&self.sums(&row.exponentials, width), row.total),
            Writing::ByHand => self.sums(&row.visible, width),
        }
    }

    fn sums(&self, factors: &[f32], width: usize) -> Vec<f32> {
        let column = |c: usize| self.values.iter().filter_map(move |row| row.get(c)).copied();
        let columns = (0..width).map(|c| column(c).collect::<Vec<f32>>());
        columns.map(|column| self.writing.dot(factors, &column)).collect()
    }
}

struct Layer<'a> {
    case: &'a Case,
    writing: Writing,
}

impl Layer<'_> {
    fn parameter(&self, name: &str) -> Vec<f32> {
        numbers(&self.case.get_parameter(name))
    }

    fn linear(&self, name: &str, x: &[Vec<f32>]) -> Rows {
        let weight = self.parameter(&format!("{name}.weight"));
        let bias = self.parameter(&format!("{name}.bias"));
        x.iter().map(|row| self.mapped(row, &weight, &bias)).collect()
    }

    fn mapped(&self, row: &[f32], weight: &[f32], bias: &[f32]) -> Vec<f32> {
        let outputs = weight.chunks(row.len().max(1)).zip(bias);
        outputs.map(|(weights, bias)| self.writing.dot(row, weights) + bias).collect()
    }

    fn norm(&self, name: &str, x: &[Vec<f32>]) -> Rows {
        let weight = self.parameter(&format!("{name}.weight"));
        let bias = self.parameter(&format!("{name}.bias"));
        x.iter().map(|row| self.normed(row, &weight, &bias)).collect()
    }

    fn normed(&self, row: &[f32], weight: &[f32], bias: &[f32]) -> Vec<f32> {
        let writing = self.writing;
        let width = row.len() as f32;
        let mean = writing.sum(row) / width;
        let centered: Vec<f32> = row.iter().map(|x| x - mean).collect();
        let variance = writing.dot(&centered, &centered) / width;
        let normal = writing.divided(&centered, (variance + EPSILON).sqrt());
        writing.scaled(&normal, weight, bias)
    }

    fn attend(&self, x: &[Vec<f32>], mask: &[f32]) -> Attended {
        let heads = self.case.get_size("heads").max(1);
        let project = |name: &str| self.linear(&format!("self_attn.{name}"), x);
        let (q, k, v) = (project("q_proj"), project("k_proj"), project("v_proj"));
        let mut context: Rows = vec![Vec::new(); x.len()];
        let mut weights = Rows::new();
        for head in 0..heads {
            let (keys, values) = (channels(&k, head, heads), channels(&v, head, heads));
            let visible = Visible::new(self.writing, keys, values, mask);
            for (query, mixed) in channels(&q, head, heads).iter().zip(&mut context) {
                let row = visible.weights(query);
                mixed.extend(visible.mixed(&row, query.len()));
                weights.push(row.weights);
            }
        }
        Attended { output: self.linear("self_attn.out_proj", &context), weights }
    }

    fn feed(&self, x: &[Vec<f32>]) -> Rows {
        let is_gelu = self.case.get_size("gelu") == 1;
        let active = |x: &f32| if is_gelu { self.writing.gelu(*x) } else { x.max(0.0) };
        let hidden = self.linear("feed_forward.linear1", x);
        let hidden: Rows = hidden.iter().map(|row| row.iter().map(active).collect()).collect();
        self.linear("feed_forward.linear2", &hidden)
    }

    fn forward(&self, x: &[Vec<f32>], mask: &[f32]) -> Attended {
        if self.case.get_size("pre_norm") == 1 {
            let Attended { output, weights } = self.attend(&self.norm("norm1", x), mask);
            let y = sum(x, &output);
            let fed = self.feed(&self.norm("norm2", &y));
            return Attended { output: sum(&y, &fed), weights };
        }
        let Attended { output, weights } = self.attend(x, mask);
        let y = self.norm("norm1", &sum(x, &output));
        let fed = self.feed(&y);
        Attended { output: self.norm("norm2", &sum(&y, &fed)), weights }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "what an experiment holds came in f32")]
fn numbers(array: &Array) -> Vec<f32> {
    array.values().iter().map(|x| *x as f32).collect()
}

/// The channels of one head.
fn channels(x: &[Vec<f32>], head: usize, heads: usize) -> Rows {
    let width = x.first().map_or(0, Vec::len) / heads;
    x.iter().map(|row| row.iter().copied().skip(head * width).take(width).collect()).collect()
}

fn sum(a: &[Vec<f32>], b: &[Vec<f32>]) -> Rows {
    let of_row = |(a, b): (&Vec<f32>, &Vec<f32>)| a.iter().zip(b).map(|(a, b)| a + b).collect();
    a.iter().zip(b).map(of_row).collect()
}

/// Output `[B, T, D]` and weights `[B, H, T, T]`, text by text.
fn observe(case: &Case, writing: Writing) -> (Array, Array) {
    let (x, mask) = (case.get("x"), numbers(&case.get("mask")));
    let (texts, length, width) = (x.dim(0), x.dim(1), x.dim(2));
    let heads = case.get_size("heads");
    let layer = Layer { case, writing };
    let (mut output, mut weights) = (Rows::new(), Rows::new());
    let numbers = numbers(&x);
    for (text, mask) in numbers.chunks(length * width).zip(mask.chunks(length)) {
        let rows: Rows = text.chunks(width).map(<[f32]>::to_vec).collect();
        let attended = layer.forward(&rows, mask);
        output.extend(attended.output);
        weights.extend(attended.weights);
    }
    let array = |shape: &[usize], rows: Rows| {
        Array::new(shape, rows.into_iter().flatten().map(f64::from).collect())
    };
    (array(&[texts, length, width], output), array(&[texts, heads, length, length], weights))
}

/// With fused operations.
pub(super) fn fused(case: &Case) -> (Array, Array) {
    observe(case, Writing::Fused)
}

/// Step by step: sums channel by channel, and products where others divide.
pub(super) fn by_hand(case: &Case) -> (Array, Array) {
    observe(case, Writing::ByHand)
}
