//! Dispatch: from a request to the page of its route, and from the answer to a response.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, FromRequestParts as _, RawPathParams, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::Response;
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::access::{Role, Session, is_equal};
use super::answer::Answer;
use super::context::Server;
use super::event_stream;
use super::fields::{FORM_TOKEN, Fields};
use super::gate::Hosts;
use super::layout::{self, Viewer};
use super::problem::Problem;
use super::route::{Answered, Names, Page, Route};
use super::shared::{Shared, broken};
use super::visit::{Arrival, Visit};

/// Most bytes of a form: the longest has two texts, each of which a person types, and the numbers of the answers of a group, some
/// twenty bytes for each of a thousand students.
const MOST_BYTES: usize = 256 * 1024;

/// Longest time that the body of a request may take: the longest form on a line of 128 kbit/s.
const BODY_TIMEOUT: Duration = Duration::from_secs(20);

/// Longest wait for one's turn to log in: that of ten people whose passwords are wrong.
const LOG_IN_TIMEOUT: Duration = Duration::from_secs(5);

/// Page to which a log-in leads.
const FIRST_PAGE: &str = "/";

/// First page of those who see no names.
const FIRST_ANONYMOUS: &str = "/marking";

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
    let received = match receive(request).await {
        Ok(received) => received,
        Err(problem) => return refused(&server, &problem),
    };
    let turn = match turn(&server, &route).await {
        Ok(turn) => turn,
        Err(problem) => return refused(&server, &problem),
    };
    let (shared, hosts) = (Arc::clone(&server.shared), Arc::clone(&server.hosts));
    let answered = spawn_blocking(move || {
        let _turn = turn;
        answer(&shared, &hosts, &route, &received)
    });
    match answered.await {
        Ok(Outcome::Answer(status, answer)) => {
            answer.into_response(status, server.shared.gatekeeper.cookies())
        }
        Ok(Outcome::Events) => event_stream::response(&server),
        Err(_) => {
            let problem = Problem::Broken("the server failed while it made this page".to_owned());
            refused(&server, &problem)
        }
    }
}

/// Waits for the turn of a log-in, which ends when the returned permit is dropped; other pages need none. Whoever waits takes no
/// thread.
async fn turn(server: &Server, route: &Route) -> Result<Option<OwnedSemaphorePermit>, Problem> {
    if !matches!(route.page, Page::LogIn(_)) {
        return Ok(None);
    }
    let turn = Arc::clone(&server.log_in_turn).acquire_owned();
    match timeout(LOG_IN_TIMEOUT, turn).await {
        Ok(Ok(turn)) => Ok(Some(turn)),
        Ok(Err(_)) | Err(_) => {
            Err(Problem::Busy("too many people log in at this moment: try again in a minute"))
        }
    }
}

/// Answers a request to no route.
pub(super) async fn not_found(server: Server) -> Response {
    refused(&server, &Problem::NotFound)
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
    let read = timeout(BODY_TIMEOUT, axum::body::to_bytes(body, MOST_BYTES)).await;
    let late =
        |_| Problem::Invalid(format!("the form took longer than {} s", BODY_TIMEOUT.as_secs()));
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
        let why = "this change comes from a page of another server";
        return problem(&Problem::Forbidden(why), None);
    }
    let (role, show) = match route.page {
        Page::Open(show) | Page::LogIn(show) => return open(shared, show, received),
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
    let viewer = Viewer { session: &session, config: &shared.config };
    if route.path == FIRST_PAGE && !shared.config.shows_names(session.user.role) {
        return Outcome::Answer(
            StatusCode::SEE_OTHER,
            Answer::SeeOther(FIRST_ANONYMOUS.to_owned()),
        );
    }
    if let Err(refusal) = allowed(shared, route, (role, &session), received) {
        return problem(&refusal, Some(viewer));
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
        Ok(answer) => Outcome::Answer(StatusCode::OK, answer),
        Err(refusal) => problem(&refusal, Some(viewer)),
    }
}

fn open(shared: &Shared, show: fn(&Arrival<'_>) -> Answered, received: &Received) -> Outcome {
    match show(&Arrival { shared, query: &received.query, form: &received.form }) {
        Ok(answer) => Outcome::Answer(StatusCode::OK, answer),
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
    if route.names == Names::Shown && !shared.config.shows_names(has) {
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
    // A change that failed may have been made in part: a decision that is in the ledger, and not yet on its record.
    if matches!(answered, Ok(_) | Err(Problem::Broken(_))) {
        visit.shared.gradebook.mark_out_of_date();
    }
    let outcome = match &answered {
        Ok(_) => "done".to_owned(),
        Err(problem) => problem.to_string(),
    };
    // The change is made: that it was asked for is in the log.
    log.add(user, visit.path, &Fields::default(), &outcome).ok();
    answered
}

fn problem(problem: &Problem, viewer: Option<Viewer<'_>>) -> Outcome {
    Outcome::Answer(problem.status(), Answer::Page(layout::problem(problem, viewer)))
}

/// Returns the response to a request that no page answers.
fn refused(server: &Server, problem: &Problem) -> Response {
    let page = Answer::Page(layout::problem(problem, None));
    page.into_response(problem.status(), server.shared.gatekeeper.cookies())
}
