//! Readers of a report, from the command line and the dates of the course.

use std::collections::BTreeSet;

use crate::cli::args::{AudienceArgs, Who};
use crate::cli::env::Env;
use crate::cli::failure::Failure;
use crate::cli::site::Site;
use crate::course::{Course, Moment};
use crate::report::{Answers, Audience};

/// Readers of a report, and what decides whether they see inputs and expected values of hidden checks.
#[derive(Debug)]
pub(crate) enum Readers {
    /// Staff, who see everything.
    Staff,
    /// Students, who see the answers of assignments whose answer date in this course has passed.
    Students(Site),
    /// Students, who see all answers.
    StudentsWithAnswers,
}

impl Readers {
    /// Returns the readers that the options name.
    ///
    /// # Errors
    ///
    /// Fails if answers are revealed to staff, who see them anyway: whoever types that means something else. Fails if
    /// the current folder is in several courses.
    pub(crate) fn of(args: &AudienceArgs, env: &Env) -> Result<Self, Failure> {
        match (args.audience, args.reveal) {
            (Who::Student, reveal) => Self::students(reveal, env),
            (Who::Staff, false) => Ok(Self::Staff),
            (Who::Staff, true) => Err(Failure::usage(
                "`--reveal` is for students: staff see inputs and expected values of hidden checks anyway",
                "add `--audience student`, or leave `--reveal` out",
            )),
        }
    }

    /// Returns students, who see all answers or those whose date has passed.
    ///
    /// # Errors
    ///
    /// Fails if the current folder is in several courses.
    pub(crate) fn students(reveal: bool, env: &Env) -> Result<Self, Failure> {
        if reveal { Ok(Self::StudentsWithAnswers) } else { Ok(Self::Students(Site::of(env)?)) }
    }

    /// Returns the audience today.
    ///
    /// # Errors
    ///
    /// Fails if the dates of the course cannot be read.
    pub(crate) fn audience(&self) -> Result<Audience, Failure> {
        match self {
            Self::Staff => Ok(Audience::Staff),
            Self::StudentsWithAnswers => Ok(Audience::Students(Answers::All)),
            Self::Students(site) => Ok(Audience::Students(Answers::Of(with_answers(site)?))),
        }
    }
}

/// Returns the assignments whose answers are shown today; none outside a course.
fn with_answers(site: &Site) -> Result<BTreeSet<String>, Failure> {
    Course::answers_shown_in(&site.home, Moment::now()).map_err(|error| {
        Failure::broken(error.to_string(), "mend the file: its dates say what students may see")
    })
}
