//! Order in which answers are marked: the same for everybody, and not that of names.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Bound;

use softmark_common::rng::Stream;

use crate::digest;
use crate::store::AnswerId;

/// Code of an answer, which stands for it in addresses of pages and gives its place in the order of marking.
///
/// The code follows from the course's secret, the question and the submission's name: nobody can compute it from a name without
/// the secret, and a new submission changes no other code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct AnswerCode(u64);

impl AnswerCode {
    /// Returns the code of an answer; `attempt` is 0 unless another answer has the code already.
    fn of(secret: &str, answer: &AnswerId, attempt: u64) -> Self {
        let AnswerId { assignment, question, submission } = answer;
        let pieces = [
            "order of marking",
            secret,
            assignment.as_raw(),
            question.as_raw(),
            submission.as_raw(),
        ];
        let hash = digest::of(&pieces);
        let start = hash.get(..16).and_then(|start| u64::from_str_radix(start, 16).ok());
        Self(Stream::derive(start.unwrap_or(0), "marking/order", attempt).bits())
    }

    /// Returns the place in the order at which a marker begins: another one for each marker.
    pub fn start_of(marker: &str) -> Self {
        let hash = digest::of(&["beginning of marking", marker]);
        Self(hash.get(..16).and_then(|start| u64::from_str_radix(start, 16).ok()).unwrap_or(0))
    }

    /// Returns the code that is written so; `None` if none is.
    pub fn parse(text: &str) -> Option<Self> {
        let is_code = text.len() == 16 && text.bytes().all(|it| it.is_ascii_hexdigit());
        is_code.then(|| u64::from_str_radix(text, 16).ok().map(Self)).flatten()
    }
}

impl fmt::Display for AnswerCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Returns the answers by their codes, which are in the order of marking.
///
/// Codes are distinct. If two answers had the same one, which does not happen in practice, the first answer in the order of
/// names keeps it.
pub fn codes(secret: &str, mut answers: Vec<AnswerId>) -> BTreeMap<AnswerCode, AnswerId> {
    answers.sort();
    answers.dedup();
    let mut codes = BTreeMap::new();
    for answer in answers {
        let mut attempts = (0..).map(|attempt| AnswerCode::of(secret, &answer, attempt));
        if let Some(code) = attempts.find(|code| !codes.contains_key(code)) {
            codes.insert(code, answer);
        }
    }
    codes
}

/// Returns the code after this one; `None` if it is the last.
pub fn next<T>(order: &BTreeMap<AnswerCode, T>, code: AnswerCode) -> Option<AnswerCode> {
    after(order, code).next().map(|(code, _)| *code)
}

/// Returns the code before this one; `None` if it is the first.
pub fn previous<T>(order: &BTreeMap<AnswerCode, T>, code: AnswerCode) -> Option<AnswerCode> {
    order.range(..code).next_back().map(|(code, _)| *code)
}

/// Returns the first code after this one whose answer is wanted, or the first one from the beginning; `None` if no other answer
/// is wanted.
pub fn next_where<T>(
    order: &BTreeMap<AnswerCode, T>,
    code: AnswerCode,
    is_wanted: impl Fn(&T) -> bool,
) -> Option<AnswerCode> {
    let mut around = after(order, code).chain(order.range(..code));
    around.find(|(_, answer)| is_wanted(answer)).map(|(code, _)| *code)
}

fn after<T>(
    order: &BTreeMap<AnswerCode, T>,
    code: AnswerCode,
) -> impl Iterator<Item = (&AnswerCode, &T)> {
    order.range((Bound::Excluded(code), Bound::Unbounded))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::marking::test_rows::answer;

    fn answers(names: &[String]) -> Vec<AnswerId> {
        names.iter().map(|name| answer(name)).collect()
    }

    fn class(size: usize) -> Vec<String> {
        (0..size).map(|at| format!("student-{at:04}")).collect()
    }

    #[test]
    fn the_order_is_the_same_for_everybody_and_not_that_of_names() {
        let names = class(300);
        let order = codes("secret", answers(&names));
        let reversed: Vec<String> = names.iter().rev().cloned().collect();
        assert_eq!(order, codes("secret", answers(&reversed)));
        assert_ne!(order, codes("another secret", answers(&names)));
        let in_order: Vec<String> = order.values().map(|it| it.submission.to_string()).collect();
        let pairs = || in_order.iter().zip(in_order.iter().skip(1));
        let ascending = pairs().filter(|(one, other)| one < other).count();
        assert!((120..=180).contains(&ascending), "{ascending} of 299 neighbours ascend");
        // Of another question, the same submissions have other places.
        let mut other = answers(&names);
        for answer in &mut other {
            answer.question = "another".into();
        }
        let other: Vec<String> =
            codes("secret", other).values().map(|it| it.submission.to_string()).collect();
        assert_ne!(in_order, other);
    }

    #[test]
    fn a_new_submission_changes_no_code() {
        let before = codes("secret", answers(&class(40)));
        let after = codes("secret", answers(&class(41)));
        assert_eq!(after.len(), 41);
        assert!(before.iter().all(|(code, answer)| after.get(code) == Some(answer)));
    }

    proptest! {
        #[test]
        fn going_on_meets_every_answer_once_and_going_back_undoes_it(size in 1_usize..40) {
            let order = codes("secret", answers(&class(size)));
            let mut at = *order.keys().next().unwrap();
            let mut met = vec![at];
            while let Some(code) = next(&order, at) {
                prop_assert_eq!(previous(&order, code), Some(at));
                met.push(code);
                at = code;
            }
            prop_assert_eq!(met, order.keys().copied().collect::<Vec<_>>());
        }

        #[test]
        fn the_next_wanted_answer_is_found_around_the_end(
            wanted in prop::collection::vec(any::<bool>(), 2..20),
            start in any::<prop::sample::Index>(),
        ) {
            let order: BTreeMap<AnswerCode, bool> =
                (1_u64..).map(AnswerCode).zip(wanted.iter().copied()).collect();
            let start = start.index(wanted.len());
            let code = AnswerCode(start as u64 + 1);
            let around = (1..wanted.len()).map(|step| (start + step) % wanted.len());
            let expected = around.into_iter().find(|at| wanted[*at]);
            let found = next_where(&order, code, |it| *it);
            prop_assert_eq!(found, expected.map(|at| AnswerCode(at as u64 + 1)));
        }

        #[test]
        fn codes_are_read_as_they_are_written(bits in any::<u64>()) {
            let code = AnswerCode(bits);
            prop_assert_eq!(AnswerCode::parse(&code.to_string()), Some(code));
        }
    }

    #[test]
    fn what_is_no_code_is_refused() {
        for text in ["", "12", "+123456789abcdef", "../../../etc/pass", "0123456789abcdefg"] {
            assert_eq!(AnswerCode::parse(text), None, "{text}");
        }
    }
}
