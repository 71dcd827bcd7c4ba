//! Form of the ids of assignments, tasks and checks.

/// Most bytes of an id.
const MAX_BYTES: usize = 64;

/// True if `text` is an id: lower-case letters, digits and single hyphens between them, a letter
/// first.
///
/// Ids are safe as file names, as globs and in every report.
pub fn is_id(text: &str) -> bool {
    text.len() <= MAX_BYTES
        && text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.split('-').all(|word| {
            !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_told_from_other_names() {
        for id in ["attention", "multi-head", "rope-2d", "x"] {
            assert!(is_id(id), "{id}");
        }
        let long = "x".repeat(65);
        for other in ["", "-", "a-", "-a", "a--b", "A", "a_b", "2d", "a/b", "..", "ä", "a b", &long]
        {
            assert!(!is_id(other), "{other}");
        }
    }
}
