//! Imitations of mistakes, and of two at once, as candidates for a name.

use softmark_exam::{Cut, Suite};

use crate::diagnose::known::{Known, KnownMistake};
use crate::diagnose::reading::{Asked, Candidate, Extent};

/// Returns a candidate for every imitation of the mistakes: with the reference's frozen parameters,
/// and with each of the mistake's own cuts.
pub(super) fn whole(
    suite: &Suite,
    bank: &[&KnownMistake],
    asked: &[Asked<'_>],
    extent: Extent,
) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for known in bank {
        let variants = known.variants(suite.rests.as_slice());
        let read = |part| Candidate::read(&[known.mistake.id], part, asked, extent);
        candidates.extend(variants.map(read));
    }
    candidates
}

/// Returns a candidate for each imitation that makes its mistake for one value of a switch only.
pub(super) fn halves(suite: &Suite, bank: &[&KnownMistake], asked: &[Asked<'_>]) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for KnownMistake { mistake, halves, .. } in bank {
        for half in halves {
            let part = (half, suite.rests.as_slice());
            let read = Candidate::read(&[mistake.id], part, asked, Extent::WhereShown);
            candidates.push(Candidate { whole: false, ..read });
        }
    }
    candidates
}

/// Returns a candidate for every two mistakes of a task whose combined response is known: pairs
/// that the suite lists, each mistake with each cut of another one, and cuts of two mistakes.
pub(super) fn pairs(suite: &Suite, known: &Known, asked: &[Asked<'_>]) -> Vec<Candidate> {
    let listed = known.pairs.iter().map(|pair| {
        let part = (&pair.imitation, suite.rests.as_slice());
        Candidate::read(&pair.ids, part, asked, Extent::ToContradiction)
    });
    let mut all: Vec<Candidate> = listed.collect();
    for (at, one) in known.bank.iter().enumerate() {
        for (place, other) in known.bank.iter().enumerate() {
            if one.mistake.id != other.mistake.id {
                all.extend(with_cuts(one, other, place > at, asked));
            }
        }
    }
    all
}

/// Returns a mistake with each cut of another one, unless its answers are recorded; cuts of both only if
/// `takes_both` is true, since they are the same in either order.
fn with_cuts(
    one: &KnownMistake,
    other: &KnownMistake,
    takes_both: bool,
    asked: &[Asked<'_>],
) -> Vec<Candidate> {
    let ids = [one.mistake.id, other.mistake.id];
    let mut all = Vec::new();
    for imitation in one.imitations.iter().filter(|it| it.can_be_cut()) {
        for cut in other.mistake.cuts {
            let mut read = |cuts: &[Cut], extent: Extent| {
                all.push(Candidate::read(&ids, (imitation, cuts), asked, extent));
            };
            if one.mistake.cuts.is_empty() {
                // The first mistake shows in cases without gradients.
                read(&[*cut], Extent::WhereShown);
            } else if takes_both {
                one.mistake
                    .cuts
                    .iter()
                    .for_each(|own| read(&[*own, *cut], Extent::ToContradiction));
            }
        }
    }
    all
}
