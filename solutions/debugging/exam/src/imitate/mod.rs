//! Parts that make mistakes on purpose: each is the right rule with one thing changed.

pub(super) mod capture;
pub(super) mod statistics;

#[cfg(test)]
mod tests {
    use softmark_exam::Response;

    use crate::battery::battery;
    use crate::{imitate, oracle};

    #[test]
    fn the_right_rules_are_what_is_right_on_the_battery() {
        for question in battery("statistics") {
            let case = &question.case;
            let by_rules = imitate::statistics::imitate(&imitate::statistics::RIGHT, case);
            let (Response::Outputs(a), Response::Outputs(b)) =
                (&by_rules, &oracle::expected_response(case))
            else {
                assert_eq!(by_rules, oracle::expected_response(case), "{}", case.label);
                continue;
            };
            assert!(a.keys().eq(b.keys()), "{}", case.label);
            for (got, want) in a.values().zip(b.values()) {
                let far = got.largest_difference(want);
                assert!(got.shape() == want.shape() && far < 1e-12, "{}: {far:e}", case.label);
            }
        }
    }
}
