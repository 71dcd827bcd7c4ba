//! State of the watch mode.

use softmark_checks::{Check, Task};

use crate::hints::EACH;
use crate::results::{CheckResult, KnownMistake, State as CheckState, Tally};
use crate::setting::Setting;

/// Phase of the work on a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The code is being compiled.
    Building,
    /// The code does not compile; the messages of the compiler.
    DoesNotCompile(Vec<String>),
    /// Checks are running.
    Running {
        /// Number of checks that have run.
        done: usize,
        /// Number of all checks.
        all: usize,
    },
    /// Everything has run.
    Waiting,
    /// Something failed that is not the student's code.
    Failed(String),
}

/// Report of the work on a change.
#[derive(Debug, Clone)]
pub(crate) enum Event {
    /// The work is now in this phase.
    Phase(Phase),
    /// Reasons for which the grader would reject the files as they are now.
    Rejected(Vec<String>),
    /// A check has run.
    Result(Box<CheckResult>),
    /// The task with this id makes a known mistake.
    Mistake(&'static str, KnownMistake),
}

/// A task with the results of its checks.
#[derive(Debug, Clone)]
pub(crate) struct TaskState {
    /// The task.
    pub(crate) task: &'static Task,
    /// Checks of the task that are selected.
    pub(crate) checks: Vec<CheckSlot>,
    /// Known mistake in the code of the task.
    pub(crate) mistake: Option<KnownMistake>,
}

/// A check and its latest result.
#[derive(Debug, Clone)]
pub(crate) struct CheckSlot {
    /// The check.
    pub(crate) check: &'static Check,
    /// Points that it is worth.
    pub(crate) points: f64,
    /// Result of the latest run; none before the first one.
    pub(crate) result: Option<CheckResult>,
}

impl TaskState {
    /// Counts the results of the checks that have run; a check that has not is counted with its points only.
    pub(crate) fn tally(&self) -> Tally {
        let results: Vec<CheckResult> =
            self.checks.iter().filter_map(|slot| slot.result.clone()).collect();
        let max_points = self.checks.iter().map(|slot| slot.points).sum();
        Tally { max_points, ..Tally::of(&results) }
    }

    /// Returns the first check that does not pass.
    pub(crate) fn first_open(&self) -> Option<&CheckSlot> {
        let is_right = |slot: &CheckSlot| {
            slot.result.as_ref().map(CheckResult::state) == Some(CheckState::Right)
        };
        self.checks.iter().find(|slot| !is_right(slot))
    }
}

/// All that is shown.
#[derive(Debug, Clone)]
pub(crate) struct State {
    /// Phase of the work on the latest change.
    pub(crate) phase: Phase,
    /// Reasons for which the grader would reject the files.
    pub(crate) rejected: Vec<String>,
    /// Tasks with the selected checks.
    pub(crate) tasks: Vec<TaskState>,
    /// Index of the task that is looked at.
    pub(crate) current: usize,
    /// Number of hints shown on the first open check of the current task.
    pub(crate) hints: usize,
    /// Number of lines that are scrolled away.
    pub(crate) scroll: u16,
}

impl State {
    /// Returns the state before the first run, with the checks for which `is_selected` is true.
    pub(crate) fn new(setting: &Setting, is_selected: &dyn Fn(&str) -> bool) -> Self {
        let points = setting.assignment.points();
        let slot = |check: &'static Check| CheckSlot {
            check,
            points: points.get(check.id).copied().unwrap_or_default(),
            result: None,
        };
        let mut tasks = Vec::new();
        for task in setting.tasks {
            let checks = task.checks.iter().filter(|check| is_selected(check.id));
            let checks: Vec<CheckSlot> = checks.map(slot).collect();
            if !checks.is_empty() {
                tasks.push(TaskState { task, checks, mistake: None });
            }
        }
        let rejected = Vec::new();
        Self { phase: Phase::Building, rejected, tasks, current: 0, hints: 0, scroll: 0 }
    }

    /// Returns the checks in the order in which they run: those of the current task first.
    pub(crate) fn checks(&self) -> Vec<&'static Check> {
        let (before, from) = self.tasks.split_at(self.current.min(self.tasks.len()));
        let (current, after) = from.split_at(1.min(from.len()));
        let tasks = current.iter().chain(before).chain(after);
        tasks.flat_map(|task| &task.checks).map(|slot| slot.check).collect()
    }

    /// Takes over what the work reports.
    pub(crate) fn apply(&mut self, event: Event) {
        match event {
            Event::Phase(Phase::Waiting) => {
                self.phase = Phase::Waiting;
                self.move_on();
            }
            Event::Phase(phase) => {
                if matches!(phase, Phase::Running { .. }) {
                    self.tasks.iter_mut().for_each(|task| task.mistake = None);
                }
                self.phase = phase;
            }
            Event::Rejected(reasons) => self.rejected = reasons,
            Event::Mistake(id, mistake) => {
                let of_task = self.tasks.iter_mut().find(|task| task.task.id == id);
                if let Some(task) = of_task {
                    task.mistake = Some(mistake);
                }
            }
            Event::Result(result) => {
                if let Phase::Running { done, .. } = &mut self.phase {
                    *done += 1;
                }
                let slots = self.tasks.iter_mut().flat_map(|task| &mut task.checks);
                for slot in slots.filter(|slot| slot.check.id == result.check.id) {
                    slot.result = Some((*result).clone());
                }
            }
        }
    }

    /// Goes to the first unfinished task if the current one is finished.
    fn move_on(&mut self) {
        let is_open = |task: &TaskState| task.first_open().is_some();
        if self.task().is_some_and(|task| !is_open(task))
            && let Some(open) = self.tasks.iter().position(is_open)
        {
            self.look_at(open);
        }
    }

    /// Returns the current task.
    pub(crate) fn task(&self) -> Option<&TaskState> {
        self.tasks.get(self.current)
    }

    /// Returns the tasks with a check that does not pass.
    pub(crate) fn unfinished(&self) -> Vec<&'static Task> {
        let open = self.tasks.iter().filter(|task| task.first_open().is_some());
        open.map(|task| task.task).collect()
    }

    /// Goes to the task `step` further on, around the end.
    pub(crate) fn go(&mut self, step: usize) {
        if let Some(next) = (self.current + step).checked_rem(self.tasks.len()) {
            self.look_at(next);
        }
    }

    /// Goes to the task before the current one.
    pub(crate) fn back(&mut self) {
        self.go(self.tasks.len().saturating_sub(1));
    }

    fn look_at(&mut self, task: usize) {
        (self.current, self.hints, self.scroll) = (task, 0, 0);
    }

    /// Shows one more hint.
    pub(crate) fn hint(&mut self) {
        self.hints = (self.hints + 1).min(EACH);
    }

    /// Counts all results.
    pub(crate) fn tally(&self) -> Tally {
        let mut all = Tally::default();
        for task in &self.tasks {
            let Tally { right, wrong, unwritten, points, max_points } = task.tally();
            all.right += right;
            all.wrong += wrong;
            all.unwritten += unwritten;
            all.points += points;
            all.max_points += max_points;
        }
        all
    }
}
