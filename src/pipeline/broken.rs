//! Notes in a record about files that are replaced by the skeleton.

use std::collections::BTreeMap;

use softmark_checks::Outcome;
use softmark_untrusted::Untrusted;

use crate::build::Broken;

/// Replaces the outcome of each check that reached a stub in a replaced file by an outcome that
/// names the reason for the replacement.
pub(super) fn mark_broken(
    outcomes: &mut BTreeMap<String, Outcome>,
    broken: &BTreeMap<String, Broken>,
    skeleton: &BTreeMap<String, Vec<u8>>,
) {
    for outcome in outcomes.values_mut() {
        let Outcome::NotImplemented { message: stub } = &*outcome else { continue };
        let stub = format!("todo!(\"{stub}\")");
        let holds = |file: &str| {
            let text = skeleton.get(file).map(|text| String::from_utf8_lossy(text));
            text.is_some_and(|text| text.contains(&stub))
        };
        if let Some((file, broken)) = broken.iter().find(|(file, _)| holds(file)) {
            let error = broken.error.as_raw();
            let message = format!("src/{file} does not compile: {error}{}", hint(error));
            *outcome = Outcome::Blocked { by: "build".to_owned(), message };
        }
    }
}

/// Part of a note that says how a replaced file is graded; the reason follows.
const AS_SKELETON: &str = "and was graded as if it were the untouched skeleton; the other files were graded as \
                           they are.";

/// Problem of a file that does not compile, in the words of its note.
const DOES_NOT_COMPILE: &str = "does not compile";

/// Explanation that follows an error about a missing library item.
const NOT_GIVEN: &str =
    " Is this what the assignment asks for? `candle_nn` and `softmark_kit` are given without that.";

/// Returns the explanation of an import that a library of the assignment does not have; empty for other errors.
fn hint(error: &str) -> &'static str {
    let is_import = error.starts_with("error[E0432]: unresolved import");
    let is_library = ["`candle_nn::", "`softmark_kit::"].iter().any(|name| error.contains(name));
    if is_import && is_library { NOT_GIVEN } else { "" }
}

/// The note about a file that was replaced.
pub(super) fn note_of((file, broken): (&String, &Broken)) -> Untrusted {
    let error = broken.error.as_raw();
    let hint = hint(error);
    format!("src/{file} {DOES_NOT_COMPILE} {AS_SKELETON} The compiler says: {error}{hint}").into()
}

/// Returns the file and its problem, such as `src/positions.rs does not compile`, if [`note_of`]
/// wrote the note.
pub(crate) fn broken_file(note: &Untrusted) -> Option<Untrusted> {
    let (told, _) = note.as_raw().split_once(AS_SKELETON)?;
    let is_told = told.starts_with("src/") && told.trim_end().ends_with(DOES_NOT_COMPILE);
    is_told.then(|| told.trim_end().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_that_a_library_lacks_is_explained() {
        let of =
            |import: &str| format!("error[E0432]: unresolved import `{import}` (src/a.rs:1:5)");
        assert_eq!(hint(&of("softmark_kit::nn::attention")), NOT_GIVEN);
        assert_eq!(hint(&of("candle_nn::rotary_emb")), NOT_GIVEN);
        for other in [
            of("crate::attention"),
            of("candle_nn_extras::rope"),
            "error[E0433]: cannot find `attention` in `nn` (src/a.rs:1:5)".to_owned(),
            "error[E0308]: mismatched types: `candle_nn::Linear` (src/a.rs:1:5)".to_owned(),
        ] {
            assert_eq!(hint(&other), "", "{other}");
        }
    }

    #[test]
    fn a_note_about_a_file_names_it_and_the_error() {
        let error = "error[E0432]: unresolved import `candle_nn::ops::sdpa` (src/a.rs:1:5)";
        let note = note_of((&"a.rs".to_owned(), &Broken { error: error.into() }));
        assert!(note.contains(error) && note.contains(NOT_GIVEN), "{note}");
        assert_eq!(broken_file(&note).unwrap().as_raw(), "src/a.rs does not compile");
    }
}
