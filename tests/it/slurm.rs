//! Slurm: a cluster of this machine's own grades a class, and loses nodes and its controller meanwhile.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{fs, thread};

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, geteuid};

use crate::jobs::{assert_same, grade, graded_here};
use crate::support::grade::{Desk, HOME, Ran};
use crate::support::notice::skipped;

/// Cluster that is ended with its jobs when it is dropped.
struct Cluster {
    dir: tempfile::TempDir,
}

impl Cluster {
    /// Starts a cluster; returns `None` where Slurm is missing.
    fn start(nodes: &str) -> Option<Self> {
        let is_there = |name: &str| Path::new("/usr/sbin").join(name).is_file();
        if !geteuid().is_root() || !["slurmctld", "slurmd", "munged"].iter().all(|it| is_there(it))
        {
            skipped("Slurm is not installed (slurm-wlm, munge), so nothing is graded with it");
            return None;
        }
        let cluster = Self { dir: tempfile::tempdir().unwrap() };
        let ran = cluster.script("start", &[nodes]);
        if ran.code != 0 {
            skipped(&format!("Slurm does not start here, so nothing is graded with it: {ran}"));
            return None;
        }
        Some(cluster)
    }

    #[expect(clippy::disallowed_methods, reason = "the cluster is no part of what is tested")]
    fn script(&self, name: &str, args: &[&str]) -> Ran {
        let mut command = Command::new(Path::new(HOME).join("tests/slurm").join(name));
        Ran::of(&command.arg(self.dir.path()).args(args).output().unwrap())
    }

    fn conf(&self) -> PathBuf {
        self.dir.path().join("slurm.conf")
    }

    /// Runs one of Slurm's programs.
    #[expect(clippy::disallowed_methods, reason = "the cluster is no part of what is tested")]
    fn tool(&self, program: &str, args: &[&str]) -> Ran {
        let mut command = Command::new(program);
        Ran::of(&command.args(args).env("SLURM_CONF", self.conf()).output().unwrap())
    }

    /// Kills the process of a daemon.
    fn kill(&self, daemon: &str) {
        let text = fs::read_to_string(self.dir.path().join(format!("{daemon}.pid"))).unwrap();
        kill(Pid::from_raw(text.trim().parse().unwrap()), Signal::SIGKILL).unwrap();
    }

    /// Waits until no job is left of an earlier run, whose results may be there before Slurm calls its jobs ended.
    fn rest(&self) {
        for _ in 0..600 {
            if self.tool("squeue", &["--noheader"]).stdout.is_empty() {
                return;
            }
            thread::sleep(Duration::from_millis(50));
        }
        panic!("jobs are left: {}", self.tool("squeue", &[]));
    }

    /// Waits until a job runs, and returns the name of its node.
    fn node_at_work(&self) -> String {
        for _ in 0..600 {
            let ran = self.tool("squeue", &["--noheader", "--states=RUNNING", "--format=%N"]);
            if let Some(node) = ran.stdout.lines().next().filter(|node| !node.is_empty()) {
                return node.to_owned();
            }
            thread::sleep(Duration::from_millis(50));
        }
        panic!("no job runs: {}", self.tool("squeue", &[]));
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.script("stop", &[]);
    }
}

/// Kills the processes of this cluster's jobs on a node; returns false a moment later if there are none.
fn kill_jobs_on(cluster: &Cluster, node: &str) -> bool {
    let wanted =
        [format!("SLURMD_NODENAME={node}"), format!("SLURM_CONF={}", cluster.conf().display())];
    let mut killed = false;
    for entry in fs::read_dir("/proc").unwrap().filter_map(Result::ok) {
        let Ok(pid) = entry.file_name().to_string_lossy().parse::<i32>() else { continue };
        let environ = fs::read(entry.path().join("environ")).unwrap_or_default();
        let has =
            |it: &String| environ.split(|byte| *byte == 0).any(|found| found == it.as_bytes());
        if wanted.iter().all(has) {
            killed |= kill(Pid::from_raw(pid), Signal::SIGKILL).is_ok();
        }
    }
    if !killed {
        thread::sleep(Duration::from_millis(20));
    }
    killed
}

/// Starts a run on the cluster, does something to it meanwhile, and returns what came of it.
fn meanwhile(desk: &Desk, (cluster, out): (&Cluster, &str), act: impl FnOnce()) -> Ran {
    cluster.rest();
    let mut command = desk.command();
    command.args(["class", "--out", out, "--chunks", "3", "--on", "slurm"]);
    let command = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let running = command.spawn().unwrap();
    act();
    Ran::of(&running.wait_with_output().unwrap())
}

#[test]
fn a_cluster_gives_the_same_records_whatever_it_loses() {
    let Some(cluster) = Cluster::start("3") else { return };
    let desk = graded_here().env("SLURM_CONF", cluster.conf());

    for chunks in ["1", "3", "8"] {
        let out = format!("slurm-{chunks}");
        let args = format!("class --out {out} --chunks {chunks} --on slurm");
        grade(&desk, &args, &["--", "--comment=a test"]).exit(0);
        assert_same(&desk, "local", &out);
    }

    // The processes of jobs are killed, as by a node without memory.
    let ran = meanwhile(&desk, (&cluster, "killed"), || {
        let node = cluster.node_at_work();
        // Slurm calls a job running before its processes are there.
        assert!((0..200).any(|_| kill_jobs_on(&cluster, &node)), "nothing runs on {node}");
    });
    assert!(ran.stderr.contains("has no result (Slurm calls its job"), "{ran}");
    assert_same(&desk, "local", "killed");

    // A person cancels the jobs.
    let ran = meanwhile(&desk, (&cluster, "cancelled"), || {
        cluster.node_at_work();
        cluster.tool("scancel", &["--name=softmark"]);
    });
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("the jobs were cancelled"), "{ran}");
    // The same command goes on.
    grade(&desk, "class --out cancelled --on slurm", &[]).exit(0);
    assert_same(&desk, "local", "cancelled");

    // The daemon of a node dies; its job goes on without it.
    let ran = meanwhile(&desk, (&cluster, "node"), || {
        cluster.kill(&format!("slurmd-{}", cluster.node_at_work()));
    });
    assert_eq!(ran.code, 0, "{ran}");
    assert_same(&desk, "local", "node");

    // A controller dies and comes back: it does not know the last jobs any more, and holds what they leave.
    let ran = meanwhile(&desk, (&cluster, "controller"), || {
        cluster.node_at_work();
        cluster.kill("slurmctld");
        thread::sleep(Duration::from_secs(2));
        let again = cluster.tool("slurmctld", &[]);
        assert_eq!(again.code, 0, "{again}");
    });
    // It counts jobs from an earlier number again. Where it finds an old job of the same number on a node, it ends both; then
    // the same command goes on.
    let is_cancelled = ran.code == 2 && ran.stderr.contains("the jobs were cancelled");
    assert!(ran.code == 0 || is_cancelled, "{ran}");
    if is_cancelled {
        grade(&desk, "class --out controller --on slurm", &[]).exit(0);
    }
    assert_same(&desk, "local", "controller");
}
