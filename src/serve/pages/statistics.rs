//! Item analysis: what the results of the class say about the checks.

use maud::{Markup, html};
use softmark_untrusted::Untrusted;

use crate::serve::answer::Answer;
use crate::serve::layout::{Section, page};
use crate::serve::markup::written_by_grader;
use crate::serve::problem::Problem;
use crate::serve::route::Answered;
use crate::serve::visit::Visit;
use crate::statistics::{
    CheckStatistics, MIN_CLASS, Statistics, boxes, correlation, counts, flag_words, histogram, map,
    mistakes, percent, rate,
};

/// Shows the statistics of an assignment.
pub(in crate::serve) fn show(visit: &Visit<'_>) -> Answered {
    let class = visit.shared.class()?;
    let known: Vec<&Untrusted> = class.gradings.parts.keys().filter(|id| !id.is_empty()).collect();
    let wanted = visit.query.text("assignment");
    let chosen = match wanted {
        "" => known.first(),
        wanted => known.iter().find(|id| ***id == *wanted),
    };
    let Some(chosen) = chosen else {
        if !wanted.is_empty() {
            return Err(Problem::NotFound);
        }
        let body = html! { h1 { "Statistics" } p { "No submission has an assignment yet." } };
        return Ok(Answer::Page(page(visit, Section::Statistics, "Statistics", &body)));
    };
    let all = visit.shared.statistics()?;
    let statistics = all.get(*chosen).ok_or(Problem::NotFound)?;
    let body = html! {
        h1 { (chosen) ": statistics" }
        @if known.len() > 1 {
            nav aria-label="Assignments" {
                ul.inline {
                    @for id in &known {
                        li { a href={ "/statistics?" (query(id)) } { (id) } }
                    }
                }
            }
        }
        (figures(statistics))
        (checks(visit, chosen, statistics))
        p.soft {
            "Discrimination is the correlation of passing a check with the points of all other checks: near 0 the check tells \
             nothing about the rest of the work, below 0 better students fail it more often. Lines in the bars are 95 % intervals. \
             Submissions that were not started are left out, and overrides do not count. A flag needs " (MIN_CLASS) " submissions."
        }
    };
    Ok(Answer::Page(page(visit, Section::Statistics, &format!("{chosen}: statistics"), &body)))
}

fn query(assignment: &Untrusted) -> String {
    serde_urlencoded::to_string([("assignment", assignment.as_raw())]).unwrap_or_default()
}

fn figures(statistics: &Statistics) -> Markup {
    let tasks: Vec<_> = statistics.tasks.iter().map(|(id, it)| (id.to_string(), it)).collect();
    html! {
        p { (counts(&statistics.counts)) }
        @if let Some(points) = &statistics.points {
            section.figures {
                dl {
                    div { dt { "mean" } dd { (format!("{:.2}", points.mean)) } }
                    div { dt { "deviation" } dd { (points.deviation.map_or_else(|| "–".to_owned(), |it| format!("{it:.2}"))) } }
                    div { dt { "median" } dd { (format!("{:.2}", points.median())) } }
                    div { dt { "out of" } dd { (points.max_points) } }
                }
            }
            (flags(statistics))
            div.pictures {
                section { h2 { "Points" } div.scroll tabindex="0" role="region" aria-label="Histogram" { (written_by_grader(histogram(points))) } }
                section { h2 { "Tasks" } div.scroll tabindex="0" role="region" aria-label="Box plots of the tasks" { (written_by_grader(boxes(&tasks))) } }
                section { h2 { "Pass rate and discrimination" } div.scroll tabindex="0" role="region" aria-label="Pass rate and discrimination" { (written_by_grader(map(&statistics.checks))) } }
            }
        }
    }
}

fn flags(statistics: &Statistics) -> Markup {
    let flagged = || statistics.checks.iter().filter(|check| !check.flags.is_empty());
    html! {
        @if flagged().next().is_some() {
            section {
                h2 { "Look at these checks" }
                ul {
                    @for check in flagged() {
                        @for flag in &check.flags { li { code { (check.id) } ": " (flag_words(*flag, check)) } }
                    }
                }
            }
        }
    }
}

fn checks(visit: &Visit<'_>, assignment: &Untrusted, statistics: &Statistics) -> Markup {
    // The class shows names.
    let has_links = visit.shared.config.shows_names(visit.user().role);
    let assignment = has_links.then_some(assignment);
    html! {
        section {
            h2 { "Checks" }
            div.scroll tabindex="0" role="region" aria-label="Checks" {
                table {
                    caption { "Results of each check, and at which attempt it was passed first" }
                    thead { tr {
                        th scope="col" { "Check" } th.number scope="col" { "Pass %" } th scope="col" { "Interval" }
                        @for head in ["Discrimination", "Points lost", "1st attempt", "2nd", "Later", "Never"] {
                            th.number scope="col" { (head) }
                        }
                    } }
                    tbody { @for check in &statistics.checks { (row(check, assignment)) } }
                }
            }
        }
    }
}

/// Returns the row of a check. It links to the submissions that do not pass it if an assignment is given.
fn row(check: &CheckStatistics, assignment: Option<&Untrusted>) -> Markup {
    let (mistakes, attempts) = (mistakes(check), &check.attempts);
    let query = assignment.map(|it| [("assignment", it.as_raw()), ("check", check.id.as_raw())]);
    let query = query.map(|it| serde_urlencoded::to_string(it).unwrap_or_default());
    html! {
        tr {
            th scope="row" {
                @match query {
                    Some(query) => a href={ "/?" (query) } { code { (check.id) } },
                    None => code { (check.id) },
                }
                @if !mistakes.is_empty() { div { small { (mistakes) } } }
            }
            td.number { (percent(check.pass_rate())) }
            td { (written_by_grader(rate(check))) }
            td.number.flagged[!check.flags.is_empty()] { (correlation(check.discrimination)) }
            td.number { (format!("{:.2}", check.points_lost())) }
            td.number { (attempts.within(1..2)) }
            td.number { (attempts.within(2..3)) }
            td.number { (attempts.within(3..)) }
            td.number { (attempts.never) }
        }
    }
}
