//! Time that the phases of grading a submission take: for people, and never part of a record.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::build::Built;
use crate::clock::Clock;
use crate::session::Budget;

/// Phase of grading a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// The student's code is compiled.
    Compile,
    /// Its programs are linked.
    Link,
    /// Workers are started, in whatever phase they are needed.
    Start,
    /// Checks are run.
    Checks,
    /// Mistakes behind failed checks are named.
    Diagnosis,
    /// Components are trained, and models that were handed in are asked.
    Training,
}

impl Phase {
    /// All phases, in their order.
    pub const ALL: [Self; 6] =
        [Self::Compile, Self::Link, Self::Start, Self::Checks, Self::Diagnosis, Self::Training];

    /// Returns the name of the phase.
    pub fn name(self) -> &'static str {
        match self {
            Self::Compile => "compile",
            Self::Link => "link",
            Self::Start => "start",
            Self::Checks => "checks",
            Self::Diagnosis => "diagnosis",
            Self::Training => "training",
        }
    }
}

/// Wall-clock time of each phase.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Timings(BTreeMap<Phase, Duration>);

impl Timings {
    /// Returns the time of a phase.
    pub fn of(&self, phase: Phase) -> Duration {
        self.0.get(&phase).copied().unwrap_or_default()
    }

    /// Returns the time of all phases.
    pub fn total(&self) -> Duration {
        self.0.values().sum()
    }

    /// Adds time to a phase.
    pub fn add(&mut self, phase: Phase, time: Duration) {
        *self.0.entry(phase).or_default() += time;
    }

    /// Adds all times of `other`.
    pub fn extend(&mut self, other: &Self) {
        for (phase, time) in &other.0 {
            self.add(*phase, *time);
        }
    }

    /// Adds the build of a submission. Its programs are linked at the same time, and all else is compilation, also of
    /// attempts with files that do not compile.
    pub(crate) fn add_build(&mut self, built: &Built) {
        let links = built.steps.iter().filter(|step| !step.is_submission());
        let linking = links.map(|step| step.usage.wall).max().unwrap_or_default();
        self.add(Phase::Link, linking);
        self.add(Phase::Compile, built.usage.wall.saturating_sub(linking));
    }
}

/// Stopwatch for the phases after the build, which come one after the other.
#[derive(Debug)]
pub(crate) struct Stopwatch<'a> {
    clock: Clock,
    budget: &'a Budget,
    /// Time at the end of the phase before.
    at: Duration,
    /// Time, until then, in which workers were started.
    starting: Duration,
}

impl<'a> Stopwatch<'a> {
    /// Starts the first phase of the submission with this budget.
    pub(crate) fn start(budget: &'a Budget) -> Self {
        Self { clock: Clock::start(), budget, at: Duration::ZERO, starting: budget.starting() }
    }

    /// Ends a phase and starts the next one. The time in which workers were started is a phase of its own.
    pub(crate) fn end(&mut self, phase: Phase, timings: &mut Timings) {
        let (at, starting) = (self.clock.elapsed(), self.budget.starting());
        let started = starting.saturating_sub(self.starting);
        timings.add(Phase::Start, started);
        timings.add(phase, at.saturating_sub(self.at).saturating_sub(started));
        (self.at, self.starting) = (at, starting);
    }
}

#[cfg(test)]
mod tests {
    use crate::build::Step;
    use crate::model::Usage;

    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn programs_are_linked_at_the_same_time() {
        let usage = |wall| Usage { wall: seconds(wall), ..Usage::default() };
        let step = |name: &str, wall| Step { name: name.to_owned(), usage: usage(wall) };
        // An earlier attempt took four seconds.
        let built = Built {
            programs: BTreeMap::new(),
            usage: usage(12),
            steps: vec![step("submission", 5), step("own", 2), step("with_reference", 3)],
        };
        let mut timings = Timings::default();
        timings.add_build(&built);
        assert_eq!(timings.of(Phase::Compile), seconds(9));
        assert_eq!(timings.of(Phase::Link), seconds(3));
        assert_eq!(timings.total(), seconds(12));
    }

    #[test]
    fn starting_a_worker_is_part_of_no_other_phase() {
        let budget = Budget::unlimited();
        let mut timings = Timings::default();
        let mut watch = Stopwatch::start(&budget);
        // Far longer than the phase itself takes.
        budget.started(seconds(3600));
        watch.end(Phase::Checks, &mut timings);
        assert_eq!(timings.of(Phase::Start), seconds(3600));
        assert_eq!(timings.of(Phase::Checks), Duration::ZERO);
        watch.end(Phase::Diagnosis, &mut timings);
        assert_eq!(timings.of(Phase::Start), seconds(3600), "counted once");
    }
}
