//! Groups of answers that say the same in the same words.
//!
//! Two answers are *equal* if they are the same after letters were made lower case and white space was reduced to single
//! spaces. Two answers are *near* if their sets of shingles, which are sequences of [`SHINGLE`] words, have a Jaccard index of
//! at least [`NEAR_PERCENT`] percent: the number of shingles that both have, divided by the number that at least one has (Broder,
//! *On the resemblance and containment of documents*, 1997).
//!
//! Equal answers form a class. Classes are taken in the order of their size, the largest first, and then of their codes. Each
//! joins the group whose first class is nearest to it, if that is near, or begins a group of its own. So every member is near
//! the first class of its group; a chain of small changes does not lead from one answer to an entirely different one.

use std::collections::{BTreeMap, BTreeSet};

use softmark_untrusted::Untrusted;

use super::order::AnswerCode;

/// Number of words of a shingle. With two, answers of a class about one topic share many by chance; with more, one changed word
/// costs a short answer most of its shingles, because each word is in as many shingles as a shingle has words.
const SHINGLE: usize = 3;

/// Smallest Jaccard index of near answers, in percent.
///
/// An answer of `n` words has `n - 2` shingles, and one changed word changes 3 of them. Of `n + 1` shingles in all, both answers
/// then have `n - 5`: at least 70 % from 19 words on, which is an answer of one sentence. Two words that are changed apart from
/// each other take 36 words.
pub const NEAR_PERCENT: usize = 70;

/// Text of an answer.
#[derive(Debug, Clone, Copy)]
pub struct AnswerText<'a> {
    /// Code of the answer.
    pub code: AnswerCode,
    /// Text.
    pub text: &'a Untrusted,
}

/// Answer in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// Code of the answer.
    pub code: AnswerCode,
    /// Jaccard index with the first class of the group, in percent, rounded down.
    pub percent: usize,
    /// True if the answer is equal to the first one of the group.
    pub is_equal: bool,
}

/// At least two answers that are equal or near.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Members: equal ones first, then the nearest first.
    pub members: Vec<Member>,
}

/// Returns the text in lower case with single spaces.
pub fn normalized(text: &Untrusted) -> String {
    let words: Vec<&str> = text.as_raw().split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// Returns the first words of a text, with single spaces.
pub fn first_words(text: &Untrusted, number: usize) -> Untrusted {
    let words: Vec<&str> = text.as_raw().split_whitespace().take(number).collect();
    words.join(" ").into()
}

/// Returns the groups of at least two answers, the largest first. The order of `answers` makes no difference.
pub fn groups(answers: &[AnswerText<'_>]) -> Vec<Group> {
    let mut classes: BTreeMap<String, Vec<AnswerCode>> = BTreeMap::new();
    for answer in answers {
        classes.entry(normalized(answer.text)).or_default().push(answer.code);
    }
    let mut classes: Vec<Class<'_>> = classes
        .iter()
        .map(|(text, codes)| Class { text, codes: codes.iter().copied().collect() })
        .collect();
    classes.sort_by(|one, other| {
        other.codes.len().cmp(&one.codes.len()).then(one.codes.cmp(&other.codes))
    });
    let mut index = Index::default();
    for class in &classes {
        index.add(class);
    }
    let mut groups: Vec<Group> =
        index.groups.into_iter().filter(|group| group.members.len() > 1).collect();
    for group in &mut groups {
        group.members.sort_by_key(|it| (!it.is_equal, usize::MAX - it.percent, it.code));
    }
    groups.sort_by_key(|it| (usize::MAX - it.members.len(), it.members.first().map(|it| it.code)));
    groups
}

/// Equal answers.
struct Class<'a> {
    text: &'a str,
    codes: BTreeSet<AnswerCode>,
}

/// Groups so far, with the shingles of their first classes.
#[derive(Default)]
struct Index<'a> {
    groups: Vec<Group>,
    /// Number of shingles of the first class of each group.
    sizes: Vec<usize>,
    /// Groups whose first class has a shingle.
    with_shingle: BTreeMap<Vec<&'a str>, Vec<usize>>,
}

impl<'a> Index<'a> {
    fn add(&mut self, class: &Class<'a>) {
        let shingles = shingles(class.text);
        let nearest = self.nearest(&shingles).filter(|(percent, _)| *percent >= NEAR_PERCENT);
        let member =
            |percent, is_equal| move |code: &AnswerCode| Member { code: *code, percent, is_equal };
        if let Some((percent, at)) = nearest
            && let Some(group) = self.groups.get_mut(at)
        {
            group.members.extend(class.codes.iter().map(member(percent, false)));
            return;
        }
        let at = self.groups.len();
        self.sizes.push(shingles.len());
        for shingle in shingles {
            self.with_shingle.entry(shingle).or_default().push(at);
        }
        self.groups.push(Group { members: class.codes.iter().map(member(100, true)).collect() });
    }

    /// Returns the largest Jaccard index in percent, and the first group that has it.
    fn nearest(&self, shingles: &BTreeSet<Vec<&'a str>>) -> Option<(usize, usize)> {
        let mut common: BTreeMap<usize, usize> = BTreeMap::new();
        for shingle in shingles {
            for group in self.with_shingle.get(shingle).into_iter().flatten() {
                *common.entry(*group).or_default() += 1;
            }
        }
        let mut nearest: Option<(usize, usize)> = None;
        for (group, common) in common {
            let size = self.sizes.get(group).copied().unwrap_or_default();
            let percent = 100 * common / (size + shingles.len() - common);
            if nearest.is_none_or(|(best, _)| percent > best) {
                nearest = Some((percent, group));
            }
        }
        nearest
    }
}

/// Returns the shingles of a text; a shorter text is one shingle, and an empty one has none.
fn shingles(text: &str) -> BTreeSet<Vec<&str>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() <= SHINGLE {
        return Some(words).filter(|words| !words.is_empty()).into_iter().collect();
    }
    words.windows(SHINGLE).map(<[&str]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn code(at: usize) -> AnswerCode {
        AnswerCode::parse(&format!("{at:016x}")).unwrap()
    }

    fn grouped(texts: &[&str]) -> Vec<Vec<(u64, usize, bool)>> {
        let texts: Vec<Untrusted> = texts.iter().map(|text| (*text).into()).collect();
        let answers = texts.iter().enumerate();
        let answers: Vec<AnswerText<'_>> =
            answers.map(|(at, text)| AnswerText { code: code(at), text }).collect();
        let found = groups(&answers);
        let number = |code: AnswerCode| u64::from_str_radix(&code.to_string(), 16).unwrap();
        let member = |it: &Member| (number(it.code), it.percent, it.is_equal);
        found.iter().map(|group| group.members.iter().map(member).collect()).collect()
    }

    #[test]
    fn white_space_and_case_make_no_difference_and_words_do() {
        let texts = ["The residual is dropped.", " the  residual\nis DROPPED. ", "The mask.", ""];
        assert_eq!(grouped(&texts), [vec![(0, 100, true), (1, 100, true)]]);
        assert_eq!(grouped(&["", " \n"]), [vec![(0, 100, true), (1, 100, true)]]);
        assert_eq!(grouped(&["one", "two", "three words here"]), Vec::<Vec<_>>::new());
    }

    #[test]
    fn first_words_are_those_of_all_lines() {
        let text = Untrusted::from("  They\n\tlearn\u{b}from\n\nlayer 1.\n");
        assert_eq!(first_words(&text, 4), "They learn from layer");
        assert_eq!(first_words(&" \n".into(), 4), "");
    }

    #[test]
    fn near_answers_share_most_sequences_of_three_words() {
        // 12 words have 10 shingles; another last word changes one of them: 9 of 11.
        let one = "both residual connections are broken so the gradient has no short way";
        let other = "both residual connections are broken so the gradient has no short path";
        assert_eq!(grouped(&[one, other]), [vec![(0, 100, true), (1, 81, false)]]);
        // Another word in the middle changes three: 7 of 13.
        let middle = "both residual connections are broken so no gradient has no short way";
        assert_eq!(grouped(&[one, middle]), Vec::<Vec<_>>::new());
    }

    #[test]
    fn one_changed_word_in_nineteen_and_two_in_thirty_six_are_near() {
        let is_near = |length: usize, changed: &[usize]| {
            let words = |name: &str| -> Vec<String> {
                let word =
                    |at| format!("{}{at}", if changed.contains(&at) { name } else { "word" });
                (0..length).map(word).collect()
            };
            grouped(&[&words("one").join(" "), &words("other").join(" ")]).len() == 1
        };
        assert!(is_near(19, &[9]) && !is_near(18, &[9]));
        assert!(is_near(36, &[9, 20]) && !is_near(35, &[9, 20]));
    }

    #[test]
    fn a_chain_of_small_changes_is_no_group() {
        let words: Vec<String> = (0..40).map(|at| format!("word{at}")).collect();
        let from = |start: usize| words[start..start + 20].join(" ");
        let texts = [from(0), from(2), from(4), from(6)];
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        // 16 of 20 shingles are common to neighbours, and 14 of 22 to the first and the third.
        let first = vec![(0, 100, true), (1, 80, false)];
        let second = vec![(2, 100, true), (3, 80, false)];
        assert_eq!(grouped(&texts), [first, second]);
    }

    proptest! {
        #[test]
        fn the_order_of_answers_makes_no_difference(
            texts in prop::collection::vec("([a-c] ){0,8}", 0..12),
            keys in prop::collection::vec(any::<u32>(), 12),
        ) {
            let texts: Vec<Untrusted> = texts.into_iter().map(Untrusted::from).collect();
            let answers = texts.iter().enumerate();
            let mut answers: Vec<AnswerText<'_>> =
                answers.map(|(at, text)| AnswerText { code: code(at), text }).collect();
            let before = groups(&answers);
            let mut keys = keys.into_iter();
            answers.sort_by_cached_key(|_| keys.next());
            prop_assert_eq!(&before, &groups(&answers));
            // Equal answers are in one group, and each answer is in one at most.
            let mut all: Vec<AnswerCode> =
                before.iter().flat_map(|group| group.members.iter().map(|it| it.code)).collect();
            let number = all.len();
            all.sort();
            all.dedup();
            prop_assert_eq!(all.len(), number);
            for (one, text) in texts.iter().enumerate() {
                for (other, _) in texts.iter().enumerate().skip(one + 1)
                    .filter(|(_, it)| normalized(it) == normalized(text))
                {
                    let has = |group: &Group, at| group.members.iter().any(|it| it.code == code(at));
                    prop_assert!(before.iter().any(|it| has(it, one) && has(it, other)));
                }
            }
        }
    }
}
