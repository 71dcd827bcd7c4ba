//! History of the marks of one answer: which marking counts, and which markings compete with it.

use crate::store::{GivenMark, MarkerRole, MarkingId, MarkingStep, SavedMarking};

/// Markings of an answer in one role.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    /// Markings that counted one after the other, without those that were taken back; the last one counts.
    standing: Vec<SavedMarking>,
    contenders: Vec<SavedMarking>,
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
                self.standing.push(row.clone());
                self.contenders.clear();
            }
            // The same mark twice is no conflict.
            MarkingStep::Mark(_) if self.counting().is_some_and(|it| it.step == row.step) => {}
            MarkingStep::Mark(_) => self.contenders.push(row.clone()),
        }
        // With nothing left that it competes with, a marking counts.
        if self.standing.is_empty() && self.contenders.len() == 1 {
            self.standing.append(&mut self.contenders);
        }
    }

    fn withdraw(&mut self, of: MarkingId) {
        self.standing.retain(|marking| marking.id != of);
        self.contenders.retain(|marking| marking.id != of);
    }

    /// Returns the marking that counts; `None` if there is none, or all were taken back.
    pub fn counting(&self) -> Option<&SavedMarking> {
        self.standing.last()
    }

    /// Returns the markings whose markers did not see the one before theirs, until a marker who saw them marks the answer.
    pub fn contenders(&self) -> &[SavedMarking] {
        &self.contenders
    }

    /// Returns the id of the newest row, which the next marker must have seen.
    pub fn newest(&self) -> MarkingId {
        self.newest
    }
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

    /// Returns the marking of the answer with this digest that counts: the agreed one, or else the first marker's, or else
    /// the second marker's. `None` if this version of the answer has none.
    pub fn counting(&self, answer_digest: &str) -> Option<&SavedMarking> {
        let of_role = |role| self.history(role).counting();
        let roles = [MarkerRole::Agreed, MarkerRole::First, MarkerRole::Second];
        roles.into_iter().filter_map(of_role).find(|it| is_of(it, answer_digest))
    }

    /// Returns the newest marking that stands, also if it is of another version of the answer.
    pub fn latest(&self) -> Option<&SavedMarking> {
        let of_role = |role| self.history(role).counting();
        MarkerRole::ALL.into_iter().filter_map(of_role).max_by_key(|it| it.id)
    }

    /// Returns true if a conflict of two markers in the same role is open.
    pub fn is_contested(&self) -> bool {
        MarkerRole::ALL.into_iter().any(|role| !self.history(role).contenders().is_empty())
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
    use crate::model::Delta;
    use crate::store::AnswerId;

    /// Marking `id` by a marker who saw `seen`, with these free points; no points take marking `withdraws` back.
    fn row(id: i64, seen: i64, free: i64) -> SavedMarking {
        let given = GivenMark {
            free: Delta::from_hundredths(free),
            answer_digest: "d".to_owned(),
            ..GivenMark::default()
        };
        SavedMarking {
            id: MarkingId::from_number(id),
            after_record: 0,
            answer: AnswerId {
                assignment: "debugging".into(),
                question: "explanation".into(),
                submission: "amara".into(),
            },
            role: MarkerRole::First,
            seen: MarkingId::from_number(seen),
            step: MarkingStep::Mark(given),
            by: "Okafor".into(),
            given_at: "2026-01-31T12:00:00Z".into(),
        }
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
        let contenders = history.contenders().iter().map(|it| it.id.number()).collect();
        (history.counting().map(|it| it.id.number()), contenders)
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
    }

    #[test]
    fn the_same_mark_twice_is_no_conflict() {
        assert_eq!(state(&[row(1, 0, 100), row(2, 0, 100)]), (Some(1), vec![]));
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
        assert_eq!(answer.latest().map(|it| it.id.number()), Some(3));
        assert!(!answer.is_contested());
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
            let kept: Vec<i64> = history.standing.iter().chain(&history.contenders)
                .map(|it| it.id.number()).collect();
            for row in rows.iter().filter(|row| mark_in(row).is_some()) {
                let is_kept = kept.contains(&row.id.number());
                let withdrawn = MarkingStep::Withdrawal(row.id);
                let is_withdrawn = rows.iter().any(|it| it.step == withdrawn);
                let has_seen_all = |it: &SavedMarking| it.seen.number() == it.id.number() - 1;
                let decided = rows.iter().any(|it| {
                    it.id > row.id && has_seen_all(it) && mark_in(it).is_some()
                });
                let same = rows.iter().any(|it| it.id < row.id && it.step == row.step);
                prop_assert!(is_kept || is_withdrawn || decided || same, "{:?} of {:?}", row.id, rows);
            }
        }

        #[test]
        fn a_marker_who_saw_the_newest_row_is_right_at_once(rows in any_rows(), free in 5_i64..9) {
            let mut history = history(&rows);
            let id = history.newest().number() + 1;
            history.add(&row(id, history.newest().number(), free));
            prop_assert_eq!(history.counting().map(|it| it.id.number()), Some(id));
            prop_assert!(history.contenders().is_empty());
        }
    }
}
