//! The server: listens, answers, and ends.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::Method;
use axum::middleware;
use axum::routing::{MethodFilter, on};
use thiserror::Error;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::config::Config;
use super::connections::answer_all;
use super::context::Server;
use super::dispatch::{dispatch, not_found};
use super::event_stream::notify_pages;
use super::gate::{Hosts, gate};
use super::problem::Problem;
use super::route::Route;
use super::routes::routes;
use super::shared::Shared;

/// Most pages that are made at the same time; more wait. A page takes some milliseconds, most of them in the processor: more
/// threads than a small machine has cores help only while one waits for the disk.
const MAX_PAGES: usize = 8;

/// Threads for what takes longer than a page, of each of which there is one at a time: a log-in, the comparison of submissions,
/// and the gradebook.
const LONG_TASKS: usize = 3;

/// Time between two looks whether the gradebook is out of date: to write it takes up to a second in a large class, and marks come
/// every few seconds.
const GRADEBOOK: Duration = Duration::from_secs(10);

/// Longest time for answers that are not finished when the server is to end: the longest page takes less than one.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// Error that keeps the server from running.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Address.
        address: SocketAddr,
        /// Reason.
        source: io::Error,
    },
    /// The results cannot be used.
    #[error("{0}")]
    Results(String),
    /// The system does not let the server run.
    #[error("the server cannot run: {0}")]
    System(#[from] io::Error),
}

impl From<Problem> for ServeError {
    fn from(problem: Problem) -> Self {
        Self::Results(problem.to_string())
    }
}

/// Server that listens and does not answer yet.
#[derive(Debug)]
pub struct Listening {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    shared: Shared,
}

/// Opens the results and listens.
///
/// # Errors
///
/// Fails if the results cannot be used, or the address cannot be listened on.
pub fn listen(config: Config) -> Result<Listening, ServeError> {
    let failed = |source| ServeError::Listen { address: config.listen, source };
    let listener = TcpListener::bind(config.listen).map_err(failed)?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let runtime = Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(MAX_PAGES + LONG_TASKS)
        .build()?;
    Ok(Listening { runtime, listener, address, shared: Shared::new(config, address.port())? })
}

impl Listening {
    /// Returns the address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until the program is interrupted or told to end.
    ///
    /// # Errors
    ///
    /// Fails if the system does not let the server run.
    pub fn run(self) -> Result<(), ServeError> {
        let Self { runtime, listener, address, shared } = self;
        let hosts = Hosts(hosts(address, &shared.config.hosts));
        runtime.block_on(serve(listener, Server::new(shared, hosts)))?;
        runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
        Ok(())
    }
}

/// Returns the names of the server: those of the settings, its address, and `localhost` if it listens there.
fn hosts(address: SocketAddr, named: &[String]) -> Vec<String> {
    let mut hosts = named.to_vec();
    hosts.push(address.to_string());
    if address.ip().is_loopback() {
        hosts.push(format!("localhost:{}", address.port()));
    }
    hosts
}

/// Answers requests until a signal comes; answers that are being made are finished.
async fn serve(listener: TcpListener, server: Server) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let (end, ending) = watch::channel(false);
    let maintaining = tokio::spawn(maintain(Arc::clone(&server.shared), ending.clone()));
    tokio::spawn(notify_pages(server.clone(), ending.clone()));
    let serving = tokio::spawn(answer_all(listener, router(server), ending));
    signaled().await?;
    end.send(true).ok();
    timeout(SHUTDOWN_TIMEOUT, serving).await.ok();
    timeout(SHUTDOWN_TIMEOUT, maintaining).await.ok();
    Ok(())
}

/// Reads the class before it is asked for, and writes the gradebook after changes, until the server ends.
async fn maintain(shared: Arc<Shared>, mut ending: watch::Receiver<bool>) {
    let first = Arc::clone(&shared);
    // A failure is shown to whoever asks for the class.
    spawn_blocking(move || first.class().map(drop).ok()).await.ok();
    loop {
        let is_over = timeout(GRADEBOOK, ending.wait_for(|is_ending| *is_ending)).await.is_ok();
        let shared = Arc::clone(&shared);
        let update = move || shared.gradebook.update(&shared.config.out, &shared.stores);
        spawn_blocking(update).await.ok();
        if is_over {
            return;
        }
    }
}

/// Waits for a signal that ends the program.
async fn signaled() -> io::Result<()> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    std::future::poll_fn(|context| {
        let is_any = [&mut interrupt, &mut terminate, &mut hang_up]
            .into_iter()
            .any(|it| it.poll_recv(context).is_ready());
        if is_any { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    Ok(())
}

/// Returns the router with all routes.
fn router(server: Server) -> Router {
    let mut router = Router::new();
    for route in routes() {
        let (path, filter) = (route.path, filter(&route.method));
        let (server, route): (Server, Arc<Route>) = (server.clone(), Arc::new(route));
        let handler = move |request: Request| dispatch(server, route, request);
        router = router.route(path, on(filter, handler));
    }
    let hosts = Arc::clone(&server.hosts);
    let fallback = server.clone();
    router
        .fallback(move || not_found(fallback))
        .method_not_allowed_fallback(move || not_found(server))
        .layer(DefaultBodyLimit::disable())
        .layer(middleware::from_fn_with_state(hosts, gate))
}

fn filter(method: &Method) -> MethodFilter {
    if *method == Method::POST { MethodFilter::POST } else { MethodFilter::GET }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_on_loopback_is_called_localhost_too() {
        let address = "127.0.0.1:80".parse().unwrap();
        assert_eq!(hosts(address, &["a".to_owned()]), ["a", "127.0.0.1:80", "localhost:80"]);
        assert_eq!(hosts("10.0.0.1:80".parse().unwrap(), &[]), ["10.0.0.1:80"]);
    }
}
