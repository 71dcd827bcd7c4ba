//! Topic classification of headlines.
//!
//! Four classes with the names of AG News (Zhang, Zhao and `LeCun`, *Character-level Convolutional
//! Networks for Text Classification*, 2015). Every headline names two things of different classes
//! and is about the one that no word such as `not` or `despite` belongs to.
//!
//! ```text
//! the young striker , not a local minister , surprised Alder      Sports
//! despite the young striker , a local minister surprised Alder    World
//! ```
//!
//! A model that ignores the order of the words can at best guess between two classes.

use crate::data::pick::{Pick, different};
use crate::data::{Labelled, Vocabulary};

/// Names of the classes, in the order of their numbers.
pub const CLASSES: [&str; 4] = ["World", "Sports", "Business", "Sci/Tech"];

const NOUNS: [[&str; 12]; 4] = [
    [
        "minister",
        "treaty",
        "embassy",
        "border",
        "election",
        "parliament",
        "refugees",
        "ceasefire",
        "president",
        "summit",
        "province",
        "uprising",
    ],
    [
        "striker",
        "goalkeeper",
        "tournament",
        "marathon",
        "referee",
        "championship",
        "coach",
        "relay",
        "penalty",
        "stadium",
        "sprinter",
        "league",
    ],
    [
        "shares",
        "merger",
        "profits",
        "factory",
        "investors",
        "retailer",
        "exports",
        "bank",
        "dividend",
        "wages",
        "auction",
        "startup",
    ],
    [
        "telescope",
        "software",
        "vaccine",
        "robot",
        "satellite",
        "chip",
        "genome",
        "battery",
        "spacecraft",
        "laser",
        "algorithm",
        "microscope",
    ],
];

const DETERMINERS: [&str; 3] = ["the", "a", "this"];
const ADJECTIVES: [&str; 12] = [
    "new", "young", "troubled", "former", "rival", "local", "rising", "quiet", "early", "final",
    "costly", "famous",
];
const VERBS: [&str; 10] = [
    "drew",
    "shaped",
    "surprised",
    "divided",
    "filled",
    "reached",
    "moved",
    "cheered",
    "worried",
    "changed",
];
const NAMES: [&str; 12] = [
    "Alder", "Birken", "Corvo", "Dalmara", "Esker", "Fennick", "Galdra", "Hollin", "Jorvan",
    "Kestrel", "Lunden", "Norvik",
];
const TIMES: [&str; 4] = ["today", "yesterday", "overnight", "again"];
/// Cues: the thing that follows one of them is not the topic of the headline.
const CUES: [&[&str]; 6] =
    [&["not"], &["rather", "than"], &["instead", "of"], &["unlike"], &["despite"], &["without"]];
const MARKS: [&str; 3] = [",", ":", "in"];

/// Returns `n` headlines with distinct texts.
pub fn generate(seed: u64, n: usize) -> Vec<Labelled> {
    let mut pick = Pick::new(seed, "data/topics");
    different(n, || headline(&mut pick))
}

/// Returns all words that a headline may contain.
pub fn vocabulary() -> Vocabulary {
    let lists: [&[&str]; 6] = [&DETERMINERS, &ADJECTIVES, &VERBS, &NAMES, &TIMES, &MARKS];
    let nouns = NOUNS.iter().flatten().copied();
    let cues = CUES.iter().flat_map(|cue| cue.iter().copied());
    Vocabulary::new(lists.into_iter().flatten().copied().chain(nouns).chain(cues))
}

fn headline(pick: &mut Pick) -> Labelled {
    let classes = pick.order(CLASSES.len());
    let mut nouns = classes.iter().filter_map(|&class| Some((class, pick.one(NOUNS.get(class)?))));
    let (class, noun) = nouns.next().unwrap_or_default();
    let (_, other) = nouns.next().unwrap_or_default();
    let about = pick.phrase(&DETERMINERS, &ADJECTIVES, noun);
    let not_about = [pick.one(&CUES), &pick.phrase(&DETERMINERS, &ADJECTIVES, other)].concat();
    let (verb, name) = (vec![pick.one(&VERBS)], vec![pick.one(&NAMES)]);
    let time = if pick.below(2) == 0 { vec![pick.one(&TIMES)] } else { Vec::new() };
    let comma = || vec![","];
    let parts = match pick.below(5) {
        0 => vec![about, comma(), not_about, comma(), verb, name, time],
        1 => vec![not_about, comma(), about, verb, name, time],
        2 => vec![name, time, vec![":"], about, not_about],
        3 => vec![time, vec![":"], not_about, vec!["in"], name, comma(), about],
        _ => vec![name, verb, about, not_about, time],
    };
    let text = parts.concat().join(" ");
    Labelled { text, label: u32::try_from(class).unwrap_or(0), fine: "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noun_without_a_cue_decides() {
        for headline in generate(3, 500) {
            let words: Vec<&str> = headline.text.split(' ').collect();
            let class_of = |word: &str| NOUNS.iter().position(|nouns| nouns.contains(&word));
            let first = words.iter().position(|word| class_of(word).is_some()).unwrap();
            let second = words.iter().rposition(|word| class_of(word).is_some()).unwrap();
            let is_cue = |word: &&&str| CUES.iter().any(|cue| cue.last() == Some(*word));
            let cue = words.iter().rposition(|word| is_cue(&word)).unwrap();
            // The cue belongs to the first noun that follows it.
            let about = if cue < first { second } else { first };
            assert_eq!(class_of(words[about]), Some(headline.label as usize), "{}", headline.text);
            assert_ne!(class_of(words[first]), class_of(words[second]), "{}", headline.text);
        }
    }

    #[test]
    fn the_classes_are_as_frequent_as_one_another() {
        let headlines = generate(1, 4000);
        for class in 0..4 {
            let count = headlines.iter().filter(|it| it.label == class).count();
            // Six standard deviations of a binomial of 4000 at 1/4 are 164.
            assert!(count.abs_diff(1000) < 164, "{class}: {count}");
        }
    }

    #[test]
    fn every_word_is_in_the_vocabulary() {
        let vocabulary = vocabulary();
        for headline in generate(4, 2000) {
            let ids = vocabulary.encode(&headline.text);
            assert!(ids.iter().all(|&id| id >= 2), "{}", headline.text);
        }
    }
}
