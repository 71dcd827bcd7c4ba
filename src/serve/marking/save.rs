//! Changes of one answer: a mark is given, or taken back.

use super::answer::see_other;
use super::choice::{Choice, NewItem, SeenAnswer};
use super::context::{ClassAnswer, MarkingContext};
use crate::clock;
use crate::marking::{AnswerCode, next, next_where};
use crate::serve::problem::Problem;
use crate::serve::route::Answered;
use crate::serve::visit::Visit;
use crate::store::{MarkingId, MarkingRefusal, MarkingStep, NewMarking};

/// Marks an answer, and leads to the page that the marker wants. If another mark came in between, it leads to the same answer,
/// which shows both.
pub(super) fn mark(visit: &Visit<'_>) -> Answered {
    let context = MarkingContext::of(visit)?;
    let at = context.at(visit)?;
    check_may_mark(&context, &at)?;
    let seen = SeenAnswer::read(visit.form.text("saw"))?;
    let mut choice = Choice::read(visit.form, &context)?;
    if let Some(item) = NewItem::read(visit.form)? {
        choice.items.insert(item.add(visit, &context)?);
    }
    let marking = choice.marking(&context, (&at, &seen), &visit.user().name);
    save(visit, &[marking])?;
    let context = MarkingContext::of(visit)?;
    Ok(see_other(&destination(visit, &context, &at), &at.code))
}

/// Takes a marking of the user's own back.
pub(super) fn undo(visit: &Visit<'_>) -> Answered {
    let context = MarkingContext::of(visit)?;
    let at = context.at(visit)?;
    let seen = SeenAnswer::read(visit.form.text("saw"))?;
    let number = visit.form.text("marking").parse().map_err(|_| Problem::NotFound)?;
    let id = MarkingId::from_number(number);
    let answer = context.id(&at.entry);
    let rows = visit.shared.stores.with(|store| Ok(store.markings_of(&at.entry.submission)?))?;
    let row = rows.iter().find(|row| row.id == id && row.answer == answer);
    let row = row.ok_or(Problem::NotFound)?;
    if row.by != context.marker {
        return Err(Problem::Forbidden(
            "this mark is of another marker: give another mark instead",
        ));
    }
    let withdrawal = NewMarking {
        answer,
        role: row.role,
        seen: seen.seen,
        step: MarkingStep::Withdrawal(id),
        by: visit.user().name.as_str().into(),
        given_at: clock::now().into(),
    };
    save(visit, &[withdrawal])?;
    Ok(see_other(&context.path_of(at.code), &at.code))
}

/// Saves markings in one transaction; when this returns, they are on the disk.
///
/// # Errors
///
/// Fails if the ledger cannot be written, or refuses one of them; then none is saved.
pub(super) fn save(visit: &Visit<'_>, markings: &[NewMarking]) -> Result<(), Problem> {
    let saved = visit.shared.stores.with(|store| Ok(store.add_markings(markings)?))?;
    saved.into_ids().map(|_| ()).map_err(refused)
}

/// Checks that the ledger does not refuse a mark of the user, before a new item is added to the rubric.
///
/// # Errors
///
/// Fails if the user gave the first or second mark in the other role, or decides where there is no second mark.
pub(super) fn check_may_mark(context: &MarkingContext, at: &ClassAnswer) -> Result<(), Problem> {
    context.refusal(&at.entry).map_or(Ok(()), |refusal| Err(refused(refusal)))
}

fn refused(refusal: MarkingRefusal) -> Problem {
    match refusal {
        MarkingRefusal::SamePerson => Problem::Forbidden(refusal.as_str()),
        MarkingRefusal::NoSecondMark => Problem::Conflict(refusal.to_string()),
    }
}

/// Returns the path of the page that a marker wants after the mark of an answer.
fn destination(visit: &Visit<'_>, context: &MarkingContext, at: &ClassAnswer) -> String {
    let answers = &context.written.answers;
    let stay = Some(at.code);
    let to: Option<AnswerCode> = match visit.form.text("go") {
        _ if context.has_conflict(&at.entry) => stay,
        "next" => next(answers, at.code),
        "open" => next_where(answers, at.code, |entry| context.is_offered(entry)),
        _ => stay,
    };
    to.map_or_else(|| context.path(""), |code| context.path_of(code))
}
