//! Whole runs over small classes: the same grades every time, kept, and found again.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::time::Duration;
use std::{fs, thread};

use insta::assert_snapshot;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use softmark::assignment::load;

use crate::support::grade::{Desk, HOME};
use crate::support::mask;
use crate::support::pack::pack;
use crate::support::results::cpu_seconds;

/// All points, some, none, a file that does not compile, a mistake with a name, and a folder that names
/// nothing.
fn desk() -> Desk {
    // Else whoever is first would say that it builds the libraries.
    pack();
    Desk::new()
        .class(&["amara", "bao", "chiara", "dilnoza", "hiroshi"])
        .submission("class/zed", "fixtures/class/amara")
        .file("class/zed/Cargo.toml", "[package]\nname = \"zed\"\n")
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn records(text: &str) -> Vec<Value> {
    json(text).get("records").and_then(Value::as_array).unwrap().clone()
}

/// A check of a record, by its id.
fn check<'a>(record: &'a Value, id: &str) -> &'a Value {
    let tasks = record["tasks"].as_array().unwrap().iter();
    let mut checks = tasks.flat_map(|task| task["checks"].as_array().unwrap());
    checks.find(|check| check["id"] == id).unwrap()
}

/// On this seed, counting words is right for more than the 60 % that the lowest band asks for.
#[test]
fn what_was_not_written_earns_no_band_however_well_it_is_trained() {
    pack();
    let attack = Path::new(HOME).join("fixtures/attacks/layer-that-hands-on/src/layer.rs");
    let layer = fs::read_to_string(attack).unwrap();
    let desk = Desk::new()
        .submission("class/amara", "assignments/debugging")
        .file("class/amara/src/layer.rs", &layer);
    let ran = desk.grade("class --seed 27 --format json").exit(0);
    let record = records(&ran.stdout).remove(0);
    let accuracy = record["trainings"][0]["accuracy"].as_f64().unwrap();
    assert!(accuracy > 0.6, "the seed shows nothing: {accuracy}");
    let band = check(&record, "training/accuracy-60");
    assert_eq!((&band["status"], &band["points"]), (&"blocked".into(), &0.0.into()), "{band}");
    let message = band["message"].as_str().unwrap();
    assert!(message.contains("what was learned was not learned by it"), "{message}");
}

/// Names that are in one another's way hold nobody else up, and everybody has a record.
#[test]
fn names_that_clash_cost_nobody_else_a_grade() {
    pack();
    let desk = Desk::new()
        .class(&["chiara"])
        .submission("class/amara", "fixtures/class/chiara")
        .submission("class/x\n", "fixtures/class/chiara")
        .submission("class/x%0A", "fixtures/class/chiara")
        .file("class/amara.zip", "no archive")
        .file("class/..zip", "no archive")
        .file("class/deep/src/lib.rs", "")
        .file("class/deep/Cargo.toml", &format!("a = {}", "[".repeat(9000)));
    let ran = desk.grade("class --format json").exit(2);
    let records = records(&ran.stdout);
    let outcome = |name: &str| {
        let of = |record: &&Value| record["submission"] == name;
        let record = records.iter().find(of).unwrap_or_else(|| panic!("no {name}: {ran}"));
        let text = |key: &str| record[key].as_str().unwrap_or_default().to_owned();
        (text("outcome"), text("reason"))
    };
    for graded in ["chiara", "x%0A", "x%250A"] {
        assert_eq!(outcome(graded).0, "graded", "{graded}");
    }
    for clash in ["amara", "amara.zip"] {
        let (ended, reason) = outcome(clash);
        assert_eq!(ended, "no_grade", "{clash}");
        assert!(reason.contains("are all called `amara`"), "{reason}");
    }
    let (ended, reason) = outcome("deep");
    assert_eq!(ended, "rejected");
    assert!(reason.contains("cannot be read as TOML"), "{reason}");
    assert_eq!(records.len(), 7, "{ran}");
    assert_eq!(desk.list("results/records").len(), 7);
    assert!(
        records.iter().any(|it| it["submission"].as_str().is_some_and(|it| it.starts_with(".~")))
    );
}

#[test]
fn a_class_is_graded_and_kept() {
    let desk = desk();
    let ran = desk.grade("class").exit(0);
    assert_snapshot!("class", mask::level(&mask::cost(&ran.stdout)));
    assert_eq!(ran.stderr, "kept in results\n");
    assert_eq!(desk.list("results"), [".lock", "gradebook.csv", "records", "softmark.db"]);
    let names = ["amara", "bao", "chiara", "dilnoza", "hiroshi", "zed"];
    assert_eq!(desk.list("results/records"), names.map(|name| format!("{name}.json")));
    assert_snapshot!("gradebook", desk.read("results/gradebook.csv"));

    // What was kept is what is shown.
    let dilnoza = desk.grade("show dilnoza").exit(0).stdout;
    assert_snapshot!("show.dilnoza", mask::level(&mask::hashes(&dilnoza)));
    assert_snapshot!("show.zed", mask::level(&desk.grade("show zed").exit(0).stdout));
    let hiroshi = desk.grade("show hiroshi").exit(0).stdout;
    assert!(hiroshi.contains("missing-scale: `grade explain missing-scale`"), "{hiroshi}");
    assert_snapshot!(desk.grade("show hirosh").exit(64).stderr, @r"
    error: there is no record of `hirosh` in results
    hint: did you mean `hiroshi`?
    ");
}

/// A submission with a file that does not compile is graded as if that file were untouched.
#[test]
fn a_file_that_does_not_compile_is_worth_what_a_skeleton_is() {
    let skeleton = "assignments/attention/src/multi_head.rs";
    let skeleton = fs::read_to_string(Path::new(HOME).join(skeleton)).unwrap();
    pack();
    let desk = Desk::new()
        .class(&["dilnoza"])
        .submission("class/without", "fixtures/class/dilnoza")
        .file("class/without/src/multi_head.rs", &skeleton)
        // The same files below another name, from the records of the first.
        .submission("again/dunya", "fixtures/class/dilnoza");
    let graded = records(&desk.grade("class --format json").exit(0).stdout);
    let [broken, without] = graded.as_slice() else { panic!("{graded:?}") };
    assert_eq!(broken["outcome"], "graded");
    assert!(broken["points"].as_f64().unwrap() > 15.0, "{}", broken["points"]);
    assert_eq!(broken["points"], without["points"]);
    let mut blocked = 0;
    for task in without["tasks"].as_array().unwrap() {
        for then in task["checks"].as_array().unwrap() {
            let now = check(broken, then["id"].as_str().unwrap());
            if now["status"] == "blocked" {
                assert_eq!(then["status"], "not_implemented", "{now}");
                let why = "needs build: src/multi_head.rs does not compile: error[E0308]";
                assert!(now["message"].as_str().unwrap().starts_with(why), "{now}");
                blocked += 1;
            } else {
                assert_eq!((&now["status"], &now["points"]), (&then["status"], &then["points"]));
            }
        }
    }
    assert!(blocked >= 13, "{blocked} checks of multi-head attention are blocked");
    let notes = |record: &Value| record["notes"].to_string();
    assert!(notes(broken).contains("src/multi_head.rs does not compile"), "{}", notes(broken));
    assert!(!notes(without).contains("does not compile"), "{}", notes(without));
    let again = records(&desk.grade("again --format json").exit(0).stdout);
    assert_eq!(notes(&again[0]), notes(broken));
}

#[test]
fn the_same_class_gets_the_same_grades_every_time() {
    let desk = desk();
    let first = desk.grade("class --format json --out first").exit(0);
    assert_eq!(records(&first.stdout).len(), 6);
    for line in ["--jobs 1", "--jobs 2", "--jobs 4"] {
        let again = desk.grade(&format!("class --format json --fresh --out first {line}")).exit(0);
        assert_eq!(again.stdout, first.stdout, "{line}");
        assert_eq!(again.stderr, "kept in first\n", "{line}");
    }
    let cached = desk.grade("class --format json --out first").exit(0);
    assert_eq!(cached.stdout, first.stdout);
    assert!(cached.stderr.contains("5 records of 6 from an earlier run"), "{}", cached.stderr);
    let seeded = desk.grade("class --format json --seed 2 --out first").exit(0);
    assert_eq!(seeded.stderr, "kept in first\n", "another seed is another grade");
    let points = |text: &str| -> Vec<Value> {
        records(text).iter().map(|record| record["points"].clone()).collect()
    };
    assert_eq!(points(&seeded.stdout), points(&first.stdout));
}

#[test]
fn one_check_can_be_run_again() {
    let desk = desk();
    let whole = desk.grade("class --format json").exit(0);
    let kept = desk.read("results/gradebook.csv");
    let hiroshi = &records(&whole.stdout)[4];
    let id = "scaled-dot-product/matches-reference";
    let failed = check(hiroshi, id);
    let replay = failed["replay"].as_str().unwrap();
    assert_eq!(replay, format!("grade class/hiroshi --only {id} --seed 1"));
    let line = format!("{} --format json", replay.strip_prefix("grade ").unwrap());
    let again = desk.grade(&line).exit(0);
    assert_eq!(again.stderr, "");
    let again = &records(&again.stdout)[0];
    assert_eq!(check(again, id), failed);
    assert_eq!(again["tasks"].as_array().unwrap().len(), 1);
    assert_eq!(again["max_points"], failed["max_points"]);
    assert_eq!(desk.read("results/gradebook.csv"), kept, "a part takes no whole one's place");
}

#[test]
fn grading_one_again_does_not_lose_the_class() {
    let desk = desk();
    desk.grade("class").exit(0);
    let before = desk.read("results/gradebook.csv");
    let desk = desk.submission("class/chiara", "fixtures/class/amara");
    desk.grade("class/chiara").exit(0);
    let after = desk.read("results/gradebook.csv");
    let rows = |text: &str, but: &str| -> Vec<String> {
        text.lines().filter(|row| !row.starts_with(but)).map(str::to_owned).collect()
    };
    assert_eq!(rows(&after, "chiara"), rows(&before, "chiara"));
    assert_ne!(after, before);
    let again = desk.grade("class").exit(0);
    assert!(again.stderr.contains("5 records of 6"), "{}", again.stderr);
}

#[test]
fn an_earlier_record_is_taken_under_the_new_name() {
    let desk = desk();
    desk.grade("class/hiroshi --format json").exit(0);
    let desk = desk.submission("other/hana", "fixtures/class/hiroshi");
    let cached = desk.grade("other/hana --format json").exit(0);
    assert!(cached.stderr.contains("1 record of 1"), "{}", cached.stderr);
    let fresh = desk.grade("other/hana --format json --fresh").exit(0);
    assert_eq!(cached.stdout, fresh.stdout);
    assert!(fresh.stdout.contains("grade other/hana --only "));
}

#[test]
fn a_low_grade_can_be_an_exit_code() {
    let desk = desk();
    desk.grade("class/amara --require 100").exit(0);
    let ran = desk.grade("class --require 80").exit(1);
    assert_snapshot!(ran.stderr, @r"
    kept in results
    1 record of 6 from an earlier run; --fresh grades again
    warning: 4 grades are below 80 %: bao, chiara, dilnoza, zed
    ");
    desk.grade("class/chiara --require 0").exit(0);
    desk.grade("class/zed --require 1").exit(1);
}

#[test]
fn without_a_place_to_compile_nothing_is_graded() {
    let desk = desk();
    desk.grade("class/amara").exit(0);
    let before = desk.read("results/gradebook.csv");
    let desk = desk.env("TMPDIR", "/nowhere");
    let ran = desk.grade("class/amara class/chiara --fresh --format json").exit(2);
    assert_eq!(ran.stdout, "");
    assert_snapshot!(ran.stderr, @r"
    error: cannot write in /nowhere: entity not found
    hint: nothing was graded; set TMPDIR to a folder with room
    ");
    assert_eq!(desk.read("results/gradebook.csv"), before, "no record takes a grade's place");
}

#[test]
fn what_was_graded_before_an_interruption_is_kept() {
    let desk = desk();
    let mut child = desk.command().args(["class", "--jobs", "1"]).spawn().unwrap();
    for _ in 0..1200 {
        if desk.list("results/records").contains(&"bao.json".to_owned()) {
            break;
        }
        thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let ran = desk.grade("class").exit(0);
    let earlier: usize = ran
        .stderr
        .lines()
        .find_map(|line| line.split_once(" records of 6").map(|(count, _)| count.parse().unwrap()))
        .unwrap_or_else(|| panic!("{ran}"));
    assert!((2..=5).contains(&earlier), "{ran}");
}

#[test]
fn a_run_that_is_broken_off_leaves_nothing_behind() {
    let desk = desk().file("scratch/readme", "");
    let scratch = desk.path("scratch");
    let desk = desk.env("TMPDIR", scratch);
    let mut child = desk.command().args(["class", "--jobs", "2"]).spawn().unwrap();
    while desk.list("scratch").len() < 2 {
        assert_eq!(child.try_wait().unwrap(), None, "too soon");
        thread::sleep(Duration::from_millis(5));
    }
    let pid = Pid::from_raw(child.id().try_into().unwrap());
    // Not SIGINT, which a shell tells its background jobs to ignore: these tests may be one.
    kill(pid, Signal::SIGTERM).unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.signal(), Some(15), "a shell is told that it was broken off");
    assert_eq!(desk.list("scratch"), ["readme"]);
}

#[test]
fn a_submission_may_be_called_like_a_command() {
    let desk = Desk::new()
        .submission("show", "fixtures/class/chiara")
        .submission("it's me", "fixtures/class/chiara");
    let ran = desk.grade("./show --format json").exit(0);
    let record = &records(&ran.stdout)[0];
    assert_eq!(record["submission"], "show");
    assert_eq!(record["points"], 0.0);
    let output = desk.command().args(["it's me", "--format", "json"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(r"grade './it'\\''s me' --only scaled-dot-product/"), "{text}");
    fs::remove_dir_all(desk.path("show")).unwrap();
}

#[test]
fn one_submission_is_written_for_gradescope() {
    let desk = desk();
    let direct = desk.grade("class/hiroshi --format gradescope").exit(0).stdout;
    let shown = desk.grade("show hiroshi --format gradescope").exit(0).stdout;
    let (mut direct, shown) = (json(&direct), json(&shown));
    // What grading took is known where it was done, and is part of no record.
    let took = direct.as_object_mut().unwrap().remove("execution_time").unwrap();
    assert!(took.as_f64().is_some_and(|seconds| seconds > 0.0), "{took}");
    assert_eq!(shown, direct);
    assert!(direct["tests"].is_array());
}

/// The limit on the cost of grading a submission (`[submission]`) is derived from the cost of the solution:
/// high enough that no accepted variant comes near, and low enough that nobody holds up a class.
///
/// `SOFTMARK_TEST_LONG=1` grades the solution of every assignment, otherwise the one that costs least.
#[test]
fn a_submission_may_cost_many_times_what_the_solution_costs() {
    pack();
    let is_long = std::env::var_os("SOFTMARK_TEST_LONG").is_some();
    let all = ["attention", "encoder", "debugging", "modern", "prefix-tuning"];
    for id in all.iter().take(if is_long { all.len() } else { 1 }) {
        let allowed = load(Path::new(HOME), id).unwrap().deadline.cpu.as_secs();
        let desk = Desk::new().submission("solution", &format!("solutions/{id}"));
        desk.grade("solution --format json").exit(0);
        let cost = cpu_seconds(&desk.path("results"), "solution").unwrap();
        println!("{id}: {cost} s, and {allowed} s are allowed");
        // Wide: what is measured differs by a factor of two from machine to machine.
        assert!(4 * cost <= allowed, "{id}: costs {cost} s, and only {allowed} s are allowed");
        assert!(allowed <= 100 * cost, "{id}: costs {cost} s, and {allowed} s are allowed");
    }
}
