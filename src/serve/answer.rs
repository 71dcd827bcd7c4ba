//! Answers of pages, and the responses that they become.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use maud::Markup;

use super::access::CookieSettings;

/// Answer of a page.
#[derive(Debug)]
pub(super) enum Answer {
    /// A page.
    Page(Markup),
    /// Another page, which the browser asks for next.
    SeeOther(String),
    /// A file that the program contains.
    Asset {
        /// Media type.
        media_type: &'static str,
        /// Content.
        content: &'static str,
    },
    /// A document that a student gets, which may have styles of its own and nothing else.
    Document(Vec<u8>),
    /// A page, and the cookie of a new session; an empty cookie ends the session.
    Session {
        /// Page.
        page: Markup,
        /// Value of the cookie.
        cookie: String,
    },
}

/// Policy of a document that is shown in a frame of its own: styles in it, and nothing else.
pub(super) const DOCUMENT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";

const HTML: &str = "text/html; charset=utf-8";

impl Answer {
    /// Returns the response.
    pub(super) fn into_response(self, status: StatusCode, cookies: &CookieSettings) -> Response {
        match self {
            Self::Page(page) => response(status, HTML, page.into_string()),
            Self::SeeOther(path) => {
                let mut found = response(StatusCode::SEE_OTHER, HTML, String::new());
                set(&mut found, header::LOCATION, &path);
                found
            }
            Self::Asset { media_type, content } => {
                let mut found = response(status, media_type, content);
                set(&mut found, header::CACHE_CONTROL, "private, max-age=300");
                found
            }
            Self::Document(html) => {
                let mut found = response(status, HTML, html);
                set(&mut found, header::CONTENT_SECURITY_POLICY, DOCUMENT_POLICY);
                found
            }
            Self::Session { page, cookie } => {
                let mut found = response(status, HTML, page.into_string());
                set(&mut found, header::SET_COOKIE, &cookies.line(&cookie));
                found
            }
        }
    }
}

fn response(status: StatusCode, media_type: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}

/// Sets a header; one with a character that no header may have is left out.
fn set(response: &mut Response, name: header::HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}
