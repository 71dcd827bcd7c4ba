//! Classification of questions by the kind of answer that they ask for.
//!
//! Six classes with the names of TREC (Li and Roth, *Learning Question Classifiers*, 2002). Every
//! question names two things of different classes and asks for one of them: the noun that `which`
//! or `what` belongs to.
//!
//! ```text
//! near the old valley which quiet inventor joined Marrow ?        HUM
//! the inventor joined what small valley ?                         LOC
//! ```
//!
//! A model that ignores the order of the words can at best guess between two classes.

use std::fmt::Write;

use crate::data::pick::{Pick, different};
use crate::data::{Labelled, Vocabulary};

/// Names of the classes, in the order of their numbers.
pub const CLASSES: [&str; 6] = ["ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM"];

/// Nouns of each class, with the fine label of TREC that each belongs to.
pub(super) const NOUNS: [[(&str, &str); 8]; 6] = [
    [
        ("acronym", "abb"),
        ("abbreviation", "abb"),
        ("initialism", "abb"),
        ("monogram", "abb"),
        ("shorthand", "abb"),
        ("callsign", "exp"),
        ("ticker", "exp"),
        ("logogram", "exp"),
    ],
    [
        ("reason", "reason"),
        ("cause", "reason"),
        ("origin", "desc"),
        ("difference", "desc"),
        ("meaning", "def"),
        ("definition", "def"),
        ("method", "manner"),
        ("procedure", "manner"),
    ],
    [
        ("animal", "animal"),
        ("instrument", "instru"),
        ("metal", "substance"),
        ("vegetable", "food"),
        ("vehicle", "veh"),
        ("language", "lang"),
        ("painting", "cremat"),
        ("disease", "dismed"),
    ],
    [
        ("inventor", "ind"),
        ("painter", "ind"),
        ("senator", "ind"),
        ("captain", "ind"),
        ("nurse", "ind"),
        ("composer", "ind"),
        ("company", "gr"),
        ("tribe", "gr"),
    ],
    [
        ("city", "city"),
        ("capital", "city"),
        ("river", "other"),
        ("valley", "other"),
        ("island", "other"),
        ("desert", "other"),
        ("mountain", "mount"),
        ("province", "state"),
    ],
    [
        ("year", "date"),
        ("price", "money"),
        ("distance", "dist"),
        ("population", "count"),
        ("temperature", "temp"),
        ("percentage", "perc"),
        ("age", "period"),
        ("speed", "speed"),
    ],
];

const ASKING: [&str; 2] = ["which", "what"];
pub(super) const TELLING: [&str; 3] = ["the", "a", "this"];
pub(super) const ADJECTIVES: [&str; 12] = [
    "old", "famous", "small", "northern", "hidden", "second", "modern", "popular", "strange",
    "local", "early", "quiet",
];
const NAMES: [&str; 16] = [
    "Alder", "Birken", "Corvo", "Dalmara", "Esker", "Fennick", "Galdra", "Hollin", "Isembard",
    "Jorvan", "Kestrel", "Lunden", "Marrow", "Norvik", "Ostra", "Pellin",
];
pub(super) const VERBS: [&str; 12] = [
    "changed",
    "followed",
    "shaped",
    "named",
    "reached",
    "described",
    "replaced",
    "influenced",
    "joined",
    "matched",
    "explained",
    "crossed",
];
pub(super) const PREPOSITIONS: [&str; 8] =
    ["near", "of", "behind", "about", "for", "beside", "under", "with"];

/// Returns `n` questions with distinct texts.
pub fn generate(seed: u64, n: usize) -> Vec<Labelled> {
    let mut pick = Pick::new(seed, "data/questions");
    different(n, || question(&mut pick).question)
}

/// Returns all words that a question may contain.
pub fn vocabulary() -> Vocabulary {
    let lists: [&[&str]; 7] =
        [&ASKING, &TELLING, &ADJECTIVES, &NAMES, &VERBS, &PREPOSITIONS, &["?"]];
    let nouns = NOUNS.iter().flatten().map(|(noun, _)| *noun);
    Vocabulary::new(lists.into_iter().flatten().copied().chain(nouns))
}

/// A question, with what pretraining asks about it.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) question: Labelled,
    /// Class of the thing that is asked for.
    pub(super) asked: usize,
    /// Class of the other thing.
    pub(super) other: usize,
    pub(super) verb: &'static str,
    /// Its preposition; `None` if it has none.
    pub(super) preposition: Option<&'static str>,
}

/// Draws a question.
pub(super) fn question(pick: &mut Pick) -> Drawn {
    let classes = pick.order(CLASSES.len());
    let mut nouns = classes.iter().filter_map(|&class| {
        let (noun, fine) = pick.one(NOUNS.get(class)?);
        Some((class, noun, fine))
    });
    let (class, noun, fine) = nouns.next().unwrap_or_default();
    let (of_other, other, _) = nouns.next().unwrap_or_default();
    let asked = pick.phrase(&ASKING, &ADJECTIVES, noun);
    let told = pick.phrase(&TELLING, &ADJECTIVES, other);
    let (verb, preposition) = (pick.one(&VERBS), pick.one(&PREPOSITIONS));
    let (does, place, name) = (vec![verb], vec![preposition], vec![pick.one(&NAMES)]);
    let form = pick.below(6);
    let parts = match form {
        0 => vec![asked, does, told],
        1 => vec![told, does, asked],
        2 => vec![place, told, asked, does, name],
        3 => vec![name, does, told, place, asked],
        4 => vec![name, does, asked, place, told],
        _ => vec![told, place, name, does, asked],
    };
    let mut words = parts.concat();
    words.push("?");
    let label = u32::try_from(class).unwrap_or(0);
    Drawn {
        question: Labelled { text: words.join(" "), label, fine },
        asked: class,
        other: of_other,
        verb,
        preposition: Some(preposition).filter(|_| form > 1),
    }
}

/// Formats questions as TREC's `.label` files do: one `COARSE:fine question` per line.
pub fn to_trec(questions: &[Labelled]) -> String {
    let mut text = String::new();
    for question in questions {
        let class = usize::try_from(question.label).ok().and_then(|it| CLASSES.get(it));
        // Writing to a string does not fail.
        writeln!(text, "{}:{} {}", class.unwrap_or(&"?"), question.fine, question.text).ok();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_things_are_named_and_one_is_asked_for() {
        for question in generate(3, 500) {
            let words: Vec<&str> = question.text.split(' ').collect();
            let class_of = |word: &str| {
                NOUNS.iter().position(|nouns| nouns.iter().any(|(noun, _)| *noun == word))
            };
            let named: Vec<usize> = words.iter().filter_map(|word| class_of(word)).collect();
            // From the question word on, the first noun is the one that is asked for.
            let asking = words.iter().position(|word| ASKING.contains(word)).unwrap();
            let asked = words[asking..].iter().find_map(|word| class_of(word)).unwrap();
            assert_eq!(CLASSES[asked], CLASSES[question.label as usize], "{}", question.text);
            assert_eq!(named.len(), 2, "{}", question.text);
            assert_ne!(named[0], named[1], "{}", question.text);
            assert_eq!(words.iter().filter(|word| ASKING.contains(word)).count(), 1);
        }
    }

    #[test]
    fn the_classes_are_as_frequent_as_one_another() {
        let questions = generate(1, 6000);
        for class in 0..6 {
            let count = questions.iter().filter(|it| it.label == class).count();
            // Six standard deviations of a binomial of 6000 at 1/6 are 173.
            assert!(count.abs_diff(1000) < 173, "{class}: {count}");
        }
    }

    #[test]
    fn the_fine_label_stands_before_the_first_space_and_nowhere_else() {
        let questions = generate(2, 50);
        let text = to_trec(&questions);
        for (line, question) in text.lines().zip(&questions) {
            let (label, rest) = line.split_once(' ').unwrap();
            let (coarse, fine) = label.split_once(':').unwrap();
            assert_eq!(rest, question.text);
            assert_eq!(coarse, CLASSES[question.label as usize]);
            assert_eq!(fine, question.fine);
        }
        assert_eq!(text.lines().count(), 50);
    }

    #[test]
    fn every_word_is_in_the_vocabulary() {
        let vocabulary = vocabulary();
        for question in generate(4, 2000) {
            let ids = vocabulary.encode(&question.text);
            assert!(ids.iter().all(|&id| id >= 2), "{}", question.text);
        }
    }

    #[test]
    fn other_seeds_give_other_questions() {
        assert_ne!(generate(1, 5), generate(2, 5));
    }
}
