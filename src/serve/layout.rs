//! The frame of each page: head, navigation, footer.

use maud::{DOCTYPE, Markup, html};

use super::access::{Role, Session};
use super::fields::FORM_TOKEN;
use super::problem::Problem;
use super::visit::Visit;

/// Part of the application that a page belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    /// The class.
    Class,
    /// Item analysis.
    Statistics,
    /// Changes since the last grading.
    Changes,
    /// Appeals and overrides.
    Decisions,
    /// Similar submissions.
    Similar,
    /// Grading.
    Grading,
    /// Log of changes.
    Log,
    /// Marking of written answers.
    Marking,
    /// No link of the navigation leads there.
    None,
}

/// Link of the navigation.
struct Link {
    section: Section,
    path: &'static str,
    text: &'static str,
    /// Least role of users who see it.
    role: Role,
}

/// Links of the navigation, in their order.
const LINKS: &[Link] = &[
    Link { section: Section::Class, path: "/", text: "Class", role: Role::Reader },
    Link { section: Section::Marking, path: "/marking", text: "Marking", role: Role::Reader },
    Link {
        section: Section::Statistics,
        path: "/statistics",
        text: "Statistics",
        role: Role::Reader,
    },
    Link { section: Section::Changes, path: "/changes", text: "Changes", role: Role::Reader },
    Link { section: Section::Decisions, path: "/decisions", text: "Appeals", role: Role::Reader },
    Link { section: Section::Similar, path: "/similar", text: "Similar", role: Role::Marker },
    Link { section: Section::Grading, path: "/grading", text: "Grading", role: Role::Owner },
    Link { section: Section::Log, path: "/log", text: "Log", role: Role::Owner },
];

/// Returns a page of a user.
pub(super) fn page(visit: &Visit<'_>, section: Section, title: &str, body: &Markup) -> Markup {
    frame(title, Some((visit.session, section)), body)
}

/// Returns a page of somebody who is not known.
pub(super) fn open_page(title: &str, body: &Markup) -> Markup {
    frame(title, None, body)
}

/// Returns the page of a problem.
pub(super) fn problem(problem: &Problem, session: Option<&Session>) -> Markup {
    let title = match problem {
        Problem::NotFound => "No such page",
        Problem::Forbidden(_) => "Not allowed",
        Problem::Invalid(_) => "This cannot be done",
        Problem::Conflict(_) => "Somebody else was faster",
        Problem::Broken(_) => "The server failed",
    };
    let body = html! {
        h1 { (title) }
        p role="alert" { (problem) }
        p { a href="/" { "Back to the class" } }
    };
    frame(title, session.map(|session| (session, Section::None)), &body)
}

fn frame(title: &str, visit: Option<(&Session, Section)>, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Softmark" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/assets/style.css";
                script src="/assets/script.js" defer {}
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                @if let Some((session, section)) = visit { (navigation(session, section)) }
                main #main tabindex="-1" { (body) }
                footer { "Softmark " (env!("CARGO_PKG_VERSION")) }
            }
        }
    }
}

fn navigation(session: &Session, section: Section) -> Markup {
    let links = LINKS.iter().filter(|link| link.role <= session.user.role);
    html! {
        header.top {
            nav aria-label="Main" {
                ul {
                    @for link in links {
                        @let current = (link.section == section).then_some("page");
                        li { a href=(link.path) aria-current=[current] { (link.text) } }
                    }
                }
            }
            form.user method="post" action="/logout" {
                input type="hidden" name=(FORM_TOKEN) value=(session.form_token);
                span { (session.user.name) " " small { (session.user.role.as_str()) } }
                button.quiet { "Log out" }
            }
        }
    }
}
