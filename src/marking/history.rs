//! History of the marks of one answer: which marking counts, and which markings compete with it.

use softmark_untrusted::Untrusted;

use crate::store::{GivenMark, MarkerRole, MarkingId, MarkingStep, SavedMarking};

/// Markings of an answer in one role.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    /// Markings that counted one after the other, without those that were taken back; the last one counts.
    active: Vec<SavedMarking>,
    conflicting: Vec<SavedMarking>,
    /// Conflicting markings before somebody who saw them marked the answer.
    decided: Vec<SavedMarking>,
    newest: MarkingId,
}

impl History {
    /// Adds the next row about this answer and role, in the order of ids.
    pub fn add(&mut self, row: &SavedMarking) {
        let has_seen_all = row.seen == self.newest;
        self.newest = row.id;
        match &row.step {
            MarkingStep::Withdrawal(of) => self.withdraw(*of),
            MarkingStep::Mark(_) if has_seen_all => {
                self.active.push(row.clone());
                self.decided.append(&mut self.conflicting);
            }
            // The same mark twice is no conflict. If the one that counts is taken back, the other one counts.
            MarkingStep::Mark(_) if self.counting().is_some_and(|it| it.step == row.step) => {
                self.active.insert(self.active.len() - 1, row.clone());
            }
            MarkingStep::Mark(_) => self.conflicting.push(row.clone()),
        }
        // If the marking that counted was taken back, the first of those that competed with it counts.
        if self.active.is_empty() && !self.conflicting.is_empty() {
            self.active.push(self.conflicting.remove(0));
        }
    }

    fn withdraw(&mut self, of: MarkingId) {
        for markings in [&mut self.active, &mut self.conflicting, &mut self.decided] {
            markings.retain(|marking| marking.id != of);
        }
    }

    /// Returns the marking that counts; `None` if there is none, or all were taken back.
    pub fn counting(&self) -> Option<&SavedMarking> {
        self.active.last()
    }

    /// Returns the markings whose markers did not see the one before theirs, until a marker who saw them marks the answer.
    pub fn conflicting(&self) -> &[SavedMarking] {
        &self.conflicting
    }

    /// Returns the markings of the version of the answer with this digest: a mark is of one version, and a mark of another
    /// version does not compete with it.
    pub fn of_version(&self, answer_digest: &str) -> VersionMarks<'_> {
        let is_of_version = |it: &&SavedMarking| is_of(it, answer_digest);
        let mut counting = self.active.iter().rev().find(is_of_version);
        let mut conflicting: Vec<&SavedMarking> =
            self.conflicting.iter().filter(is_of_version).collect();
        // The marking with which they conflict may be of another version: then the first of them counts.
        if counting.is_none() && !conflicting.is_empty() {
            counting = Some(conflicting.remove(0));
        }
        VersionMarks { counting, conflicting }
    }

    /// Returns true if this person gave a mark of the version of the answer with this digest, and it was not taken back.
    pub fn has_mark_by(&self, name: &Untrusted, answer_digest: &str) -> bool {
        let mut all = self.active.iter().chain(&self.conflicting).chain(&self.decided);
        all.any(|it| it.by == *name && is_of(it, answer_digest))
    }

    /// Returns the id of the newest row, which the next marker must have seen.
    pub fn newest(&self) -> MarkingId {
        self.newest
    }
}

/// Markings of one version of an answer in one role.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VersionMarks<'a> {
    /// Marking that counts; `None` if there is none.
    pub counting: Option<&'a SavedMarking>,
    /// Markings that compete with it, or with one another.
    pub conflicting: Vec<&'a SavedMarking>,
}

/// Markings of an answer in all roles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    first: History,
    second: History,
    agreed: History,
}

impl Answer {
    /// Adds the next row about this answer, in the order of ids.
    pub fn add(&mut self, row: &SavedMarking) {
        let history = match row.role {
            MarkerRole::First => &mut self.first,
            MarkerRole::Second => &mut self.second,
            MarkerRole::Agreed => &mut self.agreed,
        };
        history.add(row);
    }

    /// Returns the history in a role.
    pub fn history(&self, role: MarkerRole) -> &History {
        match role {
            MarkerRole::First => &self.first,
            MarkerRole::Second => &self.second,
            MarkerRole::Agreed => &self.agreed,
        }
    }

    /// Returns the marking of the answer with this digest that counts: the agreed one while it is newer than the marks of both
    /// markers, or else the first marker's, or else the second marker's. `None` if this version of the answer has none.
    pub fn counting(&self, answer_digest: &str) -> Option<&SavedMarking> {
        self.agreed(answer_digest)
            .or_else(|| self.of_version(MarkerRole::First, answer_digest))
            .or_else(|| self.of_version(MarkerRole::Second, answer_digest))
    }

    /// Returns the agreed marking of the answer with this digest while it is newer than the marks of both markers: it decides
    /// between these marks alone.
    pub fn agreed(&self, answer_digest: &str) -> Option<&SavedMarking> {
        let agreed = self.of_version(MarkerRole::Agreed, answer_digest)?;
        let markers = [MarkerRole::First, MarkerRole::Second];
        let mut marks = markers.into_iter().filter_map(|role| self.of_version(role, answer_digest));
        marks.all(|mark| mark.id < agreed.id).then_some(agreed)
    }

    /// Returns the marking beside which a first mark that is not in the ledger counts only if it is later: the agreed one, or
    /// the first marker's, or else the newest one of these roles that is of another version of the answer.
    pub fn instead_of_line(&self, answer_digest: &str) -> Option<&SavedMarking> {
        let of_any_version = [MarkerRole::First, MarkerRole::Agreed];
        let of_any_version =
            of_any_version.into_iter().filter_map(|role| self.history(role).counting());
        let of_another = of_any_version.filter(|it| !is_of(it, answer_digest));
        self.agreed(answer_digest)
            .or_else(|| self.of_version(MarkerRole::First, answer_digest))
            .or_else(|| of_another.max_by_key(|it| it.id))
    }

    /// Returns the marking in a role, of the answer with this digest, that counts.
    fn of_version(&self, role: MarkerRole, answer_digest: &str) -> Option<&SavedMarking> {
        self.history(role).of_version(answer_digest).counting
    }

    /// Returns the newest marking that stands, also if it is of another version of the answer.
    pub fn latest(&self) -> Option<&SavedMarking> {
        let of_role = |role| self.history(role).counting();
        MarkerRole::ALL.into_iter().filter_map(of_role).max_by_key(|it| it.id)
    }
}

/// True if a marking is of the answer with this digest. A mark that names no version is of any version.
pub(super) fn is_of(marking: &SavedMarking, answer_digest: &str) -> bool {
    mark_in(marking)
        .is_some_and(|it| it.answer_digest.is_empty() || it.answer_digest == answer_digest)
}

/// Returns what was given in a marking; `None` if it takes another one back.
pub(super) fn mark_in(marking: &SavedMarking) -> Option<&GivenMark> {
    match &marking.step {
        MarkingStep::Mark(given) => Some(given),
        MarkingStep::Withdrawal(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::marking::test_rows::marking;
    use crate::model::Delta;

    /// Marking `id` by a marker who saw `seen`, with these free points.
    fn row(id: i64, seen: i64, free: i64) -> SavedMarking {
        let free = Delta::from_hundredths(free);
        let given = GivenMark { free, answer_digest: "d".to_owned(), ..GivenMark::default() };
        marking(id, seen, given)
    }

    fn undo(id: i64, seen: i64, of: i64) -> SavedMarking {
        SavedMarking {
            step: MarkingStep::Withdrawal(MarkingId::from_number(of)),
            ..row(id, seen, 0)
        }
    }

    fn history(rows: &[SavedMarking]) -> History {
        let mut history = History::default();
        for row in rows {
            history.add(row);
        }
        history
    }

    fn state(rows: &[SavedMarking]) -> (Option<i64>, Vec<i64>) {
        let history = history(rows);
        let conflicting = history.conflicting().iter().map(|it| it.id.number()).collect();
        (history.counting().map(|it| it.id.number()), conflicting)
    }

    #[test]
    fn the_last_marking_counts_and_one_taken_back_does_not() {
        assert_eq!(state(&[]), (None, vec![]));
        let rows = [row(1, 0, 100), row(4, 1, 200), undo(7, 4, 4), undo(9, 7, 1), row(10, 9, 50)];
        let expected = [(Some(1), vec![]), (Some(4), vec![]), (Some(1), vec![]), (None, vec![])];
        for (length, expected) in (1..).zip(expected) {
            assert_eq!(state(&rows[..length]), expected, "{length}");
        }
        assert_eq!(state(&rows), (Some(10), vec![]));
    }

    #[test]
    fn of_two_that_saw_the_same_the_first_counts_until_somebody_who_saw_both_decides() {
        let both = [row(1, 0, 100), row(2, 0, 200)];
        assert_eq!(state(&both), (Some(1), vec![2]));
        // The first marker goes on without having seen the second one.
        let unaware = [&both[..], &[row(3, 1, 300)]].concat();
        assert_eq!(state(&unaware), (Some(1), vec![2, 3]));
        let decided = [&unaware[..], &[row(4, 3, 200)]].concat();
        assert_eq!(state(&decided), (Some(4), vec![]));
        let undone = [&both[..], &[undo(3, 2, 1)]].concat();
        assert_eq!(state(&undone), (Some(2), vec![]), "what is left counts");
        let undone = [&both[..], &[undo(3, 2, 2)]].concat();
        assert_eq!(state(&undone), (Some(1), vec![]));
        let of_three = [&unaware[..], &[undo(4, 3, 1)]].concat();
        assert_eq!(
            state(&of_three),
            (Some(2), vec![3]),
            "of those that are left, the first counts"
        );
    }

    #[test]
    fn the_same_mark_twice_is_no_conflict_and_each_may_be_taken_back() {
        let twice = [row(1, 0, 100), row(2, 0, 100)];
        assert_eq!(state(&twice), (Some(1), vec![]));
        assert_eq!(state(&[&twice[..], &[undo(3, 2, 1)]].concat()), (Some(2), vec![]));
        assert_eq!(state(&[&twice[..], &[undo(3, 2, 2)]].concat()), (Some(1), vec![]));
        let both = [&twice[..], &[undo(3, 2, 1), undo(4, 3, 2)]].concat();
        assert_eq!(state(&both), (None, vec![]));
    }

    fn of_version(answer_digest: &str, row: SavedMarking) -> SavedMarking {
        let MarkingStep::Mark(given) = row.step else { return row };
        let given = GivenMark { answer_digest: answer_digest.to_owned(), ..given };
        SavedMarking { step: MarkingStep::Mark(given), ..row }
    }

    /// Ids of the marking of a version that counts, and of those that compete with it.
    fn version_state(rows: &[SavedMarking], answer_digest: &str) -> (Option<i64>, Vec<i64>) {
        let history = history(rows);
        let VersionMarks { counting, conflicting } = history.of_version(answer_digest);
        let conflicting = conflicting.iter().map(|it| it.id.number()).collect();
        (counting.map(|it| it.id.number()), conflicting)
    }

    #[test]
    fn a_mark_is_of_one_version_and_competes_with_marks_of_that_version_alone() {
        // The answer was changed, marked again, and changed back.
        let again = [row(1, 0, 100), of_version("e", row(2, 1, 200))];
        assert_eq!(version_state(&again, "d"), (Some(1), vec![]));
        assert_eq!(version_state(&again, "e"), (Some(2), vec![]));
        assert_eq!(version_state(&again, "f"), (None, vec![]));
        // One marker saw the old version, the other one the new version.
        let apart = [row(1, 0, 100), of_version("e", row(2, 0, 200))];
        assert_eq!(version_state(&apart, "d"), (Some(1), vec![]));
        assert_eq!(version_state(&apart, "e"), (Some(2), vec![]));
        let two = [&apart[..], &[of_version("e", row(3, 0, 300))]].concat();
        assert_eq!(version_state(&two, "e"), (Some(2), vec![3]));
        let rows = [row(1, 0, 100), row(2, 0, 200)];
        assert_eq!(version_state(&rows, "d"), (Some(1), vec![2]));
    }

    #[test]
    fn who_marked_a_version_is_known_until_the_mark_is_taken_back() {
        let ada = SavedMarking { by: "Ada".into(), ..row(2, 0, 200) };
        let history = history(&[row(1, 0, 100), ada, undo(3, 2, 1)]);
        assert!(history.has_mark_by(&"Ada".into(), "d"));
        assert!(!history.has_mark_by(&"Ada".into(), "e"));
        assert!(!history.has_mark_by(&"Okafor".into(), "d"));
    }

    #[test]
    fn who_gave_a_mark_that_somebody_decided_against_is_known() {
        let ada = SavedMarking { by: "Ada".into(), ..row(2, 0, 200) };
        let history = history(&[row(1, 0, 100), ada, row(3, 2, 300)]);
        assert!(history.has_mark_by(&"Ada".into(), "d"));
    }

    fn in_role(role: MarkerRole, id: i64) -> SavedMarking {
        SavedMarking { role, ..row(id, 0, id) }
    }

    #[test]
    fn an_agreed_mark_counts_first_and_each_mark_for_its_version_of_the_answer() {
        let mut answer = Answer::default();
        let counting = |answer: &Answer| answer.counting("d").map(|it| it.id.number());
        for (role, id) in [(MarkerRole::Second, 1), (MarkerRole::First, 2), (MarkerRole::Agreed, 3)]
        {
            answer.add(&in_role(role, id));
            assert_eq!(counting(&answer), Some(id));
        }
        assert_eq!(answer.counting("another"), None);
        // A mark of another version takes nothing from this one.
        let seen = MarkingId::from_number(3);
        let other = SavedMarking { seen, ..in_role(MarkerRole::Agreed, 4) };
        answer.add(&of_version("e", other));
        assert_eq!(counting(&answer), Some(3));
        assert_eq!(answer.counting("e").map(|it| it.id.number()), Some(4));
        assert_eq!(answer.latest().map(|it| it.id.number()), Some(4));
    }

    #[test]
    fn an_agreed_mark_counts_only_while_it_is_newer_than_both_marks() {
        use MarkerRole::{Agreed, First, Second};
        let mut answer = Answer::default();
        for (id, (role, seen, counting)) in (1..).zip([
            (First, 0, 1),
            (Second, 0, 1),
            (Agreed, 0, 3),
            (First, 1, 4),
            (Agreed, 3, 5),
            (Second, 2, 4),
        ]) {
            answer.add(&SavedMarking { role, ..row(id, seen, id) });
            assert_eq!(answer.counting("d").map(|it| it.id.number()), Some(counting), "{id}");
        }
        // The mark that the agreed one did not know is taken back.
        answer.add(&SavedMarking { role: Second, ..undo(7, 6, 6) });
        assert_eq!(answer.counting("d").map(|it| it.id.number()), Some(5));
    }

    /// Rows of markers who each saw one of the rows before, or none.
    fn any_rows() -> impl Strategy<Value = Vec<SavedMarking>> {
        prop::collection::vec((any::<prop::sample::Index>(), 0_i64..4, any::<bool>()), 0..12)
            .prop_map(|rows| {
                let mut all: Vec<SavedMarking> = Vec::new();
                for (id, (seen, free, is_undo)) in (1..).zip(rows) {
                    let seen = i64::try_from(seen.index(all.len() + 1)).unwrap();
                    let is_undo = is_undo && seen > 0;
                    all.push(if is_undo { undo(id, seen, seen) } else { row(id, seen, free) });
                }
                all
            })
    }

    proptest! {
        #[test]
        fn no_mark_is_lost_unless_somebody_who_saw_it_decided(rows in any_rows()) {
            let history = history(&rows);
            let kept: Vec<i64> = history.active.iter().chain(&history.conflicting)
                .map(|it| it.id.number()).collect();
            for row in rows.iter().filter(|row| mark_in(row).is_some()) {
                let is_kept = kept.contains(&row.id.number());
                let withdrawn = MarkingStep::Withdrawal(row.id);
                let is_withdrawn = rows.iter().any(|it| it.step == withdrawn);
                let has_seen_all = |it: &SavedMarking| it.seen.number() == it.id.number() - 1;
                let decided = rows.iter().any(|it| {
                    it.id > row.id && has_seen_all(it) && mark_in(it).is_some()
                });
                prop_assert!(is_kept || is_withdrawn || decided, "{:?} of {:?}", row.id, rows);
            }
        }

        #[test]
        fn a_marker_who_saw_the_newest_row_is_right_at_once(rows in any_rows(), free in 5_i64..9) {
            let mut history = history(&rows);
            let id = history.newest().number() + 1;
            history.add(&row(id, history.newest().number(), free));
            prop_assert_eq!(history.counting().map(|it| it.id.number()), Some(id));
            prop_assert!(history.conflicting().is_empty());
        }
    }
}
