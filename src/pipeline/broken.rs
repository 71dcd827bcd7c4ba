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
    " An assignment gives `candle_nn` and `softmark_kit` without what it asks for.";

/// Returns the explanation of an error about an item that a library of the assignment does not have; empty for other
/// errors.
fn hint(error: &str) -> &'static str {
    let misses = ["error[E0432]", "error[E0433]"].iter().any(|code| error.starts_with(code));
    let is_library = ["`candle_nn", "`softmark_kit"].iter().any(|name| error.contains(name));
    if misses && is_library { NOT_GIVEN } else { "" }
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
