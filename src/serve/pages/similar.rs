//! Similarity: pairs of submissions that agree.

use maud::{Markup, html};

use crate::report::DocumentFormat;
use crate::report::Layout;
use crate::serve::answer::Answer;
use crate::serve::class::{Class, SubmissionKey};
use crate::serve::layout::{Section, page};
use crate::serve::problem::Problem;
use crate::serve::route::Answered;
use crate::serve::similarity::{Compared, State};
use crate::serve::visit::Visit;
use crate::similar::{self, Comparison, Findings, Pair};

/// Most pairs that are listed: more than anybody reads, the largest first. The report has all.
const MOST: usize = 200;

/// Shows the pairs.
pub(in crate::serve) fn show(visit: &Visit<'_>) -> Answered {
    let class = visit.shared.class()?;
    let state = visit.shared.similarity.state();
    let body = html! {
        h1 { "Similar submissions" }
        p.soft {
            "Compared are the files that the assignment asks for, without what the skeleton gives and what much of the class wrote \
             alike. A figure is a reason to read both submissions, not a verdict."
        }
        div #live data-live {
            @match &state {
                State::None => { p { "The submissions have not been compared yet." } },
                State::Running => { p role="status" { "The submissions are being compared." } },
                State::Failed(reason) => { p.problem role="alert" { (reason) } },
                State::Done(compared) => (pairs(&class, compared)),
            }
        }
        form method="post" action="/similar" {
            (visit.token_field())
            button { "Compare the submissions of the last run" }
        }
    };
    Ok(Answer::Page(page(visit, Section::Similar, "Similar submissions", &body)))
}

/// Starts a comparison.
pub(in crate::serve) fn compare(visit: &Visit<'_>) -> Answered {
    visit.shared.compare()?;
    Ok(Answer::SeeOther("/similar".to_owned()))
}

/// Returns the report with the passages of each pair.
pub(in crate::serve) fn report(visit: &Visit<'_>) -> Answered {
    let State::Done(compared) = visit.shared.similarity.state() else {
        return Err(Problem::NotFound);
    };
    let findings = Findings { comparisons: &compared.comparisons, left_out: &compared.left_out };
    let mut html = Vec::new();
    similar::write(findings, DocumentFormat::Html, Layout::default(), &mut html)
        .map_err(|error| Problem::broken(&error))?;
    Ok(Answer::Document(html))
}

fn pairs(class: &Class, compared: &Compared) -> Markup {
    html! {
        p { a href="/similar/report" { "Report with all passages" } " of " (compared.at) }
        @for comparison in &compared.comparisons {
            section {
                h2 { (comparison.assignment) }
                p { (comparison.pairs.len()) " pairs of " (comparison.compared()) " reported" }
                @if !comparison.pairs.is_empty() { (table(class, comparison)) }
            }
        }
        @if !compared.left_out.is_empty() {
            section {
                h2 { "Not compared" }
                ul { @for left in &compared.left_out { li { (left.name) ": " (left.reason) } } }
            }
        }
    }
}

fn table(class: &Class, comparison: &Comparison) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label={ "Pairs of " (comparison.assignment) } {
            table {
                caption { "Pairs, the largest share first" }
                thead { tr {
                    th scope="col" { "Submission" } th scope="col" { "Submission" } th.number scope="col" { "Share" }
                    th.number scope="col" { "Tokens" } th.number scope="col" { "Longest passage" }
                } }
                tbody { @for pair in comparison.pairs.iter().take(MOST) { (row(class, comparison, pair)) } }
            }
        }
    }
}

fn row(class: &Class, comparison: &Comparison, pair: &Pair) -> Markup {
    html! {
        tr {
            th scope="row" { (member(class, comparison, pair.one)) }
            td { (member(class, comparison, pair.other)) }
            td.number { (format!("{:.0} %", pair.share * 100.0)) }
            td.number { (pair.tokens) }
            td.number { (pair.longest()) }
        }
    }
}

fn member(class: &Class, comparison: &Comparison, index: usize) -> Markup {
    let member = comparison.member(index);
    let number = member.and_then(|member| {
        let (submission, assignment) = (member.name.clone(), comparison.assignment.as_str().into());
        class.number(&SubmissionKey { submission, assignment })
    });
    html! {
        @if let Some(member) = member {
            @match number {
                Some(number) => { a href={ "/submission/" (number) "/code" } { (member.name) } },
                None => (member.name),
            }
        }
    }
}
