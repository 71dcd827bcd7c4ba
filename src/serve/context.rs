//! State that each request gets.

use std::sync::Arc;

use tokio::sync::watch;

use super::gate::Hosts;
use super::shared::Shared;

/// State that each request gets.
#[derive(Debug, Clone)]
pub(super) struct Server {
    /// State of the server.
    pub(super) shared: Arc<Shared>,
    /// Names of the server.
    pub(super) hosts: Arc<Hosts>,
    /// Becomes true when the server ends.
    pub(super) ending: watch::Receiver<bool>,
}
