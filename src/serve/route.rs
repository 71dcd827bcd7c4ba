//! A route: a path, who may ask for it, and the page that answers.

use axum::http::Method;

use super::access::Role;
use super::answer::Answer;
use super::problem::Problem;
use super::visit::{Arrival, Visit};

/// Result of a page.
pub(super) type Answered = Result<Answer, Problem>;

/// Page of a route.
#[derive(Debug, Clone, Copy)]
pub(super) enum Page {
    /// Anybody may ask for it.
    Open(fn(&Arrival<'_>) -> Answered),
    /// Anybody may ask for it, and it tries a password: one request at a time.
    LogIn(fn(&Arrival<'_>) -> Answered),
    /// Users with this role, or a later one, may ask for it.
    For(Role, fn(&Visit<'_>) -> Answered),
    /// The stream of events, for users with this role or a later one.
    Events(Role),
}

/// Names of students on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// The page shows names: markers do not see it if marking is anonymous.
    Shown,
    /// The page shows no names, or only if marking is not anonymous.
    Hidden,
}

/// Route.
#[derive(Debug, Clone)]
pub(super) struct Route {
    /// Method. A `POST` is a change: it needs the token of the session, and is logged.
    pub(super) method: Method,
    /// Path, with variable parts as `{name}`.
    pub(super) path: &'static str,
    /// Page.
    pub(super) page: Page,
    /// Names of students on the page.
    pub(super) names: Names,
}

impl Route {
    /// Returns the route of a page that shows something.
    pub(super) fn get(
        path: &'static str,
        role: Role,
        names: Names,
        show: fn(&Visit<'_>) -> Answered,
    ) -> Self {
        Self { method: Method::GET, path, page: Page::For(role, show), names }
    }

    /// Returns the route of a change.
    pub(super) fn post(
        path: &'static str,
        role: Role,
        names: Names,
        change: fn(&Visit<'_>) -> Answered,
    ) -> Self {
        Self { method: Method::POST, path, page: Page::For(role, change), names }
    }

    /// Returns the route of a page that anybody may ask for.
    pub(super) fn open(
        method: Method,
        path: &'static str,
        answer: fn(&Arrival<'_>) -> Answered,
    ) -> Self {
        Self { method, path, page: Page::Open(answer), names: Names::Hidden }
    }
}
