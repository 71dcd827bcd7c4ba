//! Inverted index: from a fingerprint to the submissions that have it.

use crate::similar::prepared::Prepared;

/// Fingerprint, and a submission that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Posting {
    hash: u64,
    member: usize,
}

/// Index of the own fingerprints of submissions.
#[derive(Debug)]
pub(super) struct Index {
    /// Sorted.
    postings: Vec<Posting>,
    /// Number of own fingerprints, by submission.
    sizes: Vec<usize>,
}

/// Submission that has fingerprints in common with another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Neighbour {
    /// Index of the submission.
    pub(super) member: usize,
    /// Number of own fingerprints that both have.
    pub(super) matching: usize,
}

impl Index {
    /// Creates the index of all submissions.
    pub(super) fn new(members: &[Prepared]) -> Self {
        let (mut postings, mut sizes) = (Vec::new(), Vec::new());
        for (member, prepared) in members.iter().enumerate() {
            let hashes = prepared.own_hashes();
            sizes.push(hashes.len());
            postings.extend(hashes.into_iter().map(|hash| Posting { hash, member }));
        }
        postings.sort_unstable();
        Self { postings, sizes }
    }

    /// Returns the number of own fingerprints of a submission; equal ones count once.
    pub(super) fn size(&self, member: usize) -> usize {
        self.sizes.get(member).copied().unwrap_or(0)
    }

    /// Returns the submissions after `member` that have at least `least` of its own fingerprints, in their order.
    ///
    /// One step for each fingerprint that is in both: submissions without one cost nothing.
    pub(super) fn neighbours(
        &self,
        member: usize,
        prepared: &Prepared,
        least: usize,
    ) -> Vec<Neighbour> {
        let mut matching = vec![0_usize; self.sizes.len()];
        for hash in prepared.own_hashes() {
            let first = Posting { hash, member: member + 1 };
            let from = self.postings.partition_point(|it| *it < first);
            let after = self.postings.get(from..).unwrap_or_default().iter();
            for posting in after.take_while(|it| it.hash == hash) {
                if let Some(number) = matching.get_mut(posting.member) {
                    *number += 1;
                }
            }
        }
        let found = matching.into_iter().enumerate();
        let found = found.map(|(member, matching)| Neighbour { member, matching });
        found.filter(|it| it.matching >= least.max(1)).collect()
    }
}
