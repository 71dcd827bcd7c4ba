//! Parts that make mistakes on purpose, in `f64`: each is the right formula with one rule changed.
//!
//! With no rule changed they give what the oracle gives; a test holds the two against each other.

pub(super) mod checkpoint;
pub(super) mod encoder;
pub(super) mod partial;
pub(super) mod prefix;
pub(super) mod steps;

#[cfg(test)]
mod tests {
    use encoder_checks::cases::EncoderShape;
    use prefix_tuning_checks::cases::TuningShape;
    use prefix_tuning_checks::checkpoint::SavedShape;
    use prefix_tuning_checks::steps::LoopShape;
    use softmark_checks::Case;
    use softmark_exam::Response;

    use crate::checks::checkpoint::unfit;
    use crate::{SUITE, imitate, oracle};

    /// What the rules with nothing changed give in answer.
    fn by_right_rules(case: &Case) -> Response {
        match case.part() {
            "prefix" => imitate::prefix::imitate(&imitate::prefix::RIGHT, case),
            "partial" => imitate::partial::imitate(&imitate::partial::RIGHT, case),
            "loop" => imitate::steps::imitate(&imitate::steps::RIGHT, case),
            _ => imitate::checkpoint::imitate(&imitate::checkpoint::RIGHT, case),
        }
    }

    fn assert_same(case: &Case) {
        let (Response::Outputs(a), Response::Outputs(b)) =
            (by_right_rules(case), oracle::expected_response(case))
        else {
            panic!("{} {}: no answer", case.part(), case.label);
        };
        assert!(a.keys().eq(b.keys()), "{} {}", case.part(), case.label);
        for (name, want) in b {
            assert_eq!(a[&name].shape(), want.shape(), "{} {} {name}", case.part(), case.label);
            for (x, y) in a[&name].values().iter().zip(want.values()) {
                let same = x == y || (x - y).abs() <= 1e-11 || x.is_nan() && y.is_nan();
                assert!(same, "{} {} {name}: {x} {y}", case.part(), case.label);
            }
        }
    }

    /// Two independent writings of the formulas: what one has wrong, the other would show.
    #[test]
    fn the_right_rules_are_the_oracle_on_the_battery() {
        for task in prefix_tuning_checks::TASKS {
            let questions = (SUITE.battery)(task.id);
            assert!(!questions.is_empty());
            for question in &questions {
                assert_same(&question.case);
            }
        }
    }

    #[test]
    fn the_right_rules_are_the_oracle_on_random_cases() {
        for data in 0..60_u64 {
            // Sizes that run through every combination of a few, out of step with one another.
            let size = |n: u64, most: u64| usize::try_from(data / n % most + 1).unwrap();
            let base = EncoderShape {
                b: size(1, 2),
                t: size(2, 4),
                h: size(3, 3),
                k: size(5, 3) + 2,
                f: size(7, 5),
                v: size(2, 4) + 2,
                spare: size(3, 3) + 2,
                layers: size(1, 3) - 1,
                c: size(2, 3),
                gelu: size(2, 2) == 2,
                padded: size(4, 2) == 2,
                data,
                ..EncoderShape::BARE
            };
            let unfrozen = size(3, 3).min(base.layers);
            let (prefix, types) = (size(3, 4) - 1, size(2, 3) - 1);
            let shape = TuningShape { base, prefix, unfrozen, types };
            let loss = |n: u64| (size(n, 7) < 7).then(|| u8::try_from(size(n, 5)).unwrap());
            let steps = LoopShape {
                losses: [1, 2, 3, 4, 5].map(loss).to_vec(),
                batches: size(1, 3),
                width: size(3, 2),
                patience: size(2, 4),
                prefix: size(1, 2) == 2,
                clips: size(3, 2) == 2,
                silent: size(5, 2) == 2,
                warm_up: u8::try_from(size(7, 5)).unwrap() - 1,
                data,
            };
            let saved = SavedShape {
                d: size(1, 4),
                c: size(2, 4) + 1,
                p: size(3, 3),
                prefix: size(1, 2) == 2,
                data,
            };
            let cases = [
                shape.prefix(data),
                shape.partial(data),
                steps.case(data),
                saved.save(data),
                saved.load(data),
            ];
            cases.iter().for_each(assert_same);
            for (case, _) in unfit(&saved, data) {
                assert_same(&case);
            }
        }
    }
}
