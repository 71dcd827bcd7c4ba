//! Runs the commands of the README, the pages and the handouts.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::cargo::cargo;
use crate::support::grade::{Desk, HOME};

/// Commands that are not run, and the reasons.
const NOT_RUN: [(&str, &str); 5] = [
    ("cargo test", "at the root: it would run this test again"),
    ("cargo install --path . --locked", "installs the program that is tested here for the user"),
    ("cargo fmt --all --check", "a step of .ci/run"),
    ("cargo clippy --workspace --all-targets --locked -- -D warnings", "a step of .ci/run"),
    ("grade doctor", "its output depends on the machine"),
];

/// Returns the commands in the `console` blocks of a page, in their order.
fn commands(page: &str) -> Vec<String> {
    let text = fs::read_to_string(Path::new(HOME).join(page)).unwrap();
    let mut found = Vec::new();
    let mut inside = false;
    for line in text.lines().map(str::trim) {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            command if inside && !command.is_empty() => found.push(command.to_owned()),
            _ => {}
        }
    }
    assert!(!found.is_empty(), "{page} has no commands");
    found
}

/// Runs every command of `page`, starting in `dir`, and passes each command, its exit code and its output to
/// `check`. Runs `grade` at the `desk`.
fn run(desk: &Desk, page: &str, dir: &str, check: impl Fn(&str, i32, &str)) {
    let mut dir = PathBuf::from(dir);
    for command in commands(page) {
        let at_root = dir.as_os_str().is_empty();
        if at_root && NOT_RUN.iter().any(|(other, _)| *other == command) {
            continue;
        }
        let grade = ["cargo run -- ", "grade "].iter().find_map(|it| command.strip_prefix(it));
        if let Some(to) = command.strip_prefix("cd ") {
            dir.push(to);
        } else if let Some(args) = grade {
            let ran = desk.grade(args);
            check(&command, ran.code, &format!("{}\n{}", ran.stdout, ran.stderr));
        } else if let Some(args) = command.strip_prefix("cargo ") {
            // A test opens no browser.
            let args = args.replace(" --open", "");
            let ran = cargo(&args, &Path::new(HOME).join(&dir)).output().unwrap();
            let text = [ran.stdout, ran.stderr].concat();
            check(&command, ran.status.code().unwrap_or(-1), &String::from_utf8_lossy(&text));
        } else {
            panic!("{page}: how is `{command}` to be run?");
        }
    }
}

/// Asserts that the tests of a skeleton fail with "not yet written", and that all other commands succeed.
fn succeeds_unless_not_written(command: &str, code: i32, text: &str) {
    let skeleton = command.starts_with("cargo test") && !command.contains("--list");
    if skeleton {
        assert_eq!(code, 1, "{command}\n{text}");
        assert!(text.contains("not yet written"), "{command}\n{text}");
    } else {
        assert_eq!(code, 0, "{command}\n{text}");
    }
}

/// Returns a desk with the sample class in the folder that the pages name.
fn class() -> Desk {
    Desk::new().submission("fixtures/class", "fixtures/class")
}

/// The commands of the README come first, because those of the other pages use its results.
#[test]
fn commands_of_readme_and_its_pages_work() {
    let desk = class();
    for page in ["README.md", "docs/instructors.md", "docs/students.md"] {
        run(&desk, page, "", succeeds_unless_not_written);
    }
}

/// Every page in `docs/` is linked to from the README, and every link of the pages leads to a file.
#[test]
fn pages_are_linked_and_links_lead_somewhere() {
    let home = Path::new(HOME);
    let readme = fs::read_to_string(home.join("README.md")).unwrap();
    let mut pages = vec![home.join("README.md")];
    for entry in fs::read_dir(home.join("docs")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        assert!(readme.contains(&format!("(docs/{name})")), "README.md has no link to docs/{name}");
        pages.push(path);
    }
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap();
            let is_file = !path.contains("://") && !path.is_empty();
            let target = page.parent().unwrap().join(path);
            assert!(!is_file || target.exists(), "{}: no {link}", page.display());
        }
    }
}

#[test]
fn commands_of_the_handouts_work() {
    for folder in ["assignments/attention", "assignments/encoder", "assignments/prefix-tuning"] {
        run(&class(), &format!("{folder}/README.md"), folder, succeeds_unless_not_written);
    }
}

#[test]
fn ci_runs_the_commands_of_contributing() {
    let ci = fs::read_to_string(Path::new(HOME).join(".ci/run")).unwrap();
    for command in commands("CONTRIBUTING.md") {
        assert!(ci.contains(&command), ".ci/run does not run `{command}`");
    }
}
