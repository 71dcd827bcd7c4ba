//! Texts without labels, for pretraining: what the things that [`questions`] name are like.
//!
//! ```text
//! the quiet inventor was elected .
//! near the old valley which quiet inventor joined Marrow ? it was married .
//! the inventor joined what small valley ?
//! ```
//!
//! Whoever guesses the word after `was` has to know which kind of thing is spoken of, and behind a
//! question which of the two it asks for. No text says what the kinds are. Of the answers behind
//! questions half are about the other thing, and [`Passage::fits`] says so: that is what an encoder
//! learns to tell from its first token, as BERT learns which sentence follows another.
//!
//! [`questions`]: crate::data::questions

use std::collections::BTreeSet;

use crate::data::Vocabulary;
use crate::data::pick::Pick;
use crate::data::questions::{ADJECTIVES, NOUNS, TELLING, question, vocabulary as of_questions};

/// What is said of things of each kind, in the order of the questions' classes.
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

/// A text, and whether the answer in it is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Words and punctuation, with single spaces between.
    pub text: String,
    /// Whether the answer is about what the question asks for; `None` where there is no answer.
    pub fits: Option<bool>,
}

/// `n` passages, no two with the same text.
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

/// Every word that a text may hold: those of [`questions`](crate::data::questions), and what is said.
pub fn vocabulary() -> Vocabulary {
    let questions = of_questions();
    let said = SAID.iter().flatten().copied().chain(["it", "was", "."]);
    Vocabulary::new(questions.words().chain(said))
}

/// The ids of a text as the encoder that is built in takes it: those of [`vocabulary`], with `[CLS]` before
/// them and `[SEP]` behind, whose ids come after those of all words.
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

/// A statement, a question with an answer, or a question without: a quarter, half and a quarter of all.
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
            // `explained` may be what was done in a question as well.
            let Some(was) = words.iter().position(|word| *word == "was") else { continue };
            let said = said_of(words[was + 1]).unwrap();
            // The noun behind the question word, or the only one.
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
