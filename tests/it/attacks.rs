//! The attack corpus: submissions that want points they have not earned, or something of the machine
//! that grades them, beside honest ones.
//!
//! All attacks are tried at the best level that the machine has; those that isolation or a limit stops are tried at
//! `landlock` as well. `SOFTMARK_TEST_LEVELS=full,landlock` names the isolation levels to try, each with all attacks;
//! `SOFTMARK_TEST_ATTACKS=exit-in-drop,daemon` the attacks; `SOFTMARK_TEST_LONG=1` adds the attacks
//! that take a minute each, and a second run in another order.

mod record;
mod says;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::Value;

use crate::attacks::record::{differing, gains, in_short, shows, successes, verdicts};
use crate::support::attacks::{Attack, corpus};
use crate::support::environment::Environment;
use crate::support::grade::Ran;
use crate::support::notice::skipped;
use crate::support::pack::{cache, pack};
use crate::support::reading::{letters_that_hide, well_formed};
use crate::support::results::cpu_seconds;
use crate::support::traces::{Machine, marks, processes, wipe};

/// Honest submissions, of every kind that there is: right, in part, wrong, broken, and at a limit.
const HONEST: [&str; 8] =
    ["amara", "bao", "chiara", "dilnoza", "farid", "greta", "hiroshi", "mateo"];

/// The levels of isolation, the weakest first.
const LEVELS: [&str; 5] = ["none", "strict", "landlock", "bwrap", "full"];

/// What grade is told when it is to choose the level itself.
const BEST: &str = "best";

#[expect(clippy::disallowed_methods, reason = "what this test is asked for is not the program's")]
fn asked(name: &str) -> Option<Vec<String>> {
    let text = std::env::var(name).ok().filter(|text| !text.is_empty())?;
    Some(text.split(',').map(str::to_owned).collect())
}

fn is_long() -> bool {
    asked("SOFTMARK_TEST_LONG").is_some()
}

/// The attacks to carry out.
fn attacks() -> Vec<Attack> {
    let only = asked("SOFTMARK_TEST_ATTACKS");
    let wanted = |attack: &Attack| match &only {
        Some(only) => only.contains(&attack.name),
        None => is_long() || !attack.expect.slow,
    };
    corpus().into_iter().filter(wanted).collect()
}

/// Options that ask for a level.
fn options(level: &str) -> Vec<&str> {
    match level {
        BEST => Vec::new(),
        "none" => vec!["--run-unsandboxed"],
        // Nothing is compiled at that level: only what runs is isolated so.
        "strict" => vec!["--workers-at", "strict"],
        level => vec!["--isolation", level],
    }
}

/// A graded class.
struct Graded {
    /// What isolated it.
    sandbox: String,
    /// Its records, by their names.
    records: BTreeMap<String, Value>,
    ran: Ran,
}

impl Graded {
    fn read(ran: Ran) -> Self {
        let document: Value = serde_json::from_str(&ran.stdout)
            .unwrap_or_else(|error| panic!("no document: {error}\n{ran}"));
        let records = document.get("records").and_then(Value::as_array).unwrap().iter();
        let name = |record: &Value| record["submission"].as_str().unwrap().to_owned();
        Self {
            sandbox: document
                .pointer("/grader/sandbox")
                .and_then(Value::as_str)
                .unwrap()
                .to_owned(),
            records: records.map(|record| (name(record), record.clone())).collect(),
            ran,
        }
    }

    /// The record of that name.
    fn of(&self, name: &str) -> &Value {
        self.records.get(name).unwrap_or_else(|| panic!("there is no record of {name}"))
    }
}

/// Grades the class in the environment; its results go to a folder of their own.
fn grade(environment: &Environment, level: &str, jobs: &str) -> Graded {
    let mut args = vec!["class", "--format", "json", "--fresh", "--jobs", jobs];
    args.extend(options(level));
    Graded::read(environment.grade(&args))
}

/// An environment with the honest submissions in it.
fn honest() -> Environment {
    let environment = Environment::new();
    for name in HONEST {
        environment.welcome(name);
    }
    environment
}

/// Whether an attack is to be stopped at this level.
fn is_stopped(attack: &Attack, level: &str) -> bool {
    let place = |level: &str| LEVELS.iter().position(|it| *it == level);
    let from = attack.expect.stopped.as_ref().map_or("strict", |stopped| &stopped.from);
    place(level).unwrap() >= place(from).unwrap()
}

/// Every way in which the reports of a class let a student's text do more than be read.
fn unsafe_reports(environment: &Environment, level: &str) -> Vec<String> {
    let mut found = Vec::new();
    for format in ["terminal", "json", "junit", "html", "csv"] {
        // From the records of the run before, all but a few.
        let mut args = vec!["class", "--format", format];
        args.extend(options(level));
        let ran = environment.grade(&args);
        for (stream, text) in [("stdout", &ran.stdout), ("stderr", &ran.stderr)] {
            if let Some(letter) = letters_that_hide(text) {
                found.push(format!("{format}: {letter:?} on {stream}"));
            }
            if text.contains(&environment.canary) {
                found.push(format!("{format}: {stream} holds what was stolen"));
            }
        }
        if let Err(error) = well_formed(format, &ran.stdout) {
            found.push(format!("{format}: {error}"));
        }
    }
    found
}

/// Grades all attacks beside honest submissions at a level; tells all that is not as it should be. `alone` is what the
/// honest ones get by themselves, at any level.
fn problems_at(level: &str, attacks: &[Attack], alone: &Graded) -> Vec<String> {
    let environment = honest();
    for attack in attacks {
        environment.admit(attack, None);
    }
    let before = machine(&environment);
    let graded = grade(&environment, level, "2");
    let mut problems = Vec::new();
    if graded.ran.code != 0 {
        problems.push(format!("exit code {}: {}", graded.ran.code, graded.ran.stderr));
    }
    // Whatever `grade` chose itself is one of them.
    let level_is = if LEVELS.contains(&level) { level } else { graded.sandbox.as_str() };
    for name in HONEST {
        if graded.records.get(name) != alone.records.get(name) {
            let (now, then) = (graded.of(name), alone.of(name));
            problems.push(format!("{name} is not what it was alone:\n{}", differing(now, then)));
        }
    }
    for attack in attacks {
        let mut tell = |what: String| problems.push(format!("{}: {what}", attack.name));
        let Some(record) = graded.records.get(attack.record()) else {
            tell(format!("there is no record of {}", attack.record()));
            continue;
        };
        gains(attack, record).into_iter().for_each(&mut tell);
        if let Some(most) = attack.expect.most_cpu {
            match cpu_seconds(&environment.desk.path("results"), attack.record()) {
                Some(cost) if cost <= most => {}
                cost => tell(format!("cost {cost:?} s of processor time, and may cost {most} s")),
            }
        }
        if !shows(record, &attack.expect.trace) {
            tell(format!("nothing shows that it was carried out: {}", in_short(record)));
        }
        if is_stopped(attack, level_is) {
            successes(attack, record, &environment).into_iter().for_each(&mut tell);
        }
    }
    problems.extend(leftovers(&environment, &before));
    let mut told: BTreeSet<String> = BTreeSet::new();
    for text in [&graded.ran.stdout, &graded.ran.stderr] {
        if text.contains(&environment.canary) {
            told.insert("what was stolen is in the output".to_owned());
        }
    }
    problems.extend(told);
    problems.extend(unsafe_reports(&environment, level));
    if is_long() {
        problems.extend(in_another_order(level, attacks, &graded));
    }
    wipe(&environment.desk.path(""));
    problems
}

/// Returns the folder of the packs of all courses.
fn packs() -> PathBuf {
    cache().join("packs")
}

/// The machine now, with the environment's project and the pack that it is graded with.
fn machine(environment: &Environment) -> Machine {
    Machine::look(&environment.desk.path("home"), &packs().join(pack().key()))
}

/// What is left on the machine.
fn leftovers(environment: &Environment, before: &Machine) -> Vec<String> {
    let here = environment.desk.path("");
    let mut found = machine(environment).differences(before);
    // Other tests build packs beside the one that is in use, so names alone show what is new there.
    let left = [marks(&here), marks(&packs())].concat();
    found.extend(left.into_iter().map(|path| format!("{path} is left")));
    found.extend(processes(&here, &[]).into_iter().map(|it| format!("a process is left: {it}")));
    let scratch = environment.desk.list("tmp");
    found.extend(scratch.into_iter().map(|name| format!("{name} is left in TMPDIR")));
    found
}

/// The verdicts are the same when the submissions come in another order, one at a time.
fn in_another_order(level: &str, attacks: &[Attack], first: &Graded) -> Vec<String> {
    let environment = honest();
    for (place, attack) in attacks.iter().rev().enumerate() {
        environment.admit(attack, Some(&format!("{place:03}")));
    }
    let again = grade(&environment, level, "1");
    let mut problems = Vec::new();
    for (place, attack) in attacks.iter().rev().enumerate() {
        let (now, then) = (again.of(&format!("{place:03}")), first.of(attack.record()));
        if verdicts(now) != verdicts(then) {
            problems.push(format!(
                "{}: another verdict in another order: {}",
                attack.name,
                in_short(now)
            ));
        }
    }
    for name in HONEST {
        if again.of(name) != first.of(name) {
            problems.push(format!("{name}: another record in another order"));
        }
    }
    wipe(&environment.desk.path(""));
    problems
}

/// Returns true if all attacks are tried at every level: in a long test, and if levels are asked for. Otherwise the other levels than the
/// first get the attacks that isolation or a limit stops.
fn all_levels_are_whole() -> bool {
    is_long() || asked("SOFTMARK_TEST_LEVELS").is_some()
}

/// The levels to try: those asked for, else what `grade` chooses and the one below namespaces.
fn levels() -> Vec<String> {
    let wanted = asked("SOFTMARK_TEST_LEVELS");
    let is_asked = wanted.is_some();
    let wanted = wanted.unwrap_or_else(|| vec![BEST.to_owned(), "landlock".to_owned()]);
    let environment = Environment::new();
    environment.admit(corpus().first().unwrap(), Some("one"));
    let mut levels = Vec::new();
    let mut seen = BTreeSet::new();
    for level in wanted {
        let mut args = vec!["class", "--format", "json", "--only", "*/shapes", "--fresh"];
        args.extend(options(&level));
        let ran = environment.grade(&args);
        if ran.code != 0 {
            assert!(!is_asked, "level {level} was asked for, and cannot be had: {ran}");
            skipped(&format!("attacks at level `{level}`, which this machine does not have"));
            continue;
        }
        if seen.insert(Graded::read(ran).sandbox) {
            levels.push(level);
        }
    }
    assert!(!levels.is_empty(), "no level can be had");
    levels
}

/// One test, since both halves look for the same files in the machine's shared folders.
#[test]
fn attacks_work_without_a_sandbox_and_change_nothing_inside_one() {
    pack();
    let mut problems = problems_without_a_sandbox();
    let (attacks, levels) = (attacks(), levels());
    let alone = grade(&honest(), levels.first().unwrap(), "2");
    for (place, level) in levels.iter().enumerate() {
        let is_tried =
            |attack: &&Attack| place == 0 || all_levels_are_whole() || attack.tries_the_machine();
        let tried: Vec<Attack> = attacks.iter().filter(is_tried).cloned().collect();
        let found = problems_at(level, &tried, &alone);
        problems.extend(found.into_iter().map(|problem| format!("[{level}] {problem}")));
    }
    assert!(problems.is_empty(), "\n{} problems\n{}\n", problems.len(), problems.join("\n"));
}

/// The attacks that fail without a sandbox too: what stops them in it would be a mistake in them.
fn problems_without_a_sandbox() -> Vec<String> {
    let mut environment = Environment::new();
    let mut problems = Vec::new();
    let mut tried = 0;
    for attack in attacks().iter().filter(|attack| attack.is_control()) {
        // Alone: what it harms is put back before the next one comes.
        environment.tidy();
        environment.admit(attack, None);
        // A neighbour to steal from; one whose classifier is not written is not trained either.
        environment.welcome("bao");
        let graded = grade(&environment, "none", "1");
        let record = graded.of(attack.record());
        if successes(attack, record, &environment).is_empty() {
            problems.push(format!("[none] {} does not work: {}", attack.name, in_short(record)));
        }
        tried += 1;
        wipe(&environment.desk.path(""));
    }
    assert!(tried > 0 || asked("SOFTMARK_TEST_ATTACKS").is_some());
    problems
}

/// Without a sandbox, code can replace every file that it finds; a later submission must need none of them.
#[test]
fn without_a_sandbox_a_later_submission_has_programs_of_its_own() {
    pack();
    let attacks = corpus();
    let attack = attacks.iter().find(|it| it.name == "poisons-the-neighbours").unwrap();
    let graded = |is_attacked: bool| {
        let environment = Environment::new();
        // One that is trained, and so needs the program of the solution.
        environment.welcome("oskar");
        if is_attacked {
            environment.admit(attack, Some("aaa"));
        }
        let graded = grade(&environment, "none", "1");
        wipe(&environment.desk.path(""));
        graded
    };
    let (alone, beside) = (graded(false), graded(true));
    assert!(shows(beside.of("aaa"), "attempted"), "{}", in_short(beside.of("aaa")));
    assert_eq!(beside.of("oskar"), alone.of("oskar"));
}
