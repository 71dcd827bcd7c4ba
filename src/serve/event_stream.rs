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
use super::news::News;
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
    news: watch::Receiver<News>,
    is_connected: bool,
}

/// Looks at the results while pages are open, and tells all of them what has changed, until the server ends.
pub(super) async fn tell(server: Server, mut ending: watch::Receiver<bool>) {
    while timeout(PAUSE, ending.wait_for(|is_ending| *is_ending)).await.is_err() {
        if server.news.receiver_count() == 0 {
            continue;
        }
        let shared = Arc::clone(&server.shared);
        if let Ok(Ok(state)) = spawn_blocking(move || state(&shared)).await {
            server.news.send_if_modified(|last| {
                let is_new = *last != state;
                *last = state;
                is_new
            });
        }
    }
    server.news.send_replace(News::Ending);
}

/// Returns the stream of events.
pub(super) fn response(server: &Server) -> Response {
    let listener = Listener { news: server.news.subscribe(), is_connected: false };
    let events = stream::unfold(listener, next);
    Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response()
}

/// Returns the next event; `None` when the server ends.
async fn next(mut listener: Listener) -> Option<(Result<Event, Infallible>, Listener)> {
    let name = if listener.is_connected {
        listener.news.changed().await.ok()?;
        "changed"
    } else {
        listener.is_connected = true;
        "connected"
    };
    if *listener.news.borrow_and_update() == News::Ending {
        return None;
    }
    // Browsers drop an event without data.
    Some((Ok(Event::default().event(name).data(name)), listener))
}

/// Returns the state of the results and of grading.
fn state(shared: &Shared) -> Result<News, Problem> {
    Ok(News::State { results: shared.watcher.stamp()?, grading: shared.grading.version() })
}
