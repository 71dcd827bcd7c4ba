//! Problems: why a request has no answer.

use axum::http::StatusCode;
use thiserror::Error;

/// Reason why a request has no answer.
#[derive(Debug, Error)]
pub(super) enum Problem {
    /// There is no such page.
    #[error("there is no such page")]
    NotFound,
    /// The user may not do this.
    #[error("{0}")]
    Forbidden(&'static str),
    /// The request is not one that a page of this server sends.
    #[error("{0}")]
    Invalid(String),
    /// Somebody else was faster, or what was asked for is no longer possible.
    #[error("{0}")]
    Conflict(String),
    /// Others ask for the same, and one has to wait.
    #[error("{0}")]
    Busy(&'static str),
    /// The server failed. The text may name students and paths: owners alone see it.
    #[error("{0}")]
    Broken(String),
}

impl Problem {
    /// Creates a failure of the server from an error and its causes.
    pub(super) fn broken(error: &dyn std::error::Error) -> Self {
        Self::Broken(crate::pipeline::chain(error))
    }

    /// Returns the status of the answer.
    pub(super) fn status(&self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::Invalid(_) => StatusCode::BAD_REQUEST,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::Busy(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Broken(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl From<crate::store::StoreError> for Problem {
    fn from(error: crate::store::StoreError) -> Self {
        Self::broken(&error)
    }
}
