//! The frame of each page: head, navigation, footer.

use maud::{DOCTYPE, Markup, html};

use super::access::{Role, Session};
use super::config::Config;
use super::fields::FORM_TOKEN;
use super::problem::Problem;
use super::route::Names;
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
    /// Names of students on the page: those who see none do not see the link.
    names: Names,
}

impl Link {
    fn is_for(&self, viewer: &Viewer<'_>) -> bool {
        let role = viewer.session.user.role;
        self.role <= role && (self.names == Names::Hidden || viewer.config.shows_names(role))
    }
}

/// User who gets a page, and the settings of the server.
#[derive(Debug, Clone, Copy)]
pub(super) struct Viewer<'a> {
    /// Session of the user.
    pub(super) session: &'a Session,
    /// Settings of the server.
    pub(super) config: &'a Config,
}

/// Links of the navigation, in their order.
const LINKS: &[Link] = &[
    link(Section::Class, "/", "Class", Role::Reader, Names::Shown),
    link(Section::Marking, "/marking", "Marking", Role::Reader, Names::Hidden),
    link(Section::Statistics, "/statistics", "Statistics", Role::Reader, Names::Hidden),
    link(Section::Changes, "/changes", "Changes", Role::Reader, Names::Shown),
    link(Section::Decisions, "/decisions", "Appeals", Role::Reader, Names::Shown),
    link(Section::Similar, "/similar", "Similar", Role::Marker, Names::Shown),
    link(Section::Grading, "/grading", "Grading", Role::Owner, Names::Hidden),
    link(Section::Log, "/log", "Log", Role::Owner, Names::Shown),
];

const fn link(
    section: Section,
    path: &'static str,
    text: &'static str,
    role: Role,
    names: Names,
) -> Link {
    Link { section, path, text, role, names }
}

/// Text for those who are not told why the server failed.
const FAILED: &str = "The server could not do this. Try again. If it fails again, tell the owner of this server, who sees the \
                      reason when doing the same.";

/// Returns a page of a user.
pub(super) fn page(visit: &Visit<'_>, section: Section, title: &str, body: &Markup) -> Markup {
    let viewer = Viewer { session: visit.session, config: &visit.shared.config };
    frame(title, Some((viewer, section)), body)
}

/// Returns a page of somebody who is not known.
pub(super) fn open_page(title: &str, body: &Markup) -> Markup {
    frame(title, None, body)
}

/// Returns the page of a problem. Why the server failed is for its owner: it may name students and paths.
pub(super) fn problem(problem: &Problem, viewer: Option<Viewer<'_>>) -> Markup {
    let title = match problem {
        Problem::NotFound => "No such page",
        Problem::Forbidden(_) => "Not allowed",
        Problem::Invalid(_) => "This cannot be done",
        Problem::Conflict(_) => "This is no longer possible",
        Problem::Busy(_) => "Too many requests",
        Problem::Broken(_) => "The server failed",
    };
    let is_owner = viewer.is_some_and(|viewer| viewer.session.user.role == Role::Owner);
    let body = html! {
        h1 { (title) }
        p role="alert" {
            @match problem {
                Problem::Broken(_) if !is_owner => (FAILED),
                told => (told),
            }
        }
        p { a href="/" { "Back to the first page" } }
    };
    frame(title, viewer.map(|viewer| (viewer, Section::None)), &body)
}

fn frame(title: &str, visit: Option<(Viewer<'_>, Section)>, body: &Markup) -> Markup {
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
                @if let Some((viewer, section)) = visit { (navigation(viewer, section)) }
                main #main tabindex="-1" { (body) }
                footer { "Softmark " (env!("CARGO_PKG_VERSION")) }
            }
        }
    }
}

fn navigation(viewer: Viewer<'_>, section: Section) -> Markup {
    let session = viewer.session;
    let links = LINKS.iter().filter(|link| link.is_for(&viewer));
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
