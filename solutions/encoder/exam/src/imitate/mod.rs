//! Parts that make mistakes on purpose, in `f64`: each is the right formula with one rule changed.
//!
//! With no rule changed they give what the oracle gives; a test holds the two against each other.

#[expect(missing_docs, reason = "each field is named after the rule that it changes")]
pub mod algebra;
pub mod classifier;
pub(crate) mod encoder;
#[expect(missing_docs, reason = "each field is named after the rule that it changes")]
pub mod feed_forward;
pub(crate) mod glove;
#[expect(missing_docs, reason = "each field is named after the rule that it changes")]
pub mod layer;
pub(crate) mod sweep;

#[cfg(test)]
mod tests {
    use encoder_checks::cases::EncoderShape;
    use encoder_checks::glove::{GloveShape, Listed};
    use encoder_checks::sweep::SweepShape;
    use softmark_checks::Case;
    use softmark_exam::Response;

    use crate::{SUITE, imitate, truth};

    /// What the rules with nothing changed give in answer.
    fn by_right_rules(case: &Case) -> Response {
        match case.part() {
            "feed-forward" => imitate::feed_forward::imitate(&imitate::feed_forward::RIGHT, case),
            "encoder-layer" => imitate::layer::imitate(&imitate::layer::RIGHT, case),
            "encoder" => imitate::encoder::imitate(&imitate::encoder::RIGHT, case),
            "classifier" => imitate::classifier::imitate(&imitate::classifier::RIGHT, case),
            "glove" => imitate::glove::imitate(&imitate::glove::RIGHT, case),
            _ => imitate::sweep::imitate(&imitate::sweep::RIGHT, case),
        }
    }

    fn assert_same(case: &Case, got: &Response, want: &Response) {
        let (Response::Outputs(a), Response::Outputs(b)) = (got, want) else {
            assert_eq!(got, want, "{} {}", case.part(), case.label);
            return;
        };
        assert!(a.keys().eq(b.keys()), "{} {}", case.part(), case.label);
        for (name, want) in b {
            assert_eq!(a[name].shape(), want.shape(), "{} {}", case.part(), case.label);
            for (x, y) in a[name].values().iter().zip(want.values()) {
                let same = (x - y).abs() <= 1e-11 || x.is_nan() && y.is_nan();
                assert!(same, "{} {}: {x} {y}", case.part(), case.label);
            }
        }
    }

    /// Two independent writings of the formulas: what one has wrong, the other would show.
    #[test]
    fn the_right_rules_are_the_oracle_on_the_battery() {
        for task in encoder_checks::TASKS {
            for question in (SUITE.battery)(task.id) {
                let case = &question.case;
                assert_same(case, &by_right_rules(case), &truth::expected_response(case));
            }
        }
    }

    #[test]
    fn the_right_rules_are_the_oracle_on_random_cases() {
        for data in 0..60_u64 {
            // Sizes that run through every combination of a few, out of step with one another.
            let size = |n: u64, most: u64| usize::try_from(data / n % most + 1).unwrap();
            let shape = EncoderShape {
                b: size(1, 2),
                t: size(2, 4),
                h: size(3, 3),
                k: size(5, 3) + 2,
                f: size(7, 5),
                v: size(2, 4) + 2,
                spare: size(3, 3) - 1,
                layers: size(1, 3) - 1,
                c: size(2, 3),
                pre_norm: size(1, 2) == 2,
                gelu: size(2, 2) == 2,
                padded: size(4, 2) == 2,
                data,
                ..EncoderShape::BARE
            };
            let kinds = [Listed::AsWritten, Listed::InLowerCase, Listed::BothWays, Listed::Missing];
            let words = [kinds[0], kinds[size(1, 4) - 1], kinds[size(3, 4) - 1]].to_vec();
            let glove = GloveShape { words, d: size(2, 4), others: size(1, 3), seed: 5, data };
            let sweep = SweepShape {
                rates: size(1, 3),
                sizes: size(3, 4),
                beyond: size(2, 4) - 1,
                placed: false,
                data,
            };
            for case in [
                shape.feed_forward(data),
                shape.encoder_layer(data),
                shape.encoder(data),
                shape.classifier(data),
                glove.case(data),
                sweep.case(data),
            ] {
                assert_same(&case, &by_right_rules(&case), &truth::expected_response(&case));
            }
        }
    }
}
