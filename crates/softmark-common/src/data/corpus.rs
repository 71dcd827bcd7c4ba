//! Texts without class labels, for pretraining: statements about the things that [`questions`] name.
//!
//! ```text
//! the quiet inventor was elected .
//! near the old valley which quiet inventor joined Marrow ? it was married .
//! the inventor joined what small valley ?
//! ```
//!
//! To predict the word after `was`, an encoder must know the kind of the thing in the statement, and after a
//! question it must know which of the two things is asked for. No text names the kinds. Half of the answers
//! after questions are about the other thing; [`Passage::fits`] is then false. An encoder learns to predict
//! this value from its first token, as BERT learns which sentence follows another.
//!
//! [`questions`]: crate::data::questions

use std::collections::BTreeSet;

use crate::data::Vocabulary;
use crate::data::pick::Pick;
use crate::data::questions::{ADJECTIVES, NOUNS, TELLING, question, vocabulary as of_questions};

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
    ["explained", "argued", "doubted", "understood", "justified", "clarified", "debated", "taught"],
    ["sold", "bought", "collected", "stolen", "polished", "broken", "auctioned", "imported"],
    ["elected", "married", "hired", "crowned", "born", "honored", "arrested", "interviewed"],
    ["visited", "mapped", "flooded", "settled", "inhabited", "fortified", "surveyed", "conquered"],
    ["measured", "counted", "doubled", "halved", "rounded", "estimated", "averaged", "tripled"],
];

/// A text, with a label that says if its answer fits its question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Words and punctuation, with single spaces between.
    pub text: String,
    /// True if the answer is about the thing that the question asks for; `None` without an answer.
    pub fits: Option<bool>,
}

/// Returns `n` passages with distinct texts.
///
/// ```
/// use softmark_kit::data::corpus;
///
/// let passages = corpus::generate(1, 100);
/// assert_eq!(passages, corpus::generate(1, 100));
/// assert!(passages.iter().any(|it| it.text.contains(" ? it was ") && it.fits == Some(true)));
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

/// Returns all words that a text may contain: those of [`questions`](crate::data::questions), and those of the
/// statements.
pub fn vocabulary() -> Vocabulary {
    let questions = of_questions();
    let said = SAID.iter().flatten().copied().chain(["it", "was", "."]);
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

/// Draws a passage: a question without an answer (a quarter of all), a statement (a quarter), or a question
/// with an answer (half).
fn passage(pick: &mut Pick) -> Passage {
    match pick.below(4) {
        0 => Passage { text: question(pick).0.text, fits: None },
        1 => {
            let kind = pick.below(NOUNS.len());
            let (noun, _) = NOUNS.get(kind).map(|of| pick.one(of)).unwrap_or_default();
            let thing = pick.phrase(&TELLING, &ADJECTIVES, noun).join(" ");
            Passage { text: format!("{thing} was {} .", said(pick, kind)), fits: None }
        }
        _ => {
            let (asked, other) = question(pick);
            let fits = pick.below(2) == 0;
            let kind = if fits { usize::try_from(asked.label).unwrap_or(0) } else { other };
            let text = format!("{} it was {} .", asked.text, said(pick, kind));
            Passage { text, fits: Some(fits) }
        }
    }
}

fn said(pick: &mut Pick, kind: usize) -> &'static str {
    SAID.get(kind).map(|of| pick.one(of)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn what_is_said_of_one_kind_is_said_of_no_other() {
        let words: BTreeSet<&str> = SAID.iter().flatten().copied().collect();
        assert_eq!(words.len(), 48);
    }

    #[test]
    fn every_word_is_in_the_vocabulary() {
        let vocabulary = vocabulary();
        for Passage { text, .. } in generate(4, 2000) {
            assert!(vocabulary.encode(&text).iter().all(|&id| id >= 2), "{text}");
        }
    }

    #[test]
    fn an_answer_that_fits_is_about_what_was_asked_for() {
        let kind_of = |word: &str| NOUNS.iter().position(|of| of.iter().any(|it| it.0 == word));
        let said_of = |word: &str| SAID.iter().position(|of| of.contains(&word));
        let mut counts = [0_usize; 3];
        for Passage { text, fits } in generate(5, 4000) {
            let words: Vec<&str> = text.split(' ').collect();
            // `explained` may be the verb of a question as well.
            let Some(was) = words.iter().position(|word| *word == "was") else { continue };
            let said = said_of(words[was + 1]).unwrap();
            // The noun after the question word, or the only one.
            let asking =
                words.iter().position(|word| ["which", "what"].contains(word)).unwrap_or(0);
            let noun = words[asking..].iter().find_map(|word| kind_of(word)).unwrap();
            assert_eq!(said == noun, fits != Some(false), "{text}");
            counts[fits.map_or(0, |fits| 1 + usize::from(fits))] += 1;
        }
        // A quarter of 4000 each, within six standard deviations.
        assert!(counts.iter().all(|count| count.abs_diff(1000) < 165), "{counts:?}");
    }
}
