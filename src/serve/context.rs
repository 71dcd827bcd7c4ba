//! State that each request gets.

use std::sync::Arc;

use tokio::sync::{Semaphore, watch};

use super::gate::Hosts;
use super::observed::Observed;
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
    /// State that open pages follow.
    pub(super) observed: Arc<watch::Sender<Observed>>,
}

impl Server {
    /// Creates the state of a server with these names.
    pub(super) fn new(shared: Shared, hosts: Hosts) -> Self {
        Self {
            shared: Arc::new(shared),
            hosts: Arc::new(hosts),
            log_in_turn: Arc::new(Semaphore::new(1)),
            observed: Arc::new(watch::Sender::new(Observed::None)),
        }
    }
}
