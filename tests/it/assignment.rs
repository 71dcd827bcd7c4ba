//! An `assignment.toml` is read whole, or refused with the line that is wrong.

use std::fs;
use std::path::Path;
use std::time::Duration;

use softmark::assignment::{AssignmentError, Band, Problem, Take, list, load};
use softmark::model::{Points, Visibility};
use softmark_checks::Task;
use tempfile::TempDir;

const HOME: &str = env!("CARGO_MANIFEST_DIR");

/// A project with one assignment, `demo`, of that text.
fn project(text: &str) -> TempDir {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("assignments/demo");
    fs::create_dir_all(dir.join("src")).unwrap();
    fs::write(dir.join("src/lib.rs"), "pub mod part;\n").unwrap();
    fs::write(dir.join("assignment.toml"), text).unwrap();
    home
}

fn refused(text: &str) -> AssignmentError {
    load(project(text).path(), "demo").unwrap_err()
}

const GOOD: &str = "\
id = \"demo\"
title = \"A demonstration\"
points = 1.5
collect = [\"part.rs\"]
provided = [\"lib.rs\"]
[worker]
cpu_seconds = 1
wall_seconds = 2
memory_mebibytes = 3
file_mebibytes = 0
output_kibibytes = 4
flood_mebibytes = 5
open_files = 6
[[task]]
id = \"first\"
title = \"First\"
points = 1.5
[[task.check]]
id = \"one\"
points = 0.5
visibility = \"public\"
[[task.check]]
id = \"two\"
points = 1
visibility = \"hidden\"
";

fn problem(from: &str, to: &str) -> (usize, Problem) {
    assert!(GOOD.contains(from), "{from}");
    let error = refused(&GOOD.replacen(from, to, 1));
    let AssignmentError::Invalid { line, problem, .. } = error else { panic!("{error:?}") };
    (line, problem)
}

#[test]
fn the_attention_assignment_is_worth_thirty_points() {
    let attention = load(Path::new(HOME), "attention").unwrap();
    let tasks: Vec<(&str, String, usize)> = attention
        .tasks
        .iter()
        .map(|task| (task.id.as_str(), task.points.to_string(), task.checks.len()))
        .collect();
    let expected = [
        ("scaled-dot-product", "7.00", 14),
        ("multi-head", "7.00", 18),
        ("sinusoidal-position", "4.00", 10),
        ("learned-position", "3.00", 9),
        ("masked-pooling", "4.00", 10),
        ("classifier", "3.00", 13),
        ("training", "2.00", 3),
    ];
    assert_eq!(tasks, expected.map(|(id, points, checks)| (id, points.to_owned(), checks)));
    assert_eq!(attention.points, Points::from_hundredths(3000));
    assert_eq!(attention.provided.keys().collect::<Vec<_>>(), ["lib.rs"]);
    assert_eq!(attention.worker.cpu_seconds, 2);
    assert_eq!(attention.worker.wall, Duration::from_secs(10));
    assert_eq!(attention.worker.output_bytes, 64 * 1024);
    assert_eq!(attention.sha256.len(), 64);
    assert_eq!(load(Path::new(HOME), "attention").unwrap(), attention);
}

#[test]
fn the_parts_of_the_encoder_assignment_are_worth_twenty_five_points() {
    let encoder = load(Path::new(HOME), "encoder").unwrap();
    let tasks = encoder.tasks.iter().take(6);
    let tasks: Vec<(&str, String, usize)> =
        tasks.map(|task| (task.id.as_str(), task.points.to_string(), task.checks.len())).collect();
    let expected = [
        ("feed-forward", "4.00", 12),
        ("encoder-layer", "8.00", 14),
        ("encoder", "4.00", 17),
        ("classifier", "4.00", 13),
        ("glove", "3.00", 9),
        ("sweep", "2.00", 8),
    ];
    assert_eq!(tasks, expected.map(|(id, points, checks)| (id, points.to_owned(), checks)));
    assert_eq!(encoder.provided.keys().collect::<Vec<_>>(), ["attention.rs", "lib.rs"]);
}

#[test]
fn what_the_machine_marks_of_the_bug_hunt_is_worth_thirty_points() {
    let debugging = load(Path::new(HOME), "debugging").unwrap();
    let tasks = debugging.tasks.iter();
    let tasks: Vec<(&str, String)> =
        tasks.map(|task| (task.id.as_str(), task.points.to_string())).collect();
    let expected = [
        ("capture", "4.00"),
        ("statistics", "3.00"),
        ("diagnosis", "4.00"),
        ("encoder-layer", "5.00"),
        ("detectors", "6.00"),
        ("patients", "5.50"),
        ("training", "2.50"),
    ];
    assert_eq!(tasks, expected.map(|(id, points)| (id, points.to_owned())));
    assert_eq!(debugging.points, Points::from_hundredths(3000));
    let [written] = debugging.written.as_slice() else { panic!("{:?}", debugging.written) };
    assert_eq!((written.id.as_str(), written.points.to_string().as_str()), ("explanation", "4.00"));
    assert_eq!(debugging.answers, ["answers.toml", "answers.md"]);
}

#[test]
fn prefix_tuning_is_worth_thirty_points_ten_of_them_for_the_best_model() {
    let tuning = load(Path::new(HOME), "prefix-tuning").unwrap();
    let tasks: Vec<(&str, String)> =
        tuning.tasks.iter().map(|task| (task.id.as_str(), task.points.to_string())).collect();
    let expected = [
        ("prefix", "6.00"),
        ("partial", "4.00"),
        ("loop", "4.00"),
        ("checkpoint", "3.00"),
        ("prefix-training", "1.00"),
        ("training", "2.00"),
        ("best-model", "10.00"),
    ];
    assert_eq!(tasks, expected.map(|(id, points)| (id, points.to_owned())));
    assert_eq!(tuning.points, Points::from_hundredths(3000));
    let best = tuning.tasks.iter().find(|task| task.id == "best-model").unwrap();
    let bands = best.checks.iter().map(|check| (check.band.unwrap().share(), check.points));
    let hundredths = |points| Points::from_hundredths(points);
    let expected = [(0.85, hundredths(400)), (0.92, hundredths(300)), (0.97, hundredths(300))];
    assert_eq!(bands.collect::<Vec<_>>(), expected);
}

/// The tasks that students have, by assignment.
const TASKS: [(&str, &[Task]); 5] = [
    ("attention", attention_checks::TASKS),
    ("debugging", debugging_checks::TASKS),
    ("encoder", encoder_checks::TASKS),
    ("modern", modern_checks::TASKS),
    ("prefix-tuning", prefix_tuning_checks::TASKS),
];

#[test]
fn public_checks_are_those_that_students_have() {
    for (id, tasks) in TASKS {
        let assignment = load(Path::new(HOME), id).unwrap();
        for theirs in tasks {
            let task = assignment.tasks.iter().find(|task| task.id == theirs.id).unwrap();
            let public: Vec<&str> = task
                .checks
                .iter()
                .filter(|check| check.visibility == Visibility::Public)
                .map(|check| check.id.as_str())
                .collect();
            assert_eq!(public, theirs.checks.iter().map(|check| check.id).collect::<Vec<_>>());
        }
    }
}

#[test]
fn every_file_of_a_skeleton_is_collected_or_provided() {
    for (id, _) in TASKS {
        let assignment = load(Path::new(HOME), id).unwrap();
        let mut listed: Vec<String> =
            assignment.collect.iter().chain(assignment.provided.keys()).cloned().collect();
        listed.sort();
        let src = Path::new(HOME).join("assignments").join(id).join("src");
        let mut there: Vec<String> = fs::read_dir(src)
            .unwrap()
            .map(|entry| entry.unwrap())
            // What shows students something is in a folder, and no part of what they hand in.
            .filter(|entry| entry.file_type().unwrap().is_file())
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        there.sort();
        assert_eq!(listed, there);
    }
}

/// A provided file is the same in the skeleton and in the solution.
#[test]
fn what_is_provided_is_what_the_solution_has() {
    for (id, _) in TASKS {
        for (name, text) in load(Path::new(HOME), id).unwrap().provided {
            let path = Path::new(HOME).join("solutions").join(id).join("src").join(&name);
            assert!(fs::read(path).unwrap() == text, "{id}: {name} differs");
        }
    }
}

#[test]
fn assignments_are_listed_and_others_are_unknown() {
    let home = Path::new(HOME);
    assert!(list(home).unwrap().contains(&"attention".to_owned()));
    for id in ["no-such", "../attention", "attention/", "", "attention/../attention"] {
        let error = load(home, id).unwrap_err();
        assert!(matches!(error, AssignmentError::Unknown { .. }), "{id}: {error}");
    }
    let error = load(home, "atention").unwrap_err().to_string();
    assert!(error.starts_with("there is no assignment `atention`; "), "{error}");
    assert!(error.contains("attention"), "{error}");
    let error = list(&home.join("src")).unwrap_err();
    assert!(matches!(error, AssignmentError::Read { .. }), "{error}");
}

#[test]
fn what_is_not_of_the_form_is_refused_with_its_line() {
    let line = |text: &str| {
        let error = refused(text);
        let AssignmentError::Form { line, message, .. } = error else { panic!("{error:?}") };
        (line, message)
    };
    let unknown = line(&GOOD.replace("open_files = 6", "open_files = 6\nopen_doors = 7"));
    assert_eq!(unknown.0, 14);
    assert!(unknown.1.contains("open_doors"), "{}", unknown.1);
    for (from, to, at) in [
        ("points = 1.5", "points = \"many\"", 3),
        ("visibility = \"public\"", "visibility = \"secret\"", 21),
        ("visibility = \"public\"", "visibility = \"public\"\nbonus = 1", 22),
        ("cpu_seconds = 1", "cpu_seconds = -1", 7),
        ("[worker]", "[worker", 6),
    ] {
        assert_eq!(line(&GOOD.replacen(from, to, 1)).0, at, "{to}");
    }
    let missing = line(&GOOD.replace("title = \"First\"\n", ""));
    assert!(missing.1.contains("title"), "{}", missing.1);
}

#[test]
fn what_does_not_hold_together_is_refused_with_its_line() {
    let points = |of: &str, value: &str| Problem::Points { of: of.into(), value: value.into() };
    let sum = |of: &str, points, parts, sum| Problem::Sum {
        of: of.into(),
        points: Points::from_hundredths(points),
        parts,
        sum: Points::from_hundredths(sum),
    };
    let empty = |of: &str, parts| Problem::Empty { of: of.into(), parts };
    let first_check = "[[task.check]]\nid = \"one\"\npoints = 0.5\nvisibility = \"public\"\n";
    let cases = [
        (
            "\"demo\"",
            "\"other\"",
            1,
            Problem::OtherFolder { id: "other".into(), folder: "demo".into() },
        ),
        ("\"demo\"", "\"De mo\"", 1, Problem::Id("De mo".into())),
        ("\"First\"", "\" \"", 16, Problem::Title("first".into())),
        ("points = 0.5", "points = 0.125", 20, points("first/one", "0.125")),
        ("points = 0.5", "points = -0.5", 20, points("first/one", "-0.5")),
        ("points = 0.5", "points = nan", 20, points("first/one", "NaN")),
        ("points = 1.5", "points = 2", 3, sum("demo", 200, "tasks", 150)),
        ("points = 0.5", "points = 0.75", 17, sum("first", 150, "checks", 175)),
        ("\"two\"", "\"one\"", 23, Problem::IdTwice("first/one".into())),
        ("\"two\"", "\"first/two\"", 23, Problem::Id("first/two".into())),
        ("collect = [\"part.rs\"]", "collect = []", 4, empty("demo", "files to collect")),
        ("\"part.rs\"", "\"../part.rs\"", 4, Problem::FilePath("../part.rs".into())),
        ("\"part.rs\"", "\"/part.rs\"", 4, Problem::FilePath("/part.rs".into())),
        ("\"part.rs\"", "\"lib.rs\"", 5, Problem::FileTwice("lib.rs".into())),
        ("[\"lib.rs\"]", "[]", 5, Problem::NoLib),
        (
            "[worker]",
            "[[data]]\nfrom = \"../x\"\nto = \"data/x\"\n[worker]",
            7,
            Problem::DataFrom("../x".into()),
        ),
        (
            "[worker]",
            "[[data]]\nfrom = \"solutions/x\"\nto = \"data/x\"\n[worker]",
            7,
            Problem::DataFrom("solutions/x".into()),
        ),
        (
            "[worker]",
            "[[data]]\nfrom = \"x\"\nto = \"src\"\n[worker]",
            8,
            Problem::DataTo("src".into()),
        ),
        ("wall_seconds = 2", "wall_seconds = 0", 6, Problem::NoLimit("worker.wall_seconds")),
    ];
    for (from, to, line, expected) in cases {
        assert_eq!(problem(from, to), (line, expected), "{to}");
    }
    let no_checks = GOOD.split(first_check).next().unwrap().replace("points = 1.5", "points = 0");
    assert!(refused(&no_checks).to_string().ends_with("`first` has no checks"));
    let no_tasks = GOOD.split("[[task]]").next().unwrap().replace("points = 1.5", "points = 0");
    assert!(refused(&no_tasks).to_string().ends_with("`demo` has no tasks"));
}

#[test]
fn a_provided_file_has_to_be_there() {
    let error = refused(&GOOD.replace("[\"lib.rs\"]", "[\"lib.rs\", \"gone.rs\"]")).to_string();
    assert!(error.contains("assignment.toml:5: `gone.rs` is to be provided"), "{error}");
}

#[test]
fn a_band_needs_a_training_and_a_training_a_band() {
    const TABLE: &str = "[training]\nruns = 2\ntake = \"mean\"\ncpu_seconds = 1\nwall_seconds = 2\n\
                         memory_mebibytes = 3\n[[task]]";
    let banded = GOOD.replace("visibility = \"hidden\"", "visibility = \"hidden\"\nband = 0.92");
    let trained = |text: &str| text.replace("[[task]]", TABLE);
    let told = |text: &str| {
        let error = refused(text);
        let AssignmentError::Invalid { problem, .. } = error else { panic!("{error:?}") };
        problem
    };
    assert_eq!(told(&banded), Problem::NoTraining("first/two".into()));
    assert_eq!(told(&trained(GOOD)), Problem::NoBand);
    let whole = trained(&banded);
    let of = |value: &str| Problem::Band { of: "first/two".into(), value: value.into() };
    for value in ["0", "1.5", "-0.2", "0.92345", "inf"] {
        assert_eq!(told(&whole.replace("band = 0.92", &format!("band = {value}"))), of(value));
    }
    assert_eq!(told(&whole.replace("runs = 2", "runs = 0")), Problem::Runs(0));
    assert_eq!(told(&whole.replace("runs = 2", "runs = 10")), Problem::Runs(10));
    let no_memory =
        whole.replace("memory_mebibytes = 3\n[[task]]", "memory_mebibytes = 0\n[[task]]");
    assert_eq!(told(&no_memory), Problem::NoLimit("training.memory_mebibytes"));

    let home = project(&whole);
    let demo = load(home.path(), "demo").unwrap();
    let rules = demo.training.unwrap();
    assert_eq!((rules.runs, rules.take), (2, Take::Mean));
    assert_eq!((rules.limits.cpu_seconds, rules.limits.memory_mebibytes), (1, 3));
    assert_eq!(rules.limits.open_files, demo.worker.open_files);
    let bands: Vec<_> = demo.tasks[0].checks.iter().map(|check| check.band).collect();
    assert_eq!(bands, [None, Band::parse(0.92)]);
}

#[test]
fn a_checkpoint_that_may_be_handed_in_has_a_name_and_a_limit() {
    let with = |tables: &str| GOOD.replacen("[[task]]", &format!("{tables}[[task]]"), 1);
    let table = |file: &str, mebibytes: &str| {
        format!("[[upload]]\nfile = \"{file}\"\nmebibytes = {mebibytes}\n")
    };
    let two = table("best.safetensors", "4") + &table("prefix.safetensors", "256");
    let demo = load(project(&with(&two)).path(), "demo").unwrap();
    let uploads: Vec<(&str, u64)> =
        demo.uploads.iter().map(|it| (it.file.as_str(), it.bytes)).collect();
    assert_eq!(uploads, [("best.safetensors", 4 << 20), ("prefix.safetensors", 256 << 20)]);
    let plain = load(project(GOOD).path(), "demo").unwrap();
    assert!(plain.uploads.is_empty() && plain.sha256 != demo.sha256);

    let told = |tables: &str| {
        let error = refused(&with(tables));
        let AssignmentError::Invalid { line, problem, .. } = error else { panic!("{error:?}") };
        (line, problem)
    };
    let pickle = Problem::UploadPath("best.pt".into());
    assert_eq!(told(&table("best.pt", "4")), (15, pickle));
    let twice = table("best.safetensors", "4").repeat(2);
    assert_eq!(told(&twice), (18, Problem::FileTwice("best.safetensors".into())));
    for mebibytes in [0, 257] {
        let file = "best.safetensors".to_owned();
        let expected = Problem::UploadSize { file, mebibytes, most: 256 };
        assert_eq!(told(&table("best.safetensors", &mebibytes.to_string())), (16, expected));
    }
    let more = table("best.safetensors", "4\npickle = true");
    assert!(matches!(refused(&with(&more)), AssignmentError::Form { line: 17, .. }));
}
