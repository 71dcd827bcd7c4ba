//! Page of an answer: the text, the mark, and the form that changes it.

use maud::{Markup, html};

use super::assets::marking_page;
use super::choice::Choice;
use super::context::{ClassAnswer, MarkingContext, State};
use super::form::{mark_form, take_form, undo_form};
use super::help::help;
use super::mark_view;
use crate::marking::{LineMark, Marked, Question, VersionMarks, next, next_where, previous};
use crate::report::text::count;
use crate::serve::answer::Answer;
use crate::serve::markup::csv_error;
use crate::serve::problem::Problem;
use crate::serve::route::Answered;
use crate::serve::text::Lines;
use crate::serve::visit::Visit;
use crate::store::{MarkerRole, MarkingRefusal, MarkingStep, SavedMarking};

/// Shows an answer.
pub(super) fn show(visit: &Visit<'_>) -> Answered {
    let context = MarkingContext::of(visit)?;
    let at = context.at(visit)?;
    let title = format!("{} · {}", context.name(&at), context.written.title);
    Ok(marking_page(visit, &title, &page(visit, &context, &at)?))
}

fn page(visit: &Visit<'_>, context: &MarkingContext, at: &ClassAnswer) -> Result<Markup, Problem> {
    let entry = &at.entry;
    let (number, all) = (context.written.number(at.code), context.written.answers.len());
    let words = count(entry.words, "word", "words");
    Ok(html! {
        p.crumbs { a href="/marking" { "Marking" } " › " a href=(context.path("")) { (entry.answer.title) } }
        h1 {
            "Answer " (number) " of " (all)
            @if !context.is_anonymous { ": " (entry.submission) }
        }
        (csv_error(visit, context.snapshot.csv_error.as_deref()))
        (role_note(context))
        (steps(context, at))
        p #status role="status" aria-live="polite" { (saved(visit, context)) }
        div.columns {
            section.answer aria-labelledby="answer" {
                h2 #answer { "Answer" " " small { (words) } }
                @if entry.answer.text.is_empty() {
                    p.soft { "Nothing was handed in." }
                } @else {
                    pre tabindex="0" { (Lines(&entry.answer.text)) }
                }
                (similar(context, at))
            }
            section.give aria-labelledby="give" {
                h2 #give { "Mark" }
                (mark(visit, context, at)?)
            }
        }
        (help())
        script src="/assets/marking.js" defer {}
    })
}

/// Returns what is different in the role of the marker.
pub(super) fn role_note(context: &MarkingContext) -> Markup {
    html! {
        @match context.role {
            MarkerRole::First => {},
            MarkerRole::Second => p.note {
                "You are the second marker: what the first marker gave is not shown."
            },
            MarkerRole::Agreed => p.note { "You decide between the first and the second marker." },
        }
    }
}

/// Returns links to other answers, and the progress.
fn steps(context: &MarkingContext, at: &ClassAnswer) -> Markup {
    let answers = &context.written.answers;
    let to = |code| context.path_of(code);
    let (previous, next) = (previous(answers, at.code).map(to), next(answers, at.code).map(to));
    let open = next_where(answers, at.code, |entry| context.is_offered(entry)).map(to);
    let (marked, all) = (context.marked(), answers.len());
    html! {
        nav.steps aria-label="Answers" {
            (step(previous, "p", "Previous"))
            (step(next, "n", "Next"))
            (step(open, "o", "Next open"))
            button.quiet type="button" data-help hidden { kbd { "?" } " Keys" }
        }
        @if context.role == MarkerRole::Agreed {
            p.progress { (count(all - marked, "disagreement is", "disagreements are")) " open" }
        } @else {
            p.progress {
                label { progress value=(marked) max=(all) {} " " (marked) " of " (all) " marked" }
            }
        }
    }
}

fn step(path: Option<String>, key: &str, text: &str) -> Markup {
    html! {
        @match path {
            Some(path) => a href=(path) data-go=(key) aria-keyshortcuts=(key) { kbd { (key) } " " (text) },
            None => span.soft { kbd { (key) } " " (text) },
        }
    }
}

/// Returns what was saved before the page was loaded.
fn saved(visit: &Visit<'_>, context: &MarkingContext) -> Markup {
    let at = context.find(visit.query.text("saved")).ok();
    html! {
        @if let Some(at) = at {
            @let own = context.own_mark(&at.entry);
            "Saved: " (context.name(&at)) ", "
            @match own.clone().unwrap_or_else(|| context.state(&at.entry)) {
                State::Marked { points, .. } => { (points.to_string()) " points" },
                State::Open | State::Changed => "open",
            }
            @if let Some(own) = own { (counts_instead(context, &at, &own)) }
        }
    }
}

/// Returns what counts in place of the user's own mark of an answer; nothing if that counts. A second marker does not see it.
fn counts_instead(context: &MarkingContext, at: &ClassAnswer, own: &State) -> Markup {
    let counting = context.state_that_counts(&at.entry);
    html! {
        @match &counting {
            State::Marked { points, by } if counting != *own && context.role != MarkerRole::Second => {
                "; this mark does not count: " (points.to_string()) " points "
                @match by { Some(by) => { "by " (by) }, None => "in marks.csv" }
                " count"
            },
            State::Marked { .. } | State::Open | State::Changed => {},
        }
    }
}

/// Returns the mark of an answer, the conflicting marks, and the forms.
fn mark(visit: &Visit<'_>, context: &MarkingContext, at: &ClassAnswer) -> Result<Markup, Problem> {
    let question = context.question(&at.entry);
    let VersionMarks { counting, conflicting } = context.version_marks(&at.entry, context.role);
    let counting = counting.and_then(|marking| question.marked(marking));
    let is_own = |marked: &Marked<'_>| marked.marking.by == context.marker;
    let rows = visit.shared.stores.with(|store| Ok(store.markings_of(&at.entry.submission)?))?;
    Ok(html! {
        p.now { (mark_view::state(context, at)) }
        (candidates(visit, context, at, &question))
        @if counting.is_none() { (older_mark(context, at, &question)) }
        @if context.may_mark {
            @match context.refusal(&at.entry) {
                Some(refusal) => p.note { (words(refusal)) },
                None => (mark_form(visit, context, at, &Choice::of(counting.as_ref()))),
            }
            @if let Some(own) = counting.as_ref().filter(|it| is_own(it) && conflicting.is_empty()) {
                (undo_form(visit, context, at, own.marking.id))
            }
        }
        (history_of(context, at, (&rows, &question)))
    })
}

/// Returns why the user may not mark the answer.
fn words(refusal: MarkingRefusal) -> &'static str {
    match refusal {
        MarkingRefusal::SamePerson => {
            "You gave the other mark of this answer. The first and the second marker are two persons."
        }
        MarkingRefusal::NoSecondMark => {
            "This answer has no second mark, so there is nothing to decide."
        }
    }
}

/// Returns the mark of an earlier version of the answer in this role. It is no choice: a marker reads the version of now.
fn older_mark(context: &MarkingContext, at: &ClassAnswer, question: &Question<'_>) -> Markup {
    let marks = context.marks(&at.entry).map(|marks| marks.history(context.role));
    let older = marks.and_then(|history| history.counting());
    html! {
        @if let Some(marked) = older.and_then(|marking| question.marked(marking)) {
            section.older {
                h3 { "Mark of an earlier version" }
                p { b { (marked.points.to_string()) } " points by " (marked.marking.by) }
                (mark_view::content(&marked))
            }
        }
    }
}

/// Returns the marks between which somebody must decide.
fn candidates(
    visit: &Visit<'_>,
    context: &MarkingContext,
    at: &ClassAnswer,
    question: &Question<'_>,
) -> Markup {
    let of_role = |role| context.version_marks(&at.entry, role);
    let own = of_role(context.role);
    let is_conflict = !own.conflicting.is_empty();
    let is_decision = context.role == MarkerRole::Agreed && !is_conflict;
    let line = context.line(&at.entry).filter(|_| is_decision);
    let mut all: Vec<&SavedMarking> = Vec::new();
    if is_conflict {
        all.extend(own.counting);
        all.extend(own.conflicting);
    } else if is_decision {
        all.extend(of_role(MarkerRole::First).counting.filter(|_| line.is_none()));
        all.extend(of_role(MarkerRole::Second).counting);
    }
    let all: Vec<Marked<'_>> = all.into_iter().filter_map(|it| question.marked(it)).collect();
    if all.is_empty() {
        return html! {};
    }
    let may_mark = context.may_mark && context.refusal(&at.entry).is_none();
    html! {
        section.candidates role=[is_conflict.then_some("alert")] {
            @if is_conflict {
                p { strong { "Another mark came in between." } " Both are saved; the first one counts until somebody "
                    "decides. Use one of them, or give another mark below." }
            }
            h3 { "Marks of this answer" }
            ul.marks {
                @if let Some(line) = &line { (line_candidate(visit, context, at, line)) }
                @for marked in &all { li {
                    p { b { (marked.points.to_string()) } " points by " (marked.marking.by) " "
                        small { (marked.marking.given_at) } }
                    (mark_view::content(marked))
                    @if may_mark {
                        div.actions {
                            (take_form(visit, context, at, &Choice::of(Some(marked))))
                            @if is_conflict && marked.marking.by == context.marker {
                                (undo_form(visit, context, at, marked.marking.id))
                            }
                        }
                    }
                } }
            }
        }
    }
}

/// Returns the line of `marks.csv` that is the first mark.
fn line_candidate(
    visit: &Visit<'_>,
    context: &MarkingContext,
    at: &ClassAnswer,
    line: &LineMark,
) -> Markup {
    let may_mark = context.may_mark && context.refusal(&at.entry).is_none();
    html! {
        li {
            p { b { (line.points.to_string()) } " points in marks.csv" @if !line.by.is_empty() { " by " (line.by) } }
            @if !line.comment.is_empty() { p.comment { (Lines(&line.comment)) } }
            @if may_mark { div.actions { (take_form(visit, context, at, &Choice::of_line(line))) } }
        }
    }
}

/// Returns the link to similar answers.
fn similar(context: &MarkingContext, at: &ClassAnswer) -> Markup {
    let Some(group) = context.written.group_of(at.code) else { return html! {} };
    let Some(first) = group.members.first() else { return html! {} };
    let others = group.members.len() - 1;
    let path = context.path(&format!("/groups/{}", first.code));
    let answers = count(others, "other answer is", "other answers are");
    html! {
        p { (answers) " equal or near. " @if context.may_mark { a href=(path) { "Mark them together" } } }
    }
}

/// Returns all markings of the answer in this role.
fn history_of(
    context: &MarkingContext,
    at: &ClassAnswer,
    (rows, question): (&[SavedMarking], &Question<'_>),
) -> Markup {
    let id = context.id(&at.entry);
    let of_answer = |row: &&SavedMarking| row.answer == id && row.role == context.role;
    let rows: Vec<&SavedMarking> = rows.iter().filter(of_answer).collect();
    html! {
        @if !rows.is_empty() {
            details.history {
                summary { (count(rows.len(), "entry", "entries")) " in the ledger" }
                ol { @for row in rows { li {
                    (row.by) ", " (row.given_at) ": "
                    @match (&row.step, question.points(row)) {
                        (MarkingStep::Mark(_), Some(points)) => { (points.to_string()) " points" },
                        _ => "mark withdrawn",
                    }
                } } }
            }
        }
    }
}

/// Returns the answer of a page that leads to another one, where `code` is reported as saved.
pub(super) fn see_other(path: &str, code: &dyn std::fmt::Display) -> Answer {
    let separator = if path.contains('?') { '&' } else { '?' };
    Answer::SeeOther(format!("{path}{separator}saved={code}"))
}
