//! The gate: what holds of each request and each response, whatever the page.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

/// Policy of pages: styles, scripts, pictures and connections of this server alone.
pub(super) const PAGE_POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
     connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Headers of each response, unless the page sets another value.
const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, PAGE_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // With `no-referrer`, browsers would not say of a form that it comes from a page of this server.
    (header::REFERRER_POLICY, "same-origin"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
];

/// Names by which browsers may call the server.
#[derive(Debug)]
pub(super) struct Hosts(pub(super) Vec<String>);

impl Hosts {
    /// Returns true if the request names the server by one of its names. Another name may be that of a page elsewhere whose
    /// owner has it lead to this address.
    fn is_called(&self, headers: &HeaderMap, uri: &Uri) -> bool {
        let mut lines = headers.get_all(header::HOST).iter();
        let (first, second) = (lines.next(), lines.next());
        let host = first.and_then(|host| host.to_str().ok());
        // A request for a proxy has the host in its first line as well.
        let authority = uri.authority().map(axum::http::uri::Authority::as_str);
        second.is_none()
            && host.is_some_and(|host| self.has(host))
            && authority.is_none_or(|host| self.has(host))
    }

    fn has(&self, host: &str) -> bool {
        self.0.iter().any(|name| name.eq_ignore_ascii_case(host))
    }

    /// Returns true if a page of this server may have sent the request: browsers say where a change comes from.
    pub(super) fn is_origin(&self, headers: &HeaderMap) -> bool {
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        if site.is_some_and(|site| site != b"same-origin" && site != b"none") {
            return false;
        }
        let Some(origin) = headers.get(header::ORIGIN) else { return true };
        let origin = origin.to_str().unwrap_or_default();
        let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        host.is_some_and(|host| self.has(host))
    }
}

/// Refuses requests that call the server by another name, and adds headers to each response.
pub(super) async fn gate(
    State(hosts): State<Arc<Hosts>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = if hosts.is_called(request.headers(), request.uri()) {
        next.run(request).await
    } else {
        let text = "this server has another name; `grade serve --host NAME` allows more\n";
        (StatusCode::MISDIRECTED_REQUEST, text).into_response()
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts() -> Hosts {
        Hosts(vec!["127.0.0.1:8080".to_owned(), "marks.example.org".to_owned()])
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, value.parse().unwrap());
        }
        headers
    }

    #[test]
    fn only_known_names_are_answered() {
        let called = |pairs: &[(&'static str, &str)], uri: &str| {
            hosts().is_called(&headers(pairs), &uri.parse().unwrap())
        };
        assert!(called(&[("host", "127.0.0.1:8080")], "/"));
        assert!(called(&[("host", "Marks.Example.ORG")], "/"));
        assert!(called(&[("host", "marks.example.org")], "http://marks.example.org/"));
        for (pairs, uri) in [
            (&[][..], "/"),
            (&[("host", "127.0.0.1")], "/"),
            (&[("host", "127.0.0.1:8080.evil.example")], "/"),
            (&[("host", "evil.example:8080")], "/"),
            (&[("host", "127.0.0.1:8080"), ("host", "evil.example")], "/"),
            (&[("host", "127.0.0.1:8080")], "http://evil.example/"),
        ] {
            assert!(!called(pairs, uri), "{pairs:?} {uri}");
        }
    }

    #[test]
    fn changes_come_from_pages_of_the_server_alone() {
        let is_origin = |pairs: &[(&'static str, &str)]| hosts().is_origin(&headers(pairs));
        assert!(is_origin(&[]));
        assert!(is_origin(&[
            ("origin", "http://127.0.0.1:8080"),
            ("sec-fetch-site", "same-origin")
        ]));
        assert!(is_origin(&[("origin", "https://marks.example.org")]));
        for pairs in [
            &[("origin", "null")][..],
            &[("origin", "http://127.0.0.1:8081")],
            &[("origin", "https://evil.example")],
            &[("origin", "file://127.0.0.1:8080")],
            &[("sec-fetch-site", "cross-site")],
            &[("sec-fetch-site", "same-site"), ("origin", "http://127.0.0.1:8080")],
        ] {
            assert!(!is_origin(pairs), "{pairs:?}");
        }
    }
}
