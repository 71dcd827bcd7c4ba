//! State that each request gets.

use std::sync::Arc;

use tokio::sync::{Semaphore, watch};

use super::gate::Hosts;
use super::news::News;
use super::shared::Shared;

/// State that each request gets.
#[derive(Debug, Clone)]
pub(super) struct Server {
    /// State of the server.
    pub(super) shared: Arc<Shared>,
    /// Names of the server.
    pub(super) hosts: Arc<Hosts>,
    /// Turn to try a password. There is one: whoever tries many leaves the other threads to pages.
    pub(super) log_in_turn: Arc<Semaphore>,
    /// Events for the pages that are open.
    pub(super) news: Arc<watch::Sender<News>>,
}

impl Server {
    /// Creates the state of a server with these names.
    pub(super) fn new(shared: Shared, hosts: Hosts) -> Self {
        Self {
            shared: Arc::new(shared),
            hosts: Arc::new(hosts),
            log_in_turn: Arc::new(Semaphore::new(1)),
            news: Arc::new(watch::Sender::new(News::None)),
        }
    }
}
