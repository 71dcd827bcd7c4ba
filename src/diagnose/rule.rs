//! The rule by which a mistake is named, the same for all suites.
//!
//! **One mistake.** If it shows in a diagnostic case, the submission must answer like its
//! imitation, and otherwise like the reference: the mistake is not named if one response is
//! neither. In at least one case both must give the same wrong numbers. An error proves little,
//! since any bug may end in one. A mistake that consists in an error (refusing views, panicking
//! instead of returning an error) is named if the submission fails in exactly the cases of that
//! mistake and gives the right numbers in others.
//!
//! A mistake may be made for one value of a switch of the config only. Those candidates come after
//! the others: a mistake in every configuration is preferred to a partial one. If partial
//! candidates of different mistakes account for the same responses, none is named; neither is one if a
//! check failed that the mistake passes by itself.
//!
//! **Two mistakes.** If no single mistake accounts for everything, two of them may. If the response
//! to both together is known, the same rule applies to the pair. Otherwise each of them must show
//! in a case in which the other does not, and in no case may the submission's response differ from
//! both; only gradients may be left open.
//!
//! If several pairs account for the same responses, only the mistakes that all of them contain are
//! named.
//!
//! **Which check.** A single mistake is named at each failed check whose diagnostic cases show it. Of two
//! mistakes, or of one beside others that are not known, only one that fails the check by itself is named there, as
//! far as its mutants tell.

use std::cmp::Reverse;

use softmark_checks::response::{Reading, open_cases};
use softmark_exam::Aspect;

use crate::diagnose::reading::{Asked, Candidate};

/// Mistakes that account for every response of a submission; none or up to two.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Explained {
    ids: Vec<&'static str>,
    account: Account,
}

/// Way in which mistakes account for the responses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Account {
    /// One mistake, in every configuration.
    #[default]
    Whole,
    /// One mistake, for one value of a switch.
    Half,
    /// Two mistakes at once, of which one may not be known.
    Two,
}

/// Number of cases that an explanation leaves open; lower is better.
type Open = usize;

/// Finds one mistake that accounts for every response, or else two. `candidates` may have been read
/// up to the first contradiction; `together` reads the pairs whose combined response is known, and
/// `whole` reads the candidates to the end; both are called only if necessary. `is_known` returns
/// true if all combinations of two mistakes are among those pairs.
pub(super) fn explain(
    candidates: &[Candidate],
    asked: &[Asked<'_>],
    together: &dyn Fn() -> Vec<Candidate>,
    whole: &dyn Fn() -> Vec<Candidate>,
    is_known: &dyn Fn(&str, &str) -> bool,
) -> Explained {
    let right_numbers = asked.iter().any(Asked::has_right_numbers);
    let throughout: Vec<&Candidate> = candidates.iter().filter(|it| it.whole).collect();
    let single = first_best(&throughout, right_numbers);
    if let Some((0, only)) = &single {
        return Explained { ids: only.clone(), account: Account::Whole };
    }
    let halves: Vec<&Candidate> = candidates.iter().filter(|it| !it.whole).collect();
    let partly = common_best(&halves, right_numbers);
    if let Some((0, only)) = &partly {
        return Explained { ids: only.clone(), account: Account::Half };
    }
    let pairs = together();
    let together = common_best(&pairs.iter().collect::<Vec<_>>(), right_numbers);
    if let Some((0, both)) = &together {
        return Explained { ids: both.clone(), account: Account::Two };
    }
    let whole = whole();
    let apart = two_apart(&whole.iter().collect::<Vec<_>>(), asked, right_numbers, is_known);
    let all = [
        (single, Account::Whole),
        (partly, Account::Half),
        (together, Account::Two),
        (apart, Account::Two),
    ];
    let all = all.into_iter().filter_map(|(found, account)| Some((found?, account)));
    let best = all.min_by_key(|((open, _), _)| *open);
    best.map_or_else(Explained::default, |((_, ids), account)| Explained { ids, account })
}

/// Returns the first of the candidates that account for every response with the fewest open cases.
fn first_best(candidates: &[&Candidate], right_numbers: bool) -> Option<(Open, Vec<&'static str>)> {
    let standing = candidates.iter().filter_map(|it| Some((alone(it, right_numbers)?, it)));
    standing.min_by_key(|(open, _)| *open).map(|(open, it)| (open, it.ids.clone()))
}

/// Returns the mistakes that are common to all candidates that account for every response with the
/// fewest open cases.
fn common_best(
    candidates: &[&Candidate],
    right_numbers: bool,
) -> Option<(Open, Vec<&'static str>)> {
    let standing: Vec<_> =
        candidates.iter().filter_map(|it| Some((alone(it, right_numbers)?, &it.ids))).collect();
    let fewest = standing.iter().map(|(open, _)| *open).min()?;
    let mut best = standing.iter().filter(|(open, _)| *open == fewest).map(|(_, ids)| *ids);
    let first = best.next()?.clone();
    let common =
        best.fold(first, |common, ids| common.into_iter().filter(|id| ids.contains(id)).collect());
    (!common.is_empty()).then_some((fewest, common))
}

/// Counts the cases that a candidate leaves open; `None` if it does not account for every response.
fn alone(candidate: &Candidate, right_numbers: bool) -> Option<Open> {
    open_cases(&candidate.readings, candidate.only_errs && right_numbers)
}

/// Returns the mistakes that every best pair of candidates has in common.
fn two_apart(
    candidates: &[&Candidate],
    asked: &[Asked<'_>],
    right_numbers: bool,
    is_known: &dyn Fn(&str, &str) -> bool,
) -> Option<(Open, Vec<&'static str>)> {
    let mut best: Option<(Open, Vec<&'static str>)> = None;
    for (at, one) in candidates.iter().enumerate() {
        for other in candidates.iter().skip(at + 1).filter(|other| other.id() != one.id()) {
            if is_known(one.id(), other.id()) {
                continue;
            }
            let Some(open) = apart(one, other, asked, right_numbers) else { continue };
            let ids = vec![one.id(), other.id()];
            best = match best {
                Some((fewest, common)) if open == fewest => {
                    Some((open, common.into_iter().filter(|id| ids.contains(id)).collect()))
                }
                Some((fewest, common)) if open > fewest => Some((fewest, common)),
                Some(_) | None => Some((open, ids)),
            };
        }
    }
    best.filter(|(_, common)| !common.is_empty())
}

/// Counts the cases that two candidates leave open, if each of them shows without the other; `None`
/// if they do not account for every response.
fn apart(
    one: &Candidate,
    other: &Candidate,
    asked: &[Asked<'_>],
    right_numbers: bool,
) -> Option<Open> {
    let mut open = 0;
    // Readings of each candidate in the cases in which it shows and the other does not.
    let (mut by_one, mut by_other) = (Vec::new(), Vec::new());
    for at in 0..asked.len() {
        let (a, b) = (one.at(at), other.at(at));
        if a == Reading::NotAsked || b == Reading::NotAsked {
            open += 1;
            continue;
        }
        match (a.speaks(), b.speaks()) {
            (true, false) if a.shows() => by_one.push(a),
            (false, true) if b.shows() => by_other.push(b),
            (true, true) if a.shows() && b.shows() => {}
            (false, false) if a == Reading::Right => {}
            (false, false) if a == Reading::OtherError => open += 1,
            _ => return None,
        }
    }
    let is_shown = |readings: &[Reading], candidate: &Candidate| {
        let by_error = candidate.only_errs && right_numbers && readings.contains(&Reading::Error);
        readings.contains(&Reading::Numbers) || by_error
    };
    let both = is_shown(&by_one, one) && is_shown(&by_other, other);
    // There must be fewer open cases than cases with evidence.
    (both && open < by_one.len() + by_other.len()).then_some(open)
}

/// Leaves out the imitations of named mistakes that the submission does not make: those that it contradicts in a
/// case in which no imitation of another mistake shows. If it contradicts all imitations of a mistake, they stay.
pub(super) fn without_contradicted(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let made: Vec<bool> = candidates.iter().map(|it| is_made(it, &candidates)).collect();
    let is_any_made =
        |id: &str| candidates.iter().zip(&made).any(|(it, is_made)| it.id() == id && *is_made);
    let keeps: Vec<bool> =
        candidates.iter().zip(&made).map(|(it, made)| *made || !is_any_made(it.id())).collect();
    candidates.into_iter().zip(keeps).filter(|(_, keeps)| *keeps).map(|(it, _)| it).collect()
}

/// True if another mistake shows in each case in which the submission contradicts the candidate.
fn is_made(candidate: &Candidate, all: &[Candidate]) -> bool {
    let others = || all.iter().filter(|other| other.id() != candidate.id());
    let mut readings = candidate.readings.iter().enumerate();
    readings.all(|(at, reading)| {
        *reading != Reading::Contradicted || others().any(|other| other.at(at).speaks())
    })
}

impl Explained {
    /// True if this mistake is one of them.
    pub(super) fn has(&self, id: &str) -> bool {
        self.ids.contains(&id)
    }

    /// Returns no mistake if it is made for one value of a switch and `fails_all` is not true: in every configuration it passes a check that
    /// failed, so something else is wrong.
    pub(super) fn unless_refuted(self, fails_all: impl Fn(&str) -> bool) -> Self {
        let is_refuted = self.account == Account::Half && !self.ids.iter().all(|id| fails_all(id));
        if is_refuted { Self::default() } else { self }
    }

    /// Returns the mistake behind a failed check, which is about the cases of `aspects`; `fails` tells whether a mistake by itself
    /// may fail it.
    ///
    /// If there are two mistakes that may, returns the one that shows alone in more of those cases. If they
    /// are equal, compares in how many of those cases they show (more is better), then in how many
    /// cases altogether (fewer is better, because those are more specific), and finally for how
    /// many checks `before` they were named (fewer is better).
    pub(super) fn name_for(
        &self,
        aspects: &[Aspect],
        candidates: &[Candidate],
        asked: &[Asked<'_>],
        before: &[&'static str],
        fails: &dyn Fn(&str) -> bool,
    ) -> Option<&'static str> {
        let about = |it: &&Asked<'_>| aspects.contains(&it.question.aspect);
        let has_wrong = asked.iter().filter(about).any(|it| !it.is_right());
        // If no case about the check has a wrong response, all cases count.
        let counts = |it: &&Asked<'_>| !has_wrong || (about(it) && !it.is_right());
        let speaks = |id: &str, at: usize| {
            candidates.iter().filter(|it| it.id() == id).any(|it| it.at(at).speaks())
        };
        let places = || asked.iter().enumerate().filter(|(_, it)| counts(it)).map(|(at, _)| at);
        let shows = |id: &str| places().filter(|&at| speaks(id, at)).count();
        match *self.ids.as_slice() {
            [only] => {
                ((self.account == Account::Whole || fails(only)) && shows(only) > 0).then_some(only)
            }
            [one, other] if !fails(other) => fails(one).then_some(one),
            [one, other] if !fails(one) => Some(other),
            [one, other] => match (shows(one), shows(other)) {
                // Neither mistake shows in these cases; a guess could name the wrong one.
                (0, 0) => None,
                (_, 0) => Some(one),
                (0, _) => Some(other),
                (a, b) => {
                    let apart = |x: &str, y: &str| {
                        places().filter(|&at| speaks(x, at) && !speaks(y, at)).count()
                    };
                    let everywhere =
                        |id: &str| (0..asked.len()).filter(|&at| speaks(id, at)).count();
                    let named = |id: &str| before.iter().filter(|it| **it == id).count();
                    // Higher is better for the first two, lower for the others.
                    let rank = |x: &str, y: &str, shown: usize| {
                        (Reverse(apart(x, y)), Reverse(shown), everywhere(x), named(x))
                    };
                    let is_other = rank(other, one, b) < rank(one, other, a);
                    Some(if is_other { other } else { one })
                }
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use softmark_checks::{Array, Case, Signature};
    use softmark_exam::{Question, Response};

    use super::*;

    static PART: Signature = Signature::new("part", &[], &[], &["output"]);

    /// Returns a case with the expected response 1; its reading is given separately.
    fn asked(aspect: Aspect, came: Response) -> Asked<'static> {
        let case = Case::new(&PART, String::new());
        let question = Question::new(aspect, case);
        Asked { question: Box::leak(Box::new(question)), truth: number(1.0), came: came.into() }
    }

    fn number(x: f64) -> Response {
        Response::output(Array::new(&[1], vec![x]))
    }

    fn candidate(id: &'static str, readings: &[Reading]) -> Candidate {
        let only_errs = !readings.iter().any(|it| matches!(it, Numbers | Contradicted));
        Candidate { ids: vec![id], readings: readings.to_vec(), only_errs, whole: true }
    }

    fn again(it: &Candidate) -> Candidate {
        Candidate { ids: it.ids.clone(), readings: it.readings.clone(), ..*it }
    }

    /// Returns `count` wrong responses, and one right one at the end.
    fn wrong(count: usize) -> Vec<Asked<'static>> {
        let mut all: Vec<Asked<'static>> =
            (0..count).map(|_| asked(Aspect::Plain, number(2.0))).collect();
        all.push(asked(Aspect::Masked, number(1.0)));
        all
    }

    fn explained(candidates: &[Candidate], asked: &[Asked<'_>]) -> Vec<&'static str> {
        let whole = || candidates.iter().filter(|it| it.whole).map(again).collect();
        explain(candidates, asked, &Vec::new, &whole, &|_, _| false).ids
    }

    use Reading::{Contradicted, Error, NotAsked, Numbers, OtherError, Right, Unexplained};

    #[test]
    fn a_check_gets_no_name_of_an_imitation_that_is_not_made() {
        // The submission makes `a`, and `b` in the first way; the second way is contradicted where `a` does
        // not show, and alone would show in the last case, which is due to `a`.
        let all = [
            candidate("a", &[Right, Numbers, Numbers]),
            candidate("b", &[Numbers, Right, Right]),
            candidate("b", &[Contradicted, Right, Contradicted]),
        ];
        let of_b = |all: &[Candidate]| all.iter().filter(|it| it.id() == "b").count();
        let explained = Explained { ids: vec!["a", "b"], account: Account::Two };
        let cases = [Aspect::Plain, Aspect::Plain, Aspect::Gradient];
        let asked: Vec<Asked<'_>> = cases.map(|it| asked(it, number(2.0))).into();
        let named = |all: &[Candidate]| {
            explained.name_for(&[Aspect::Gradient], all, &asked, &["a"], &|_| true)
        };
        assert_eq!((of_b(&all), named(&all)), (2, Some("b")));
        let made = without_contradicted(all.into());
        assert_eq!((of_b(&made), named(&made)), (1, Some("a")));
        // A mistake of which every imitation is contradicted keeps them.
        let all = vec![candidate("a", &[Numbers]), candidate("c", &[Right, Contradicted])];
        assert_eq!(without_contradicted(all).len(), 2);
    }

    #[test]
    fn numbers_that_agree_everywhere_name_a_mistake() {
        let all = [candidate("a", &[Numbers, Numbers, Right])];
        assert_eq!(explained(&all, &wrong(2)), ["a"]);
    }

    #[test]
    fn one_contradiction_takes_the_name_away() {
        for against in [Contradicted, Unexplained, NotAsked] {
            let all = [candidate("a", &[Numbers, against, Right])];
            assert!(explained(&all, &wrong(2)).is_empty(), "{against:?}");
        }
    }

    #[test]
    fn errors_alone_name_a_mistake_only_beside_right_numbers() {
        let all = [candidate("a", &[Error, Right])];
        let refused =
            |last| vec![asked(Aspect::Plain, Response::Refused), asked(Aspect::Plain, last)];
        assert_eq!(explained(&all, &refused(number(1.0))), ["a"]);
        assert!(explained(&all, &refused(Response::Refused)).is_empty());
    }

    #[test]
    fn two_mistakes_are_named_where_each_shows_by_itself() {
        let all = [
            candidate("a", &[Numbers, Unexplained, Right]),
            candidate("b", &[Unexplained, Numbers, Right]),
            candidate("c", &[Numbers, Contradicted, Right]),
        ];
        assert_eq!(explained(&all, &wrong(2)), ["a", "b"]);
    }

    #[test]
    fn a_second_mistake_that_only_errs_does_not_prove_itself_by_accident() {
        // `b` gives other numbers elsewhere, so its error proves nothing.
        let all = [
            candidate("a", &[Numbers, Unexplained, Numbers, Right]),
            candidate("b", &[Unexplained, Error, Contradicted, Right]),
        ];
        assert!(explained(&all, &wrong(3)).is_empty());
    }

    #[test]
    fn of_several_pairs_only_the_common_mistake_is_named() {
        let all = [
            candidate("a", &[Numbers, Unexplained, Right]),
            candidate("b", &[Unexplained, Numbers, Right]),
            candidate("c", &[Unexplained, Numbers, Right]),
        ];
        assert_eq!(explained(&all, &wrong(2)), ["a"]);
    }

    #[test]
    fn what_is_open_has_to_be_outweighed() {
        let both = |open: usize| {
            let one = |shown: [Reading; 2]| {
                let mut readings = shown.to_vec();
                readings.extend(vec![NotAsked; open]);
                readings.push(Right);
                readings
            };
            let all = [
                candidate("a", &one([Numbers, Unexplained])),
                candidate("b", &one([Unexplained, Numbers])),
            ];
            explained(&all, &wrong(2 + open)).len()
        };
        assert_eq!([both(1), both(2)], [2, 0]);
    }

    #[test]
    fn an_error_of_another_kind_is_forgiven_but_not_explained() {
        let all = [candidate("a", &[Numbers, OtherError, Right])];
        let came = [
            asked(Aspect::Plain, number(2.0)),
            asked(Aspect::Limit, Response::Panicked),
            asked(Aspect::Plain, number(1.0)),
        ];
        let found =
            explain(&all, &came, &Vec::new, &|| all.iter().map(again).collect(), &|_, _| false);
        assert_eq!(found.name_for(&[Aspect::Plain], &all, &came, &[], &|_| true), Some("a"));
        assert_eq!(found.name_for(&[Aspect::Limit], &all, &came, &[], &|_| true), None);
    }

    #[test]
    fn each_of_two_mistakes_is_named_where_it_shows() {
        let all = [
            candidate("a", &[Numbers, Unexplained, Right]),
            candidate("b", &[Unexplained, Numbers, Right]),
        ];
        let came = [
            asked(Aspect::Plain, number(2.0)),
            asked(Aspect::Empty, number(2.0)),
            asked(Aspect::Masked, number(1.0)),
        ];
        let found =
            explain(&all, &came, &Vec::new, &|| all.iter().map(again).collect(), &|_, _| false);
        assert_eq!(found.name_for(&[Aspect::Plain], &all, &came, &[], &|_| true), Some("a"));
        assert_eq!(found.name_for(&[Aspect::Empty], &all, &came, &[], &|_| true), Some("b"));
    }

    #[test]
    fn of_two_mistakes_only_one_that_fails_the_check_by_itself_is_named() {
        // Both show in the cases that the check is about, `a` in more of them.
        let all = [
            candidate("a", &[Numbers, Numbers, Numbers, Right]),
            candidate("b", &[Unexplained, Unexplained, Numbers, Right]),
        ];
        let name = |ids: &[&'static str], account: Account, fails: &[&str]| {
            let found = Explained { ids: ids.to_vec(), account };
            found.name_for(&[Aspect::Plain], &all, &wrong(3), &[], &|id| fails.contains(&id))
        };
        assert_eq!(name(&["a", "b"], Account::Two, &["a", "b"]), Some("a"));
        assert_eq!(name(&["a", "b"], Account::Two, &["b"]), Some("b"));
        assert_eq!(name(&["a", "b"], Account::Two, &[]), None);
        // One mistake beside another that is not known.
        assert_eq!(name(&["a"], Account::Two, &[]), None);
        assert_eq!(name(&["a"], Account::Whole, &[]), Some("a"));
    }

    #[test]
    fn a_mistake_for_one_value_of_a_switch_explains_every_failed_check() {
        let found = |account| Explained { ids: vec!["a"], account };
        let refuted = |account| found(account).unless_refuted(|_| false) != found(account);
        assert!(refuted(Account::Half) && !refuted(Account::Whole) && !refuted(Account::Two));
        let half = found(Account::Half);
        assert_eq!(half.clone().unless_refuted(|id| id == "a"), half);
    }

    #[test]
    fn of_several_halves_only_one_that_stands_alone_is_named() {
        let half = |id| Candidate { whole: false, ..candidate(id, &[Numbers, Right]) };
        assert_eq!(explained(&[half("a")], &wrong(1)), ["a"]);
        assert_eq!(explained(&[half("a"), half("a")], &wrong(1)), ["a"]);
        assert!(explained(&[half("a"), half("b")], &wrong(1)).is_empty());
        assert_eq!(explained(&[half("a"), candidate("b", &[Numbers, Right])], &wrong(1)), ["b"]);
    }

    #[test]
    fn what_all_pairs_have_in_common_is_named() {
        let all = [candidate("a", &[Contradicted, Right])];
        let pair = |ids: &[&'static str]| Candidate {
            ids: ids.to_vec(),
            ..candidate("", &[Numbers, Right])
        };
        let pairs = || vec![pair(&["a", "b"]), pair(&["a", "c"])];
        assert_eq!(explain(&all, &wrong(1), &pairs, &Vec::new, &|_, _| true).ids, ["a"]);
    }

    #[test]
    fn a_pair_that_is_known_together_is_read_as_one() {
        let all = [candidate("a", &[Contradicted, Right]), candidate("b", &[Contradicted, Right])];
        let pair = || {
            let ids = vec!["a", "b"];
            vec![Candidate { ids, readings: vec![Numbers, Right], only_errs: false, whole: true }]
        };
        assert_eq!(explain(&all, &wrong(1), &pair, &Vec::new, &|_, _| true).ids, ["a", "b"]);
    }
}
