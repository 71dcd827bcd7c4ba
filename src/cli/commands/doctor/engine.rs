//! Findings about the machines of a job engine: what jobs say that ran there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use softmark_sandbox::Level;
use softmark_untrusted::Untrusted;

use crate::cli::commands::doctor::finding::{Finding, Mark};
use crate::cli::commands::probe::{self, Probe, ProbedToolchain};
use crate::cli::env::Env;
use crate::cli::failure::Failure;
use crate::cli::job_progress::JobProgress;
use crate::cli::plan::{DoctorPlan, EnginePlan};
use crate::cli::printer::Printer;
use crate::cli::remote::{Cut, Load, RUNS, Remote};
use crate::cli::room::{ROOM_TO_GRADE, gibibytes};
use crate::cli::secret::secret;
use crate::clock::Clock;
use crate::digest;
use crate::jobs::{Costs, EngineChoice, JobsError, Task, Work, waiting_jobs};
use crate::pipeline::chain;
use crate::report::text::count;

/// Expected time of a probe: levels of isolation are tried, and files are read.
const PROBE: Duration = Duration::from_secs(30);

/// Results of the probes: what a machine says of itself, or why it says nothing.
struct Probes {
    clock: Clock,
    answers: BTreeMap<usize, Result<Answer, String>>,
}

/// Probe of a machine, and the time that its job waited.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Answer {
    probe: Probe,
    /// Time from the submission of the job to its start.
    waited: Duration,
}

impl Work for Probes {
    type Output = Probe;

    fn take(&mut self, place: usize, probe: Probe) -> Result<(), JobsError> {
        let waited = self.clock.elapsed().saturating_sub(probe.took);
        self.answers.insert(place, Ok(Answer { probe, waited }));
        Ok(())
    }

    fn give_up(&mut self, place: usize, reason: String) -> Result<(), JobsError> {
        self.answers.insert(place, Err(reason));
        Ok(())
    }
}

/// Program, secret and toolchain of this machine, which every other has to have.
struct Here {
    program: String,
    secret: String,
    toolchain: ProbedToolchain,
}

/// Submits probes, waits for them, and returns the findings about them.
///
/// # Errors
///
/// Fails if the engine takes no jobs, or what is compared cannot be read here.
pub(super) fn findings(
    plan: &DoctorPlan,
    engine: &EnginePlan,
    env: &Env,
    printer: &Printer<'_>,
) -> Result<Vec<Finding>, Failure> {
    let site = &plan.site;
    let here = Here {
        program: site.program_digest()?,
        secret: digest::of(&[&secret(env, &site.home)?]),
        toolchain: probe::toolchain(site)?,
    };
    let tools = site.tools(Level::None)?;
    let mut all = Vec::new();
    if matches!(engine.engine, EngineChoice::Slurm(_)) {
        let folder = env.folder.as_deref().unwrap_or(Path::new("."));
        all.push(match waiting_jobs(&tools, &site.check()?.slurm, folder) {
            Ok(waiting) => {
                let text = format!("{} there now", count(waiting, "job waits", "jobs wait"));
                Finding::new(Mark::Good, "queue", text)
            }
            Err(error) => return Ok(vec![Finding::new(Mark::Bad, "queue", chain(&error))]),
        });
    }
    let number = engine.chunks.map_or(1, usize::from);
    let names: Vec<Untrusted> = (1..=number).map(|at| format!("probe {at}").into()).collect();
    let load = Load {
        names: &names,
        done: [].into(),
        costs: &Costs::flat(PROBE),
        cut: Cut::Neighbours,
        mebibytes: 0,
    };
    let remote = Remote {
        plan: engine,
        env,
        site,
        tools: &tools,
        pack: &here.toolchain.pack,
        workers_at: Level::None.as_str(),
        out: &plan.out,
    };
    let mut probes = Probes { clock: Clock::start(), answers: BTreeMap::new() };
    let mut progress = JobProgress::new(env, printer.style, "probes");
    let done = remote.carry_out(Task::Probe, &load, &mut probes, &mut progress);
    progress.end();
    done?;
    // Only what was made for the probes is removed: folders that are not empty stay.
    fs::remove_dir(plan.out.join(RUNS)).and_then(|()| fs::remove_dir(&plan.out)).ok();
    for answer in probes.answers.values() {
        match answer {
            Ok(answer) => all.extend(of_answer(answer, &here)),
            Err(reason) => all.push(without(reason)),
        }
    }
    Ok(all)
}

/// Returns the finding about a job that has left no result.
fn without(reason: &str) -> Finding {
    let text = format!(
        "{reason}. The machine needs the folders of the course, of the results and of this program under the same paths"
    );
    Finding::new(Mark::Bad, "job", text)
}

/// Returns the findings about one machine.
fn of_answer(Answer { probe, waited }: &Answer, here: &Here) -> Vec<Finding> {
    let seconds = waited.as_secs_f64();
    let processors = count(probe.processors, "processor", "processors");
    let job = format!(
        "on {}, with {processors}; it waited {seconds:.1} s. The folders are shared",
        probe.node
    );
    let mut all = vec![Finding::new(Mark::Good, "job", job)];
    all.push(compared("program", Ok(&probe.program), &here.program));
    all.push(compared("secret", probe.secret.as_ref(), &here.secret));
    all.extend(of_toolchain(probe, &here.toolchain));
    all.extend(of_isolation(probe));
    all.push(match probe.free_mebibytes {
        None => Finding::new(Mark::Bad, "room", "it cannot tell how much there is"),
        Some(free) if free < ROOM_TO_GRADE => {
            Finding::new(Mark::Bad, "room", format!("{free} MiB for submissions: too little"))
        }
        Some(free) => {
            Finding::new(Mark::Good, "room", format!("{} for submissions", gibibytes(free)))
        }
    });
    all
}

/// Returns the finding about something that has to be the same as here.
fn compared(name: &'static str, there: Result<&String, &String>, here: &str) -> Finding {
    match there {
        Ok(there) if there == here => Finding::new(Mark::Good, name, "the same as here"),
        Ok(_) => Finding::new(Mark::Bad, name, "another one than here"),
        Err(reason) => Finding::new(Mark::Bad, name, reason.as_str()),
    }
}

fn of_toolchain(probe: &Probe, here: &ProbedToolchain) -> Vec<Finding> {
    let there = match &probe.toolchain {
        Ok(there) => there,
        Err(reason) => return vec![Finding::new(Mark::Bad, "toolchain", reason.as_str())],
    };
    let (mark, text) = if there.compiler == here.compiler {
        (Mark::Good, format!("{}, the same as here", there.compiler))
    } else {
        (Mark::Bad, format!("{}, and here {}", there.compiler, here.compiler))
    };
    let mut all = vec![Finding::new(mark, "toolchain", text)];
    all.push(if there.pack != here.pack {
        let text = "it would use other ones than are used here: sources or flags differ";
        Finding::new(Mark::Bad, "libraries", text)
    } else if there.is_built {
        Finding::new(Mark::Good, "libraries", "it sees those that are built here")
    } else if here.is_built {
        let text = "it does not see those that are built here: SOFTMARK_CACHE has to name a folder that is shared";
        Finding::new(Mark::Bad, "libraries", text)
    } else {
        Finding::new(Mark::Weak, "libraries", "not built yet: the next run builds them here, once")
    });
    all
}

fn of_isolation(probe: &Probe) -> Vec<Finding> {
    let level = Level::from_name(&probe.level).unwrap_or(Level::None);
    let mark = match level {
        Level::None | Level::Strict => Mark::Bad,
        Level::Bwrap | Level::Landlock => Mark::Weak,
        Level::Full => Mark::Good,
    };
    let mut all = vec![Finding::new(mark, "isolation", format!("level `{level}`"))];
    let reasons = probe.wanting.iter();
    all.extend(
        reasons.map(|(name, why)| Finding::new(Mark::Weak, "", format!("not `{name}`: {why}"))),
    );
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn here() -> Here {
        let toolchain =
            ProbedToolchain { compiler: "rustc 1".into(), pack: "p".into(), is_built: true };
        Here { program: "a".into(), secret: "s".into(), toolchain }
    }

    fn answer(change: impl FnOnce(&mut Probe)) -> Answer {
        let Here { program, secret, toolchain } = here();
        let mut probe = Probe {
            node: "n1".into(),
            program,
            secret: Ok(secret),
            toolchain: Ok(toolchain),
            level: "full".into(),
            wanting: Vec::new(),
            processors: 4,
            free_mebibytes: Some(5000),
            took: Duration::from_secs(1),
        };
        change(&mut probe);
        Answer { probe, waited: Duration::from_millis(2500) }
    }

    /// Names of the findings with this mark.
    fn marked(answer: &Answer, mark: Mark) -> Vec<&'static str> {
        let all = of_answer(answer, &here());
        all.iter().filter(|finding| finding.mark == mark).map(|finding| finding.name).collect()
    }

    #[test]
    fn a_machine_that_is_like_this_one_can_grade() {
        let good = ["job", "program", "secret", "toolchain", "libraries", "isolation", "room"];
        assert_eq!(marked(&answer(|_| ()), Mark::Good), good);
    }

    #[test]
    fn each_difference_is_found() {
        let differs = |change: fn(&mut Probe)| marked(&answer(change), Mark::Bad);
        assert_eq!(differs(|it| it.program = "b".into()), ["program"]);
        assert_eq!(differs(|it| it.secret = Err("gone".into())), ["secret"]);
        assert_eq!(differs(|it| it.toolchain = Err("none".into())), ["toolchain"]);
        assert_eq!(differs(|it| it.level = "none".into()), ["isolation"]);
        assert_eq!(differs(|it| it.free_mebibytes = Some(3)), ["room"]);
        assert_eq!(differs(|it| it.free_mebibytes = None), ["room"]);
        let with = |compiler: &str, pack: &str, is_built| {
            let toolchain =
                ProbedToolchain { compiler: compiler.into(), pack: pack.into(), is_built };
            marked(&answer(|it| it.toolchain = Ok(toolchain)), Mark::Bad)
        };
        assert_eq!(with("rustc 2", "p", true), ["toolchain"]);
        assert_eq!(with("rustc 1", "q", true), ["libraries"]);
        assert_eq!(with("rustc 1", "p", false), ["libraries"]);
    }

    #[test]
    fn the_time_of_the_probe_itself_is_no_waiting() {
        let mut probes = Probes { clock: Clock::start(), answers: BTreeMap::new() };
        let Answer { probe, .. } = answer(|it| it.took = Duration::from_hours(1));
        probes.take(0, probe).unwrap();
        assert_eq!(probes.answers[&0].as_ref().unwrap().waited, Duration::ZERO);
        probes.give_up(1, "lost".into()).unwrap();
        assert_eq!(probes.answers[&1], Err("lost".into()));
    }
}
