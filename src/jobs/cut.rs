//! Cuts a run into chunks that take about the same time.

use std::collections::BTreeMap;
use std::time::Duration;

use softmark_untrusted::Untrusted;

use crate::jobs::chunk::Unit;

/// Processor time of a submission that nobody has graded yet, if no submission has been graded: the order of magnitude of the
/// sample class (2.5 s), rounded up.
const UNKNOWN: Duration = Duration::from_secs(4);

/// Expected processor time of units, by name.
#[derive(Debug, Clone, Default)]
pub struct Costs {
    known: BTreeMap<Untrusted, Duration>,
    /// Cost of a submission that has none.
    usual: Option<Duration>,
}

impl Costs {
    /// Returns costs from those that are known.
    pub fn new(known: BTreeMap<Untrusted, Duration>) -> Self {
        let mut sorted: Vec<Duration> = known.values().copied().collect();
        sorted.sort_unstable();
        let usual = sorted.get(sorted.len() / 2).copied();
        Self { known, usual }
    }

    /// Returns costs of which each is the same.
    pub fn flat(each: Duration) -> Self {
        Self { known: BTreeMap::new(), usual: Some(each) }
    }

    /// Returns the expected cost of a submission: its own, or the median.
    pub fn of(&self, name: &Untrusted) -> Duration {
        self.known.get(name).copied().or(self.usual).unwrap_or(UNKNOWN)
    }
}

/// Returns the number of chunks of which each takes about `target` on `cpus` processors; at least 1, and at most `most`.
pub fn chunk_count(total: Duration, cpus: u32, target: Duration, most: usize) -> usize {
    let each = target.saturating_mul(cpus.max(1)).as_millis().max(1);
    let count = total.as_millis().div_ceil(each);
    usize::try_from(count).unwrap_or(most).clamp(1, most.max(1))
}

/// Cuts units into at most `count` chunks, none of which is empty: the costliest first, each into the chunk that has least
/// to do so far. In each chunk they are in the order of the run.
pub fn cut(mut entries: Vec<(Unit, Duration)>, count: usize) -> Vec<Vec<Unit>> {
    entries.sort_by(|(a, x), (b, y)| y.cmp(x).then(a.place.cmp(&b.place)));
    let mut chunks: Vec<(Duration, Vec<Unit>)> =
        (0..count.min(entries.len())).map(|_| (Duration::ZERO, Vec::new())).collect();
    for (entry, cost) in entries {
        let least = chunks.iter_mut().min_by_key(|(load, entries)| (*load, entries.len()));
        if let Some((load, entries)) = least {
            *load += cost;
            entries.push(entry);
        }
    }
    let mut chunks: Vec<Vec<Unit>> = chunks.into_iter().map(|(_, entries)| entries).collect();
    for chunk in &mut chunks {
        chunk.sort_by_key(|entry| entry.place);
    }
    chunks
}

/// Cuts units that cost about the same into at most `count` chunks of neighbours, whose sizes differ by at most one.
///
/// ```
/// use softmark::jobs::{Unit, cut_in_order};
///
/// let names = ["a", "b", "c", "d", "e"].map(Into::into);
/// let sizes: Vec<usize> = cut_in_order(Unit::all(&names), 3).iter().map(Vec::len).collect();
/// assert_eq!(sizes, [2, 2, 1]);
/// ```
pub fn cut_in_order(units: Vec<Unit>, count: usize) -> Vec<Vec<Unit>> {
    let mut left = units;
    let mut chunks = Vec::new();
    for further in (1..=count).rev() {
        let rest = left.split_off(left.len().div_ceil(further));
        if left.is_empty() {
            break;
        }
        chunks.push(std::mem::replace(&mut left, rest));
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(place: usize) -> Unit {
        Unit { place, name: format!("s{place}").into() }
    }

    fn places(costs: &[u64], count: usize) -> Vec<Vec<usize>> {
        let entries = costs.iter().enumerate();
        let entries = entries.map(|(at, cost)| (entry(at), Duration::from_secs(*cost))).collect();
        let chunks = cut(entries, count).into_iter();
        chunks.map(|chunk| chunk.into_iter().map(|it| it.place).collect()).collect()
    }

    #[test]
    fn chunks_take_about_the_same_time() {
        assert_eq!(places(&[1, 9, 1, 1, 5, 3], 2), [vec![1, 2], vec![0, 3, 4, 5]]);
        assert_eq!(places(&[2, 2, 2], 8), [vec![0], vec![1], vec![2]]);
        assert_eq!(places(&[0, 0, 0, 0], 2), [vec![0, 2], vec![1, 3]]);
        assert!(places(&[], 3).is_empty());
    }

    #[test]
    fn neighbours_stay_together() {
        let places = |all: usize, count| -> Vec<Vec<usize>> {
            let chunks = cut_in_order((0..all).map(entry).collect(), count);
            chunks.iter().map(|chunk| chunk.iter().map(|it| it.place).collect()).collect()
        };
        assert_eq!(places(5, 2), [vec![0, 1, 2], vec![3, 4]]);
        assert_eq!(places(2, 4), [vec![0], vec![1]]);
        assert!(places(0, 3).is_empty());
    }

    #[test]
    fn there_are_as_many_chunks_as_the_time_asks_for() {
        let count = |seconds| {
            let (total, target) = (Duration::from_secs(seconds), Duration::from_mins(2));
            chunk_count(total, 2, target, 50)
        };
        assert_eq!([0, 1, 240, 241, 2400, 1_000_000].map(count), [1, 1, 1, 2, 10, 50]);
    }

    #[test]
    fn what_is_not_known_costs_the_median() {
        let seconds = |of: &[(&str, u64)]| {
            let known = of.iter().map(|(name, s)| ((*name).into(), Duration::from_secs(*s)));
            Costs::new(known.collect())
        };
        let costs = seconds(&[("a", 1), ("b", 2), ("c", 30)]);
        assert_eq!(
            ["c", "new"].map(|name| costs.of(&name.into())),
            [30, 2].map(Duration::from_secs)
        );
        assert_eq!(seconds(&[]).of(&"new".into()), UNKNOWN);
    }
}
