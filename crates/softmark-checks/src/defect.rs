//! Defects of the checks themselves, detected in functions that cannot fail.
//!
//! A misspelt name or an index out of bounds is a mistake of the check's author, and must never become a
//! verdict on a submission. The functions that detect one are called everywhere and return plain values;
//! therefore they record it here, and [`Check::ask`](crate::Check::ask) turns a recorded defect into an
//! error of the grader.

use std::cell::RefCell;

/// Recorder of the first defect on a thread.
enum Recorder {
    /// Not recording.
    Off,
    /// Recording; the first defect, if there was one.
    On(Option<String>),
}

thread_local! {
    /// Thread-local, because a defect is detected many calls below the check, and the calls between need not know.
    static RECORDER: RefCell<Recorder> = const { RefCell::new(Recorder::Off) };
}

/// Records a defect; the first one is kept. Without a [`watch`], nothing happens.
pub fn note(what: impl FnOnce() -> String) {
    RECORDER.with_borrow_mut(|recorder| {
        if let Recorder::On(first @ None) = recorder {
            *first = Some(what());
        }
    });
}

/// Runs `work` and returns the first defect that was recorded on this thread meanwhile.
///
/// ```
/// use softmark_checks::{Array, defect};
///
/// let x = Array::full(&[2, 3], 1.0);
/// assert_eq!(defect::watch(|| x.at(&[1, 2])), (1.0, None));
/// let (_, defect) = defect::watch(|| x.at(&[2, 0]));
/// assert_eq!(defect.unwrap(), "[2, 0] is outside of an array of shape [2, 3]");
/// ```
pub fn watch<R>(work: impl FnOnce() -> R) -> (R, Option<String>) {
    let outer = RECORDER.replace(Recorder::On(None));
    let done = work();
    match RECORDER.replace(outer) {
        Recorder::On(first) => (done, first),
        Recorder::Off => (done, None),
    }
}

/// Runs `work` and discards its defects, which depend on the submission's choices and not on the check.
pub fn ignore<R>(work: impl FnOnce() -> R) -> R {
    watch(work).0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(text: &str) {
        note(|| text.to_owned());
    }

    #[test]
    fn the_first_defect_is_kept() {
        let ((), first) = watch(|| {
            noted("one");
            noted("two");
        });
        assert_eq!(first.as_deref(), Some("one"));
        assert_eq!(watch(|| ()).1, None);
    }

    #[test]
    fn an_inner_watch_keeps_its_defects_to_itself() {
        let (inner, outer) = watch(|| {
            let ((), inner) = watch(|| noted("inner"));
            ignore(|| noted("ignored"));
            inner
        });
        assert_eq!((inner.as_deref(), outer), (Some("inner"), None));
        let ((), outer) = watch(|| {
            ignore(|| noted("ignored"));
            noted("outer");
        });
        assert_eq!(outer.as_deref(), Some("outer"));
    }

    #[test]
    fn nothing_is_kept_without_a_watch() {
        noted("before");
        assert_eq!(watch(|| ()).1, None);
    }
}
