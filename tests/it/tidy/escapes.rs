//! Text of submissions is printed escaped, by its type.

use crate::tidy::{code, fail_with, sources};

/// Writers of a format, which escape whatever they print.
const WRITERS: [&str; 5] = [
    "src/audit/terminal.rs",
    "src/cli/printer.rs",
    "src/report/csv.rs",
    "src/report/html/escape.rs",
    "src/report/markdown/escape.rs",
];

/// Files that use text from submissions without escapes, and for what.
const RAW: [(&str, &str); 50] = [
    ("crates/softmark-exam/src/check/hunt.rs", "stores names in the kill matrix"),
    ("src/build/salvage.rs", "parses the compiler's output"),
    ("src/cli/commands/diff.rs", "finds a record by its name"),
    ("src/cli/commands/feedback.rs", "finds a record by its name"),
    ("src/cli/commands/mark.rs", "finds a record by its name"),
    ("src/course/choice.rs", "compares digests of submissions"),
    ("src/course/hand_in.rs", "parses times"),
    ("src/course/names.rs", "compares names of submissions"),
    ("src/course/roster/keys.rs", "compares names of students"),
    ("src/course/roster/matching.rs", "finds a student by a name"),
    ("src/course/roster/prefixes.rs", "compares beginnings of names"),
    ("src/course/roster/read.rs", "joins names of groups"),
    ("src/course/standings.rs", "compares ids of assignments"),
    ("src/course/times.rs", "parses times"),
    ("src/cli/commands/stats.rs", "finds an assignment by its id"),
    ("src/intake/apart.rs", "makes names of submissions"),
    ("src/intake/stray.rs", "compares names of submissions"),
    ("src/ledger/targets.rs", "compares ids of checks"),
    ("src/marking/groups.rs", "compares answers"),
    ("src/marking/order.rs", "hashes names"),
    ("src/marks/csv_file.rs", "compares names and parses cells"),
    ("src/pipeline/archive.rs", "finds a record by its name"),
    ("src/pipeline/broken.rs", "makes and parses stored notes"),
    ("src/pipeline/draft.rs", "quotes an id for a shell"),
    ("src/pipeline/reuse.rs", "compares ids of checks"),
    ("src/pipeline/run.rs", "computes pseudonyms from names"),
    ("src/pipeline/submission.rs", "finds a pseudonym, extends a stored reason"),
    ("src/report/evidence.rs", "compares ids of checks"),
    ("src/report/html/checks.rs", "finds a mistake by its id"),
    ("src/report/junit.rs", "compares ids of checks"),
    ("src/report/markdown/submission.rs", "finds a mistake by its id"),
    ("src/report/own_words.rs", "cuts a message"),
    ("src/report/summary.rs", "finds a mistake by its id"),
    ("src/report/terminal/submission.rs", "finds a mistake by its id"),
    ("src/store/answers.rs", "writes SQL parameters"),
    ("src/store/database.rs", "writes SQL parameters"),
    ("src/store/decisions.rs", "writes SQL parameters"),
    ("src/store/folder.rs", "finds a record by its name"),
    ("src/store/insert.rs", "writes SQL parameters"),
    ("src/store/marking_refusal.rs", "writes SQL parameters"),
    ("src/store/markings.rs", "writes SQL parameters"),
    ("src/store/rubrics.rs", "writes SQL parameters"),
    ("src/ledger/read.rs", "finds gradings by a name"),
    ("src/results/override_points.rs", "finds a record by its name"),
    ("src/serve/pages/class/filter_form.rs", "writes values of a form"),
    ("src/serve/pages/statistics.rs", "writes queries of links"),
    (
        "src/serve/pages/submission/decisions.rs",
        "writes values of a form, finds a record by its name",
    ),
    ("src/serve/pages/submission/evidence.rs", "finds a mistake by its id"),
    ("src/serve/shared.rs", "finds gradings by an id"),
    ("src/serve/text.rs", "writes values of a form"),
];

/// Escapes of untrusted text that a file makes itself, and uses of text without escapes that [`RAW`] lacks.
fn unescaped(name: &str, text: &str) -> Vec<String> {
    let is_used = |word: &str| code(text).iter().any(|line| line.contains(word));
    let escapes = is_used("escape_line")
        && !WRITERS.contains(&name)
        && !name.starts_with("crates/softmark-untrusted/");
    // Ids of processes and users have a method of that name.
    let is_raw = |line: &str| {
        let is_ours = line.contains("as_raw()") && !line.contains("id().as_raw()");
        is_ours || line.contains("::as_raw)")
    };
    let raw = code(text).into_iter().any(is_raw);
    let is_known = RAW.iter().any(|(file, _)| *file == name);
    let mut problems = Vec::new();
    if escapes {
        problems.push(format!("{name}: escapes by hand; make the text an `Untrusted`"));
    }
    if raw != is_known {
        problems.push(format!("{name}: uses `as_raw`: {raw}, listed in RAW: {is_known}"));
    }
    problems
}

#[test]
fn text_of_submissions_is_escaped_by_its_type() {
    let files = ["src", "crates/softmark-exam"].into_iter().flat_map(sources);
    let problems: Vec<String> = files.flat_map(|(name, text)| unescaped(&name, &text)).collect();
    fail_with(&problems);
}

#[test]
fn an_escape_by_hand_is_noticed() {
    let by_hand = "let shown = escape_line(&text);\n";
    assert_eq!(unescaped("src/report/junit.rs", by_hand).len(), 2);
    assert_eq!(unescaped("src/report/csv.rs", by_hand).len(), 0);
    assert_eq!(unescaped("src/report/csv.rs", "let text = text.as_raw();\n").len(), 1);
}

/// Files of the pages that write markup which `maud` does not escape: what another module of the grader has escaped.
const MARKUP: [&str; 1] = ["src/serve/markup.rs"];

#[test]
fn pages_are_written_by_a_macro_that_escapes() {
    let files = sources("src").into_iter();
    let is_used = |text: &str| code(text).iter().any(|line| line.contains("PreEscaped"));
    let users: Vec<String> =
        files.filter(|(_, text)| is_used(text)).map(|(name, _)| name).collect();
    assert_eq!(users, MARKUP);
}
