//! Requests as pages get them.

use maud::{Markup, html};

use super::access::{Session, User};
use super::problem::Problem;
use super::shared::Shared;

/// Name of the field with the token of forms.
pub(super) const FORM_TOKEN: &str = "form_token";

/// Names and values of a query or a form, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Creates the fields of these pairs.
    pub(super) fn new(pairs: Vec<(String, String)>) -> Self {
        Self(pairs)
    }

    /// Returns the value of the first field with this name; empty if there is none.
    pub(super) fn text(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// Returns the values of all fields with this name.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Returns the value of a field that must not be blank, without blanks around it.
    ///
    /// # Errors
    ///
    /// Fails if it is blank.
    pub(super) fn required(&self, name: &str) -> Result<&str, Problem> {
        match self.text(name).trim() {
            "" => Err(Problem::Invalid(format!("the field `{name}` is empty"))),
            text => Ok(text),
        }
    }

    /// Returns all names and values.
    pub(super) fn pairs(&self) -> &[(String, String)] {
        &self.0
    }
}

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
