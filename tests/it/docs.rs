//! The commands of the README and of the handouts, run as they stand there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::support::grade::{Desk, HOME};

/// What is not run, and why.
const NOT_RUN: [(&str, &str); 5] = [
    ("cargo test", "at the root: this very run"),
    ("cargo install --path . --locked", "builds what is tested here into the user's folder"),
    ("cargo fmt --all --check", "a step of .ci/run"),
    ("cargo clippy --workspace --all-targets --locked -- -D warnings", "a step of .ci/run"),
    ("grade doctor", "tells of the machine"),
];

/// The commands in the `console` blocks of a page, in their order.
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

#[expect(clippy::disallowed_methods, reason = "a user starts cargo without the sandbox")]
fn cargo(args: &str, dir: &Path) -> Output {
    // What cargo sets for this test would make it build everything anew.
    let set = std::env::vars_os().map(|(name, _)| name);
    let ours = set.filter(|name| name.to_string_lossy().starts_with("CARGO_PKG"));
    let mut command = Command::new("cargo");
    for name in ours.chain(["CARGO_MANIFEST_DIR", "RUST_BACKTRACE"].map(Into::into)) {
        command.env_remove(name);
    }
    command.args(args.split_whitespace()).current_dir(dir).stdin(Stdio::null()).output().unwrap()
}

/// Runs every command of `page`, starting in `dir`; `check` is told each command that was run, its
/// exit code and what it printed. `desk` is where `grade` runs.
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
            // A browser has no place in a test.
            let args = args.replace(" --open", "");
            let ran = cargo(&args, &Path::new(HOME).join(&dir));
            let text = [ran.stdout, ran.stderr].concat();
            check(&command, ran.status.code().unwrap_or(-1), &String::from_utf8_lossy(&text));
        } else {
            panic!("{page}: how is `{command}` to be run?");
        }
    }
}

/// Commands of a skeleton end with "not yet written", all others well.
fn ends_as_it_should(command: &str, code: i32, text: &str) {
    let skeleton = command.starts_with("cargo test") && !command.contains("--list");
    if skeleton {
        assert_eq!(code, 1, "{command}\n{text}");
        assert!(text.contains("not yet written"), "{command}\n{text}");
    } else {
        assert_eq!(code, 0, "{command}\n{text}");
    }
}

/// The sample class, where the pages expect it.
fn class() -> Desk {
    Desk::new().submission("fixtures/class", "fixtures/class")
}

/// The pages that the README links to are read after it: what it graded is there.
#[test]
fn commands_of_readme_and_its_pages_work() {
    let desk = class();
    for page in ["README.md", "docs/instructors.md", "docs/students.md"] {
        run(&desk, page, "", ends_as_it_should);
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
fn the_handouts_commands_work() {
    for folder in ["assignments/attention", "assignments/encoder", "assignments/prefix-tuning"] {
        run(&class(), &format!("{folder}/README.md"), folder, ends_as_it_should);
    }
}

#[test]
fn the_contributors_commands_are_those_of_ci() {
    let ci = fs::read_to_string(Path::new(HOME).join(".ci/run")).unwrap();
    for command in commands("CONTRIBUTING.md") {
        assert!(ci.contains(&command), ".ci/run does not run `{command}`");
    }
}
