//! Table of keys.

use maud::{Markup, html};

/// Keys and what they do.
const KEYS: [(&str, &str); 13] = [
    ("1–9", "choose an item of the rubric, or no longer; the mark is saved"),
    ("0", "no points, saved"),
    ("f", "full points, saved"),
    ("n", "next answer"),
    ("p", "previous answer"),
    ("o", "next open answer"),
    ("u", "take my last mark of this answer back"),
    (".", "free points"),
    ("c", "comment"),
    ("a", "add an item to the rubric"),
    ("Enter", "in a line: save; Ctrl-Enter in the comment"),
    ("Esc", "leave a field"),
    ("?", "show these keys"),
];

/// Returns the dialog with all keys.
pub(super) fn help() -> Markup {
    html! {
        dialog #help aria-labelledby="help-title" {
            h2 #help-title { "Keys" }
            table {
                thead { tr { th scope="col" { "Key" } th scope="col" { "Does" } } }
                tbody { @for (key, text) in KEYS { tr { th scope="row" { kbd { (key) } } td { (text) } } } }
            }
            p { "Everything is saved at once; a text is saved when you stop typing." }
            form method="dialog" { button { "Close" } }
        }
    }
}
