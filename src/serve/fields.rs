//! Fields of queries and forms.

use super::problem::Problem;

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
