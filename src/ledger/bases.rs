//! Inference from cache keys of records: whether two gradings were made with the same checks, where checks have no keys.
//!
//! A record's cache key is a hash of three things: the submission's files, the assignment, and the grader with its settings.
//! In one run all submissions to an assignment share the last two, their *basis*. If the same files were graded in two runs,
//! their keys tell whether the bases are the same: equal keys mean equal bases, other keys mean other bases. One submission
//! that was graded unchanged in both runs therefore decides for all of them.

use std::collections::{BTreeMap, BTreeSet};

use softmark_untrusted::Untrusted;

use crate::store::{RunId, SavedKey};

/// Gradings that share a basis: those of one assignment in one run of one ledger.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node {
    /// Place of the ledger in the list that was given to [`Bases::of`].
    pub ledger: usize,
    /// Run.
    pub run: RunId,
    /// Assignment id.
    pub assignment: Untrusted,
}

/// Relation of what two gradings were made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Basis {
    /// The same assignment, checks, grader and settings.
    Same,
    /// At least one of them differs.
    Changed,
    /// No files were graded in both runs, so the keys do not tell.
    Unknown,
}

impl Basis {
    /// Returns the name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Changed => "changed",
            Self::Unknown => "unknown",
        }
    }
}

/// Hash of files, and the cache key that they got.
type Witness = (Untrusted, String);

/// Bases of all runs of one or two ledgers.
#[derive(Debug, Clone, Default)]
pub struct Bases {
    /// Class of each node; the nodes of a class have the same basis.
    classes: BTreeMap<Node, usize>,
    /// Hashes of the files that were graded on the basis of each class, with their keys.
    witnesses: BTreeMap<usize, BTreeMap<Untrusted, BTreeSet<String>>>,
}

impl Bases {
    /// Computes the bases from the keys of ledgers.
    pub fn of(ledgers: &[Vec<SavedKey>]) -> Self {
        let mut nodes: BTreeMap<Node, BTreeSet<Witness>> = BTreeMap::new();
        for (ledger, keys) in ledgers.iter().enumerate() {
            for SavedKey { run, assignment, sha256, key } in keys {
                let node = Node { ledger, run: *run, assignment: assignment.clone() };
                nodes.entry(node).or_default().insert((sha256.clone(), key.clone()));
            }
        }
        let mut bases = Self::default();
        let mut class_of: BTreeMap<Witness, usize> = BTreeMap::new();
        for (number, (node, witnesses)) in nodes.iter().enumerate() {
            bases.classes.insert(node.clone(), number);
            for witness in witnesses {
                let earlier = class_of.insert(witness.clone(), number);
                if let Some(other) = earlier.filter(|other| *other != number) {
                    bases.merge(other, number);
                    class_of.values_mut().filter(|it| **it == other).for_each(|it| *it = number);
                }
            }
        }
        for ((sha256, key), class) in class_of {
            let files = bases.witnesses.entry(class).or_default();
            files.entry(sha256).or_default().insert(key);
        }
        bases
    }

    fn merge(&mut self, from: usize, into: usize) {
        self.classes.values_mut().filter(|it| **it == from).for_each(|it| *it = into);
    }

    /// Returns the relation of the bases of two nodes.
    pub fn compare(&self, before: &Node, after: &Node) -> Basis {
        let (Some(one), Some(other)) = (self.classes.get(before), self.classes.get(after)) else {
            return Basis::Unknown;
        };
        if one == other {
            return Basis::Same;
        }
        let (Some(one), Some(other)) = (self.witnesses.get(one), self.witnesses.get(other)) else {
            return Basis::Unknown;
        };
        // Keys of the same files differ, or the classes would be one.
        if one.keys().any(|sha256| other.contains_key(sha256)) {
            Basis::Changed
        } else {
            Basis::Unknown
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(run: i64, assignment: &str, sha256: &str, key: &str) -> SavedKey {
        SavedKey {
            run: RunId::from_number(run),
            assignment: assignment.into(),
            sha256: sha256.into(),
            key: key.to_owned(),
        }
    }

    fn node(ledger: usize, run: i64) -> Node {
        Node { ledger, run: RunId::from_number(run), assignment: "attention".into() }
    }

    #[test]
    fn one_submission_that_was_graded_in_both_runs_decides() {
        let keys = vec![
            key(1, "attention", "amara", "k1"),
            key(1, "attention", "ben", "k2"),
            key(2, "attention", "amara", "k1"),
            key(2, "attention", "ben, again", "k3"),
            key(3, "attention", "amara", "k4"),
            key(3, "attention", "chen", "k5"),
            key(4, "attention", "dora", "k6"),
            key(5, "encoder", "amara", "k7"),
        ];
        let bases = Bases::of(&[keys]);
        let compared = |one, other| bases.compare(&node(0, one), &node(0, other));
        assert_eq!(compared(1, 2), Basis::Same);
        assert_eq!(compared(2, 3), Basis::Changed);
        assert_eq!(compared(1, 4), Basis::Unknown);
        assert_eq!(compared(1, 5), Basis::Unknown, "of another assignment");
        assert_eq!(compared(1, 1), Basis::Same);
    }

    #[test]
    fn bases_are_compared_through_runs_between_them_and_across_ledgers() {
        let old = vec![
            key(1, "attention", "amara", "k1"),
            key(2, "attention", "amara", "k1"),
            key(2, "attention", "ben", "k2"),
            key(3, "attention", "ben", "k2"),
            key(4, "attention", "chen", "k3"),
        ];
        let new = vec![key(1, "attention", "ben", "k2"), key(2, "attention", "ben", "k9")];
        let bases = Bases::of(&[old, new]);
        assert_eq!(bases.compare(&node(0, 1), &node(0, 3)), Basis::Same);
        assert_eq!(bases.compare(&node(0, 1), &node(1, 1)), Basis::Same);
        assert_eq!(bases.compare(&node(0, 1), &node(1, 2)), Basis::Changed);
        assert_eq!(bases.compare(&node(0, 4), &node(1, 2)), Basis::Unknown);
    }
}
