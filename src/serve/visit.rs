//! Requests as pages get them.

use maud::{Markup, html};

use super::access::{Session, User};
use super::fields::{FORM_TOKEN, Fields};
use super::problem::Problem;
use super::shared::Shared;

/// Request of anybody, known or not.
#[derive(Debug)]
pub(super) struct Arrival<'a> {
    /// State of the server.
    pub(super) shared: &'a Shared,
    /// Fields of the query.
    pub(super) query: &'a Fields,
    /// Fields of the form.
    pub(super) form: &'a Fields,
}

/// Request of a user who may make it.
#[derive(Debug)]
pub(super) struct Visit<'a> {
    /// State of the server.
    pub(super) shared: &'a Shared,
    /// Session of the user.
    pub(super) session: &'a Session,
    /// Path of the page, without its query.
    pub(super) path: &'a str,
    /// Values of the parts of the path that are variable.
    pub(super) parts: &'a Fields,
    /// Fields of the query.
    pub(super) query: &'a Fields,
    /// Fields of the form.
    pub(super) form: &'a Fields,
}

impl Visit<'_> {
    /// Returns the user.
    pub(super) fn user(&self) -> &User {
        &self.session.user
    }

    /// Returns the number in a variable part of the path.
    ///
    /// # Errors
    ///
    /// Fails if it is no number, as if there were no such page.
    pub(super) fn number(&self, name: &str) -> Result<i64, Problem> {
        self.parts.text(name).parse().map_err(|_| Problem::NotFound)
    }

    /// Returns the hidden field that each form has.
    pub(super) fn token_field(&self) -> Markup {
        html! { input type="hidden" name=(FORM_TOKEN) value=(self.session.form_token); }
    }
}
