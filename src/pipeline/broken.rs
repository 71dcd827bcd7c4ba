//! Notes in a record about files that do not compile.

use std::collections::BTreeMap;

use softmark_checks::Outcome;

use crate::build::Broken;

/// Says, of the checks that met a stub of a file that does not compile, that this is why.
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
            let message = format!("src/{file} does not compile: {}", broken.error);
            *outcome = Outcome::Blocked { by: "build".to_owned(), message };
        }
    }
}

/// Explanation of how a submission with a file that does not compile is graded.
const AS_SKELETON: &str = "does not compile and was graded as if it were the untouched skeleton; the \
                           other files were graded as they are. The compiler says: ";

/// The note about a file that does not compile.
pub(super) fn note_of((file, broken): (&String, &Broken)) -> String {
    format!("src/{file} {AS_SKELETON}{}", broken.error)
}

/// The file that does not compile, such as `src/positions.rs`, if the note was written by [`note_of`].
pub(crate) fn broken_file(note: &str) -> Option<&str> {
    let (file, _) = note.split_once(AS_SKELETON)?;
    Some(file.trim_end()).filter(|file| file.starts_with("src/"))
}
