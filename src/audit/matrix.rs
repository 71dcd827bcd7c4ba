//! Results of an audit: which check catches which mutant, and how near correct work comes to failing.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::audit::exact;
use crate::audit::message::Message;
use crate::audit::scope::Scope;
use crate::diagnose::RecordingState;
use crate::model::Points;

/// Results of an audit of one assignment.
#[derive(Debug, Clone, PartialEq)]
pub struct Audit {
    /// Id of the assignment.
    pub assignment: String,
    /// Range of the fixtures that were examined.
    pub scope: Scope,
    /// Seeds of the checks' inputs; the expectations in mutants' patches refer to the first one.
    pub seeds: Vec<u64>,
    /// Ids of the checks, in the order in which they are reported.
    pub checks: Vec<String>,
    /// Mutants, by name.
    pub mutants: Vec<Mutant>,
    /// The solution, if it was examined, and the accepted variants, by name.
    pub right: Vec<Right>,
    /// Code that computes nothing, by name.
    pub idle: Vec<Idle>,
    /// Checks that are not audited: accuracy thresholds of trained tasks.
    pub left_out: Vec<String>,
    /// Points of each check, by its id.
    pub points: BTreeMap<String, Points>,
    /// Messages of all checks that do not pass, in the order of the fixtures, seeds and checks.
    pub messages: Vec<Message>,
}

/// Points that a mutant costs in its task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Points of the checks that do not pass.
    pub lost: Points,
    /// Points of all checks of the task, bands excluded.
    pub of: Points,
}

impl Cost {
    /// Returns the cost in hundredths of the task's points, rounded.
    pub fn percent(self) -> u32 {
        let (lost, of) = (u64::from(self.lost.hundredths()), u64::from(self.of.hundredths()));
        let percent = (lost * 200 + of).checked_div(2 * of).unwrap_or(0);
        u32::try_from(percent).unwrap_or(u32::MAX)
    }

    /// True if the cost is more than half of the task's points.
    pub fn is_more_than_half(self) -> bool {
        u64::from(self.lost.hundredths()) * 2 > u64::from(self.of.hundredths())
    }
}

/// The naming of a mutant's mistake by the checks of its task that it fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Naming {
    /// A check names its mistake, and none names another one.
    Right,
    /// A check names another mistake.
    False,
    /// No check names any, though there is a page about it.
    Missing,
    /// No check names any, and there is no page about it.
    NoPage,
}

impl Naming {
    /// Returns the naming's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::False => "false",
            Self::Missing => "missing",
            Self::NoPage => "no-page",
        }
    }
}

/// Results of one mutant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    /// Name of the mutant.
    pub name: String,
    /// Id of the task in which the mistake is made.
    pub task: String,
    /// Mistake that should be named; `None` if the catalogue of mistakes has none of its kind.
    pub mistake: Option<String>,
    /// Second mistake, if the mutant makes two: either name is right.
    pub also: Option<String>,
    /// Checks that should catch the mutant.
    pub expected: BTreeSet<String>,
    /// Verdicts by check, in the order of the seeds.
    pub verdicts: BTreeMap<String, Vec<Verdict>>,
    /// Mistakes that were named on the first seed, by check.
    pub named: BTreeMap<String, String>,
    /// Questions whose answers contradict the mistake that the mutant makes; empty where the mistake is named.
    pub against: Vec<String>,
    /// Mistake that students' own checks recognise; they ask a part of the diagnostic cases.
    pub recognised: Option<String>,
    /// State of the recorded answers; `None` where there are none.
    pub recording: Option<RecordingState>,
}

/// Results of code that computes nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Idle {
    /// Name of the folder of the code.
    pub name: String,
    /// Seeds on which it passes, by check; checks that it never passes are not among them.
    pub passes: BTreeMap<String, Vec<u64>>,
}

/// Result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The check passes.
    Passes,
    /// The check fails.
    Fails,
    /// The result is unknown: a check that this one depends on fails.
    Blocked,
}

/// Results of the solution or an accepted variant.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Right {
    /// Name of the fixture.
    pub name: String,
    /// Failures by check: the seeds and the messages.
    pub fails: BTreeMap<String, Vec<(u64, String)>>,
    /// Shares of the tolerances that were used, by check.
    pub shares: BTreeMap<String, Share>,
}

/// Largest share of a tolerance that an error used.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// Share; 1 is the whole tolerance.
    #[serde(with = "exact")]
    pub share: f64,
    /// Seed on which the share was reached.
    pub seed: u64,
}

/// A result that comes nearest to a tolerance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest<'a> {
    /// Name of the solution or accepted variant.
    pub right: &'a str,
    /// Id of the check.
    pub check: &'a str,
    /// Share of the tolerance that was used.
    pub share: Share,
}

impl Mutant {
    /// True if the mutant fails the check on the first seed.
    pub fn fails(&self, check: &str) -> bool {
        let verdicts = self.verdicts.get(check);
        verdicts.and_then(|verdicts| verdicts.first()) == Some(&Verdict::Fails)
    }

    /// True if the mutant makes this mistake.
    pub fn makes(&self, mistake: &str) -> bool {
        [&self.mistake, &self.also].into_iter().flatten().any(|own| own == mistake)
    }

    /// Returns the naming of the mistake by the checks of the mutant's own task.
    pub fn naming(&self) -> Naming {
        let own = self.named.iter().filter(|(check, _)| task_of(check) == self.task);
        let names: BTreeSet<&String> = own.map(|(_, name)| name).collect();
        match (&self.mistake, names.is_empty()) {
            (Some(_), true) => Naming::Missing,
            (None, true) => Naming::NoPage,
            (Some(_), false) if names.iter().all(|name| self.makes(name)) => Naming::Right,
            (_, false) => Naming::False,
        }
    }

    /// Number of seeds on which a verdict differs from that on the first seed.
    pub fn changed_seeds(&self) -> usize {
        let seeds = self.verdicts.values().map(Vec::len).max().unwrap_or(0);
        let changed = |at: &usize| {
            self.verdicts.values().any(|verdicts| verdicts.get(*at) != verdicts.first())
        };
        (0..seeds).filter(changed).count()
    }
}

impl Audit {
    /// Returns the mutants that a check catches on the first seed.
    pub fn killed_by<'a>(&'a self, check: &'a str) -> impl Iterator<Item = &'a Mutant> {
        self.mutants.iter().filter(move |mutant| mutant.fails(check))
    }

    /// Returns the checks that catch a mutant on the first seed, in the order in which they are reported.
    pub fn killers<'a>(&'a self, mutant: &'a Mutant) -> impl Iterator<Item = &'a str> {
        self.checks.iter().map(String::as_str).filter(|check| mutant.fails(check))
    }

    /// Returns the tasks, in the order of their checks.
    pub fn tasks(&self) -> Vec<&str> {
        let mut tasks = Vec::new();
        for check in &self.checks {
            let task = task_of(check);
            if !tasks.contains(&task) {
                tasks.push(task);
            }
        }
        tasks
    }

    /// Returns the checks of a task.
    pub fn checks_of<'a>(&'a self, task: &'a str) -> impl Iterator<Item = &'a str> {
        self.checks.iter().map(String::as_str).filter(move |check| task_of(check) == task)
    }

    /// Returns the mutants of a task, and those of other tasks that one of its checks catches.
    pub fn mutants_of(&self, task: &str) -> Vec<&Mutant> {
        let strays = |mutant: &Mutant| self.checks_of(task).any(|check| mutant.fails(check));
        self.mutants.iter().filter(|mutant| mutant.task == task || strays(mutant)).collect()
    }

    /// Returns the points that a mutant costs in its task on the first seed; `None` if the task has no
    /// points.
    pub fn cost(&self, mutant: &Mutant) -> Option<Cost> {
        let worth = |check: &str| self.points.get(check).copied().unwrap_or_default();
        let passes = |check: &str| {
            let verdicts = mutant.verdicts.get(check);
            verdicts.and_then(|verdicts| verdicts.first()) == Some(&Verdict::Passes)
        };
        let lost = self.checks_of(&mutant.task).filter(|check| !passes(check)).map(worth).sum();
        let of = self.checks_of(&mutant.task).map(worth).sum();
        (of > Points::ZERO).then_some(Cost { lost, of })
    }

    /// Number of mutants with this naming.
    pub fn named_so(&self, naming: Naming) -> usize {
        self.mutants.iter().filter(|mutant| mutant.naming() == naming).count()
    }

    /// Returns the result that comes nearest to a tolerance of a check.
    pub fn nearest_in<'a>(&'a self, check: &str) -> Option<Nearest<'a>> {
        self.nearest(|_, other| other == check)
    }

    /// Returns the result of an accepted variant that comes nearest to a tolerance. Checks with the same
    /// share as the solution are ignored: the variant has taken that code from the solution.
    pub fn nearest_of<'a>(&'a self, right: &Right) -> Option<Nearest<'a>> {
        let first = self.right.first().filter(|first| first.name != right.name);
        let taken = |check: &str| {
            first.is_some_and(|first| first.shares.get(check) == right.shares.get(check))
        };
        self.nearest(|name, check| name == right.name && !taken(check))
    }

    /// Returns the result that comes nearest to a tolerance among those that are `wanted`; the first one wins
    /// a tie.
    pub fn nearest(&self, wanted: impl Fn(&str, &str) -> bool) -> Option<Nearest<'_>> {
        let all = self.right.iter().flat_map(|right| {
            let shares = right.shares.iter();
            shares.map(|(check, share)| Nearest { right: &right.name, check, share: *share })
        });
        all.filter(|it| wanted(it.right, it.check)).fold(None, |nearest, it| match nearest {
            Some(Nearest { share: before, .. }) if before.share >= it.share.share => nearest,
            Some(_) | None => Some(it),
        })
    }
}

/// Returns the task of a check.
pub(crate) fn task_of(check: &str) -> &str {
    check.split_once('/').map_or(check, |(task, _)| task)
}

/// Returns a check's name within its task.
pub(crate) fn short_name(check: &str) -> &str {
    check.split_once('/').map_or(check, |(_, name)| name)
}

/// Returns how many times as large the error could be, given the share of the tolerance that it uses. The
/// number is truncated, not rounded, so that a value below 10 does not read as 10.
///
/// ```
/// use softmark::audit::factor;
///
/// assert_eq!(factor(0.02), "×50");
/// assert_eq!(factor(0.1003), "×9.9");
/// assert_eq!(factor(2.0), "×0.5");
/// assert_eq!(factor(1e-7), "×1e7");
/// assert_eq!(factor(0.0), "exact");
/// ```
pub fn factor(share: f64) -> String {
    let factor = 1.0 / share;
    match factor {
        _ if factor.is_infinite() => "exact".to_owned(),
        100_000.0.. => format!("×{factor:.0e}"),
        10.0.. => format!("×{:.0}", factor.floor()),
        _ => format!("×{}", (factor * 10.0).floor() / 10.0),
    }
}
