//! Table of keys.

use maud::{Markup, html};

/// Keys and what they do.
const KEYS: [(&str, &str); 13] = [
    ("1–9", "choose or clear an item of the rubric; saves the mark"),
    ("0", "no points; saves the mark"),
    ("f", "full points; saves the mark"),
    ("n", "next answer"),
    ("p", "previous answer"),
    ("o", "next open answer"),
    ("u", "undo my last mark of this answer"),
    (".", "edit the free points"),
    ("c", "edit the comment"),
    ("a", "add an item to the rubric"),
    ("Enter", "save, in a line; Ctrl-Enter in the comment"),
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
