//! Cases for tuned classifiers: small shapes first, including edge cases.

use encoder_checks::cases::{EncoderShape, encoder_shapes, layer_norm};
use proptest::prelude::*;
use softmark_checks::Signature;
use softmark_checks::array::Array;
use softmark_checks::case::Case;
use softmark_checks::corners::Corners;

use crate::signatures;

/// Sizes and switches of a case for a tuned classifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TuningShape {
    /// Shape of the encoder that is tuned, which is post-norm.
    pub base: EncoderShape,
    /// Length of the prefix; 0 for none.
    pub prefix: usize,
    /// Number of layers that are tuned.
    pub unfrozen: usize,
    /// Number of segment types; 0 if there are none.
    pub types: usize,
}

impl TuningShape {
    fn case(&self, signature: &'static Signature, label: String, seed: u64) -> Case {
        let Self { base, types, .. } = *self;
        let mut case = Case::new(signature, label)
            .size("vocabulary", base.v)
            .size("max_len", base.max_len())
            .size("types", types)
            .size("d_model", base.d())
            .size("heads", base.h)
            .size("d_ff", base.f)
            .size("layers", base.layers)
            .size("gelu", usize::from(base.gelu))
            .size("epsilon", 5)
            .size("dropout_permille", base.dropout_permille)
            .size("train", usize::from(base.train))
            .size("classes", base.c);
        let tables = [("token", base.v), ("position", base.max_len()), ("type", types)];
        for (table, rows) in tables.into_iter().filter(|(_, rows)| *rows > 0) {
            let name = format!("base.{table}_embedding.weight");
            let rows = base.random(seed, &[rows, base.d()], &name);
            case = case.parameter(name, rows);
        }
        case = base.norm(seed, case, "base.embedding_norm");
        for n in 0..base.layers {
            case = base.layer_parameters(seed, case, &format!("base.layers.{n}."));
        }
        base.linear(seed, case, "classifier", [base.c, base.d()])
    }

    fn sizes(&self) -> String {
        let EncoderShape { b, t, h, f, v, c, layers, .. } = self.base;
        let layers = if layers == 1 { "1 layer".to_owned() } else { format!("{layers} layers") };
        format!("C={c} {layers}, V={v} B={b} T={t} D={} H={h} F={f}", self.base.d())
    }

    /// Returns a case for the classifier with a prefix.
    pub fn prefix(&self, seed: u64) -> Case {
        let length = self.prefix;
        let prefix = if length == 0 { "no prefix".to_owned() } else { format!("P={length}") };
        let label = format!("{prefix}, {}", self.sizes());
        let mut case = self.case(&signatures::PREFIX, label, seed).size("prefix_length", length);
        if length > 0 {
            let prefix = self.base.random(seed, &[length, self.base.d()], "prefix");
            case = case.parameter("prefix", prefix);
        }
        self.base.text(seed, case)
    }

    /// Returns a case for the classifier of which the last layers learn: the first token of each text is
    /// real.
    pub fn partial(&self, seed: u64) -> Case {
        let (base, d) = (self.base, self.base.d());
        let label = format!("{} unfrozen, {}", self.unfrozen, self.sizes());
        let case = self.case(&signatures::PARTIAL, label, seed);
        let case = case.size("base_dropout_permille", 0).size("unfrozen", self.unfrozen);
        let case = base.linear(seed, case, "linear1", [d, d]);
        let case = base.text(seed, base.norm(seed, case, "norm"));
        let (ids, mask) = (case.get("ids"), case.get("mask"));
        let starts = |at: &[usize]| matches!(*at, [_, 0]);
        let real = Array::from_fn(mask.shape(), |at| if starts(at) { 1.0 } else { mask.at(at) });
        let ids = Array::from_fn(ids.shape(), |at| ids.at(at).max(real.at(at)));
        case.with("ids", ids).with("mask", real)
    }

    /// Returns true if the parameter `name` is tuned: all parameters outside the encoder are, and in a case of
    /// [`partial`](Self::partial) also those of the last layers.
    pub fn learns(case: &Case, name: &str) -> bool {
        let Some(of_base) = name.strip_prefix("base.") else { return true };
        let layers = case.get_size("layers");
        let first = layers.saturating_sub(case.find_size("unfrozen").unwrap_or(0));
        case.signature == &signatures::PARTIAL
            && (first..layers).any(|n| of_base.starts_with(&format!("layers.{n}.")))
    }
}

/// Corner cases with a prefix whose length differs from that of the texts and from their number; with some
/// layers that are tuned and some that are not; and with each activation.
impl Corners for TuningShape {
    fn corners(&self) -> Vec<Self> {
        let sizes = EncoderShape {
            b: 2,
            t: 3,
            h: 2,
            k: 4,
            f: 5,
            v: 6,
            spare: 5,
            layers: 3,
            c: 4,
            padded: true,
            ..self.base
        };
        let of = |gelu: bool| Self {
            base: EncoderShape { gelu, ..sizes },
            prefix: self.prefix.min(1) * 4,
            unfrozen: 2,
            types: if gelu { 2 } else { 0 },
        };
        vec![of(false), of(true)]
    }
}

/// Returns a strategy for shapes with a prefix, and with room for it in the table of positions: code that gives
/// the prefix positions does not run out of rows.
pub fn tuning_shapes() -> impl Strategy<Value = TuningShape> {
    let around = (1..=3_usize, 0..=2_usize, any::<bool>());
    (encoder_shapes(), around).prop_map(|(base, (prefix, unfrozen, typed))| {
        let layers = base.layers.max(1);
        TuningShape {
            base: EncoderShape { pre_norm: false, layers, spare: base.spare + prefix, ..base },
            prefix,
            unfrozen: unfrozen.min(layers),
            types: if typed { 2 } else { 0 },
        }
    })
}

/// Returns the vectors of a case's prefix, `[P, D]`; empty if the case has no prefix.
#[must_use]
pub fn prefix_of(case: &Case) -> Array {
    match case.get_size("prefix_length") {
        0 => Array::new(&[0, case.get_size("d_model")], Vec::new()),
        _ => case.get_parameter("prefix"),
    }
}

/// Returns the embedded tokens of a case, `[B, T, D]`, in `f64`.
#[must_use]
pub fn embedded(case: &Case) -> Array {
    let table = |of: &str| case.get_parameter(&format!("base.{of}_embedding.weight"));
    let (ids, tokens, positions) = (case.get("ids"), table("token"), table("position"));
    let types = (case.get_size("types") > 0).then(|| table("type"));
    let row = |id: f64| (0..tokens.dim(0)).find(|row| *row as f64 == id);
    let sum = Array::from_fn(&[ids.dim(0), ids.dim(1), tokens.dim(1)], |at| match *at {
        [b, t, c] => {
            let token = row(ids.at(&[b, t])).map_or(f64::NAN, |id| tokens.at(&[id, c]));
            let segment = types.as_ref().map_or(0.0, |types| types.at(&[0, c]));
            token + positions.at(&[t, c]) + segment
        }
        _ => f64::NAN,
    });
    let of_norm = |of: &str| case.get_parameter(&format!("base.embedding_norm.{of}"));
    layer_norm(&sum, &of_norm("weight"), &of_norm("bias"))
}

#[cfg(test)]
mod tests {
    use proptest::strategy::{Strategy, ValueTree};
    use proptest::test_runner::TestRunner;

    use super::*;

    #[test]
    fn the_first_token_of_a_partly_tuned_text_is_real() {
        let mut runner = TestRunner::deterministic();
        for seed in 0..200 {
            let shape = tuning_shapes().new_tree(&mut runner).unwrap().current();
            let case = shape.partial(seed);
            let (ids, mask) = (case.get("ids"), case.get("mask"));
            for b in 0..mask.dim(0) {
                assert!(mask.at(&[b, 0]) == 1.0 && ids.at(&[b, 0]) > 0.0);
            }
        }
    }

    #[test]
    fn what_learns_is_the_last_layers_and_the_head() {
        let mut runner = TestRunner::deterministic();
        let shape = tuning_shapes().new_tree(&mut runner).unwrap().current();
        let [corner, _] = shape.corners().try_into().unwrap();
        let (prefix, partial) = (corner.prefix(1), corner.partial(1));
        for (name, learns) in [
            ("base.layers.0.norm1.weight", false),
            ("base.layers.1.norm1.weight", true),
            ("base.layers.2.norm1.weight", true),
            ("base.embedding_norm.bias", false),
            ("classifier.bias", true),
        ] {
            assert_eq!(TuningShape::learns(&partial, name), learns, "{name}");
            assert_eq!(TuningShape::learns(&prefix, name), name.starts_with('c'), "{name}");
        }
    }
}
