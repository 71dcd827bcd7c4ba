//! Server-sent events: tell a page that the results have changed, and how grading goes on.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::context::Server;
use super::problem::Problem;
use super::shared::Shared;
use super::stamp::Stamp;

/// Time between two looks at the results.
const PAUSE: Duration = Duration::from_secs(1);

/// Time between two signs of life.
const ALIVE: Duration = Duration::from_secs(15);

/// What a listener has been told.
struct Listener {
    shared: Arc<Shared>,
    ending: watch::Receiver<bool>,
    /// State of the results and of grading that was told last.
    told: Option<(Stamp, u64)>,
}

/// Returns the stream of events.
pub(super) fn response(server: &Server) -> Response {
    let listener =
        Listener { shared: Arc::clone(&server.shared), ending: server.ending.clone(), told: None };
    let events = stream::unfold(listener, next);
    Sse::new(events).keep_alive(KeepAlive::new().interval(ALIVE)).into_response()
}

/// Returns the next event; `None` when the server ends.
async fn next(mut listener: Listener) -> Option<(Result<Event, Infallible>, Listener)> {
    loop {
        if listener.told.is_some() {
            let ending = listener.ending.wait_for(|is_ending| *is_ending);
            if timeout(PAUSE, ending).await.is_ok() {
                return None;
            }
        }
        let shared = Arc::clone(&listener.shared);
        let now = spawn_blocking(move || now(&shared)).await.ok()?.ok()?;
        let is_first = listener.told.is_none();
        if listener.told.as_ref() != Some(&now) {
            listener.told = Some(now);
            let name = if is_first { "connected" } else { "changed" };
            return Some((Ok(Event::default().event(name).data("")), listener));
        }
    }
}

/// Returns the state of the results and of grading.
fn now(shared: &Shared) -> Result<(Stamp, u64), Problem> {
    Ok((shared.watcher.stamp()?, shared.grading.progress().version))
}
