//! Parts that make mistakes on purpose, in `f64`: each is the right formula with one rule changed.
//!
//! With no rule changed they give what the oracle gives; a test holds the two against each other.

#[expect(missing_docs, reason = "each field is named after the rule that it changes")]
pub mod attention;
pub(crate) mod classifier;
pub(crate) mod multi_head;
pub(crate) mod pooling;
pub(crate) mod position;

#[cfg(test)]
mod tests {
    use attention_checks::cases::{AttentionShape, MaskKind, PoolingShape, PositionShape};
    use attention_checks::classifier_cases::ClassifierShape;
    use softmark_checks::Case;
    use softmark_exam::Response;
    use softmark_exam::check::{Expected, numeric_gradients};

    use crate::{SUITE, imitate, truth};

    /// What the rules with nothing changed give in answer.
    fn by_right_rules(case: &Case) -> Response {
        match case.part() {
            "scaled-dot-product" => imitate::attention::imitate(&imitate::attention::RIGHT, case),
            "multi-head" => imitate::multi_head::imitate(&imitate::multi_head::RIGHT, case),
            "masked-pooling" => imitate::pooling::imitate(&imitate::pooling::RIGHT, case),
            "classifier" => imitate::classifier::imitate(&imitate::classifier::RIGHT, case),
            _ => imitate::position::imitate(&imitate::position::RIGHT, case),
        }
    }

    fn assert_same(case: &Case, tolerance: f64, got: &Response, want: &Response) {
        let (Response::Outputs(a), Response::Outputs(b)) = (got, want) else {
            assert_eq!(got, want, "{} {}", case.part(), case.label);
            return;
        };
        assert!(a.keys().eq(b.keys()));
        for (name, want) in b {
            assert_eq!(a[name].shape(), want.shape(), "{} {}", case.part(), case.label);
            for (x, y) in a[name].values().iter().zip(want.values()) {
                assert!((x - y).abs() <= tolerance, "{} {}: {x} {y}", case.part(), case.label);
            }
        }
    }

    fn outputs(response: Response) -> Expected {
        let Response::Outputs(outputs) = response else { return Expected::new() };
        let known = ["output", "weights", "logits"];
        known.iter().filter_map(|name| Some((*name, outputs.get(*name)?.clone()))).collect()
    }

    /// Two independent writings of the formulas: what one has wrong, the other would show.
    #[test]
    fn the_right_rules_are_the_oracle_on_the_battery() {
        for task in attention_checks::TASKS {
            for question in (SUITE.battery)(task.id) {
                let case = &question.case;
                assert_same(case, 1e-12, &by_right_rules(case), &truth::expected_response(case));
                let Some(cotangents) = &question.cotangents else { continue };
                let slopes = |of: fn(&Case) -> Response| {
                    let slopes = numeric_gradients(case, &|case| outputs(of(case)), cotangents);
                    Response::Outputs(slopes)
                };
                assert_same(case, 1e-6, &slopes(by_right_rules), &slopes(truth::expected_response));
            }
        }
    }

    #[test]
    fn the_right_rules_are_the_oracle_on_random_cases() {
        for data in 0..60_u64 {
            // Sizes that run through every combination of a few, out of step with one another.
            let size = |n: u64, most: u64| usize::try_from(data / n % most + 1).unwrap();
            let masks = [MaskKind::None, MaskKind::Shared, MaskKind::PerHead];
            let shape = AttentionShape {
                b: size(1, 2),
                h: size(2, 3),
                tq: size(3, 4),
                tk: size(5, 5),
                k: size(7, 4),
                mask: masks[size(1, 3) - 1],
                strided: size(4, 2) == 2,
                data,
            };
            let (b, t) = (shape.b, shape.tq);
            let positions =
                PositionShape { b, t, half: shape.k, spare: size(3, 3) - 1, strided: false, data };
            let masked = size(2, 2) == 2;
            let pooling =
                PoolingShape { kind: size(1, 3) - 1, b, t, d: 3, masked, strided: false, data };
            let classifier = ClassifierShape {
                b,
                t,
                h: size(2, 3),
                k: size(5, 3) + 2,
                v: size(2, 4) + 2,
                spare: size(3, 3) - 1,
                c: size(2, 3),
                norm: size(1, 2) == 2,
                kind: size(1, 3) - 1,
                padded: size(4, 2) == 2,
                data,
            };
            for case in [
                classifier.classifier(data),
                shape.scaled_dot_product(data),
                shape.multi_head(data, false),
                shape.multi_head(data, true),
                positions.sinusoidal(data),
                positions.learned(data),
                pooling.masked_pooling(data),
            ] {
                assert_same(&case, 1e-12, &by_right_rules(&case), &truth::expected_response(&case));
            }
        }
    }
}
