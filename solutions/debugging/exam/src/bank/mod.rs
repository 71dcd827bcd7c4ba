//! The bank that detectors are let loose on: right layers in several writings, and layers with one bug.
//! No process of a submission ever holds any of it; the layers answer from here.

mod company;
mod experiment;
mod families;
mod single;

use encoder_exam::imitate::layer::{RIGHT, Rules, observed};
use softmark_checks::matrix::Kind;
use softmark_checks::subject::Named;
use softmark_checks::{Array, Case};
use softmark_common::rng::Stream;
use softmark_exam::check::Suspect;

pub(super) use families::{FAMILIES, Family};

/// Output and weights of a layer outside of training, or an error for the detector to hear.
type Observe<'a> = Box<dyn Fn(&Case) -> Result<(Array, Array), String> + 'a>;

/// Sizes of layers: width, heads and hidden width, no two of them alike.
const SIZES: [[usize; 3]; 4] = [[8, 2, 12], [12, 3, 10], [8, 4, 16], [10, 2, 7]];

/// The sizes and switches of a layer.
fn config([d, heads, d_ff]: [usize; 3], [pre_norm, gelu]: [bool; 2]) -> Case {
    Case::new(&encoder_checks::signatures::ENCODER_LAYER, String::new())
        .size("vocabulary", 1)
        .size("max_len", 1)
        .size("d_model", d)
        .size("heads", heads)
        .size("d_ff", d_ff)
        .size("layers", 1)
        .size("pre_norm", usize::from(pre_norm))
        .size("gelu", usize::from(gelu))
        .size("dropout_permille", 0)
        .size("train", 0)
}

fn suspect<'a>(
    kind: Kind,
    symptom: &'static str,
    config: Case,
    observe: Observe<'a>,
) -> Suspect<'a> {
    let sizes = config.clone();
    let respond = move |parameters: &Named, inputs: &Named| {
        let case = experiment::read(&sizes, parameters, inputs)?;
        experiment::write(observe(&case)?)
    };
    let variant = if config.get_size("pre_norm") == 1 { "pre-norm" } else { "post-norm" };
    Suspect { kind, symptom, variant, config, respond: Box::new(respond) }
}

/// A layer by these rules, in `f64`.
fn by_rules<'a>(rules: Rules) -> Observe<'a> {
    Box::new(move |case| Ok(observed(&rules, case)))
}

/// The layers that detectors of a family are let loose on: right ones in every writing, placement and
/// activation, decoys, and the family's mutants in both placements.
pub(super) fn suspects(family: &'static Family, seed: u64) -> Vec<Suspect<'static>> {
    let mut stream = Stream::derive(seed, "sizes of suspects", 0);
    let mut sizes = || {
        let at = usize::try_from(stream.below(SIZES.len() as u64)).unwrap_or(0);
        SIZES.get(at).copied().unwrap_or([8, 2, 12])
    };
    let mut all = Vec::new();
    for (pre, gelu) in [(false, false), (false, true), (true, false), (true, true)] {
        let fused = config(sizes(), [pre, gelu]);
        let by_hand = config(sizes(), [pre, gelu]);
        let double = config(sizes(), [pre, gelu]);
        let name = "a right layer, of fused operations in single precision";
        all.push(suspect(Kind::Right, name, fused, Box::new(|case| Ok(single::fused(case)))));
        let name = "a right layer, step by step in single precision";
        all.push(suspect(Kind::Right, name, by_hand, Box::new(|case| Ok(single::by_hand(case)))));
        let name = "a right layer, in double precision";
        all.push(suspect(Kind::Right, name, double, by_rules(RIGHT)));
    }
    for pre in [false, true] {
        let name = "a right layer among the mutants";
        all.push(suspect(Kind::Decoy, name, config(sizes(), [pre, pre]), by_rules(RIGHT)));
        for mutant in family.mutants {
            let config = config(sizes(), [pre, !pre]);
            let observe = Box::new(|case: &Case| Ok(mutant.observed(case)));
            all.push(suspect(Kind::Mutant, mutant.symptom, config, observe));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use softmark_wire::{DType, Tensor};

    use super::*;

    /// A case with random parameters and an input with padding, for a layer of that config.
    fn question(config: &Case, seed: u64) -> Case {
        let mut case = config.clone();
        let kit = experiment::kit_config(config);
        let random = |name: &str, shape: &[usize]| {
            Array::random(shape, &mut Stream::derive(seed, name, 0)).map(|x| x / 2.0)
        };
        for (name, shape) in softmark_common::debugging::layer_parameter_shapes(kit) {
            let values = random(&name, &shape);
            let norm = name.starts_with("norm") && name.ends_with("weight");
            case = case.parameter(name, values.map(|x| if norm { 1.0 + x / 4.0 } else { x }));
        }
        let (b, t, d) = (3, 4, kit.d_model);
        let mask = Array::from_fn(&[b, t], |at| f64::from(u8::from(at != [0, 3] && at != [1, 1])));
        case.input("x", random("x", &[b, t, d])).mask(Some(mask))
    }

    /// Asks a suspect as a detector does: through what travels.
    fn experiment(suspect: &Suspect<'_>, [b, t]: [usize; 2]) -> Vec<(String, Tensor)> {
        let case = question(&suspect.config, 3);
        let x = Array::random(
            &[b, t, suspect.config.get_size("d_model")],
            &mut Stream::derive(3, "x", 0),
        );
        // The first text is full, the second has padding, and the third is padding alone.
        let mask = Array::from_fn(&[b, t], |at| match *at {
            [1, t] => f64::from(u8::from(t % 2 == 0)),
            [2, _] => 0.0,
            _ => 1.0,
        });
        let parameters = case.wire_parameters();
        let inputs = vec![("x".to_owned(), x.to_f32()), ("mask".to_owned(), mask.to_mask())];
        (suspect.respond)(&parameters, &inputs).unwrap()
    }

    /// `Observed` documents `[B, T, D]` and `[B, H, T, T]`, in `f32`, and a detector may count on it: of
    /// every layer of the bank, and of every batch up to the largest that is allowed.
    #[test]
    fn every_layer_returns_what_observed_documents() {
        let sizes = [[1, 1], [1, 5], [2, 2], [3, 4], [5, 3], [8, 1], [1, 16], [8, 16]];
        for family in &FAMILIES {
            for suspect in suspects(family, 1) {
                let [d, heads] = ["d_model", "heads"].map(|of| suspect.config.get_size(of));
                for [b, t] in sizes {
                    let answer = experiment(&suspect, [b, t]);
                    let (symptom, check) = (suspect.symptom, family.check);
                    let said: Vec<_> = answer
                        .iter()
                        .map(|(name, it)| (name.as_str(), it.shape().to_vec(), it.dtype()))
                        .collect();
                    let want = [
                        ("output", vec![b, t, d], DType::F32),
                        ("weights", vec![b, heads, t, t], DType::F32),
                    ];
                    assert_eq!(said, want, "{check}: {symptom}, B={b} T={t}");
                }
            }
        }
    }

    /// A text that is alone has nobody to see: what tells these layers is the company.
    #[test]
    fn layers_whose_texts_see_one_another_differ_in_company_alone() {
        for (n, mutant) in FAMILIES[4].mutants.iter().enumerate() {
            let config = config(SIZES[n], [false, true]);
            let case = question(&config, 5);
            let (_, weights) = mutant.observed(&case);
            let mask = case.get("mask");
            for at in [[0, 0, 0], [1, 1, 2], [2, 1, 3]] {
                let [b, h, i] = at;
                let sum: f64 = (0..4).map(|j| weights.at(&[b, h, i, j])).sum();
                assert!((sum - 1.0).abs() < 1e-9 || mask.at(&[b, i]) == 0.0, "{at:?}: {sum}");
            }
        }
        let alone = Array::from_fn(&[1, 4, 8], |at| (at[1] * 8 + at[2]) as f64 / 16.0 - 1.0);
        let case = question(&config(SIZES[0], [false, true]), 5);
        let case = case.with("x", alone).with("mask", Array::full(&[1, 4], 1.0));
        let (output, weights) = observed(&RIGHT, &case);
        let (o, w) = company::as_one_text(&case);
        assert!(apart(&output, &o) < 1e-12 && apart(&weights, &w) < 1e-12);
    }

    fn apart(a: &Array, b: &Array) -> f64 {
        assert_eq!(a.shape(), b.shape());
        a.largest_difference(b)
    }

    #[test]
    fn the_writings_of_a_right_layer_agree() {
        for (seed, sizes) in SIZES.into_iter().enumerate() {
            for (pre, gelu) in [(false, false), (false, true), (true, false), (true, true)] {
                let case = question(&config(sizes, [pre, gelu]), seed as u64);
                let (output, weights) = observed(&RIGHT, &case);
                let writings = [single::fused(&case), single::by_hand(&case)];
                for (o, w) in &writings {
                    assert!(apart(&output, o) < 1e-5 && apart(&weights, w) < 1e-6);
                }
                let [(fused, _), (by_hand, _)] = &writings;
                assert!(fused.differs(by_hand), "they round alike");
            }
        }
    }

    /// A mutant that no experiment could tell from a right layer would be no bug.
    #[test]
    fn every_mutant_is_far_from_right_in_both_placements() {
        for family in FAMILIES {
            for mutant in family.mutants {
                for (n, pre) in [(0, false), (1, true), (2, false), (3, true)] {
                    let case = question(&config(SIZES[n], [pre, !pre]), 9);
                    let (output, weights) = observed(&RIGHT, &case);
                    let (o, w) = mutant.observed(&case);
                    let differs = o.shape() != output.shape()
                        || w.shape() != weights.shape()
                        || apart(&o, &output) > 1e-2
                        // A right weight at padding is exactly 0.
                        || apart(&w, &weights) > 1e-6;
                    let (symptom, family) = (mutant.symptom, family.check);
                    assert!(differs, "{family}: {symptom}, pre {pre}: {:e}", apart(&o, &output));
                }
            }
        }
    }
}
