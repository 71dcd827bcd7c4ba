//! Statistics by changeable rules.

use softmark_checks::{Array, Case};
use softmark_exam::Response;

/// Over what there is a mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mean {
    /// Over the real queries of the batch, as it should be.
    RealQueries,
    /// Over all queries.
    AllQueries,
    /// Over the texts, of means over their real queries.
    Texts(Empty),
}

/// Mean of a text without a real query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Empty {
    /// `0 / 0`, which is no number.
    NotANumber,
    /// Zero.
    Zero,
    /// There is none, and the text does not count.
    LeftOut,
}

/// What a weight of zero adds to an entropy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Zero {
    /// Nothing, as it should.
    Nothing,
    /// `0 · ln 0`, which is no number.
    NotANumber,
}

/// Handling of a text of padding alone among others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EmptyText {
    /// It plays no part, as it should.
    LeftOut,
    /// Its number of tokens is divided by, and the distances are no numbers.
    Divided,
    /// The text is refused with an error.
    Refused,
}

/// The rules; [`RIGHT`] are the right ones.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a mistake of its own")]
pub(crate) struct Rules {
    pub(crate) mean: Mean,
    pub(crate) zero: Zero,
    /// Whether the logarithm is the natural one.
    pub(crate) natural: bool,
    /// Whether the entropy goes over padding too.
    pub(crate) entropy_of_all: bool,
    /// Whether uniform is the same for each real key, and not for each place.
    pub(crate) uniform_over_real: bool,
    /// Whether the distance goes over padding too.
    pub(crate) distance_of_all: bool,
    /// Whether there is a half in front of the distance.
    pub(crate) halved: bool,
    /// Whether the share on padding is not that on real tokens.
    pub(crate) on_padding: bool,
    /// Whether queries are left out, and not multiplied by zero.
    pub(crate) leaves_out: bool,
    /// Whether each head has numbers of its own.
    pub(crate) by_head: bool,
    /// Handling of a text of padding alone in a batch.
    pub(crate) empty_text: EmptyText,
    /// Whether a batch without a real token is an error.
    pub(crate) refuses_empty: bool,
    /// Whether views that are not contiguous are taken.
    pub(crate) takes_views: bool,
}

/// The right rules.
pub(crate) const RIGHT: Rules = Rules {
    mean: Mean::RealQueries,
    zero: Zero::Nothing,
    natural: true,
    entropy_of_all: true,
    uniform_over_real: true,
    distance_of_all: false,
    halved: true,
    on_padding: true,
    leaves_out: true,
    by_head: true,
    empty_text: EmptyText::LeftOut,
    refuses_empty: true,
    takes_views: true,
};

impl Rules {
    /// Entropy, distance and share of one query, whose weights `w` go with whether each key is real.
    fn of_query(&self, row: &[(f64, bool)]) -> [f64; 3] {
        let n = row.iter().filter(|(_, real)| *real).count() as f64;
        let even = 1.0 / if self.uniform_over_real { n } else { row.len() as f64 };
        let mut sums = [0.0; 3];
        for &(w, real) in row {
            let log = if self.natural { w.ln() } else { w.log2() };
            let is_nothing = w == 0.0 && self.zero == Zero::Nothing;
            if (self.entropy_of_all || real) && !is_nothing {
                sums[0] -= w * log;
            }
            if self.distance_of_all || real {
                sums[1] += (w - even).abs() * if self.halved { 0.5 } else { 1.0 };
            }
            if real != self.on_padding {
                sums[2] += w;
            }
        }
        sums
    }

    /// The means of one head.
    fn of_head(&self, case: &Case, head: usize) -> [f64; 3] {
        let (weights, mask) = (case.get("weights"), case.get("mask"));
        let t = weights.dim(3);
        // By text: the sum over its queries, and how many there are.
        let texts: Vec<([f64; 3], f64)> = (0..weights.dim(0))
            .map(|b| {
                let (mut sum, mut count) = ([0.0; 3], 0.0);
                for query in 0..t {
                    let real = mask.at(&[b, query]) == 1.0;
                    if !real && self.leaves_out && self.mean != Mean::AllQueries {
                        continue;
                    }
                    let row: Vec<(f64, bool)> = (0..t)
                        .map(|key| (weights.at(&[b, head, query, key]), mask.at(&[b, key]) == 1.0))
                        .collect();
                    let counts = if self.mean == Mean::AllQueries || real { 1.0 } else { 0.0 };
                    count += counts;
                    for (sum, own) in sum.iter_mut().zip(self.of_query(&row)) {
                        *sum += own * counts;
                    }
                }
                (sum, count)
            })
            .collect();
        let mut mean = [0.0; 3];
        for (at, mean) in mean.iter_mut().enumerate() {
            let of =
                |(sums, count): &([f64; 3], f64)| (sums.get(at).copied().unwrap_or(0.0), *count);
            *mean = if let Mean::Texts(empty) = self.mean {
                let own = texts.iter().map(of).map(|(sum, count)| match empty {
                    Empty::NotANumber => sum / count,
                    Empty::Zero | Empty::LeftOut => sum / f64::max(count, 1.0),
                });
                let counts =
                    |(_, count): &&([f64; 3], f64)| empty != Empty::LeftOut || *count > 0.0;
                own.sum::<f64>() / texts.iter().filter(counts).count() as f64
            } else {
                let count: f64 = texts.iter().map(|it| it.1).sum();
                texts.iter().map(|it| of(it).0).sum::<f64>() / count
            };
        }
        mean
    }
}

/// What statistics by these rules give in answer.
pub(crate) fn imitate(rules: &Rules, case: &Case) -> Response {
    let is_empty = case.get("mask").values().iter().all(|bit| *bit == 0.0);
    let strided = case.inputs.iter().any(|input| input.strided);
    let mask = case.get("mask");
    let has_empty_text = mask.values().chunks(mask.dim(1).max(1)).any(|row| !row.contains(&1.0));
    let refuses_text = has_empty_text && rules.empty_text == EmptyText::Refused;
    if is_empty && rules.refuses_empty || strided && !rules.takes_views || refuses_text {
        return Response::Refused;
    }
    let heads = case.get("weights").dim(1);
    let mut all: Vec<[f64; 3]> = (0..heads).map(|head| rules.of_head(case, head)).collect();
    if !rules.by_head {
        let mut mean = [0.0; 3];
        for of in &all {
            for (mean, own) in mean.iter_mut().zip(of) {
                *mean += own / heads as f64;
            }
        }
        all = vec![mean; heads];
    }
    if has_empty_text && rules.empty_text == EmptyText::Divided {
        for [_, distance, _] in &mut all {
            *distance = f64::NAN;
        }
    }
    let column = |at: usize| {
        let values = all.iter().map(|of| of.get(at).copied().unwrap_or(f64::NAN)).collect();
        Array::new(&[heads], values)
    };
    let outputs = ["entropy", "from_uniform", "on_padding"].into_iter().enumerate();
    Response::Outputs(outputs.map(|(at, name)| (name.to_owned(), column(at))).collect())
}
