//! Regrades: what is run again after a change, and that the records are those of grading from scratch.

mod command;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use globset::Glob;
use softmark::intake::Names;
use softmark::model::{Grader, Record};
use softmark::pipeline::{Archive, Event, Forced, GradingRun, Options, Scratch, survey};
use softmark::suite::{Catalog, Project};
use softmark_exam::{Sources, Suite};
use softmark_sandbox::Sandbox;
use softmark_untrusted::Untrusted;

use crate::support::exams::suites;
use crate::support::grade::{Desk, HOME, copy};
use crate::support::pack::{grade, pack, tools};

/// All checks but those of trainings, which take seconds each.
const NO_TRAINING: &str = "[!t]*/*";

/// A class, graded by programs that differ in what they were compiled from.
struct Class {
    desk: Desk,
    only: Option<&'static str>,
}

/// Records of a run, and the work that it did.
struct Graded {
    records: BTreeMap<String, Record>,
    /// Checks that were run, by submission; trainings are named by their task.
    ran: BTreeMap<String, BTreeSet<String>>,
    /// Submissions that were compiled.
    compiled: BTreeSet<String>,
}

impl Graded {
    fn ran(&self, submission: &str) -> Vec<&str> {
        self.ran.get(submission).into_iter().flatten().map(String::as_str).collect()
    }

    /// The documents of the records, as they are kept.
    fn documents(&self) -> BTreeMap<&str, String> {
        let each = self.records.iter();
        each.map(|(name, it)| (name.as_str(), serde_json::to_string_pretty(it).unwrap())).collect()
    }
}

/// The exam `attention`, compiled from other sources.
fn exam(change: impl FnOnce(&mut Vec<(&'static str, &'static str)>, &mut Sources)) -> Catalog {
    let mut suite: Suite = attention_exam::SUITE;
    let mut checks = suite.sources.checks.to_vec();
    change(&mut checks, &mut suite.sources);
    suite.sources.checks = Vec::leak(checks);
    Catalog::new(Vec::leak(vec![suite]))
}

/// The exam in which these checks run other code.
fn with_changed(ids: &[&str]) -> Catalog {
    exam(|checks, _| {
        for id in ids {
            let (_, digest) = checks.iter_mut().find(|(check, _)| check == id).unwrap();
            *digest = "another digest";
        }
    })
}

fn unchanged() -> Catalog {
    with_changed(&[])
}

impl Class {
    fn new(names: &[&str]) -> Self {
        pack();
        let desk = Desk::new().class(names);
        copy(
            &Path::new(HOME).join("assignments/attention"),
            &desk.path("home/assignments/attention"),
        );
        Self { desk, only: Some(NO_TRAINING) }
    }

    fn home(&self) -> PathBuf {
        self.desk.path("home")
    }

    fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.desk.read(path);
        assert!(text.contains(from), "{path} has no {from}");
        fs::write(self.desk.path(path), text.replacen(from, to, 1)).unwrap();
    }

    /// Grades the class into a folder of results.
    fn grade(&self, catalog: Catalog, out: &str) -> Graded {
        self.grade_again(catalog, out, Forced::new())
    }

    fn grade_again(&self, catalog: Catalog, out: &str, forced: Forced) -> Graded {
        let home = self.home();
        let project = Project { home: &home, catalog };
        let only = self.only.map(|only| Glob::new(only).unwrap().compile_matcher());
        let paths = [self.desk.path("class")];
        let found = survey(project, (&paths, &Names::default()), None, only.as_ref()).unwrap();
        let grader = Grader {
            version: "1".into(),
            seed: Some(1),
            device: "cpu".into(),
            sandbox: "full".into(),
        };
        let scratch = tempfile::tempdir().unwrap();
        let options = Options {
            program: grade_program(),
            scratch: Scratch::make(scratch.path()).unwrap(),
            seed: 1,
            secret: "tests".to_owned(),
            device: "cpu".to_owned(),
            only: self.only.map(str::to_owned),
            fresh: false,
            forced,
            brief: false,
        };
        let archive = Archive::open(&self.desk.path(out), (&grader, &[]), 0).unwrap();
        let sandbox: Sandbox = tools().sandbox;
        let run = GradingRun::new(&found, (&sandbox, pack()), &options, Some(archive)).unwrap();
        let mut graded =
            Graded { records: BTreeMap::new(), ran: BTreeMap::new(), compiled: BTreeSet::new() };
        let mut hear = |event: Event| match event {
            Event::Checking { submission, check } => {
                graded.ran.entry(submission.to_string()).or_default().insert(check.to_owned());
            }
            Event::Compiling { submission } => {
                graded.compiled.insert(submission.to_string());
            }
            Event::Started { .. } | Event::Finished { .. } => {}
        };
        let records = run.grade_all(&found, NonZeroUsize::MIN, &mut hear).unwrap();
        graded.records = records.into_iter().map(|it| (it.submission.to_string(), it)).collect();
        graded
    }
}

fn grade_program() -> PathBuf {
    grade()
}

/// Full marks, two tasks of seven, the skeleton, and a mistake with a name.
const NAMES: [&str; 4] = ["amara", "bao", "chiara", "hiroshi"];

const CHANGED: &str = "multi-head/unequal-lengths";

#[test]
fn after_a_changed_check_that_check_alone_is_run() {
    let class = Class::new(&NAMES);
    let first = class.grade(unchanged(), "results");
    assert!(NAMES.iter().all(|name| first.ran(name).len() > 40), "{:?}", first.ran);
    let again = class.grade(unchanged(), "results");
    assert!(again.ran.is_empty() && again.compiled.is_empty());
    let changed = class.grade(with_changed(&[CHANGED]), "results");
    for name in NAMES {
        assert_eq!(changed.ran(name), [CHANGED], "{name}");
    }
    // Now all results are those of the changed program; those of the first one are still known.
    for catalog in [with_changed(&[CHANGED]), unchanged()] {
        let again = class.grade(catalog, "results");
        assert!(again.ran.is_empty() && again.compiled.is_empty());
    }
    assert_eq!(changed.documents(), first.documents(), "the check is the same");
}

#[test]
fn a_record_of_earlier_results_is_the_record_of_grading_from_scratch() {
    let class = Class::new(&[
        // Panics, a loop that never ends, a file that does not compile, and one that prints everything.
        "amara", "bao", "dilnoza", "efua", "farid", "hiroshi", "jakub", "leilani",
    ]);
    let scratch = class.grade(unchanged(), "scratch");
    let ids: Vec<&str> = attention_exam::SUITE.sources.checks.iter().map(|(id, _)| *id).collect();
    let known: BTreeSet<&str> =
        (attention_exam::SUITE.checks)().iter().map(|entry| entry.check.id).collect();
    let ids: Vec<&str> = ids.into_iter().filter(|id| known.contains(id)).collect();
    class.grade(unchanged(), "results");
    // Every fifth check, from another one on in each round, and a whole task.
    let rounds = (0..3).map(|first| ids.iter().copied().skip(first).step_by(5).collect());
    let task = ids.iter().copied().filter(|id| id.starts_with("multi-head/")).collect();
    for changed in rounds.chain([task]) {
        let changed: Vec<&str> = changed;
        let merged = class.grade(with_changed(&changed), "results");
        assert_eq!(merged.documents(), scratch.documents(), "{changed:?}");
        let files = fs::read_dir(class.desk.path("results/records")).unwrap();
        for file in files.map(|file| file.unwrap().path()) {
            let name = file.file_name().unwrap();
            let other = class.desk.path("scratch/records").join(name);
            assert_eq!(fs::read(&file).unwrap(), fs::read(other).unwrap(), "{}", file.display());
        }
    }
}

#[test]
fn other_points_and_titles_run_nothing_and_make_a_new_record() {
    let class = Class::new(&NAMES);
    let first = class.grade(unchanged(), "results");
    let path = "home/assignments/attention/assignment.toml";
    let text = class.desk.read(path);
    let title = text.lines().find(|line| line.starts_with("title = ")).unwrap().to_owned();
    class.edit(path, &title, "title = \"Another title\"");
    // Twice the points of everything.
    let doubled: Vec<String> = class.desk.read(path).lines().map(doubled).collect();
    fs::write(class.desk.path(path), doubled.join("\n")).unwrap();
    let again = class.grade(unchanged(), "results");
    assert!(again.ran.is_empty() && again.compiled.is_empty());
    for name in NAMES {
        let (before, after) = (&first.records[name], &again.records[name]);
        assert_eq!(after.points.hundredths(), 2 * before.points.hundredths(), "{name}");
        assert_eq!(after.max_points.hundredths(), 2 * before.max_points.hundredths());
    }
    assert_eq!(again.documents(), class.grade(unchanged(), "scratch").documents());
}

/// A line of an `assignment.toml` with twice the points.
fn doubled(line: &str) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    for at in 0..words.len() {
        if words[at] == "points" && words.get(at + 1).is_some_and(|it| it == "=") {
            let value = words[at + 2].trim_end_matches([',', '}']).to_owned();
            let twice = 2.0 * value.parse::<f64>().unwrap();
            words[at + 2] = words[at + 2].replace(&value, &format!("{twice:.2}"));
        }
    }
    words.join(" ")
}

#[test]
fn other_mistakes_are_looked_for_without_running_a_check() {
    let class = Class::new(&NAMES);
    let first = class.grade(unchanged(), "results");
    let is_named = |record: &Record| {
        let mut checks = record.tasks.iter().flat_map(|task| &task.checks);
        checks.any(|check| check.mistake.is_some())
    };
    assert!(is_named(&first.records["hiroshi"]) && !is_named(&first.records["amara"]));
    let catalog = exam(|_, sources| sources.diagnosis = Some("another digest"));
    let again = class.grade(catalog, "results");
    assert!(again.ran.is_empty(), "{:?}", again.ran);
    assert!(again.compiled.contains("hiroshi") && !again.compiled.contains("amara"));
    assert_eq!(again.documents(), first.documents());
}

#[test]
fn a_submission_that_changed_is_graded_as_a_whole_and_no_other_is() {
    let class = Class::new(&["amara", "bao"]);
    let first = class.grade(unchanged(), "results");
    let path = class.desk.path("class/amara/src/attention.rs");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}\n// Changed.\n")).unwrap();
    let again = class.grade(unchanged(), "results");
    assert_eq!(again.ran("amara"), first.ran("amara"));
    assert!(again.ran("bao").is_empty());
}

/// A process that ends has an influence on the checks after it, so such a record is one result.
#[test]
fn a_submission_that_ended_its_process_is_graded_as_a_whole() {
    let class = Class::new(&["amara"]);
    let path = "class/amara/src/attention.rs";
    let text = class.desk.read(path);
    let at = text.find("fn attend").unwrap();
    let open = at + text[at..].find("{\n").unwrap() + 1;
    let ends = format!("{}\n        std::process::exit(0);{}", &text[..open], &text[open..]);
    fs::write(class.desk.path(path), ends).unwrap();
    let first = class.grade(unchanged(), "results");
    let statuses: BTreeSet<&str> = first.records["amara"]
        .tasks
        .iter()
        .flat_map(|task| &task.checks)
        .map(|check| check.status.as_str())
        .collect();
    assert!(statuses.contains("fault") && statuses.contains("blocked"), "{statuses:?}");
    let changed = class.grade(with_changed(&[CHANGED]), "results");
    assert_eq!(changed.ran("amara"), first.ran("amara"));
    assert_eq!(changed.documents(), first.documents());
    let again = class.grade(with_changed(&[CHANGED]), "results");
    assert!(again.ran.is_empty() && again.compiled.is_empty(), "as a whole it is reused");
}

#[test]
fn named_checks_are_run_again_whatever_their_keys_say() {
    let class = Class::new(&["amara", "bao"]);
    let first = class.grade(unchanged(), "results");
    let forced = BTreeSet::from([CHANGED.to_owned()]);
    let forced = Forced::from([(Untrusted::from("bao"), forced)]);
    let again = class.grade_again(unchanged(), "results", forced);
    assert_eq!(again.ran("bao"), [CHANGED]);
    assert!(again.ran("amara").is_empty());
    assert_eq!(again.documents(), first.documents());
}

#[test]
fn a_training_is_run_again_if_its_own_code_changed_and_not_if_a_check_did() {
    let mut class = Class::new(&["amara"]);
    class.only = None;
    let first = class.grade(unchanged(), "results");
    assert!(first.ran("amara").contains(&"training"), "{:?}", first.ran);
    // It finds what it found, so the part is still written.
    let other = class.grade(with_changed(&[CHANGED]), "results");
    assert_eq!(other.ran("amara"), [CHANGED]);
    assert_eq!(other.documents(), first.documents());
    let catalog = exam(|_, sources| sources.training = Some("another digest"));
    let trained = class.grade(catalog, "results");
    assert_eq!(trained.ran("amara"), ["training"]);
    assert_eq!(trained.documents(), first.documents());
}

/// The exams of this project: edits of one check cost one check.
#[test]
fn checks_of_all_exams_have_digests_of_their_own() {
    for suite in suites() {
        let Sources { checks, diagnosis, training, .. } = suite.sources;
        assert!(diagnosis.is_some() && training.is_some(), "{}", suite.id);
        let known: BTreeMap<&str, &str> = checks.iter().copied().collect();
        let all = (suite.checks)();
        let without: Vec<&str> =
            all.iter().map(|it| it.check.id).filter(|id| !known.contains_key(id)).collect();
        // These are made by a function, of a table.
        let is_made = |id: &&str| id.starts_with("patients/") || id.starts_with("detectors/");
        assert!(without.iter().all(is_made), "{}: {without:?}", suite.id);
    }
    let attention = attention_exam::SUITE.sources.checks;
    let digests: BTreeSet<&str> = attention.iter().map(|(_, digest)| *digest).collect();
    assert_eq!(digests.len(), attention.len());
}
