//! What isolation costs: starting a program, and compiling a submission, at every level in turn.
//!
//! `cargo bench --profile dev --bench isolation`

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark prints times, reads the clock, and stops where it cannot go on"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use softmark::build::{Pack, ProgramSpec, Source, StudentCrates, Tools};
use softmark_sandbox::{Access, Job, Level, Limits, Sandbox, verify_level};

const STARTS: usize = 60;
const BUILDS: usize = 10;
const HOME: &str = env!("CARGO_MANIFEST_DIR");

fn main() {
    let grade = PathBuf::from(env!("CARGO_BIN_EXE_grade"));
    let levels: Vec<Level> =
        Level::ALL.into_iter().rev().filter(|level| verify_level(&grade, *level).is_ok()).collect();
    let packs: Vec<Pack> = levels.iter().map(|level| pack(&grade, *level)).collect();
    let scratch = tempfile::tempdir().unwrap();
    let program = no_op(packs.first().unwrap(), scratch.path());
    let mut starts = vec![Vec::new(); levels.len()];
    for _ in 0..STARTS {
        for (level, times) in levels.iter().zip(&mut starts) {
            let sandbox = Sandbox::new(grade.clone(), *level);
            times.push(timed(|| drop(sandbox.run(&job(&program)).unwrap())));
        }
    }
    println!("starting and ending a program, {STARTS} times each in turn");
    report(&levels, &starts);
    let source = solution();
    let mut builds = vec![Vec::new(); levels.len()];
    for _ in 0..BUILDS {
        for (pack, times) in packs.iter().zip(&mut builds) {
            let scratch = tempfile::tempdir().unwrap();
            times.push(timed(|| drop(pack.compile(&source, &[worker()], scratch.path()).unwrap())));
        }
    }
    println!("\ncompiling and linking a submission, {BUILDS} times each in turn");
    report(&levels, &builds);
}

fn pack(grade: &Path, level: Level) -> Pack {
    let sandbox = Sandbox::new(grade.to_owned(), level);
    let tools = Tools { sandbox, env: std::env::vars_os().collect() };
    let home = Path::new(HOME);
    Pack::prepare(&tools, home, &home.join("target/softmark-pack"), &mut |_| ()).unwrap()
}

fn no_op(pack: &Pack, scratch: &Path) -> PathBuf {
    let spec = ProgramSpec {
        name: "nothing".to_owned(),
        main: "fn main() {}".to_owned(),
        libraries: Vec::new(),
        crates: StudentCrates { kit: "attention_spec".to_owned(), ..StudentCrates::default() },
    };
    let source = Source::from([("lib.rs".to_owned(), Vec::new())]);
    pack.compile(&source, &[spec], scratch).unwrap().into_result().unwrap().programs["nothing"]
        .clone()
}

fn worker() -> ProgramSpec {
    let main = "fn main() -> std::process::ExitCode { \
        softmark_worker::serve(attention_spec::adapter::components::<submission::Submission>) }";
    ProgramSpec {
        name: "worker".to_owned(),
        main: main.to_owned(),
        libraries: vec!["softmark_worker".to_owned(), "attention_spec".to_owned()],
        crates: StudentCrates { kit: "attention_spec".to_owned(), ..StudentCrates::default() },
    }
}

fn solution() -> Source {
    let files = fs::read_dir(Path::new(HOME).join("solutions/attention/src")).unwrap();
    let files = files.map(|entry| entry.unwrap());
    files
        .map(|file| (file.file_name().into_string().unwrap(), fs::read(file.path()).unwrap()))
        .collect()
}

fn job(program: &Path) -> Job {
    Job {
        program: program.to_owned(),
        args: Vec::new(),
        env: BTreeMap::new(),
        dir: PathBuf::from("/"),
        limits: Limits::generous(),
        access: Access::ComputeOnly,
    }
}

fn timed(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

/// Least and median of each level, and how the median compares with no isolation.
fn report(levels: &[Level], times: &[Vec<Duration>]) {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    let median = |times: &[Duration]| {
        let mut times = times.to_vec();
        times.sort();
        milliseconds(times[times.len() / 2])
    };
    let bare = times.first().map_or(0.0, |times| median(times));
    for (level, times) in levels.iter().zip(times) {
        let least = milliseconds(*times.iter().min().unwrap());
        let (median, name) = (median(times), level.as_str());
        let (more, ratio) = (median - bare, median / bare);
        println!(
            "{name:<9} least {least:7.1} ms   median {median:7.1} ms   {more:+6.1} ms   ×{ratio:.2}"
        );
    }
}
