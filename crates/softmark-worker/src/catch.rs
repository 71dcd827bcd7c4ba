//! Runs a student's code and turns panics into failures.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

use softmark_wire::{Failure, FailureKind};

thread_local! {
    /// The last panic on this thread while [`caught`] is running; `None` otherwise.
    static CAUGHT: RefCell<Option<Failure>> = const { RefCell::new(None) };
    static WATCHING: RefCell<bool> = const { RefCell::new(false) };
}

static HOOK: Once = Once::new();

/// Prefixes of the panic messages of `todo!()` and `unimplemented!()` in the standard library.
const STUBS: [&str; 2] = ["not yet implemented", "not implemented"];

fn describe(info: &PanicHookInfo<'_>) -> Failure {
    let text = info.payload_as_str().unwrap_or("a panic without a message");
    // Cut off the backtrace that an unwrapped candle error carries: it differs between machines.
    let text = text.split("\n   0:").next().unwrap_or(text).trim_end();
    let place =
        info.location().map_or_else(String::new, |at| format!("{}:{}", at.file(), at.line()));
    let stub = STUBS.iter().find_map(|stub| text.strip_prefix(stub));
    match stub {
        Some(rest) => Failure {
            kind: FailureKind::NotImplemented,
            message: rest.trim_start_matches(':').trim().to_owned(),
            place,
        },
        None => Failure { kind: FailureKind::Panicked, message: text.to_owned(), place },
    }
}

/// Installs, once, a hook that records panics inside [`caught`] and passes all others to the previous hook.
fn install_hook() {
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| record(info, &before)));
    });
}

fn record(info: &PanicHookInfo<'_>, before: &dyn Fn(&PanicHookInfo<'_>)) {
    if WATCHING.with_borrow(|watching| *watching) {
        CAUGHT.set(Some(describe(info)));
    } else {
        before(info);
    }
}

/// Runs `code` and turns a panic into a [`Failure`] with its message and place.
pub(crate) fn caught<T>(code: impl FnOnce() -> T) -> Result<T, Failure> {
    install_hook();
    CAUGHT.set(None);
    // Calls can be nested: code outside of the student's code is caught as well.
    let around = WATCHING.replace(true);
    // The code's state may be inconsistent after a panic; the dispatcher drops it.
    let result = panic::catch_unwind(AssertUnwindSafe(code));
    WATCHING.set(around);
    result.map_err(failure_of)
}

/// Returns the failure that was recorded when the panic with this payload began.
fn failure_of(payload: Box<dyn Any + Send>) -> Failure {
    // A payload whose drop panics must not end the worker.
    drop(panic::catch_unwind(AssertUnwindSafe(|| drop(payload))));
    CAUGHT.take().unwrap_or_else(|| Failure {
        kind: FailureKind::Panicked,
        message: "a panic without a message".to_owned(),
        place: String::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_told_with_message_and_place() {
        let failure = caught(|| panic!("row {} is empty", 3)).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Panicked);
        assert_eq!(failure.message, "row 3 is empty");
        assert!(failure.place.contains("catch.rs:"), "{}", failure.place);
    }

    #[test]
    fn a_stub_is_told_from_other_panics() {
        #[expect(clippy::todo, reason = "the stub is what is tested")]
        let failure = caught(|| -> u8 { todo!("task 2: multi-head attention") }).unwrap_err();
        assert_eq!(failure.kind, FailureKind::NotImplemented);
        assert_eq!(failure.message, "task 2: multi-head attention");
    }

    #[test]
    fn a_panic_after_one_that_was_caught_within_is_told_too() {
        let outer: Result<(), Failure> = caught(|| {
            caught(|| panic!("inside")).unwrap_err();
            panic!("while encoding")
        });
        let failure = outer.unwrap_err();
        assert_eq!(failure.message, "while encoding");
    }

    #[test]
    fn what_does_not_panic_comes_back() {
        assert_eq!(caught(|| 7), Ok(7));
    }
}
