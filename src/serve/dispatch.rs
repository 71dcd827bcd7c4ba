//! Dispatch: from a request to the page of its route, and from the answer to a response.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, FromRequestParts as _, RawPathParams, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::Response;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::access::{Role, Session, is_equal};
use super::answer::Answer;
use super::context::Server;
use super::event_stream;
use super::fields::{FORM_TOKEN, Fields};
use super::gate::Hosts;
use super::layout;
use super::problem::Problem;
use super::route::{Answered, Names, Page, Route};
use super::shared::{Shared, broken};
use super::visit::{Arrival, Visit};

/// Most bytes of a form.
const MOST_BYTES: usize = 256 * 1024;

/// Longest time that the body of a request may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Media type of forms.
const FORM: &str = "application/x-www-form-urlencoded";

/// Request that has been read.
#[derive(Debug)]
struct Received {
    method: Method,
    path: String,
    headers: HeaderMap,
    peer: SocketAddr,
    parts: Fields,
    query: Fields,
    form: Fields,
}

/// Answer, and what is needed to make a response of it.
#[derive(Debug)]
enum Outcome {
    Answer(StatusCode, Answer),
    Events,
}

/// Answers a request to a route.
pub(super) async fn dispatch(server: Server, route: Arc<Route>, request: Request) -> Response {
    let is_https = server.shared.config.is_https;
    let received = match receive(request).await {
        Ok(received) => received,
        Err(problem) => return refused(&problem).into_response(problem.status(), is_https),
    };
    let (shared, hosts) = (Arc::clone(&server.shared), Arc::clone(&server.hosts));
    let answered = spawn_blocking(move || answer(&shared, &hosts, &route, &received)).await;
    match answered {
        Ok(Outcome::Answer(status, answer)) => answer.into_response(status, is_https),
        Ok(Outcome::Events) => event_stream::response(&server),
        Err(_) => {
            let problem = Problem::Broken("the server failed while it made this page".to_owned());
            refused(&problem).into_response(problem.status(), is_https)
        }
    }
}

/// Answers a request to no route.
pub(super) async fn nowhere(server: Server) -> Response {
    let problem = Problem::NotFound;
    refused(&problem).into_response(problem.status(), server.shared.config.is_https)
}

/// Reads a request, whose size and time are limited.
async fn receive(request: Request) -> Result<Received, Problem> {
    let (mut head, body) = request.into_parts();
    let peer = head.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0);
    let peer = peer.ok_or_else(|| Problem::Broken("the connection has no address".to_owned()))?;
    let parts = path_parts(&mut head).await;
    let query = fields(head.uri.query().unwrap_or_default().as_bytes())?;
    let form =
        if head.method == Method::POST { form(&head, body).await? } else { Fields::default() };
    Ok(Received {
        path: head.uri.path().to_owned(),
        method: head.method,
        headers: head.headers,
        peer,
        parts,
        query,
        form,
    })
}

/// Returns the variable parts of the path.
async fn path_parts(head: &mut Parts) -> Fields {
    let found = RawPathParams::from_request_parts(head, &()).await;
    let pairs = found.iter().flatten();
    Fields::new(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

/// Reads the form of a change.
async fn form(head: &Parts, body: Body) -> Result<Fields, Problem> {
    let media_type = head.headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let media_type = media_type.and_then(|it| it.split(';').next()).unwrap_or_default();
    if !media_type.trim().eq_ignore_ascii_case(FORM) {
        return Err(Problem::Invalid(format!("a change is a form, of the type {FORM}")));
    }
    let read = timeout(PATIENCE, axum::body::to_bytes(body, MOST_BYTES)).await;
    let late = |_| Problem::Invalid(format!("the form took longer than {} s", PATIENCE.as_secs()));
    let long = |_| Problem::Invalid(format!("the form is longer than {} KiB", MOST_BYTES / 1024));
    let bytes: Bytes = read.map_err(late)?.map_err(long)?;
    fields(&bytes)
}

/// Reads names and values.
fn fields(text: &[u8]) -> Result<Fields, Problem> {
    let pairs = serde_urlencoded::from_bytes(text);
    pairs.map(Fields::new).map_err(|error| Problem::Invalid(error.to_string()))
}

/// Finds the user, and has the page make the answer.
fn answer(shared: &Shared, hosts: &Hosts, route: &Route, received: &Received) -> Outcome {
    let is_change = received.method == Method::POST;
    if is_change && !hosts.is_origin(&received.headers) {
        return problem(
            &Problem::Forbidden("this change comes from a page of another server"),
            None,
        );
    }
    let (role, show) = match route.page {
        Page::Open(show) => return open(shared, show, received),
        Page::For(role, show) => (role, Some(show)),
        Page::Events(role) => (role, None),
    };
    let session = match shared.gatekeeper.session(&received.headers, received.peer.ip()) {
        Ok(Some(session)) => session,
        Ok(None) if is_change => {
            return problem(&Problem::Forbidden("your session has ended: log in again"), None);
        }
        Ok(None) => {
            return Outcome::Answer(StatusCode::SEE_OTHER, Answer::SeeOther("/login".to_owned()));
        }
        Err(error) => return problem(&broken(&error), None),
    };
    if let Err(refusal) = allowed(shared, route, (role, &session), received) {
        return problem(&refusal, Some(&session));
    }
    let Some(show) = show else { return Outcome::Events };
    let visit = Visit {
        shared,
        session: &session,
        path: &received.path,
        parts: &received.parts,
        query: &received.query,
        form: &received.form,
    };
    let answered = if is_change { change(&visit, show) } else { show(&visit) };
    match answered {
        Ok(answer) => Outcome::Answer(StatusCode::OK, answer).see_other(),
        Err(refusal) => problem(&refusal, Some(&session)),
    }
}

fn open(shared: &Shared, show: fn(&Arrival<'_>) -> Answered, received: &Received) -> Outcome {
    match show(&Arrival { shared, query: &received.query, form: &received.form }) {
        Ok(answer) => Outcome::Answer(StatusCode::OK, answer).see_other(),
        Err(refusal) => problem(&refusal, None),
    }
}

/// Checks that the user may ask for the page, and that a change has the token of the session.
fn allowed(
    shared: &Shared,
    route: &Route,
    (role, session): (Role, &Session),
    received: &Received,
) -> Result<(), Problem> {
    let has = session.user.role;
    if has < role {
        return Err(Problem::Forbidden("your role does not allow this"));
    }
    if route.names == Names::Shown && shared.config.is_anonymous && has == Role::Marker {
        return Err(Problem::Forbidden("marking is anonymous, and this page shows names"));
    }
    let token = received.form.text(FORM_TOKEN);
    if received.method == Method::POST && !is_equal(token, &session.form_token) {
        return Err(Problem::Forbidden("this form is of another session: load its page again"));
    }
    Ok(())
}

/// Makes a change, and logs it before and after.
fn change(visit: &Visit<'_>, show: fn(&Visit<'_>) -> Answered) -> Answered {
    let unlogged = |error: std::io::Error| {
        Problem::Broken(format!(
            "the log of changes cannot be written, and nothing was changed: {error}"
        ))
    };
    let (log, user) = (&visit.shared.audit, &visit.user().name);
    log.add(user, visit.path, visit.form, "asked").map_err(unlogged)?;
    let answered = show(visit);
    let outcome = match &answered {
        Ok(_) => {
            visit.shared.gradebook.is_out_of_date();
            "done".to_owned()
        }
        Err(problem) => problem.to_string(),
    };
    // The change is made: that it was asked for is in the log.
    log.add(user, visit.path, &Fields::default(), &outcome).ok();
    answered
}

impl Outcome {
    /// Gives an answer that leads to another page its status.
    fn see_other(self) -> Self {
        match self {
            Self::Answer(_, answer @ Answer::SeeOther(_)) => {
                Self::Answer(StatusCode::SEE_OTHER, answer)
            }
            other @ (Self::Answer(..) | Self::Events) => other,
        }
    }
}

fn problem(problem: &Problem, session: Option<&Session>) -> Outcome {
    Outcome::Answer(problem.status(), Answer::Page(layout::problem(problem, session)))
}

fn refused(problem: &Problem) -> Answer {
    Answer::Page(layout::problem(problem, None))
}
