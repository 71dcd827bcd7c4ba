//! Sessions: a user, and the token of the forms that this user gets.

use super::role::Role;

/// Person who uses the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::serve) struct User {
    /// Name, under which changes are kept.
    pub(in crate::serve) name: String,
    /// Role.
    pub(in crate::serve) role: Role,
}

/// Visit of a user from one browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::serve) struct Session {
    /// User.
    pub(in crate::serve) user: User,
    /// Token that each form of this session has.
    pub(in crate::serve) form_token: String,
}
