//! Tests that every public check has three hints in the form that students' checks read, and that no hint shows a line of
//! the solution, an answer or a hidden check.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use softmark::assignment::{Assignment, list, load};
use softmark::model::Visibility;
use toml::{Table, Value};

use crate::support::pack::HOME;
use crate::tidy::sources;

/// Keys of a check's hints, in the order in which students see them.
const KEYS: [&str; 3] = ["look", "paper", "usual"];

/// Most characters of a hint.
const LONGEST: usize = 400;

/// Fewest characters, without spaces, of a line of code that shows something of a solution; a release has the same limit.
const TELLING_LINE: usize = 32;

/// Fewest characters between backticks that show something of a solution: shorter ones are names.
const TELLING_CODE: usize = 12;

/// Folder, from the project, of the course that `grade new` makes.
const TEMPLATE: &str = "templates/assignment";

/// Assignment whose hints are tested.
struct Hinted {
    assignment: Assignment,
    hints: String,
    /// Sources of the solution.
    solution: String,
    /// Text that students have: skeleton, specification and handout.
    handed_out: String,
    /// Answers of the solution to questions with a choice.
    answers: BTreeSet<String>,
}

impl Hinted {
    /// Reads an assignment of the course in the folder `course` of the project.
    fn read(course: &str, id: &str) -> Self {
        let home = Path::new(HOME).join(course);
        let folder = |of: &str| Path::new(course).join(of).join(id).display().to_string();
        let text = |path: &str| fs::read_to_string(home.join(path)).unwrap();
        let all = |of: &str| sources(of).into_iter().map(|(_, text)| text).collect::<String>();
        let (public, solved) = (folder("assignments"), folder("solutions"));
        Self {
            assignment: load(&home, id).unwrap(),
            hints: text(&format!("assignments/{id}/hints.toml")),
            solution: all(&format!("{solved}/src")),
            handed_out: all(&format!("{public}/src"))
                + &all(&format!("{public}/spec/src"))
                + &text(&format!("assignments/{id}/README.md")),
            answers: answers(&home.join(format!("solutions/{id}/answers.toml"))),
        }
    }

    /// Returns the ids of the checks that are public, or of those that are not.
    fn checks(&self, is_public: bool) -> Vec<String> {
        let checks = self.assignment.tasks.iter().flat_map(|task| &task.checks);
        let chosen = checks.filter(|check| (check.visibility == Visibility::Public) == is_public);
        chosen.map(|check| check.id.clone()).collect()
    }

    /// Returns what is wrong with the hints.
    fn problems(&self) -> Vec<String> {
        let (public, hidden) = (self.checks(true), self.checks(false));
        let mut problems = form_problems(&self.hints, &public);
        let names = secret_names(&public, &hidden).into_iter();
        let names = names.filter(|name| !is_named(&self.handed_out, name));
        let secrets: BTreeSet<String> = names.chain(self.answers.clone()).collect();
        for hint in hints_of(&self.hints) {
            let lines = shown_lines(&hint.text, &self.solution, &self.handed_out);
            let code = shown_code(&hint.text, &self.solution, &self.handed_out);
            let names = secrets.iter().filter(|name| is_named(&hint.text, name)).cloned();
            let shown = lines.into_iter().chain(code).chain(names);
            problems.extend(shown.map(|it| format!("{} shows `{it}`", hint.place)));
        }
        problems
    }
}

/// Returns the answers of a file that have a hyphen; a single word, such as `even`, occurs in ordinary text.
fn answers(path: &Path) -> BTreeSet<String> {
    let Ok(text) = fs::read_to_string(path) else { return BTreeSet::new() };
    let tables = text.parse::<Table>().unwrap();
    let answers = tables.values().filter_map(Value::as_table).flat_map(Table::values);
    let words = answers.filter_map(Value::as_str).filter(|word| word.contains('-'));
    words.map(str::to_owned).collect()
}

/// One hint of a file.
struct Hint {
    /// Check and key.
    place: String,
    text: String,
}

/// Returns all hints of a file that are text; `form_problems` reports the others.
fn hints_of(hints: &str) -> Vec<Hint> {
    let mut found = Vec::new();
    for (check, hints) in hints.parse::<Table>().unwrap_or_default() {
        for (key, hint) in hints.as_table().into_iter().flatten() {
            let text = hint.as_str().unwrap_or_default().to_owned();
            found.push(Hint { place: format!("{check}, {key}"), text });
        }
    }
    found
}

/// Returns what is wrong with the form of a file of hints for the checks `public`.
fn form_problems(hints: &str, public: &[String]) -> Vec<String> {
    let tables = match hints.parse::<Table>() {
        Ok(tables) => tables,
        Err(error) => return vec![error.to_string()],
    };
    let mut problems = Vec::new();
    let headers = hints.lines().filter_map(|line| line.strip_prefix("[\"")?.strip_suffix("\"]"));
    let headers: Vec<&str> = headers.collect();
    if headers != public || tables.len() != public.len() {
        problems.push(format!("hints are for {headers:?}, public checks are {public:?}"));
    }
    for (check, hints) in &tables {
        let keys: BTreeSet<&str> =
            hints.as_table().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
        if keys != BTreeSet::from(KEYS) {
            problems.push(format!("{check} has the keys {keys:?}"));
        }
    }
    let texts = hints_of(hints);
    problems.extend(texts.iter().filter_map(|hint| {
        let problem = text_problem(&hint.text)?;
        Some(format!("{} {problem}", hint.place))
    }));
    problems
}

/// Returns what is wrong with the text of a hint, apart from what it says.
fn text_problem(text: &str) -> Option<&'static str> {
    if text.trim().is_empty() {
        Some("is empty, or no text")
    } else if text.chars().count() > LONGEST {
        Some("is too long")
    } else if !text.ends_with(['.', '?']) {
        Some("does not end in a full stop or a question mark")
    } else if text.contains('\n') {
        Some("has several lines")
    } else {
        None
    }
}

/// Returns the names that show a hidden check: its id, and its name if that has several words and no public check has it.
fn secret_names(public: &[String], hidden: &[String]) -> BTreeSet<String> {
    let name = |id: &String| id.rsplit('/').next().unwrap_or_default().to_owned();
    let known: BTreeSet<String> = public.iter().map(name).collect();
    let names = hidden.iter().map(name).filter(|name| name.contains('-') && !known.contains(name));
    hidden.iter().cloned().chain(names).collect()
}

/// True if the text contains `name` as a whole, and not as a part of another name.
fn is_named(text: &str, name: &str) -> bool {
    let goes_on = |c: char| c.is_alphanumeric() || "-_/".contains(c);
    let parts: Vec<&str> = text.split(name).collect();
    parts.windows(2).any(|around| {
        let (before, after) = (around[0].chars().next_back(), around[1].chars().next());
        !before.is_some_and(goes_on) && !after.is_some_and(goes_on)
    })
}

fn without_spaces(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Returns the lines of the solution that the hint contains, unless students have them.
fn shown_lines(hint: &str, solution: &str, handed_out: &str) -> Vec<String> {
    let (hint, handed_out) = (without_spaces(hint), without_spaces(handed_out));
    let is_shown = |line: &&str| {
        let line = without_spaces(line);
        line.chars().count() >= TELLING_LINE && hint.contains(&line) && !handed_out.contains(&line)
    };
    solution.lines().map(str::trim).filter(is_shown).map(str::to_owned).collect()
}

/// Returns the code between backticks that is in the solution, unless students have it.
fn shown_code(hint: &str, solution: &str, handed_out: &str) -> Vec<String> {
    let code = hint.split('`').skip(1).step_by(2);
    let is_shown = |code: &&str| {
        code.chars().count() >= TELLING_CODE
            && solution.contains(*code)
            && !handed_out.contains(*code)
    };
    code.filter(is_shown).map(str::to_owned).collect()
}

#[test]
fn every_public_check_has_three_hints_that_show_no_solution() {
    let ids = list(Path::new(HOME)).unwrap();
    assert!(ids.len() >= 5, "{ids:?}");
    let course = ids.iter().map(|id| ("", id.as_str()));
    for (course, id) in course.chain([(TEMPLATE, "sample-id")]) {
        let problems = Hinted::read(course, id).problems();
        assert!(problems.is_empty(), "{id}:\n{}", problems.join("\n"));
    }
}

#[test]
fn answers_of_the_solution_are_known() {
    let answers = Hinted::read("", "debugging").answers;
    assert!(answers.len() >= 10, "{answers:?}");
}

const GOOD: &str = "\
# Hints.

[\"norm/shapes\"]
look = \"Where?\"
paper = \"Take x = 1.\"
usual = \"Which axis?\"

[\"norm/order\"]
look = \"Here.\"
paper = \"Take x = 2.\"
usual = \"Before or after?\"
";

fn ids(ids: [&str; 2]) -> Vec<String> {
    ids.map(str::to_owned).to_vec()
}

#[test]
fn hints_of_another_form_are_found() {
    let public = ids(["norm/shapes", "norm/order"]);
    assert_eq!(form_problems(GOOD, &public), Vec::<String>::new());
    assert_eq!(form_problems(GOOD, &ids(["norm/order", "norm/shapes"])).len(), 1);
    assert_eq!(form_problems(GOOD, &public[..1]).len(), 1);
    let long = format!("\"{}.\"", "x".repeat(LONGEST));
    for (from, to, problem) in [
        ("look = \"Where?\"\n", "", "norm/shapes has the keys {\"paper\", \"usual\"}"),
        ("usual = \"Which axis?\"", "usual = \"Which axis?\"\nmore = \"No.\"", "\"usual\"}"),
        ("\"Here.\"", "\" \"", "norm/order, look is empty, or no text"),
        ("\"Here.\"", "3", "norm/order, look is empty, or no text"),
        (
            "\"Here.\"",
            "\"Here\"",
            "norm/order, look does not end in a full stop or a question mark",
        ),
        ("\"Here.\"", "\"A\\nB.\"", "norm/order, look has several lines"),
        ("\"Here.\"", &long, "norm/order, look is too long"),
        ("\"Here.\"", "\"Here.", "TOML parse error"),
    ] {
        let found = form_problems(&GOOD.replacen(from, to, 1), &public);
        assert!(found.len() == 1 && found[0].contains(problem), "{found:?}");
    }
    let of_text = form_problems("\"norm/shapes\" = \"Where?\"\n", &public);
    assert_eq!(of_text.len(), 2, "{of_text:?}");
}

#[test]
fn lines_and_code_of_a_solution_are_found() {
    let line = "let root = (x.sqr()?.mean_keepdim(D::Minus1)? + EPSILON)?.sqrt()?;";
    let solution = format!("fn forward() {{\n    {line}\n    x.broadcast_div(&root)\n}}\n");
    let hint = "Write `let root =  (x.sqr()?.mean_keepdim(D::Minus1)? + EPSILON)?.sqrt()?;` first.";
    assert_eq!(shown_lines(hint, &solution, ""), [line]);
    assert!(shown_lines(hint, &solution, &solution).is_empty());
    assert!(shown_lines("Look at the root in `forward`.", &solution, "").is_empty());
    let hint = "Is it `x.broadcast_div(&root)`, or `sqrt`, as in `mean_keepdim(D::Minus1)` or `D::Minus2`?";
    assert_eq!(
        shown_code(hint, &solution, ""),
        ["x.broadcast_div(&root)", "mean_keepdim(D::Minus1)"]
    );
    assert_eq!(shown_code(hint, &solution, "mean_keepdim(D::Minus1)"), ["x.broadcast_div(&root)"]);
}

#[test]
fn names_of_hidden_checks_are_found() {
    let (public, hidden) =
        (ids(["norm/shapes", "norm/key-order"]), ids(["norm/far-positions", "layer/key-order"]));
    let secrets = secret_names(&public, &hidden);
    let expected = ["far-positions", "layer/key-order", "norm/far-positions"];
    assert_eq!(secrets.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    assert!(is_named("Then far-positions fails.", "far-positions"));
    assert!(is_named("See `layer/key-order`.", "layer/key-order"));
    assert!(!is_named("Not-so-far-positions count.", "far-positions"));
}
