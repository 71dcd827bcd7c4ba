//! Whatever a student's code does, it is the result of the checks that ask for it, and the others still run.
//!
//! This program is the public checks of an assignment whose code misbehaves, and, without arguments, the test of what they say.

#![expect(clippy::disallowed_methods, reason = "the test starts the checks as `cargo test` would")]
#![expect(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::string_slice, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "code that prints is one of the cases")]

mod assignment;
mod code;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, ExitCode, Output, Stdio};

use softmark_checks::Array;
use softmark_checks::recognition::{self, DiagnosticCase, Recognition, TaskCases, Variant};
use softmark_checks::response::Response;

use assignment::{TASKS, case};
use code::{Kind, components};

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        // The watch mode calls cargo, and is told that this program is cargo.
        Some("test") => return cargo(),
        Some(_) => return softmark_student::main(&TASKS, components),
        None => {}
    }
    each_fault_is_the_result_of_its_check();
    what_is_printed_is_shown_from_its_end();
    one_process_answers_where_it_is_asked_for();
    hints_are_shown_one_after_the_other();
    the_archive_has_what_is_collected();
    pages_and_names_that_do_not_exist_are_said();
    a_saved_file_runs_the_checks_again();
    a_known_mistake_is_named_where_it_alone_explains_all();
    println!("8 tests passed");
    ExitCode::SUCCESS
}

/// Does what cargo does when it compiles the checks: says where their program is, or why the code does not compile.
#[expect(clippy::print_stderr, reason = "that is where cargo writes")]
fn cargo() -> ExitCode {
    let text = std::fs::read_to_string("src/part.rs").unwrap();
    if text.contains("struct") {
        let program = std::env::current_exe().unwrap();
        let program = program.display();
        println!(
            "{{\"reason\":\"compiler-artifact\",\"target\":{{\"name\":\"public\"}},\"executable\":\"{program}\"}}"
        );
        return ExitCode::SUCCESS;
    }
    eprintln!("   Compiling lab v0.1.0\nerror: expected item, found `{}`", text.trim());
    ExitCode::FAILURE
}

/// Runs the checks with these arguments in a folder.
fn run(dir: &Path, args: &[&str]) -> (Option<i32>, String) {
    let program = std::env::current_exe().unwrap();
    let mut command = Command::new(program);
    let command = command.args(args).env("CARGO_MANIFEST_DIR", dir).current_dir(dir);
    let Output { status, stdout, stderr } = command.output().unwrap();
    assert!(stderr.is_empty(), "{}", String::from_utf8_lossy(&stderr));
    (status.code(), String::from_utf8(stdout).unwrap())
}

/// Makes the folder of an assignment with low limits.
fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let text = "id = \"lab\"\ntitle = \"A lab\"\ncollect = [\"part.rs\"]\nprovided = [\"lib.rs\"]\n\
                [worker]\ncpu_seconds = 1\nwall_seconds = 2\nmemory_mebibytes = 512\nflood_mebibytes = 8\n\
                [[task]]\nid = \"task\"\n\
                check = [{ id = \"right\", points = 1.5 }, { id = \"loops\", points = 0.5 }]\n";
    std::fs::write(dir.path().join("assignment.toml"), text).unwrap();
    std::fs::create_dir(dir.path().join("src")).unwrap();
    std::fs::write(dir.path().join("src/part.rs"), "pub struct Part;\n").unwrap();
    std::fs::write(dir.path().join("src/lib.rs"), "mod part;\n").unwrap();
    dir
}

/// Returns the lines about the check with this name.
fn about<'a>(text: &'a str, name: &str) -> &'a str {
    let title = format!(" it answers: {name}\n");
    let start = text.find(&title).unwrap_or_else(|| panic!("nothing about {name}:\n{text}"));
    let rest = &text[start..];
    let end = rest[1..].find(" it answers: ").map_or(rest.len(), |end| end + 1);
    &rest[..end]
}

fn each_fault_is_the_result_of_its_check() {
    let dir = folder();
    let (code, text) = run(dir.path(), &["task/"]);
    assert_eq!(code, Some(1), "{text}");
    for (name, said) in [
        ("loops", "used up its 1 s of processor time"),
        ("sleeps", "gave no answer within 2 s, though it"),
        ("aborts", "aborted (signal 6)"),
        ("exits", "ended its process (exit code 0)"),
        ("grows", "ran into its memory limit of 512 MiB"),
        ("overflows", "when its stack overflows"),
        ("panics", "index 3 of 2"),
        ("refuses", "shapes do not fit"),
        ("floods", "printed more than 8 MiB"),
        ("unwritten", "not yet written:"),
    ] {
        let about = about(&text, name).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(about.contains(said), "{name}: {about}");
        assert_eq!(about.contains(&format!("-- task/{name}")), name != "unwritten", "{about}");
    }
    assert!(
        about(&text, "loops").contains("your code printed:\n        the loop begins"),
        "{text}"
    );
    assert!(!text.contains("nobody sees this"), "{text}");
    assert!(text.contains("public checks: 1.5 of 2 points"), "{text}");
    assert!(text.ends_with("\n2 right, 10 wrong, 1 not yet written\n"), "{text}");
    let (code, progress) = run(dir.path(), &["--progress"]);
    assert_eq!(code, Some(0));
    assert!(progress.contains("✓ it answers: right  (1.5)"), "{progress}");
    assert!(progress.contains("1.5 of 2 points"), "{progress}");
}

fn what_is_printed_is_shown_from_its_end() {
    let (_, text) = run(folder().path(), &["counts"]);
    assert!(text.contains("line 31\n") && text.contains("line 50\n"), "{text}");
    assert!(!text.contains("line 30\n"), "{text}");
}

fn one_process_answers_where_it_is_asked_for() {
    let (code, text) = run(folder().path(), &["--same-process", "right", "--nocapture"]);
    assert_eq!(code, Some(0), "{text}");
    // The code prints where the checks print.
    assert!(text.contains("nobody sees this"), "{text}");
}

fn hints_are_shown_one_after_the_other() {
    let dir = folder();
    let text = "[\"task/loops\"]\nlook = \"At the loop.\"\npaper = \"Count to two.\"\nusual = \"Does it end?\"\n";
    std::fs::write(dir.path().join("hints.toml"), text).unwrap();
    let hints =
        [("At the loop.", "Count"), ("Count to two.", "Does"), ("Does it end?", "ask a person")];
    for (shown, hidden) in hints {
        let (code, text) = run(dir.path(), &["--hint", "loops"]);
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains(shown) && !text.contains(hidden), "{text}");
    }
    let (_, text) = run(dir.path(), &["--hint", "loops"]);
    assert!(text.contains("hint 3 of 3; these are all hints"), "{text}");
    let (_, text) = run(dir.path(), &["loops"]);
    assert!(text.contains("-- --hint task/loops"), "{text}");
    let (code, text) = run(dir.path(), &["--hint", "right"]);
    assert_eq!(code, Some(2), "{text}");
    let several = "in the names of more than one check: task/right, task/right-at-the-end";
    assert!(text.contains(several), "{text}");
    let (code, text) = run(dir.path(), &["--hint", "task/right"]);
    assert_eq!(code, Some(0));
    assert!(text.contains("there are no hints on `task/right`"), "{text}");
}

fn the_archive_has_what_is_collected() {
    let dir = folder();
    std::fs::write(dir.path().join("src/more.rs"), "").unwrap();
    let (code, text) = run(dir.path(), &["--pack"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("       17  src/part.rs\n"), "{text}");
    assert!(text.contains("not used: `src/more.rs`"), "{text}");
    assert!(dir.path().join("lab.zip").is_file());
    std::fs::write(dir.path().join("src/part.rs"), "unsafe fn f() {}\n").unwrap();
    let (code, text) = run(dir.path(), &["--pack", "other.zip"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("src/part.rs:1: `unsafe` is not allowed"), "{text}");
    let (code, text) = run(dir.path(), &["task/right"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("The grader does not accept this code"), "{text}");
}

fn pages_and_names_that_do_not_exist_are_said() {
    let dir = folder();
    let (code, text) = run(dir.path(), &["--explain"]);
    let none = "this assignment came without pages about mistakes\n";
    assert_eq!((code, text.as_str()), (Some(0), none));
    std::fs::create_dir(dir.path().join("mistakes")).unwrap();
    let page = "# no-scale\n\nThe scale is missing.\n";
    std::fs::write(dir.path().join("mistakes/no-scale.md"), page).unwrap();
    let (_, text) = run(dir.path(), &["--explain"]);
    assert_eq!(text, "no-scale\n    The scale is missing.\n");
    let (code, text) = run(dir.path(), &["--explain", "no-scael"]);
    assert!(code == Some(2) && text.contains("did you mean `no-scale`?"), "{text}");
    let (code, text) = run(dir.path(), &["task/rihgt"]);
    assert!(code == Some(2) && text.contains("did you mean `task/right`"), "{text}");
    let (code, text) = run(dir.path(), &["--watch", "task/rihgt"]);
    assert!(code == Some(2) && text.contains("did you mean `task/right`"), "{text}");
    let (code, text) = run(dir.path(), &["--wach"]);
    assert!(code == Some(2) && text.contains("--help"), "{text}");
}

/// Writes diagnostic cases for each of `tasks`: asked for `kind`, a right part answers 1, and one with the mistake `unscaled`
/// answers `unscaled`.
fn write_cases(dir: &Path, tasks: &[&str], kind: Kind, unscaled: f64) {
    let answer = |x: f64| Response::output(Array::full(&[1, 2], x));
    let mut case = DiagnosticCase::new(&case(kind), answer(1.0), BTreeMap::new());
    let responses = BTreeMap::from([(0, case.add(answer(unscaled)).unwrap())]);
    let variants = vec![Variant { mistake: "unscaled".to_owned(), responses }];
    let cases = TaskCases { cases: vec![case], variants };
    let tasks = tasks.iter().map(|task| ((*task).to_owned(), cases.clone()));
    let text = serde_json::to_string(&Recognition::new(tasks.collect())).unwrap();
    std::fs::create_dir_all(dir.join("mistakes")).unwrap();
    std::fs::write(dir.join(recognition::FILE), text).unwrap();
    std::fs::write(dir.join("mistakes/unscaled.md"), "# unscaled\n\ntask: the scale is missing.\n")
        .unwrap();
}

fn a_known_mistake_is_named_where_it_alone_explains_all() {
    let dir = folder();
    let named =
        "answers exactly like a known mistake: unscaled\n      task: the scale is missing.\n";
    // The part answers 0.5, as the mistake does.
    write_cases(dir.path(), &["task"], Kind::Right, 0.5);
    let (_, text) = run(dir.path(), &["task/refuses"]);
    assert!(text.contains(named) && text.contains("-- --explain unscaled\n"), "{text}");
    let (_, text) = run(dir.path(), &["task/right"]);
    assert!(!text.contains("known mistake"), "no check fails: {text}");
    let (_, text) = run(dir.path(), &["task/unwritten"]);
    assert!(!text.contains("known mistake"), "nothing is written: {text}");
    write_cases(dir.path(), &["task"], Kind::Right, 0.75);
    let (_, text) = run(dir.path(), &["task/refuses"]);
    assert!(!text.contains("known mistake"), "it answers differently: {text}");
    write_cases(dir.path(), &["task"], Kind::Loops, 0.5);
    let (_, text) = run(dir.path(), &["task/refuses"]);
    assert!(!text.contains("known mistake"), "it does not answer: {text}");
    // The task below is not finished, so the answers may be due to that.
    write_cases(dir.path(), &["upper"], Kind::Right, 0.5);
    let (_, text) = run(dir.path(), &["upper/answers"]);
    assert!(text.contains("shapes do not fit") && !text.contains("known mistake"), "{text}");
    std::fs::write(dir.path().join(recognition::FILE), "{").unwrap();
    let (code, text) = run(dir.path(), &["task/refuses"]);
    assert!(code == Some(2) && text.contains("get it again"), "{text}");
}

/// Reads what the watch mode writes until it waits.
fn until_it_waits(lines: &mut impl Iterator<Item = std::io::Result<String>>) -> String {
    let mut text = String::new();
    for line in lines {
        let line = line.unwrap();
        text.extend([line.as_str(), "\n"]);
        if line == "waiting for a file to be saved" {
            return text;
        }
    }
    panic!("it does not wait any longer:\n{text}");
}

fn a_saved_file_runs_the_checks_again() {
    let dir = folder();
    let program = std::env::current_exe().unwrap();
    let mut command = Command::new(&program);
    write_cases(dir.path(), &["task"], Kind::Right, 0.5);
    command.args(["--watch", "task/right", "task/panics"]).stdout(Stdio::piped());
    command.env("CARGO_MANIFEST_DIR", dir.path()).env("CARGO", &program).current_dir(dir.path());
    let mut watching = command.spawn().unwrap();
    let mut lines = BufReader::new(watching.stdout.take().unwrap()).lines();
    let text = until_it_waits(&mut lines);
    assert!(text.contains("2 right, 1 wrong, 0 not yet written"), "{text}");
    assert!(text.contains("index 3 of 2"), "{text}");
    assert!(text.contains("a known mistake: unscaled"), "{text}");
    let part = dir.path().join("src/part.rs");
    std::fs::write(&part, "nonsense\n").unwrap();
    let text = until_it_waits(&mut lines);
    assert!(
        text.contains("The code does not compile\nerror: expected item, found `nonsense`"),
        "{text}"
    );
    assert!(!text.contains("Compiling"), "{text}");
    // Written beside it and moved there, as editors do.
    let new = dir.path().join("part.tmp");
    std::fs::write(&new, "pub struct Part; unsafe fn f() {}\n").unwrap();
    std::fs::rename(&new, &part).unwrap();
    let text = until_it_waits(&mut lines);
    assert!(text.contains("`unsafe` is not allowed"), "{text}");
    assert!(text.contains("2 right, 1 wrong"), "{text}");
    watching.kill().unwrap();
    watching.wait().unwrap();
}
