//! Difference of two versions of a file, line by line.

use diffy::{DiffOptions, Line};
use maud::{Markup, html};
use softmark_untrusted::Untrusted;

/// Lines around a change that are shown.
const CONTEXT: usize = 3;

/// Most lines that are compared, of both versions together, without those at the beginning and the end that are equal. The time
/// grows with the square of the lines that differ; four thousand take less than half a second, and files of students have some
/// hundreds.
const MOST_LINES: usize = 4_000;

/// Difference of two versions of a text.
pub(in crate::serve) enum Difference {
    /// The versions are equal.
    None,
    /// Lines that differ, with some lines around them.
    Lines(Markup),
    /// More lines differ than are compared.
    TooLong,
}

/// Line of the difference.
struct Shown {
    class: &'static str,
    sign: &'static str,
    before: Option<usize>,
    after: Option<usize>,
    text: Untrusted,
}

/// Returns the difference of two versions of a text.
pub(in crate::serve) fn difference(before: &str, after: &str) -> Difference {
    if changed_lines(before, after) > MOST_LINES {
        return Difference::TooLong;
    }
    let mut options = DiffOptions::new();
    let patch = options.set_context_len(CONTEXT).create_patch(before, after);
    if patch.hunks().is_empty() {
        return Difference::None;
    }
    Difference::Lines(html! {
        @for hunk in patch.hunks() {
            div.scroll tabindex="0" role="region" aria-label={ "Lines from " (hunk.new_range().start()) } {
                table.diff {
                    tbody {
                        @for line in shown(hunk.lines(), hunk.old_range().start(), hunk.new_range().start()) {
                            tr class=(line.class) {
                                td.at { @if let Some(at) = line.before { (at) } }
                                td.at { @if let Some(at) = line.after { (at) } }
                                td.sign { (line.sign) }
                                td { code { (line.text) } }
                            }
                        }
                    }
                }
            }
        }
    })
}

/// Returns the number of lines of both texts without those at the beginning and the end that are equal.
fn changed_lines(before: &str, after: &str) -> usize {
    let (mut before, mut after) = (before.lines(), after.lines());
    while let (Some(one), Some(other)) = (before.clone().next(), after.clone().next())
        && one == other
    {
        before.next();
        after.next();
    }
    while let (Some(one), Some(other)) = (before.clone().next_back(), after.clone().next_back())
        && one == other
    {
        before.next_back();
        after.next_back();
    }
    before.count() + after.count()
}

fn shown(lines: &[Line<'_, str>], mut before: usize, mut after: usize) -> Vec<Shown> {
    let mut all = Vec::new();
    for line in lines {
        let (class, sign, text, is_old, is_new) = match line {
            Line::Context(text) => ("same", " ", text, true, true),
            Line::Delete(text) => ("old", "−", text, true, false),
            Line::Insert(text) => ("new", "+", text, false, true),
        };
        let text = text.trim_end_matches(['\n', '\r']).into();
        let (old, new) = (is_old.then_some(before), is_new.then_some(after));
        all.push(Shown { class, sign, before: old, after: new, text });
        before += usize::from(is_old);
        after += usize::from(is_new);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_lines_are_shown_with_their_numbers_escaped() {
        assert!(matches!(difference("a\n", "a\n"), Difference::None));
        let Difference::Lines(shown) = difference("a\nb\nc\n", "a\n<b>\nc\n") else { panic!() };
        let shown = shown.into_string();
        for expected in [
            "<tr class=\"old\"><td class=\"at\">2</td><td class=\"at\"></td><td class=\"sign\">−</td><td><code>b</code>",
            "<tr class=\"new\"><td class=\"at\"></td><td class=\"at\">2</td><td class=\"sign\">+</td><td><code>&lt;b&gt;</code>",
            "<tr class=\"same\"><td class=\"at\">3</td><td class=\"at\">3</td>",
        ] {
            assert!(shown.contains(expected), "{shown}");
        }
    }

    #[test]
    fn a_difference_that_would_take_long_is_not_made() {
        let lines = |from: usize, count: usize| {
            let numbers: Vec<String> = (from..from + count).map(|it| it.to_string()).collect();
            format!("{}\n", numbers.join("\n"))
        };
        // Two versions of a long file that have nothing in common would take minutes.
        let (one, other) = (lines(0, 100_000), lines(200_000, 100_000));
        assert!(matches!(difference(&one, &other), Difference::TooLong));
        assert!(matches!(difference(&one, ""), Difference::TooLong));
        // A long file with a change in one place is compared.
        let changed = one.replace("50000\n", "fifty thousand\n");
        assert!(matches!(difference(&one, &changed), Difference::Lines(_)));
        assert_eq!(changed_lines(&one, &changed), 2);
        assert_eq!(changed_lines("a\nb\n", "a\nb\nc\n"), 1);
        assert_eq!(changed_lines("a\na\n", "a\n"), 1);
    }
}
