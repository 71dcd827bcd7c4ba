//! Sessions with the programs of one submission.

use std::collections::BTreeMap;

use softmark_checks::{CheckError, KillMatrix, Outcome, Subject};
use softmark_exam::{Program, Suite, SuiteCheck};
use softmark_wire::Session;

/// Kind of session: a program and its purpose, which determines its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SessionKind {
    /// The program answers checks.
    Checks(Program),
    /// The program is trained.
    Training(Program),
    /// The program answers with a model that was handed in, under the limits of a training. It runs
    /// in a process of its own, because one that was trained before has seen answers.
    Model(Program),
}

/// Sessions by their kind; each starts its process when it is first asked.
#[derive(Debug)]
pub(crate) struct Sessions<S> {
    by_kind: BTreeMap<SessionKind, S>,
}

/// Result of one check.
#[derive(Debug)]
pub(crate) struct Answered {
    /// Outcome of the check.
    pub(crate) outcome: Outcome,
    /// Kill matrix, if the check is one of a detector.
    pub(crate) matrix: Option<KillMatrix>,
}

impl<S: Session> Sessions<S> {
    /// Creates a set of sessions.
    pub(crate) fn new(by_kind: impl IntoIterator<Item = (SessionKind, S)>) -> Self {
        Self { by_kind: by_kind.into_iter().collect() }
    }

    /// Returns the session of a kind.
    ///
    /// # Errors
    ///
    /// Fails if the suite has no program for it.
    pub(crate) fn with(&mut self, kind: SessionKind) -> Result<&mut S, CheckError> {
        self.by_kind.get_mut(&kind).ok_or_else(|| missing(kind))
    }

    /// Returns the sessions of two different kinds.
    ///
    /// # Errors
    ///
    /// Fails if the suite has no program for one of them, or if they are the same.
    pub(crate) fn both(
        &mut self,
        one: SessionKind,
        other: SessionKind,
    ) -> Result<(&mut S, &mut S), CheckError> {
        let (mut first, mut second) = (None, None);
        for (kind, session) in &mut self.by_kind {
            if *kind == one {
                first = Some(session);
            } else if *kind == other {
                second = Some(session);
            }
        }
        Ok((first.ok_or_else(|| missing(one))?, second.ok_or_else(|| missing(other))?))
    }

    /// Returns the session that diagnostic cases of a task are put to.
    ///
    /// # Errors
    ///
    /// Fails if the suite has no program for it.
    pub(crate) fn diagnosed(&mut self, suite: &Suite, task: &str) -> Result<&mut S, CheckError> {
        self.with(SessionKind::Checks((suite.diagnosed_in)(task)))
    }

    /// Runs a check.
    ///
    /// # Errors
    ///
    /// Fails if the grader's side is broken.
    pub(crate) fn ask(&mut self, entry: &SuiteCheck, seed: u64) -> Result<Answered, CheckError> {
        let mut subject = Subject::new(self.with(SessionKind::Checks(entry.program))?);
        let outcome = entry.check.ask(&mut subject, seed)?;
        Ok(Answered { outcome, matrix: subject.take_matrix() })
    }

    /// Returns all sessions.
    pub(crate) fn into_all(self) -> impl Iterator<Item = S> {
        self.by_kind.into_values()
    }
}

fn missing(kind: SessionKind) -> CheckError {
    CheckError::Inputs {
        check: format!("{kind:?}"),
        reason: "the suite has no program for it".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use softmark_wire::{Asked, Attempt, Fault, Reply, Request, SessionError};

    use super::*;

    /// Session that is known by its number.
    struct Numbered(u8);

    impl Session for Numbered {
        fn ask(&mut self, _: &Request) -> Asked<Reply> {
            Ok(Attempt::Fault(Fault::Garbled(String::new())))
        }

        fn renew(&mut self) -> Result<(), SessionError> {
            Ok(())
        }
    }

    const OWN: SessionKind = SessionKind::Model(Program::Own);
    const REFERENCE: SessionKind = SessionKind::Model(Program::Reference);

    fn sessions() -> Sessions<Numbered> {
        Sessions::new([(OWN, Numbered(1)), (REFERENCE, Numbered(2))])
    }

    #[test]
    fn two_sessions_come_in_the_order_in_which_they_are_named() {
        let numbers = |one, other| {
            let mut all = sessions();
            let (one, other) = all.both(one, other).unwrap();
            (one.0, other.0)
        };
        assert_eq!(numbers(OWN, REFERENCE), (1, 2));
        assert_eq!(numbers(REFERENCE, OWN), (2, 1));
        assert!(sessions().both(OWN, OWN).is_err());
    }

    #[test]
    fn a_session_that_is_missing_is_an_error_with_its_kind() {
        let error = sessions().with(SessionKind::Checks(Program::Own)).err().unwrap();
        assert!(error.to_string().contains("Checks(Own)"), "{error}");
    }
}
