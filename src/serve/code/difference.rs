//! Difference of two versions of a file, line by line.

use diffy::{DiffOptions, Line};
use maud::{Markup, html};
use softmark_untrusted::Untrusted;

/// Lines around a change that are shown.
const CONTEXT: usize = 3;

/// Line of the difference.
struct Shown {
    class: &'static str,
    sign: &'static str,
    before: Option<usize>,
    after: Option<usize>,
    text: Untrusted,
}

/// Returns the lines that differ between two versions of a text, with some lines around them; `None` if there are none.
pub(in crate::serve) fn difference(before: &str, after: &str) -> Option<Markup> {
    let mut options = DiffOptions::new();
    let patch = options.set_context_len(CONTEXT).create_patch(before, after);
    if patch.hunks().is_empty() {
        return None;
    }
    Some(html! {
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
        assert!(difference("a\n", "a\n").is_none());
        let shown = difference("a\nb\nc\n", "a\n<b>\nc\n").unwrap().into_string();
        for expected in [
            "<tr class=\"old\"><td class=\"at\">2</td><td class=\"at\"></td><td class=\"sign\">−</td><td><code>b</code>",
            "<tr class=\"new\"><td class=\"at\"></td><td class=\"at\">2</td><td class=\"sign\">+</td><td><code>&lt;b&gt;</code>",
            "<tr class=\"same\"><td class=\"at\">3</td><td class=\"at\">3</td>",
        ] {
            assert!(shown.contains(expected), "{shown}");
        }
    }
}
