//! Property tests of comparisons, for any numbers.

use proptest::prelude::*;
use softmark_common::compare::{Difference, Tolerance, first_difference, unravel};

/// Strategy for all numbers, in which special values are frequent.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -10.0..10.0,
        1 => any::<u64>().prop_map(f64::from_bits),
        1 => prop::sample::select(vec![0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]),
    ]
}

fn tolerance() -> impl Strategy<Value = Tolerance> {
    (0.0..0.5, 0.0..0.5).prop_map(|(relative, absolute)| Tolerance { relative, absolute })
}

fn shaped() -> impl Strategy<Value = (Vec<usize>, Vec<f64>, Vec<f64>)> {
    prop::collection::vec(1_usize..4, 0..4).prop_flat_map(|shape| {
        let n = shape.iter().product::<usize>();
        let values = || prop::collection::vec(number(), n);
        (Just(shape), values(), values())
    })
}

fn flat(index: &[usize], shape: &[usize]) -> usize {
    index.iter().zip(shape).fold(0, |flat, (&at, &size)| flat * size + at)
}

proptest! {
    #[test]
    fn what_is_not_finite_is_never_equal(
        x in number(),
        bits in any::<u64>(),
        tolerance in tolerance(),
    ) {
        for special in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            prop_assert!(!tolerance.allows(special, x) && !tolerance.allows(x, special));
            prop_assert!(!tolerance.allows(special, special));
            let differs = first_difference(&[special], &[special], &[1], tolerance);
            prop_assert_eq!(differs.map(|difference| difference.count), Some(1));
        }
        // Any NaN.
        let nan = f64::from_bits(bits | 0x7ff8_0000_0000_0000);
        prop_assert!(nan.is_nan() && !tolerance.allows(nan, nan));
    }

    #[test]
    fn what_is_finite_is_equal_to_itself_and_exactly_to_nothing_else(
        x in number().prop_filter("finite", |x| x.is_finite()),
        y in number(),
    ) {
        prop_assert!(Tolerance::EXACT.allows(x, x));
        prop_assert_eq!(Tolerance::EXACT.allows(y, x), y == x);
    }

    #[test]
    fn an_absolute_tolerance_does_not_care_which_is_which(
        x in number(),
        y in number(),
        absolute in 0.0..5.0,
    ) {
        let tolerance = Tolerance { relative: 0.0, absolute };
        prop_assert_eq!(tolerance.allows(x, y), tolerance.allows(y, x));
        prop_assert_eq!(tolerance.allows(x, y), tolerance.allows(-x, -y));
    }

    #[test]
    fn a_wider_tolerance_allows_more(x in number(), y in number(), narrow in tolerance()) {
        let wide = Tolerance { absolute: narrow.absolute * 2.0, relative: narrow.relative * 2.0 };
        prop_assert!(!narrow.allows(x, y) || wide.allows(x, y));
    }

    #[test]
    fn the_first_difference_is_the_first_and_all_are_counted(
        (shape, got, want) in shaped(),
        tolerance in tolerance(),
    ) {
        let differing: Vec<usize> =
            (0..got.len()).filter(|&i| !tolerance.allows(got[i], want[i])).collect();
        let Some(Difference { index, got: g, want: w, allowed, count }) =
            first_difference(&got, &want, &shape, tolerance)
        else {
            prop_assert!(differing.is_empty());
            return Ok(());
        };
        prop_assert_eq!(count, differing.len());
        prop_assert_eq!(flat(&index, &shape), differing[0]);
        prop_assert_eq!(g.to_bits(), got[differing[0]].to_bits());
        prop_assert_eq!(w.to_bits(), want[differing[0]].to_bits());
        prop_assert!(allowed.to_bits() == tolerance.allowed(w).to_bits());
    }

    #[test]
    fn the_same_places_differ_from_either_side(
        (shape, got, want) in shaped(),
        absolute in 0.0..5.0,
    ) {
        let tolerance = Tolerance { relative: 0.0, absolute };
        let place = |a: &[f64], b: &[f64]| {
            first_difference(a, b, &shape, tolerance).map(|found| (found.index, found.count))
        };
        prop_assert_eq!(place(&got, &want), place(&want, &got));
    }

    #[test]
    fn a_missing_element_is_a_difference((shape, got, want) in shaped(), cut in 1_usize..5) {
        let short = &want[..want.len() - cut.min(want.len())];
        let tolerance = Tolerance { relative: 0.0, absolute: f64::MAX };
        for (a, b) in [(short, want.as_slice()), (&want, short)] {
            let found = first_difference(a, b, &shape, tolerance).unwrap();
            prop_assert!(found.count >= want.len() - short.len());
        }
        drop(got);
    }

    #[test]
    fn unravelling_can_be_undone(shape in prop::collection::vec(1_usize..6, 0..5)) {
        let n: usize = shape.iter().product();
        let mut before = None;
        for i in 0..n {
            let index = unravel(i, &shape);
            prop_assert_eq!(index.len(), shape.len());
            prop_assert!(index.iter().zip(&shape).all(|(at, size)| at < size));
            prop_assert_eq!(flat(&index, &shape), i);
            // The last axis varies fastest.
            prop_assert!(before.is_none_or(|before| before < index));
            before = Some(index);
        }
    }

    #[test]
    fn a_shape_with_an_empty_axis_does_no_harm(
        flat in any::<usize>(),
        shape in prop::collection::vec(0_usize..3, 0..5),
    ) {
        prop_assert_eq!(unravel(flat, &shape).len(), shape.len());
    }

    #[test]
    fn sums_in_f32_stay_within_their_tolerance(
        values in prop::collection::vec(-1.0_f32..1.0, 1..200),
    ) {
        let exact: f64 = values.iter().map(|&x| f64::from(x)).sum();
        let rounded: f32 = values.iter().sum();
        let most: f64 = values.iter().map(|&x| f64::from(x).abs()).sum();
        prop_assert!(Tolerance::f32(values.len(), most).allows(f64::from(rounded), exact));
    }
}
