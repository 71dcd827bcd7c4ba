//! Names for a leaderboard that do not reveal their owners.

use std::collections::{BTreeMap, BTreeSet};

use crate::digest;

const ADJECTIVES: [&str; 64] = [
    "amber", "bold", "brave", "bright", "brisk", "calm", "candid", "careful", "cheerful", "clear",
    "clever", "copper", "coral", "crisp", "curious", "daring", "deft", "eager", "early", "earnest",
    "fair", "fleet", "gentle", "glad", "golden", "grand", "green", "happy", "hardy", "honest",
    "humble", "indigo", "ivory", "jolly", "keen", "kind", "lively", "lucid", "lucky", "mellow",
    "merry", "mild", "nimble", "noble", "patient", "placid", "polite", "proud", "quick", "quiet",
    "ready", "robust", "scarlet", "serene", "silver", "steady", "still", "sunny", "swift", "tidy",
    "vivid", "warm", "witty", "young",
];

const ANIMALS: [&str; 64] = [
    "alpaca", "badger", "bear", "beaver", "bison", "bittern", "buzzard", "camel", "condor",
    "crane", "curlew", "deer", "dolphin", "dove", "eagle", "egret", "falcon", "ferret", "finch",
    "fox", "gecko", "gibbon", "goose", "grouse", "hare", "hawk", "heron", "ibex", "ibis",
    "jackdaw", "jaguar", "kestrel", "kite", "koala", "lark", "lemur", "linnet", "llama", "lynx",
    "magpie", "marten", "mole", "moose", "newt", "ocelot", "osprey", "otter", "owl", "panda",
    "pelican", "plover", "puffin", "quail", "raven", "robin", "seal", "starling", "stork", "swan",
    "tapir", "tern", "turtle", "walrus", "wren",
];

const NUMBERS: u64 = 999;

/// Returns a pseudonym for each of the names. Pseudonyms are the same in every run and cannot be
/// computed from a name without the course's secret. Without a secret, the seed is enough to
/// compute them.
///
/// Pseudonyms are distinct. If the hashes of names collide, which happens for one in a
/// thousand classes of a hundred, the first name keeps the pseudonym. The others then get another
/// one, which may differ from the one they get when they are graded alone.
pub(crate) fn pseudonyms(secret: &str, seed: u64, names: &[&str]) -> BTreeMap<String, String> {
    let names: BTreeSet<&str> = names.iter().copied().collect();
    let (mut given, mut taken) = (BTreeMap::new(), BTreeSet::new());
    for name in names {
        let mut tries = (0_u64..).map(|attempt| candidate(secret, seed, (name, attempt)));
        if let Some(free) = tries.find(|it| !taken.contains(it)) {
            taken.insert(free.clone());
            given.insert(name.to_owned(), free);
        }
    }
    given
}

fn candidate(secret: &str, seed: u64, (name, attempt): (&str, u64)) -> String {
    // The kind is hashed too, so that a secret never acts like a seed.
    let seed = seed.to_string();
    let (kind, key) = if secret.is_empty() { ("seed", seed.as_str()) } else { ("secret", secret) };
    let hash = digest::of(&["leaderboard", kind, key, name, &attempt.to_string()]);
    let number = hash.get(..16).and_then(|start| u64::from_str_radix(start, 16).ok()).unwrap_or(0);
    let (words, rest) = (number % (64 * 64), number / (64 * 64));
    let word = |list: &[&'static str], at: u64| {
        usize::try_from(at).ok().and_then(|at| list.get(at)).copied().unwrap_or_default()
    };
    let (adjective, animal) = (word(&ADJECTIVES, words % 64), word(&ANIMALS, words / 64));
    format!("{adjective} {animal} {}", 1 + rest % NUMBERS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(secret: &str, seed: u64, name: &str) -> String {
        pseudonyms(secret, seed, &[name]).remove(name).unwrap()
    }

    #[test]
    fn a_pseudonym_hangs_on_the_secret_and_the_name_alone() {
        assert_eq!(one("autumn", 1, "amara"), one("autumn", 2, "amara"));
        assert_ne!(one("autumn", 1, "amara"), one("winter", 1, "amara"));
        assert_ne!(one("autumn", 1, "amara"), one("autumn", 1, "ben"));
        assert_ne!(one("", 1, "amara"), one("", 2, "amara"));
        assert_ne!(one("", 1, "amara"), one("1", 1, "amara"));
        let class = pseudonyms("autumn", 1, &["ben", "amara", "chidi"]);
        assert_eq!(class["amara"], one("autumn", 1, "amara"));
        assert!(class.iter().all(|(name, pseudonym)| !pseudonym.contains(name.as_str())));
    }

    #[test]
    fn a_pseudonym_is_two_words_and_a_number() {
        let words: BTreeSet<&str> = ADJECTIVES.into_iter().chain(ANIMALS).collect();
        assert_eq!(words.len(), 128, "each word stands once");
        let pseudonym = one("autumn", 1, "amara");
        let parts: Vec<&str> = pseudonym.split(' ').collect();
        let [adjective, animal, number] = parts.as_slice() else { panic!("{pseudonym}") };
        assert!(ADJECTIVES.contains(adjective) && ANIMALS.contains(animal), "{pseudonym}");
        assert!((1..=NUMBERS).contains(&number.parse().unwrap()), "{pseudonym}");
    }

    /// Enough names that hashes collide: about a hundred pairs.
    #[test]
    fn no_two_have_one() {
        let names: Vec<String> = (0..30_000).map(|at| format!("student {at}")).collect();
        let alone: BTreeSet<String> =
            names.iter().map(|name| candidate("autumn", 1, (name, 0))).collect();
        assert!(alone.len() < names.len(), "nothing would have been shown");
        let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
        let given = pseudonyms("autumn", 1, &names);
        let distinct: BTreeSet<&String> = given.values().collect();
        assert_eq!((given.len(), distinct.len()), (names.len(), names.len()));
        names.reverse();
        assert_eq!(pseudonyms("autumn", 1, &names), given);
    }
}
