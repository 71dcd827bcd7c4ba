//! Shapes of types and closures that hide what a value means.

use crate::tidy::{code, fail_with, sources};

/// Most lines in the braces of a closure: a longer one is a function without a name.
const MAX_CLOSURE: usize = 6;

/// Places where a type is a result of a result: which of the two failures is whose, only a named type says.
fn nested_results(file: &str, text: &str) -> Vec<String> {
    let lines = code(text).into_iter();
    let nested = lines.filter(|line| line.replace("io::", "").contains("Result<Result<"));
    nested.map(|line| format!("{file}: a result of a result: {line}")).collect()
}

/// Closures with more lines than [`MAX_CLOSURE`] in their braces. A body that is one expression, such as a struct, is not
/// counted.
fn long_closures(file: &str, text: &str) -> Vec<String> {
    let before_tests = text.split("\n#[cfg(test)]").next().unwrap_or_default();
    let lines: Vec<&str> = before_tests.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| opens_closure(line)) {
        let indent = |line: &str| line.len() - line.trim_start().len();
        let inside = lines.iter().skip(at + 1);
        let length = inside.take_while(|it| it.is_empty() || indent(it) > indent(line)).count();
        if length > MAX_CLOSURE {
            found.push(format!("{file}:{}: a closure of {length} lines", at + 1));
        }
    }
    found
}

/// True if a closure begins in the line whose body goes on in the next. The closure of `thread::scope` is a block, in
/// which the threads live.
fn opens_closure(line: &str) -> bool {
    if line.contains("thread::scope(") || line.trim_start().starts_with("//") {
        return false;
    }
    let Some(start) = line.trim_end().strip_suffix('{') else { return false };
    let start = start.split(" -> ").next().unwrap_or_default().trim_end();
    let is_match = start.contains("| match ");
    start.ends_with('|') && !start.ends_with("||") || is_match
}

#[test]
fn no_result_is_a_result_of_a_result() {
    let problems: Vec<String> = ["src", "crates", "labs"]
        .into_iter()
        .flat_map(sources)
        .flat_map(|(file, text)| nested_results(&file, &text))
        .collect();
    fail_with(&problems);
}

#[test]
fn long_closures_are_functions() {
    let problems: Vec<String> = ["src", "crates", "labs"]
        .into_iter()
        .flat_map(sources)
        .filter(|(file, _)| !file.contains("/tests/") && !file.contains("/benches/"))
        .flat_map(|(file, text)| long_closures(&file, &text))
        .collect();
    fail_with(&problems);
}

#[test]
fn results_of_results_and_long_closures_are_noticed() {
    assert_eq!(nested_results("a", "fn f() -> Result<Result<u8, A>, B> {\n").len(), 1);
    assert_eq!(nested_results("a", "fn f() -> io::Result<io::Result<u8>> {\n").len(), 1);
    assert!(nested_results("a", "fn f() -> Result<Vec<Result<u8, A>>, B> {\n").is_empty());
    let closure = |head: &str, lines: usize| {
        let body = "        step();\n".repeat(lines);
        long_closures("a", &format!("    {head}\n{body}    }};\n")).len()
    };
    for head in [
        "let f = |x| {",
        "let f = move |x: u8| -> u8 {",
        "let f = |x| match x {",
        "all.map(|(a, b)| {",
    ] {
        assert_eq!((closure(head, MAX_CLOSURE), closure(head, MAX_CLOSURE + 1)), (0, 1), "{head}");
    }
    for head in ["if a || {", "match x {", "// |x| {", "thread::scope(|scope| {"] {
        assert_eq!(closure(head, MAX_CLOSURE + 1), 0, "{head}");
    }
}
