//! Server-sent events: an open page is notified when the results or the grading have changed.

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
use super::observed::Observed;
use super::problem::Problem;
use super::shared::Shared;

/// Time between two looks at the results: a person who waits for a change does not notice it, and one look takes less than a
/// thousandth of it.
const PAUSE: Duration = Duration::from_secs(1);

/// Time between two messages that only keep the connection open: proxies close one that is silent for 30 to 60 seconds.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Page that is open in a browser.
#[derive(Debug)]
struct Listener {
    observed: watch::Receiver<Observed>,
    is_connected: bool,
}

/// Observes the results while pages are open, and notifies all of them of each change, until the server ends.
pub(super) async fn notify_pages(server: Server, mut ending: watch::Receiver<bool>) {
    while timeout(PAUSE, ending.wait_for(|is_ending| *is_ending)).await.is_err() {
        if server.observed.receiver_count() == 0 {
            continue;
        }
        let shared = Arc::clone(&server.shared);
        if let Ok(Ok(state)) = spawn_blocking(move || state(&shared)).await {
            server.observed.send_if_modified(|last| {
                let is_new = *last != state;
                *last = state;
                is_new
            });
        }
    }
    server.observed.send_replace(Observed::Ending);
}

/// Returns the stream of events.
pub(super) fn response(server: &Server) -> Response {
    let listener = Listener { observed: server.observed.subscribe(), is_connected: false };
    let events = stream::unfold(listener, next);
    Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response()
}

/// Returns the next event; `None` when the server ends.
async fn next(mut listener: Listener) -> Option<(Result<Event, Infallible>, Listener)> {
    let name = if listener.is_connected {
        listener.observed.changed().await.ok()?;
        "changed"
    } else {
        listener.is_connected = true;
        "connected"
    };
    if *listener.observed.borrow_and_update() == Observed::Ending {
        return None;
    }
    // Browsers drop an event without data.
    Some((Ok(Event::default().event(name).data(name)), listener))
}

/// Returns the state of the results and of grading.
fn state(shared: &Shared) -> Result<Observed, Problem> {
    Ok(Observed::State { results: shared.watcher.stamp()?, grading: shared.grading.version() })
}
