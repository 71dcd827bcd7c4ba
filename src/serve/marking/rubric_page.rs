//! Page of a rubric item: its text and points, and the preview of a change.

use maud::{Markup, html};

use super::assets::marking_page;
use super::choice::{ITEM_LENGTH, change_rubric, item_id, item_text, points};
use super::context::{ClassAnswer, MarkingContext};
use super::form::role_field;
use super::mark_view::field;
use crate::marking::{AnswerVersion, Effect, Item, Question, QuestionId, preview};
use crate::report::text::count;
use crate::serve::answer::Answer;
use crate::serve::fields::Fields;
use crate::serve::problem::Problem;
use crate::serve::route::Answered;
use crate::serve::text::FieldText;
use crate::serve::visit::Visit;
use crate::store::{ItemVersion, MarkerRole, RubricOutcome};

/// Shows an item, and the effects of a change if the query has one.
pub(super) fn show(visit: &Visit<'_>) -> Answered {
    let context = MarkingContext::of(visit)?;
    let question = question(&context);
    let item = item(visit, &context, &question)?;
    let proposed = match visit.query.text("text") {
        "" => None,
        _ => Some(content(visit.query)?),
    };
    let shown = proposed.clone().unwrap_or_else(|| ItemVersion {
        text: item.text.clone(),
        points: item.points,
        is_retired: item.is_retired,
    });
    let body = html! {
        p.crumbs { a href="/marking" { "Marking" } " › " a href=(context.path("")) { (context.written.title) } }
        h1 { "Rubric item" }
        p { "Now: " (item.text) ", " (item.points.to_string()) @if item.is_retired { ", not in use" } }
        form.stack method="get" {
            (role_field(&context))
            label { "Text" textarea name="text" rows="3" maxlength=(ITEM_LENGTH) required { (FieldText(&shown.text)) } }
            label { "Points" input.short name="points" value=(field(shown.points)) inputmode="decimal"; }
            label.line { input type="checkbox" name="retired" value="yes" checked[shown.is_retired];
                " Not in use: it counts nothing, also where it was chosen" }
            button { "Preview the change" }
        }
        @if let Some(content) = &proposed { (effects(visit, &context, (item, content))) }
    };
    Ok(marking_page(visit, "Rubric item", &body))
}

/// Changes an item, unless somebody has changed it since the user saw it.
pub(super) fn change(visit: &Visit<'_>) -> Answered {
    let context = MarkingContext::of(visit)?;
    let question = question(&context);
    let item = item(visit, &context, &question)?;
    let content = content(visit.form)?;
    let seen = visit.form.text("version").parse().map_err(|_| Problem::NotFound)?;
    match change_rubric(visit, &context, (Some((item.id, seen)), content))? {
        RubricOutcome::Saved(_) => Ok(Answer::SeeOther(context.path(""))),
        RubricOutcome::Unknown => Err(Problem::NotFound),
        RubricOutcome::Conflict => Err(Problem::Conflict(format!(
            "somebody has changed the item meanwhile; it is now `{}`, {} points. Go back and load the page again",
            item.text, item.points
        ))),
    }
}

fn question(context: &MarkingContext) -> Question<'_> {
    let written = &context.written;
    context.snapshot.book.question(&written.assignment, &written.id, written.max_points)
}

/// Returns the item that the path names.
fn item<'a>(
    visit: &Visit<'_>,
    context: &MarkingContext,
    question: &'a Question<'_>,
) -> Result<&'a Item, Problem> {
    let id = item_id(visit.parts.text("item"), context).map_err(|_| Problem::NotFound)?;
    question.rubric.item(id).ok_or(Problem::NotFound)
}

/// Reads the content of an item from the fields of a query or a form.
fn content(fields: &Fields) -> Result<ItemVersion, Problem> {
    Ok(ItemVersion {
        text: item_text(fields.required("text")?)?,
        points: points(fields.text("points"))?,
        is_retired: fields.text("retired") == "yes",
    })
}

/// Returns the effects of a change, and the form that makes it.
fn effects(
    visit: &Visit<'_>,
    context: &MarkingContext,
    (item, content): (&Item, &ItemVersion),
) -> Markup {
    // The points of a line of marks.csv do not follow the rubric.
    let answers = context.written.answers.values();
    let versions =
        answers.filter(|entry| context.line(entry).is_none()).map(|entry| entry.version());
    let versions: Vec<AnswerVersion<'_>> = versions.collect();
    let of = QuestionId { assignment: &context.written.assignment, id: &context.written.id };
    let all = preview(&context.snapshot.book, of, (item.id, content), &versions);
    let changed: Vec<&Effect> = all.iter().filter(|it| it.from != it.to).collect();
    html! {
        section aria-labelledby="effects" {
            h2 #effects { "What changes" }
            p {
                "The item is chosen for " (count(all.len(), "answer", "answers")) "; the points of "
                (changed.len()) " change."
            }
            // A second marker does not see what the first one gave.
            @if !changed.is_empty() && context.role != MarkerRole::Second { (table(context, &changed)) }
            form method="post" {
                (visit.token_field())
                (role_field(context))
                input type="hidden" name="version" value=(item.version.to_string());
                input type="hidden" name="text" value=(FieldText(&content.text));
                input type="hidden" name="points" value=(field(content.points));
                @if content.is_retired { input type="hidden" name="retired" value="yes"; }
                button { "Make the change" }
            }
        }
    }
}

fn table(context: &MarkingContext, effects: &[&Effect]) -> Markup {
    let at = |effect: &Effect| {
        let mut answers = context.written.answers.iter();
        let found = answers.find(|(_, entry)| entry.submission == effect.submission);
        found.map(|(code, entry)| ClassAnswer::new(*code, entry))
    };
    html! {
        div.scroll { table {
            caption { "Answers whose points change" }
            thead { tr {
                th scope="col" { "Answer" } th.number scope="col" { "From" } th.number scope="col" { "To" }
            } }
            tbody { @for effect in effects {
                tr {
                    th scope="row" { @if let Some(at) = at(effect) {
                        a href=(context.path_of(at.code)) { (context.name(&at)) }
                    } }
                    td.number { (effect.from.to_string()) }
                    td.number { (effect.to.to_string()) }
                }
            } }
        } }
    }
}
