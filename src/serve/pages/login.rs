//! Logging in, with the start-up token or a password, and logging out.

use maud::{Markup, html};

use crate::serve::answer::Answer;
use crate::serve::layout;
use crate::serve::route::Answered;
use crate::serve::shared::broken;
use crate::serve::visit::Arrival;

/// Shows the form; with a token in the query, logs in at once.
pub(in crate::serve) fn show(arrival: &Arrival<'_>) -> Answered {
    match arrival.query.text("token") {
        "" => Ok(Answer::Page(form(arrival, None))),
        token => with_token(arrival, token),
    }
}

/// Logs in with the token or the password of the form.
pub(in crate::serve) fn log_in(arrival: &Arrival<'_>) -> Answered {
    let form = arrival.form;
    let token = form.text("token").trim();
    if !token.is_empty() {
        return with_token(arrival, token);
    }
    let (name, password) = (form.text("name").trim(), form.text("password"));
    let cookie = arrival
        .shared
        .gatekeeper
        .log_in_with_password(name, password)
        .map_err(|error| broken(&error))?;
    Ok(answer(arrival, cookie, "This name and password do not belong together."))
}

/// Ends the session of this browser.
#[expect(clippy::unnecessary_wraps, reason = "all pages have one type")]
pub(in crate::serve) fn log_out(_: &Arrival<'_>) -> Answered {
    let body = html! {
        h1 { "Logged out" }
        p { a href="/login" { "Log in again" } }
    };
    Ok(Answer::Session { page: layout::open_page("Logged out", &body), cookie: String::new() })
}

fn with_token(arrival: &Arrival<'_>, token: &str) -> Answered {
    let cookie =
        arrival.shared.gatekeeper.log_in_with_token(token).map_err(|error| broken(&error))?;
    Ok(answer(arrival, cookie, "This is not the token of this server."))
}

fn answer(arrival: &Arrival<'_>, cookie: Option<String>, why: &str) -> Answer {
    match cookie {
        Some(cookie) => Answer::Session { page: welcome(), cookie },
        None => Answer::Page(form(arrival, Some(why))),
    }
}

/// Returns a page that leads to the first page. It is no redirect: after a link on a page elsewhere, the browser would not send the
/// cookie along.
fn welcome() -> Markup {
    let body = html! {
        meta http-equiv="refresh" content="0; url=/";
        h1 { "Logged in" }
        p { a href="/" { "Go to the first page" } }
    };
    layout::open_page("Logged in", &body)
}

fn form(arrival: &Arrival<'_>, why: Option<&str>) -> Markup {
    let access = &arrival.shared.config.access;
    let body = html! {
        h1 { "Log in" }
        @if let Some(why) = why { p.problem role="alert" { (why) } }
        @if arrival.shared.gatekeeper.has_passwords() {
            form.stack method="post" action="/login" {
                label for="name" { "Name" }
                input #name name="name" autocomplete="username" required;
                label for="password" { "Password" }
                input #password name="password" type="password" autocomplete="current-password" required;
                button { "Log in" }
            }
        }
        @if access.token.is_some() {
            form.stack method="post" action="/login" {
                label for="token" { "Token that " code { "grade serve" } " printed" }
                input #token name="token" type="password" autocomplete="off" required;
                button { "Use the token" }
            }
        }
        @if access.proxy.is_some() {
            p { "The proxy of this server names the users, and named none for this request." }
        }
    };
    layout::open_page("Log in", &body)
}
