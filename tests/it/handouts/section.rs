//! Sections of a handout: `### Task 1: …` for each task.

/// Returns the names of the figures that stand on lines of their own with a caption.
pub(super) fn shown_figures(text: &str) -> Vec<String> {
    text.lines().filter_map(shown_figure).collect()
}

fn shown_figure(line: &str) -> Option<String> {
    let (caption, target) = line.strip_prefix("![")?.split_once("](figures/")?;
    let name = target.strip_suffix(')')?;
    (!caption.trim().is_empty()).then(|| name.to_owned())
}

/// Returns the lines of the section with this heading, up to the next heading of the same or a higher level.
fn section<'a>(text: &'a str, title: &str) -> Option<Vec<&'a str>> {
    let heading = format!("### {title}");
    let mut lines = text.lines().skip_while(|line| *line != heading);
    lines.next()?;
    let ends = |line: &str| line.starts_with("### ") || line.starts_with("## ");
    Some(lines.take_while(|line| !ends(line)).collect())
}

/// Returns the hours of a line `Time: about 3 hours.`
fn hours(line: &str) -> Option<u32> {
    let number = line.strip_prefix("Time: about ")?;
    let number = number.strip_suffix(" hours.").or_else(|| number.strip_suffix(" hour."))?;
    number.parse().ok().filter(|hours| *hours > 0)
}

/// Returns the hours of all tasks, which the text gives as `The tasks take about 13 hours in all`.
fn total(text: &str) -> Option<u32> {
    let (_, rest) = text.split_once("The tasks take about ")?;
    rest.split_once(" hours in all")?.0.parse().ok()
}

/// Returns what is missing in the sections of the tasks with these titles.
pub(super) fn problems(text: &str, titles: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut sum = 0;
    for title in titles {
        let Some(lines) = section(text, title) else {
            found.push(format!("{title}: no section of this title"));
            continue;
        };
        match lines.iter().find_map(|line| hours(line)) {
            Some(hours) => sum += hours,
            None => found.push(format!("{title}: no line `Time: about N hours.`")),
        }
        if !lines.iter().any(|line| shown_figure(line).is_some()) {
            found.push(format!("{title}: no figure"));
        }
        let is_formula = |line: &&str| *line == "```math" || line.starts_with("No formula: ");
        if !lines.iter().any(is_formula) {
            found.push(format!("{title}: neither a formula nor `No formula: ` and the reason"));
        }
    }
    if total(text) != Some(sum) {
        found.push(format!("the tasks take {sum} hours, and the text says another number"));
    }
    found
}

const COMPLETE: &str = "\
The tasks take about 3 hours in all.

### Task 1: one

Time: about 1 hour.

![a caption](figures/one.svg)

```math
x
```

### Task 2: two

Time: about 2 hours.

![a caption](figures/two.svg)

No formula: nothing is computed.
";

#[test]
fn accepts_sections_with_everything() {
    assert_eq!(problems(COMPLETE, &["Task 1: one", "Task 2: two"]), [""; 0]);
}

#[test]
fn reports_what_is_missing_in_a_section() {
    let titles = ["Task 1: one", "Task 2: two"];
    for (from, to, problem) in [
        ("### Task 2: two", "### Task 2: other", "Task 2: two: no section of this title"),
        ("Time: about 1 hour.", "Time: an hour.", "Task 1: one: no line `Time: about N hours.`"),
        ("![a caption](figures/two.svg)", "![](figures/two.svg)", "Task 2: two: no figure"),
        ("```math", "```text", "Task 1: one: neither a formula nor `No formula: ` and the reason"),
        (
            "about 3 hours",
            "about 4 hours",
            "the tasks take 3 hours, and the text says another number",
        ),
    ] {
        let changed = COMPLETE.replace(from, to);
        assert_ne!(changed, COMPLETE);
        let found = problems(&changed, &titles);
        assert!(found.iter().any(|it| it == problem), "{from}: {found:?}");
    }
}

/// The figure of the next section is none of this one.
#[test]
fn sections_end_at_the_next_heading() {
    let text = COMPLETE.replace("![a caption](figures/one.svg)\n", "");
    assert_eq!(problems(&text, &["Task 1: one", "Task 2: two"]), ["Task 1: one: no figure"]);
}
