//! Connections: limited in number, closed if the head of a request takes too long, and ended with the server.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::connect_info::ConnectInfo;
use axum::{Extension, Router};
use futures_util::future::{Either, select};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::sleep;

/// Most connections that are open at the same time; more wait. A browser has six at most, so forty people fit, and a process
/// may have a thousand files open where the system says nothing else.
const MAX_CONNECTIONS: usize = 256;

/// Longest time for the head of a request, and for the silence before it. A head is a packet or two: the slowest line needs
/// a second or two for it.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// Time until the next attempt if the system cannot open another connection: meanwhile, others are closed.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Connection that was accepted.
struct Accepted {
    stream: TcpStream,
    peer: SocketAddr,
    /// Its place among those that may be open.
    place: OwnedSemaphorePermit,
}

/// Accepts connections and answers their requests, until the server ends; then waits for answers that are being made.
pub(super) async fn answer_all(
    listener: TcpListener,
    app: Router,
    mut ending: watch::Receiver<bool>,
) {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let open = GracefulShutdown::new();
    while let Some(accepted) = next(&listener, &places, &mut ending).await {
        let Ok(Accepted { stream, peer, place }) = accepted else {
            sleep(RETRY_AFTER).await;
            continue;
        };
        let service = TowerToHyperService::new(app.clone().layer(Extension(ConnectInfo(peer))));
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
        let connection = open.watch(builder.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // An error of one connection concerns its client alone.
            connection.await.ok();
            drop(place);
        });
    }
    drop(listener);
    open.shutdown().await;
}

/// Returns the next connection, or why the system has none; `None` when the server ends.
async fn next(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
    ending: &mut watch::Receiver<bool>,
) -> Option<io::Result<Accepted>> {
    let ends = pin!(async {
        ending.wait_for(|is_ending| *is_ending).await.ok();
    });
    match select(ends, pin!(accept(listener, places))).await {
        Either::Left(_) => None,
        Either::Right((accepted, _)) => Some(accepted),
    }
}

/// Accepts a connection when there is room for one.
async fn accept(listener: &TcpListener, places: &Arc<Semaphore>) -> io::Result<Accepted> {
    let place = Arc::clone(places).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    stream.set_nodelay(true).ok();
    Ok(Accepted { stream, peer, place })
}
