//! Tolerance headroom: the share of each tolerance that correct answers use, for tests of the checks.
//!
//! Invariant: this module does not affect verdicts. The comparisons of a check are recorded here for an
//! optional observer; a check cannot detect an observer.

use std::cell::Cell;

use softmark_common::compare::Tolerance;

use crate::array::Array;

/// State of the recorder on a thread.
#[derive(Clone, Copy)]
enum Meter {
    Off,
    /// Recording; the largest share so far, or `None` if nothing was compared.
    On(Option<f64>),
}

thread_local! {
    /// Thread-local, because a comparison runs many calls below [`watch`], and the calls between need not know.
    static METER: Cell<Meter> = const { Cell::new(Meter::Off) };
}

/// Runs `work` and returns the largest share of a tolerance that an error used in any comparison on this
/// thread meanwhile: 0.02 if an error was a fiftieth of the tolerance, above 1 if it exceeded the tolerance,
/// and `None` if all comparisons were bit for bit.
///
/// ```
/// use softmark_checks::{Array, margin};
/// use softmark_common::compare::Tolerance;
///
/// let (got, want) = (Array::new(&[2], vec![1.0, 2.25]), Array::new(&[2], vec![1.0, 2.0]));
/// let tolerance = Tolerance { relative: 0.0, absolute: 0.5 };
/// let ((), share) = margin::watch(|| margin::note((&got, &want), tolerance));
/// assert_eq!(share, Some(0.5));
/// let ((), share) = margin::watch(|| margin::note((&got, &want), Tolerance::EXACT));
/// assert_eq!(share, None);
/// ```
pub fn watch<R>(work: impl FnOnce() -> R) -> (R, Option<f64>) {
    let outer = METER.replace(Meter::On(None));
    let done = work();
    let Meter::On(share) = METER.replace(outer) else { return (done, None) };
    if let Some(share) = share {
        keep(share);
    }
    (done, share)
}

/// Records that `got` is compared with `want`.
pub fn note((got, want): (&Array, &Array), tolerance: Tolerance) {
    if matches!(METER.get(), Meter::Off) {
        return;
    }
    for (&got, &want) in got.values().iter().zip(want.values()) {
        let allowed = tolerance.allowed(want);
        // An exact comparison has no tolerance to use.
        if allowed > 0.0 {
            let is_number = got.is_finite() && want.is_finite();
            keep(if is_number { (got - want).abs() / allowed } else { f64::INFINITY });
        }
    }
}

fn keep(share: f64) {
    if let Meter::On(before) = METER.get() {
        METER.set(Meter::On(Some(before.map_or(share, |before| before.max(share)))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: Tolerance = Tolerance { relative: 0.0, absolute: 0.5 };

    fn held(got: f64, want: f64, tolerance: Tolerance) {
        note((&Array::new(&[1], vec![got]), &Array::new(&[1], vec![want])), tolerance);
    }

    #[test]
    fn the_largest_share_is_told() {
        let ((), share) = watch(|| {
            held(1.0, 1.125, HALF);
            held(1.0, 1.25, HALF);
            held(1.0, 1.0, HALF);
        });
        assert_eq!(share, Some(0.5));
        let relative = Tolerance { relative: 0.25, absolute: 0.0 };
        assert_eq!(watch(|| held(3.0, 4.0, relative)).1, Some(1.0));
    }

    #[test]
    fn what_has_to_be_the_same_to_the_bit_has_no_margin() {
        assert_eq!(watch(|| held(1.0, 2.0, Tolerance::EXACT)).1, None);
        assert_eq!(watch(|| held(0.0, 0.0, HALF)).1, Some(0.0));
    }

    #[test]
    fn no_number_is_beyond_every_tolerance() {
        assert_eq!(watch(|| held(f64::NAN, 1.0, HALF)).1, Some(f64::INFINITY));
    }

    #[test]
    fn nobody_hears_what_was_before_or_after() {
        held(1.0, 2.0, HALF);
        let ((inner, ()), outer) = watch(|| {
            let ((), inner) = watch(|| held(1.0, 1.25, HALF));
            (inner, held(1.0, 1.125, HALF))
        });
        assert_eq!((inner, outer), (Some(0.5), Some(0.5)));
        held(1.0, 2.0, HALF);
        assert_eq!(watch(|| ()).1, None);
    }
}
