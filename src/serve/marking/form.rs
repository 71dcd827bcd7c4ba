//! Forms in which a mark is given.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::choice::{Choice, ITEM_LENGTH, SeenAnswer};
use super::context::{ClassAnswer, MarkingContext};
use super::mark_view::field;
use crate::marking::{Item, KEYS, LineMark, Marked, Question};
use crate::model::{Delta, Points};
use crate::serve::text::FieldText;
use crate::serve::visit::Visit;
use crate::store::MarkingId;

impl Choice {
    /// Returns the choice of a mark, or that of a form where nothing is chosen.
    pub(super) fn of(marked: Option<&Marked<'_>>) -> Self {
        let given = marked.and_then(Marked::content).cloned().unwrap_or_default();
        Self { items: given.items, free: given.free, comment: given.comment }
    }

    /// Returns the choice that gives an answer the mark of a line of `marks.csv`.
    pub(super) fn of_line(line: &LineMark) -> Self {
        let free = Delta::between(Points::ZERO, line.points);
        Self { items: BTreeSet::new(), free, comment: line.comment.clone() }
    }
}

/// Returns the form that marks an answer, filled with a choice.
pub(super) fn mark_form(
    visit: &Visit<'_>,
    context: &MarkingContext,
    at: &ClassAnswer,
    choice: &Choice,
) -> Markup {
    let question = context.question(&at.entry);
    html! {
        form #mark.mark method="post" action=(context.path_of(at.code)) data-marking {
            (hidden(visit, context, at))
            (fields(context, &question, choice))
            p.actions {
                button name="go" value="stay" { "Save" }
                button.quiet name="go" value="next" { "Save, next" }
                button.quiet name="go" value="open" { "Save, next open" }
                button.quiet name="quick" value="none" aria-keyshortcuts="0" { kbd { "0" } " No points" }
                button.quiet name="quick" value="full" aria-keyshortcuts="f" { kbd { "f" } " Full points" }
            }
        }
    }
}

/// Returns the hidden fields of a form about an answer: the token, the role, and what the marker sees.
pub(super) fn hidden(visit: &Visit<'_>, context: &MarkingContext, at: &ClassAnswer) -> Markup {
    html! {
        (visit.token_field())
        (role_field(context))
        input type="hidden" name="saw" value=(SeenAnswer::now(context, at).write());
    }
}

/// Returns the hidden field with the role.
pub(super) fn role_field(context: &MarkingContext) -> Markup {
    html! { input type="hidden" name="role" value=(context.role.as_str()); }
}

/// Returns the fields of a mark: items, free points, comment, and an item to add.
pub(super) fn fields(context: &MarkingContext, question: &Question<'_>, choice: &Choice) -> Markup {
    html! {
        fieldset.rubric {
            legend { "Rubric" }
            @for (place_of_item, item) in question.rubric.items().enumerate() {
                (item_field(context, (place_of_item, item), choice))
            }
            @for item in question.rubric.retired().filter(|item| choice.items.contains(&item.id)) {
                (retired_field(context, item))
            }
            div.new {
                label { "New item" input name="new_text" maxlength=(ITEM_LENGTH) autocomplete="off" data-focus="a"; }
                label { "Points" input.short name="new_points" autocomplete="off" inputmode="decimal"; }
            }
        }
        label.line {
            "Free points"
            input.short name="free" value=(field(choice.free)) autocomplete="off" inputmode="decimal"
                data-focus=".";
        }
        label {
            "Comment for the student"
            textarea name="comment" rows="3" data-focus="c" { (FieldText(&choice.comment)) }
        }
    }
}

fn item_field(context: &MarkingContext, (at, item): (usize, &Item), choice: &Choice) -> Markup {
    let key = (at < KEYS).then(|| (at + 1).to_string());
    let edit = context.path(&format!("/rubric/{}", item.id.number()));
    html! {
        div.item {
            label {
                input type="checkbox" name="item" value=(item.id.number().to_string())
                    checked[choice.items.contains(&item.id)] data-key=[key.as_deref()]
                    aria-keyshortcuts=[key.as_deref()];
                @if let Some(key) = &key { kbd { (key) } }
                span { (item.text) }
                span.number { (item.points.to_string()) }
            }
            a.edit href=(edit) { "Edit" span.hidden { " item " (at + 1) } }
        }
    }
}

/// Returns the field of a chosen item that is not in use: it stays chosen, and counts if it is used again.
fn retired_field(context: &MarkingContext, item: &Item) -> Markup {
    let edit = context.path(&format!("/rubric/{}", item.id.number()));
    html! {
        div.item {
            label {
                input type="checkbox" name="item" value=(item.id.number().to_string()) checked;
                span { (item.text) " " small { "not in use" } }
                span.number { "0.00" }
            }
            a.edit href=(edit) { "Edit" span.hidden { " item that is not in use: " (item.text) } }
        }
    }
}

/// Returns the form that gives an answer the mark that it has, or that another marker gave, once more: it decides between
/// them.
pub(super) fn take_form(
    visit: &Visit<'_>,
    context: &MarkingContext,
    at: &ClassAnswer,
    choice: &Choice,
) -> Markup {
    html! {
        form method="post" action=(context.path_of(at.code)) {
            (hidden(visit, context, at))
            @for item in &choice.items {
                input type="hidden" name="item" value=(item.number().to_string());
            }
            @if choice.free != Delta::ZERO {
                input type="hidden" name="free" value=(field(choice.free));
            }
            input type="hidden" name="comment" value=(FieldText(&choice.comment));
            button { "Use this mark" }
        }
    }
}

/// Returns the form that takes a marking back.
pub(super) fn undo_form(
    visit: &Visit<'_>,
    context: &MarkingContext,
    at: &ClassAnswer,
    marking: MarkingId,
) -> Markup {
    html! {
        form.undo method="post" action=(context.path_to_undo(at.code)) data-undo {
            (hidden(visit, context, at))
            input type="hidden" name="marking" value=(marking.number().to_string());
            button.quiet aria-keyshortcuts="u" { kbd { "u" } " Undo my mark" }
        }
    }
}
