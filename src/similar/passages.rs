//! Passages: where two submissions agree.

use crate::similar::fingerprints::GRAM;
use crate::similar::prepared::{Located, Prepared, PreparedFile};

/// Lines of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineRange {
    /// Index of the file, in the order of the paths.
    pub file: usize,
    /// First line, counted from 1.
    pub first: u32,
    /// Last line.
    pub last: u32,
}

/// Run of tokens that two submissions have in common.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Passage {
    /// Lines in the first submission.
    pub one: LineRange,
    /// Lines in the second submission.
    pub other: LineRange,
    /// Number of tokens that neither the skeleton gives nor the class shares.
    pub tokens: usize,
}

/// Most occurrences of a fingerprint in the second submission that are tried: a repetitive text has thousands, and
/// each leads to the same passages.
const MOST_TRIED: usize = 4;

/// Returns the passages that two submissions have in common, in the order of the first one.
///
/// Each fingerprint that both have is extended in both directions as long as tokens agree, up to tokens that are
/// shared or in another passage. No token is in two passages, so that the work is linear in the text.
pub(super) fn passages(one: &Prepared, other: &Prepared) -> Vec<Passage> {
    let mut seeds: Vec<Located> =
        one.own.iter().filter(|it| !other.own_with(it.hash).is_empty()).copied().collect();
    seeds.sort_unstable_by_key(|it| (it.file, it.start));
    let mut taken = Sides { one: Taken::of(one), other: Taken::of(other) };
    let mut found = Vec::new();
    for seed in seeds {
        let candidates = other.own_with(seed.hash).iter().take(MOST_TRIED);
        let runs = candidates.filter_map(|at| taken.run(one, other, seed, *at));
        // Of equally long ones, the first.
        let Some(run) = runs.reduce(longer) else { continue };
        taken.one.take(&run.one);
        taken.other.take(&run.other);
        if let (Some(in_one), Some(in_other)) = (place(one, &run.one), place(other, &run.other)) {
            found.push(Passage { one: in_one, other: in_other, tokens: run.tokens });
        }
    }
    found.sort_unstable();
    found
}

/// Tokens of a file.
#[derive(Debug, Clone, Copy)]
struct Span {
    file: usize,
    start: usize,
    end: usize,
}

impl Span {
    /// Returns the span of the k-gram of a fingerprint.
    fn of(at: Located) -> Self {
        Self { file: at.file, start: at.start, end: at.start + GRAM }
    }
}

/// Tokens of both submissions that agree.
#[derive(Debug, Clone, Copy)]
struct Run {
    one: Span,
    other: Span,
    /// Number of them that are free in the first submission.
    tokens: usize,
}

fn longer(one: Run, other: Run) -> Run {
    if other.tokens > one.tokens { other } else { one }
}

/// Tokens of a submission that are shared, or in a passage, by file.
#[derive(Debug)]
struct Taken(Vec<Vec<bool>>);

impl Taken {
    fn of(prepared: &Prepared) -> Self {
        Self(prepared.files.iter().map(|file| file.shared.clone()).collect())
    }

    fn take(&mut self, span: &Span) {
        let file = self.0.get_mut(span.file);
        if let Some(tokens) = file.and_then(|file| file.get_mut(span.start..span.end)) {
            tokens.fill(true);
        }
    }

    /// True if there is a token at `index`, and it is free.
    fn is_free(&self, file: usize, index: usize) -> bool {
        self.0.get(file).and_then(|file| file.get(index)).is_some_and(|is_taken| !is_taken)
    }

    fn count_free(&self, span: &Span) -> usize {
        (span.start..span.end).filter(|index| self.is_free(span.file, *index)).count()
    }
}

/// Taken tokens of both submissions.
#[derive(Debug)]
struct Sides {
    one: Taken,
    other: Taken,
}

impl Sides {
    /// Returns the longest run with this k-gram, or `None` if the most of it is taken or its tokens differ.
    fn run(&self, one: &Prepared, other: &Prepared, seed: Located, at: Located) -> Option<Run> {
        let (mut in_one, mut in_other) = (Span::of(seed), Span::of(at));
        let is_new = |taken: &Taken, span| 2 * taken.count_free(span) >= GRAM;
        if !is_new(&self.one, &in_one) || !is_new(&self.other, &in_other) {
            return None;
        }
        let (of_one, of_other) = (one.files.get(seed.file)?, other.files.get(at.file)?);
        if !(0..GRAM).all(|step| agree((of_one, seed.start + step), (of_other, at.start + step))) {
            return None;
        }
        let extends = |index: usize, opposite: usize| {
            self.one.is_free(seed.file, index)
                && self.other.is_free(at.file, opposite)
                && agree((of_one, index), (of_other, opposite))
        };
        while in_one.start > 0
            && in_other.start > 0
            && extends(in_one.start - 1, in_other.start - 1)
        {
            in_one.start -= 1;
            in_other.start -= 1;
        }
        while extends(in_one.end, in_other.end) {
            in_one.end += 1;
            in_other.end += 1;
        }
        Some(Run { one: in_one, other: in_other, tokens: self.one.count_free(&in_one) })
    }
}

/// True if both files have the same token at these indices.
fn agree((one, index): (&PreparedFile, usize), (other, opposite): (&PreparedFile, usize)) -> bool {
    match (one.tokens.get(index), other.tokens.get(opposite)) {
        (Some(one), Some(other)) => one.symbol == other.symbol,
        _ => false,
    }
}

fn place(prepared: &Prepared, span: &Span) -> Option<LineRange> {
    let tokens = prepared.files.get(span.file)?.tokens.get(span.start..span.end)?;
    let (first, last) = (tokens.first()?, tokens.last()?);
    Some(LineRange { file: span.file, first: first.line, last: last.line })
}
