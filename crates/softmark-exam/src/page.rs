//! The page of a mistake: `solutions/<assignment>/mistakes/<id>/page.md`, which is compiled into the grader.
//!
//! A page opens with its front matter, two TOML strings without escapes between lines of `+++`:
//!
//! ```text
//! +++
//! task = "scaled-dot-product"
//! summary = "scores are not scaled by the width of a head"
//! +++
//!
//! ## What we saw
//! ```

/// A page as it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// Id of the task in which the mistake is made.
    pub task: &'static str,
    /// One line for lists, as a sentence without a full stop.
    pub summary: &'static str,
    /// The Markdown below the front matter.
    pub text: &'static str,
}

impl Page {
    /// Reads a page, at compile time.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the front matter, or that there is no text below it.
    pub const fn parse(file: &'static str) -> Result<Self, &'static str> {
        let Some(rest) = after(file, "+++\ntask = \"") else {
            return Err("page.md: the first two lines are not `+++` and `task = \"…\"`");
        };
        let Some(task) = until_quote(rest) else {
            return Err("page.md: `task` is no string on one line, without escapes");
        };
        let Some(rest) = after(rest.split_at(task.len()).1, "\"\nsummary = \"") else {
            return Err("page.md: the line after `task` is not `summary = \"…\"`");
        };
        let Some(summary) = until_quote(rest) else {
            return Err("page.md: `summary` is no string on one line, without escapes");
        };
        let Some(text) = after(rest.split_at(summary.len()).1, "\"\n+++\n\n") else {
            return Err("page.md: the lines after `summary` are not `+++` and an empty one");
        };
        if task.is_empty() || summary.is_empty() || text.is_empty() {
            return Err("page.md: the task, the summary or the text is empty");
        }
        Ok(Self { task, summary, text })
    }
}

/// Returns the text after `start`, or `None` if it does not begin with that.
const fn after(text: &'static str, start: &str) -> Option<&'static str> {
    let (mut left, mut expected) = (text.as_bytes(), start.as_bytes());
    while let ([byte, rest @ ..], [wanted, others @ ..]) = (left, expected) {
        if *byte != *wanted {
            return None;
        }
        (left, expected) = (rest, others);
    }
    if expected.is_empty() { Some(text.split_at(start.len()).1) } else { None }
}

/// Returns the text up to a quotation mark, or `None` if a line ends or a backslash comes before it.
const fn until_quote(text: &'static str) -> Option<&'static str> {
    let mut left = text.as_bytes();
    while let [byte, rest @ ..] = left {
        match *byte {
            b'"' => return Some(text.split_at(text.len() - left.len()).0),
            b'\n' | b'\\' => return None,
            _ => left = rest,
        }
    }
    None
}

/// Row of a mistake bank in an exam crate: the mistake of that id, with its page
/// `solutions/<assignment>/mistakes/<id>/page.md`, its imitations, and its cuts where it has any:
///
/// ```text
/// mistake!("missing-scale", &[|case| imitate(&Rules { scale: 1.0, ..RIGHT }, case)])
/// ```
///
/// Or else with the recorded answers of the mutants in the same folder, `<mutant>.answers.json`, which
/// `grade audit <assignment> --record` writes:
///
/// ```text
/// mistake!("missing-scale", recorded: ["missing-scale", "scaled-by-one"])
/// ```
///
/// The crate that uses it must be `solutions/<assignment>/exam`.
#[macro_export]
macro_rules! mistake {
    ($id:literal, recorded: [$($patch:literal),+ $(,)?]) => {
        $crate::Mistake {
            recordings: &[$($crate::Recording {
                patch: $patch,
                text: include_str!(concat!(
                    env!("CARGO_MANIFEST_DIR"),
                    "/../mistakes/",
                    $id,
                    "/",
                    $patch,
                    ".answers.json"
                )),
            }),+],
            ..$crate::mistake!($id, &[])
        }
    };
    ($id:literal, $imitations:expr) => {
        $crate::mistake!($id, $imitations, &[])
    };
    ($id:literal, $imitations:expr, $cuts:expr) => {{
        const PAGE: $crate::Page = match $crate::Page::parse(include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../mistakes/",
            $id,
            "/page.md"
        ))) {
            Ok(page) => page,
            Err(problem) => panic!("{}", problem),
        };
        $crate::Mistake {
            id: $id,
            task: PAGE.task,
            summary: PAGE.summary,
            page: PAGE.text,
            imitations: $imitations,
            cuts: $cuts,
            recordings: &[],
            fails: $crate::FailedChecks::UNKNOWN,
        }
    }};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_front_matter_and_text() {
        let page = Page::parse("+++\ntask = \"t\"\nsummary = \"a, b: c\"\n+++\n\n## What\n");
        assert_eq!(page, Ok(Page { task: "t", summary: "a, b: c", text: "## What\n" }));
    }

    #[test]
    fn says_which_line_is_wrong() {
        for (file, problem) in [
            ("", "the first two lines"),
            ("---\ntask = \"t\"\n", "the first two lines"),
            ("+++\ntask = \"t\n", "`task` is no string"),
            ("+++\ntask = \"t\"\nsum = \"s\"\n", "the line after `task`"),
            ("+++\ntask = \"t\"\nsummary = \"a \\\" b\"\n", "`summary` is no string"),
            ("+++\ntask = \"t\"\nsummary = \"s\"\n+++\n## What\n", "the lines after `summary`"),
            ("+++\ntask = \"t\"\nsummary = \"s\"\n+++\n\n", "is empty"),
        ] {
            let found = Page::parse(file).unwrap_err();
            assert!(found.contains(problem), "{file:?}: {found}");
        }
    }
}
