//! Names of headings in links, as code forges make them.

use std::collections::BTreeMap;

/// Names of the headings of one page.
#[derive(Debug, Default)]
pub(super) struct Slugs {
    /// Number of headings with the same text.
    seen: BTreeMap<String, usize>,
}

impl Slugs {
    /// Returns the name of the next heading: small letters, digits and hyphens, with a number where the name is taken.
    pub(super) fn next(&mut self, text: &str) -> String {
        let letters = text.trim().chars().flat_map(char::to_lowercase);
        let slug: String = letters
            .filter_map(|c| match c {
                ' ' => Some('-'),
                c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
                _ => None,
            })
            .collect();
        let seen = self.seen.entry(slug.clone()).or_default();
        *seen += 1;
        if *seen == 1 { slug } else { format!("{slug}-{}", *seen - 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_code_forges() {
        let mut slugs = Slugs::default();
        assert_eq!(slugs.next("Task 3: what is `wrong`?"), "task-3-what-is-wrong");
        assert_eq!(slugs.next("Über_Größen"), "über_größen");
        assert_eq!(slugs.next("Traps"), "traps");
        assert_eq!(slugs.next("Traps"), "traps-1");
    }
}
