//! Suggestions for misspelt names.

/// Least similarity of a suggested name, from 0 (nothing in common) to 1 (the same).
const LIKE_ENOUGH: f64 = 0.6;

/// Most names that are suggested.
const MOST: usize = 3;

/// Returns the names most similar to `meant`, the most similar first.
pub fn similar_names<'a>(meant: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let meant = meant.to_lowercase();
    let mut found: Vec<(f64, &str)> = names
        .into_iter()
        .map(|name| {
            let lower = name.to_lowercase();
            let part = meant.chars().count() > 2 && lower.contains(&meant);
            (if part { 1.0 } else { strsim::normalized_damerau_levenshtein(&meant, &lower) }, name)
        })
        .filter(|(likeness, _)| *likeness >= LIKE_ENOUGH)
        .collect();
    found.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(other.1)));
    found.into_iter().take(MOST).map(|(_, name)| name).collect()
}

/// Returns the names as a list in a sentence: `a`, `b` or `c`.
pub fn alternatives(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_finger_are_recognized() {
        let names = ["missing-scale", "mask-inverted", "heads-mixed", "scale-twice"];
        assert_eq!(similar_names("missing-scal", names), ["missing-scale"]);
        assert_eq!(similar_names("misign-scale", names), ["missing-scale"]);
        assert_eq!(similar_names("Inverted", names), ["mask-inverted"]);
        assert_eq!(similar_names("scale", names), ["missing-scale", "scale-twice"]);
        assert!(similar_names("zzz", names).is_empty());
    }

    #[test]
    fn alternatives_read_as_a_sentence() {
        assert_eq!(alternatives(&[]), "");
        assert_eq!(alternatives(&["a"]), "`a`");
        assert_eq!(alternatives(&["a", "b", "c"]), "`a`, `b` or `c`");
    }
}
