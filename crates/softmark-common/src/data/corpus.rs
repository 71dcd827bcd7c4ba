//! Texts without class labels, for pretraining: questions as of [`questions`], and statements about the things
//! that they name.
//!
//! ```text
//! the quiet inventor was elected .
//! the inventor joined what small valley ?
//! aside near the old valley which quiet inventor joined Marrow ?
//! topic near the old valley which quiet inventor joined Marrow ? it was married .
//! ```
//!
//! A question may follow a *heading*, one word that says what is asked about it. An encoder learns to predict the
//! answer, [`Passage::answer`], from its first token:
//!
//! | heading | answer |
//! |---|---|
//! | `topic` | a participle that describes things of the kind that is asked for |
//! | `aside` | a participle that describes things of the kind of the other thing |
//! | `action` | the verb |
//! | `relation` | the preposition, or `.` where there is none |
//! | `note`, `draft` and no heading | `.` |
//!
//! So an encoder learns to make something else of the same question because of a vector before it, which is what
//! a prefix makes use of. Without a heading it learns to predict nothing about the thing that is asked for: a head on an
//! encoder that stays as it is answers about half of the questions right.
//!
//! To predict the word after `was` in a statement, an encoder must know the kind of the thing. A quarter of the questions
//! are followed by such a word too: about the asked thing after `topic`, about the other one after `aside`, and otherwise
//! about either of them. No text names the kinds.
//!
//! [`questions`]: crate::data::questions

use std::collections::BTreeSet;

use crate::data::Vocabulary;
use crate::data::pick::Pick;
use crate::data::questions::{
    ADJECTIVES, Drawn, NOUNS, TELLING, question, vocabulary as of_questions,
};

/// Participles that describe things of each kind, in the order of the questions' classes.
const SAID: [[&str; 8]; 6] = [
    [
        "spelled",
        "capitalized",
        "shortened",
        "pronounced",
        "printed",
        "typed",
        "lettered",
        "decoded",
    ],
    [
        "illustrated",
        "argued",
        "doubted",
        "understood",
        "justified",
        "clarified",
        "debated",
        "taught",
    ],
    ["sold", "bought", "collected", "stolen", "polished", "broken", "auctioned", "imported"],
    ["elected", "married", "hired", "crowned", "born", "honored", "arrested", "interviewed"],
    ["visited", "mapped", "flooded", "settled", "inhabited", "fortified", "surveyed", "conquered"],
    ["measured", "counted", "doubled", "halved", "rounded", "estimated", "averaged", "tripled"],
];

/// Words before a question that say what is asked about it.
const HEADINGS: [&str; 6] = ["topic", "aside", "action", "relation", "note", "draft"];

/// Answer where nothing is asked.
const NOTHING: &str = ".";

/// A text, with the answer to its heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Words and punctuation, with single spaces between.
    pub text: String,
    /// True if the first word is a heading.
    pub is_headed: bool,
    /// Answer to the heading of a question; `None` for a statement.
    pub answer: Option<&'static str>,
}

/// Returns `n` passages with distinct texts.
///
/// ```
/// use softmark_kit::data::corpus;
///
/// let passages = corpus::generate(1, 100);
/// assert_eq!(passages, corpus::generate(1, 100));
/// assert!(passages.iter().any(|it| it.text.starts_with("note ") && it.answer == Some(".")));
/// ```
pub fn generate(seed: u64, n: usize) -> Vec<Passage> {
    let mut pick = Pick::new(seed, "data/corpus");
    let (mut seen, mut all) = (BTreeSet::new(), Vec::with_capacity(n));
    while all.len() < n {
        let passage = passage(&mut pick);
        if seen.insert(passage.text.clone()) {
            all.push(passage);
        }
    }
    all
}

/// Returns all words that a text may contain: those of [`questions`](crate::data::questions), those of the
/// statements, and the headings.
pub fn vocabulary() -> Vocabulary {
    let questions = of_questions();
    let said = SAID.iter().flatten().copied().chain(HEADINGS).chain(["it", "was", NOTHING]);
    Vocabulary::new(questions.words().chain(said))
}

/// Returns the ids of a text in the format of the built-in encoder: those of [`vocabulary`], preceded by
/// `[CLS]` and followed by `[SEP]`, whose ids come after those of all words.
///
/// ```
/// use softmark_kit::data::corpus;
///
/// let words = u32::try_from(corpus::vocabulary().len())?;
/// let ids = corpus::framed(&corpus::vocabulary(), "which city ?");
/// assert_eq!((ids.len(), ids[0], ids[4]), (5, words, words + 1));
/// # Ok::<(), std::num::TryFromIntError>(())
/// ```
pub fn framed(vocabulary: &Vocabulary, text: &str) -> Vec<u32> {
    let end = u32::try_from(vocabulary.len()).unwrap_or(u32::MAX);
    [vec![end], vocabulary.encode(text), vec![end + 1]].concat()
}

/// Draws a passage. Of eight, five are questions with a heading, two are questions without one, and one is a statement.
fn passage(pick: &mut Pick) -> Passage {
    let form = pick.below(8);
    if form == 7 {
        let kind = pick.below(NOUNS.len());
        let (noun, _) = NOUNS.get(kind).map(|of| pick.one(of)).unwrap_or_default();
        let thing = pick.phrase(&TELLING, &ADJECTIVES, noun).join(" ");
        let text = format!("{thing} was {} .", said(pick, kind));
        return Passage { text, is_headed: false, answer: None };
    }
    let drawn = question(pick);
    let (mut text, mut answer) = (drawn.question.text.clone(), NOTHING);
    let is_headed = form < 5;
    let mut about = [drawn.asked, drawn.other];
    if is_headed {
        let heading = heading(pick, &drawn);
        text = format!("{} {text}", heading.word);
        answer = heading.answer;
        about = heading.about.map_or(about, |kind| [kind; 2]);
    }
    if pick.below(4) == 0 {
        let kind = pick.one(&about);
        text = format!("{text} it was {} .", said(pick, kind));
    }
    Passage { text, is_headed, answer: Some(answer) }
}

/// A heading, as it asks about a question.
struct Heading {
    word: &'static str,
    answer: &'static str,
    /// Kind of the thing that it asks about; `None` if it asks about neither.
    about: Option<usize>,
}

/// Draws a heading for a question.
fn heading(pick: &mut Pick, drawn: &Drawn) -> Heading {
    let [topic, aside, action, relation, note, draft] = HEADINGS;
    let of = |word, answer| Heading { word, answer, about: None };
    match pick.below(10) {
        0..4 => Heading { about: Some(drawn.asked), ..of(topic, said(pick, drawn.asked)) },
        4..6 => Heading { about: Some(drawn.other), ..of(aside, said(pick, drawn.other)) },
        6 => of(action, drawn.verb),
        7 => of(relation, drawn.preposition.unwrap_or(NOTHING)),
        8 => of(note, NOTHING),
        _ => of(draft, NOTHING),
    }
}

/// Draws a participle that describes things of this kind.
fn said(pick: &mut Pick, kind: usize) -> &'static str {
    SAID.get(kind).map(|of| pick.one(of)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::data::questions::{PREPOSITIONS, VERBS};

    fn kind_of(word: &str) -> Option<usize> {
        NOUNS.iter().position(|of| of.iter().any(|it| it.0 == word))
    }

    fn said_of(word: &str) -> Option<usize> {
        SAID.iter().position(|of| of.contains(&word))
    }

    /// Kinds of the asked thing and of the other one, by the words of a question.
    fn asked_and_other(words: &[&str]) -> (usize, usize) {
        // The noun after the question word is the asked one.
        let asking = words.iter().position(|word| ["which", "what"].contains(word)).unwrap();
        let asked = words[asking..].iter().find_map(|word| kind_of(word)).unwrap();
        let other = words.iter().find_map(|word| kind_of(word).filter(|kind| *kind != asked));
        (asked, other.unwrap())
    }

    #[test]
    fn what_is_said_of_one_kind_is_no_other_word() {
        let said: BTreeSet<&str> = SAID.iter().flatten().copied().collect();
        assert_eq!(said.len(), 48);
        let questions = of_questions();
        let all: BTreeSet<&str> =
            questions.words().chain(HEADINGS).chain(said.iter().copied()).collect();
        assert_eq!(all.len(), questions.words().count() + HEADINGS.len() + 48);
    }

    #[test]
    fn every_word_is_in_the_vocabulary() {
        let vocabulary = vocabulary();
        for Passage { text, answer, .. } in generate(4, 2000) {
            let answer = answer.unwrap_or(NOTHING);
            assert!(vocabulary.encode(&text).iter().all(|&id| id >= 2), "{text}");
            assert!(vocabulary.encode(answer).iter().all(|&id| id >= 2), "{answer}");
        }
    }

    #[test]
    fn the_word_after_was_is_about_a_thing_that_the_text_names() {
        let (mut statements, mut answers, mut of_asked) = (0_usize, 0_usize, 0_usize);
        for Passage { text, answer, .. } in generate(5, 4000) {
            let words: Vec<&str> = text.split(' ').collect();
            let was = words.iter().position(|word| *word == "was");
            let said = was.and_then(|was| said_of(words[was + 1]));
            if answer.is_none() {
                assert!(said.is_some(), "{text}");
                assert_eq!(said, words.iter().find_map(|word| kind_of(word)), "{text}");
                statements += 1;
                continue;
            }
            let Some(said) = said else { continue };
            let (asked, other) = asked_and_other(&words);
            match words[0] {
                "topic" => assert_eq!(said, asked, "{text}"),
                "aside" => assert_eq!(said, other, "{text}"),
                _ => {
                    assert!([asked, other].contains(&said), "{text}");
                    answers += 1;
                    of_asked += usize::from(said == asked);
                }
            }
        }
        // An eighth of 4000, a quarter of half of them, and a half of these, each within six standard deviations.
        assert!(statements.abs_diff(500) < 126, "{statements}");
        assert!(answers.abs_diff(500) < 126, "{answers}");
        assert!(of_asked.abs_diff(answers / 2) < 70, "{of_asked} of {answers}");
    }

    #[test]
    fn the_heading_says_what_the_answer_is() {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for Passage { text, is_headed, answer } in generate(6, 4000) {
            let words: Vec<&str> = text.split(' ').collect();
            let heading = words[0];
            assert_eq!(is_headed, HEADINGS.contains(&heading), "{text}");
            let Some(answer) = answer else { continue };
            let (asked, other) = asked_and_other(&words);
            let is_right = match heading {
                "topic" => said_of(answer) == Some(asked),
                "aside" => said_of(answer) == Some(other),
                "action" => VERBS.contains(&answer) && words.contains(&answer),
                "relation" => {
                    let preposition = words.iter().find(|word| PREPOSITIONS.contains(word));
                    answer == *preposition.unwrap_or(&NOTHING)
                }
                _ => answer == NOTHING,
            };
            assert!(is_right, "{text}: {answer}");
            let counted = if is_headed { heading } else { NOTHING };
            *counts.entry(counted.to_owned()).or_default() += 1;
        }
        // Five of eight texts have a heading; of ten of these four have `topic` and two `aside`. Two of eight are questions
        // without one. Each count is within six standard deviations of a binomial of 4000.
        let expected = [("topic", 1000), ("aside", 500), ("note", 250), (NOTHING, 1000)];
        for (heading, expected) in expected {
            assert!(counts[heading].abs_diff(expected) < 165, "{counts:?}");
        }
    }
}
