//! Messages of public checks, without the words of the code that was checked.
//!
//! A submission may keep the inputs of a hidden check and panic with them in a public one, which runs later in the same
//! process. Students get these words from `cargo test`, which asks nothing hidden.

use std::sync::LazyLock;

use regex::Regex;
use softmark_untrusted::Untrusted;
use softmark_wire::FailureKind;

/// Line of a submission's file, as a message gives it after the kind of a failure.
static PLACE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^ at src/[A-Za-z0-9_/]{1,80}\.rs:[0-9]{1,6}:[0-9]{1,4}").ok());

/// Returns the message up to the words of the code, with the place of a panic, if it quotes any; else all of it.
pub(super) fn without_own_words(message: &Untrusted) -> Untrusted {
    let text = message.as_raw();
    let Some(end) = quotes().iter().filter_map(|quote| end_of(text, quote)).min() else {
        return message.clone();
    };
    let (told, rest) = text.split_at(end);
    let place = PLACE.as_ref().and_then(|place| place.find(rest)).map_or("", |it| it.as_str());
    format!("{told}{place}. `cargo test` shows what it said.").into()
}

/// Returns the words of the grader after which a message may quote the code.
fn quotes() -> Vec<String> {
    let kinds = [
        FailureKind::Panicked,
        FailureKind::Refused,
        FailureKind::Parameter,
        FailureKind::Unsendable,
    ];
    let garbled = "sent something that is no answer".to_owned();
    kinds.iter().map(FailureKind::to_string).chain([garbled]).collect()
}

/// Returns the place after the first occurrence of `quote`.
fn end_of(text: &str, quote: &str) -> Option<usize> {
    text.find(quote).map(|start| start + quote.len())
}

#[cfg(test)]
mod tests {
    use softmark_wire::{Failure, Fault};

    use super::*;

    #[test]
    fn what_the_code_said_is_left_out() {
        let shown = |message: &str| without_own_words(&message.into()).to_string();
        for (kind, place) in [
            (FailureKind::Panicked, "src/a.rs:57:18"),
            (FailureKind::Panicked, ""),
            (FailureKind::Panicked, "the secret:1:1"),
            (FailureKind::Refused, ""),
            (FailureKind::Parameter, ""),
            (FailureKind::Unsendable, ""),
        ] {
            let failure = Failure { kind, message: "the secret".into(), place: place.into() };
            let fault = Fault::Code(failure);
            let shown = shown(&format!("An answer was due, but the code {fault}. Look there."));
            assert!(!shown.contains("secret"), "{shown}");
            assert!(
                shown.starts_with(&format!("An answer was due, but the code {kind}")),
                "{shown}"
            );
            assert_eq!(shown.contains("src/a.rs:57:18"), place.starts_with("src"), "{shown}");
        }
        let garbled = format!("The code {}.", Fault::Garbled("the secret".into()));
        assert!(!shown(&garbled).contains("secret"), "{garbled}");
        let refuses = "The sizes do not fit. It panicked at src/a.rs:1:2 instead of returning an error: the secret.";
        assert_eq!(
            shown(refuses),
            "The sizes do not fit. It panicked at src/a.rs:1:2. `cargo test` shows what it said."
        );
        let own = "At [0, 0] `weights` is 0.9; expected 0.75.";
        assert_eq!(shown(own), own);
        let limit = Fault::CpuTime { seconds: 5 }.to_string();
        assert_eq!(shown(&limit), limit);
    }
}
