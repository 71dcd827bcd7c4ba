//! Comparison of a class with itself and with earlier years.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use softmark_untrusted::Untrusted;

use crate::similar::classes::{Class, Material};
use crate::similar::fingerprints::{GRAM, WINDOW};
use crate::similar::index::{Index, Neighbour};
use crate::similar::passages::{LineRange, Passage, passages};
use crate::similar::prepared::Prepared;
use crate::similar::shared;
use crate::similar::threshold::Threshold;

/// Least number of fingerprints that a pair has in common before its passages are looked for.
///
/// Passages of `tokens` tokens have up to `tokens − k + 1` k-grams, and one of `w` in a row is kept. A half of them is enough,
/// because those at the ends of passages reach into shared code, and equal ones count once.
fn least_matching(threshold: &Threshold) -> usize {
    (threshold.tokens.saturating_sub(GRAM - 1) / WINDOW / 2).max(1)
}

/// Submission that was compared.
#[derive(Debug, Clone)]
pub struct Member {
    /// Name of the submission, with the folder of an earlier year before it.
    pub name: Untrusted,
    /// True if it is from an earlier year.
    pub is_earlier: bool,
    /// Number of its own fingerprints: without those that the skeleton gives or the class shares.
    pub own: usize,
    /// Source files by their paths below `src/`.
    pub files: BTreeMap<String, String>,
}

impl Member {
    /// Returns the path of the file of a place below `src/`; empty if there is none.
    pub fn path(&self, place: &LineRange) -> &str {
        self.files.keys().nth(place.file).map_or("", String::as_str)
    }
}

/// Two submissions that agree.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// Index of the first submission.
    pub one: usize,
    /// Index of the second submission, which may be from an earlier year.
    pub other: usize,
    /// Number of own fingerprints that both have.
    pub matching: usize,
    /// Share of the smaller submission's own fingerprints that the other one has, from 0 to 1.
    pub share: f64,
    /// Number of tokens in the passages.
    pub tokens: usize,
    /// Passages in the order of the first submission.
    pub passages: Vec<Passage>,
}

impl Pair {
    /// Returns the number of tokens of the longest passage.
    pub fn longest(&self) -> usize {
        self.passages.iter().map(|passage| passage.tokens).max().unwrap_or(0)
    }

    /// Compares the figures of two pairs, the larger first.
    fn order(&self, other: &Self) -> Ordering {
        let figures = other.share.total_cmp(&self.share).then(other.tokens.cmp(&self.tokens));
        figures.then((self.one, self.other).cmp(&(other.one, other.other)))
    }
}

/// Result of a comparison.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// Assignment id.
    pub assignment: String,
    /// Submissions, those of earlier years after this year's.
    pub members: Vec<Member>,
    /// Pairs that reach the threshold, the largest share first.
    pub pairs: Vec<Pair>,
    /// Number of pairs of this year that were not compared, because both submissions belong to one student or team.
    pub together: usize,
    /// Threshold from which on a pair is reported.
    pub threshold: Threshold,
}

impl Comparison {
    /// Returns a submission of a pair.
    pub fn member(&self, index: usize) -> Option<&Member> {
        self.members.get(index)
    }

    /// Returns the number of this year's submissions.
    pub fn class_size(&self) -> usize {
        self.members.iter().filter(|member| !member.is_earlier).count()
    }

    /// Returns the number of pairs that were compared: those of earlier years are not compared with each other.
    pub fn compared(&self) -> usize {
        let class = self.class_size();
        class * class.saturating_sub(1) / 2 + class * (self.members.len() - class) - self.together
    }
}

/// Compares the submissions of a class with each other, and with those of earlier years. Two of one student or team are not
/// compared.
pub fn compare(class: Class, threshold: Threshold) -> Comparison {
    let given = shared::grams_of_skeleton(&class.skeleton);
    let this_year = class.this_year.len();
    let mut sizes = vec![this_year];
    sizes.extend(class.earlier.values().map(Vec::len));
    let earlier = class.earlier.into_values().flatten();
    let materials: Vec<Material> = class.this_year.into_iter().chain(earlier).collect();
    let mut prepared: Vec<Prepared> =
        materials.iter().map(|it| Prepared::new(&it.files, &given)).collect();
    let common = shared::common(&cohorts(&prepared, &sizes));
    for one in &mut prepared {
        one.select_own(&common);
    }
    let index = Index::new(&prepared);
    let mut pairs = Vec::new();
    for (one, own) in prepared.iter().enumerate().take(this_year) {
        for neighbour in index.neighbours(one, own, least_matching(&threshold)) {
            if !are_together(&materials, one, neighbour.member) {
                pairs.extend(pair(one, neighbour, &prepared, &index));
            }
        }
    }
    let of_this_year =
        (0..this_year).flat_map(|one| (one + 1..this_year).map(move |other| (one, other)));
    let together =
        of_this_year.filter(|(one, other)| are_together(&materials, *one, *other)).count();
    pairs.retain(|pair| threshold.is_reached(pair.share, pair.tokens, pair.longest()));
    pairs.sort_by(Pair::order);
    let member = |(place, material): (usize, Material)| Member {
        name: material.name,
        is_earlier: place >= this_year,
        own: index.size(place),
        files: material.files,
    };
    let members = materials.into_iter().enumerate().map(member).collect();
    Comparison { assignment: class.assignment, members, pairs, together, threshold }
}

/// True if two submissions belong to one student or team.
fn are_together(all: &[Material], one: usize, other: usize) -> bool {
    match (all.get(one), all.get(other)) {
        (Some(one), Some(other)) => !one.students.is_disjoint(&other.students),
        _ => false,
    }
}

/// Splits a list into classes of these sizes.
fn cohorts<'a>(all: &'a [Prepared], sizes: &[usize]) -> Vec<&'a [Prepared]> {
    let mut rest = all;
    let mut found = Vec::new();
    for size in sizes {
        let (class, after) = rest.split_at_checked(*size).unwrap_or((rest, &[]));
        found.push(class);
        rest = after;
    }
    found
}

/// Returns the passages of two submissions: the same whichever of them is the first.
fn passages_of_both(one: &Prepared, other: &Prepared) -> Vec<Passage> {
    if one.own <= other.own {
        return passages(one, other);
    }
    let turn = |it: Passage| Passage { one: it.other, other: it.one, tokens: it.tokens };
    let mut turned: Vec<Passage> = passages(other, one).into_iter().map(turn).collect();
    turned.sort_unstable();
    turned
}

fn pair(one: usize, found: Neighbour, all: &[Prepared], index: &Index) -> Option<Pair> {
    let Neighbour { member: other, matching } = found;
    let smaller = index.size(one).min(index.size(other));
    let passages = passages_of_both(all.get(one)?, all.get(other)?);
    let tokens = passages.iter().map(|passage| passage.tokens).sum();
    let share = matching as f64 / smaller.max(1) as f64;
    Some(Pair { one, other, matching, share, tokens, passages })
}
