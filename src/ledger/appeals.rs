//! Appeals: questions about grades, with their answers.

use softmark_untrusted::Untrusted;

use crate::store::{Appeal, Placed, Step};

/// Appeal with all its steps. An appeal that is over may be followed by another about the same check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    /// Steps in the order in which they were made; the first opens the appeal.
    pub steps: Vec<Appeal>,
}

impl Thread {
    /// Returns the step that opened the appeal.
    pub fn first(&self) -> Option<&Appeal> {
        self.steps.first()
    }

    /// Returns true if the appeal has not been closed.
    pub fn is_open(&self) -> bool {
        self.steps.last().is_some_and(|last| last.step != Step::Close)
    }

    /// Returns true if the step is about the same submission, assignment and check as the appeal.
    pub fn is_subject_of(&self, step: &Appeal) -> bool {
        self.first().is_some_and(|first| {
            first.submission == step.submission
                && first.assignment == step.assignment
                && first.check == step.check
        })
    }
}

/// Returns what an appeal about a check is about, for a person: the check, or the whole grade if the id is empty.
pub fn subject(check: &Untrusted) -> String {
    if check.is_empty() { "the whole grade".to_owned() } else { check.to_string() }
}

/// Groups steps by appeal, in the order in which the appeals were opened. A step that belongs to no open appeal opens
/// one.
pub fn threads(steps: Vec<Placed<Appeal>>) -> Vec<Thread> {
    let mut threads: Vec<Thread> = Vec::new();
    for Placed { decision: step, .. } in steps {
        let open = threads.iter_mut().find(|it| it.is_open() && it.is_subject_of(&step));
        match open {
            Some(thread) => thread.steps.push(step),
            None => threads.push(Thread { steps: vec![step] }),
        }
    }
    threads
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(submission: &str, check: &str, step: Step) -> Placed<Appeal> {
        let decision = Appeal {
            submission: submission.into(),
            assignment: "attention".into(),
            check: check.into(),
            step,
            text: "why?".into(),
            by: "amara".into(),
            given_at: "2026-01-31T12:00:00Z".into(),
        };
        Placed { after_record: 1, decision }
    }

    #[test]
    fn an_appeal_ends_when_it_is_closed_and_another_may_follow() {
        let threads = threads(vec![
            step("amara", "a/b", Step::Open),
            step("ben", "a/b", Step::Open),
            step("amara", "a/b", Step::Answer),
            step("amara", "", Step::Open),
            step("amara", "a/b", Step::Close),
            step("amara", "a/b", Step::Open),
        ]);
        let shape: Vec<_> = threads.iter().map(|it| (it.steps.len(), it.is_open())).collect();
        assert_eq!(shape, [(3, false), (1, true), (1, true), (1, true)]);
    }
}
