//! Records of which only what is shown of a whole class is left.

use softmark_untrusted::Untrusted;

use super::evidence::Evidence;
use super::record::{CheckRecord, Record, Status, TaskRecord};

impl Record {
    /// Returns the record with only what reports on a whole class show: a record takes some kilobytes so.
    ///
    /// Messages, evidence and the output of the code are left out. Of the checks that pass, and of those that found a stub, the
    /// first of each task is kept, and each whose points a person has decided or whose mistake is named.
    #[must_use]
    pub fn brief(self) -> Self {
        let mut brief = self;
        brief.log = Untrusted::EMPTY;
        brief.tasks = brief.tasks.into_iter().map(brief_task).collect();
        for answer in &mut brief.written {
            answer.text = Untrusted::EMPTY;
            answer.comment = Untrusted::EMPTY;
            answer.rubric.clear();
        }
        brief
    }
}

fn brief_task(task: TaskRecord) -> TaskRecord {
    let (mut has_pass, mut has_stub) = (false, false);
    let mut is_first = |check: &CheckRecord| match check.status {
        Status::Pass => !std::mem::replace(&mut has_pass, true),
        Status::NotImplemented => !std::mem::replace(&mut has_stub, true),
        Status::Wrong | Status::Fault | Status::Blocked => true,
    };
    let is_shown = |check: &CheckRecord| check.overridden.is_some() || check.mistake.is_some();
    let is_kept = |check: &CheckRecord| is_first(check) || is_shown(check);
    let mut checks: Vec<CheckRecord> =
        task.checks.into_iter().filter(is_kept).map(brief_check).collect();
    // Collected in place, they would keep the room of all checks.
    checks.shrink_to_fit();
    TaskRecord { checks, ..task }
}

fn brief_check(check: CheckRecord) -> CheckRecord {
    CheckRecord {
        message: Untrusted::EMPTY,
        evidence: Evidence::default(),
        replay: None,
        matrix: None,
        ..check
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Points;
    use crate::model::test_checks::check;

    /// Thousands of brief records are in memory at the same time.
    #[test]
    fn what_is_left_out_takes_no_memory() {
        let task = TaskRecord {
            id: "task".into(),
            title: Untrusted::EMPTY,
            points: Points::ZERO,
            max_points: Points::ZERO,
            checks: vec![check("task/shapes", Status::Pass, Points::ZERO); 50],
        };
        let brief = brief_task(task);
        assert_eq!((brief.checks.len(), brief.checks.capacity()), (1, 1));
    }
}
