//! The cookie of a session: user, end and a random number, with a signature.

use axum::http::{HeaderMap, header};

use super::key::{Key, is_equal};
use crate::digest::hexadecimal;

/// Seconds after which one has to log in again: a long day of marking.
pub(super) const MAX_AGE: u64 = 12 * 60 * 60;

/// Purpose of the signature.
const PURPOSE: &str = "cookie";

/// Name and attributes of the cookie of this server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::serve) struct CookieSettings {
    /// Name. It has the port: browsers send the cookies of all servers of a host to each of them.
    name: String,
    /// True if browsers reach the server by https.
    is_https: bool,
}

impl CookieSettings {
    /// Returns the settings of a server at this port.
    pub(in crate::serve) fn new(port: u16, is_https: bool) -> Self {
        Self { name: format!("softmark-{port}"), is_https }
    }

    /// Returns the line that sets the cookie of a session, or removes it if it is empty.
    pub(in crate::serve) fn line(&self, cookie: &str) -> String {
        let age = if cookie.is_empty() { 0 } else { MAX_AGE };
        let secure = if self.is_https { "; Secure" } else { "" };
        let name = &self.name;
        format!("{name}={cookie}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{secure}")
    }

    /// Returns the value of the session's cookie in a request.
    pub(super) fn value<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let mut pairs =
            lines.flat_map(|line| line.split(';')).filter_map(|it| it.trim().split_once('='));
        pairs.find(|(name, _)| *name == self.name).map(|(_, value)| value)
    }
}

/// Content of the cookie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cookie {
    /// Name of the user; empty for the person with the start-up token.
    pub(super) user: String,
    /// Time of its end, in seconds since the beginning of 1970.
    pub(super) ends_at: u64,
    /// Random text, by which two sessions of one user differ.
    pub(super) nonce: String,
}

impl Cookie {
    /// Returns the signed text. `secret` is the user's: a cookie ends when it changes.
    pub(super) fn write(&self, key: &Key, secret: &str) -> String {
        let user = hexadecimal(self.user.as_bytes());
        let end = self.ends_at.to_string();
        let signature = key.sign(PURPOSE, &[&user, &end, &self.nonce, secret]);
        format!("{user}.{end}.{}.{signature}", self.nonce)
    }

    /// Reads a text, whose signature is not yet checked; `None` if it is no cookie of this server.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('.');
        let (user, end, nonce) = (parts.next()?, parts.next()?, parts.next()?);
        let user = String::from_utf8(bytes(user)?).ok()?;
        Some(Self { user, ends_at: end.parse().ok()?, nonce: nonce.to_owned() })
    }

    /// Returns true if the text is this cookie, signed with the key and the user's secret, and has not ended.
    pub(super) fn is_valid(&self, text: &str, key: &Key, secret: &str, now: u64) -> bool {
        is_equal(text, &self.write(key, secret)) && now < self.ends_at
    }
}

/// Reads hexadecimal digits.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_valid_until_its_end_with_its_key_and_secret() {
        let key = Key::of("key");
        let cookie = Cookie { user: "Zoë".to_owned(), ends_at: 100, nonce: "ab".to_owned() };
        let text = cookie.write(&key, "hash");
        let read = Cookie::read(&text).unwrap();
        assert_eq!(read, cookie);
        assert!(read.is_valid(&text, &key, "hash", 99));
        assert!(!read.is_valid(&text, &key, "hash", 100));
        assert!(!read.is_valid(&text, &key, "other", 99));
        assert!(!read.is_valid(&text, &Key::of("other"), "hash", 99));
        let longer = text.replace(".100.", ".900.");
        assert!(!Cookie::read(&longer).unwrap().is_valid(&longer, &key, "hash", 99));
        let other = text.replace("5a6fc3ab", "616d61");
        assert!(!Cookie::read(&other).unwrap().is_valid(&other, &key, "hash", 99));
    }

    #[test]
    fn any_text_is_read_without_panic() {
        for text in
            ["", ".", "zz.1.2.3", "é.1.2.3", "aé.1.2.3", "61.x.y.z", "61.99999999999999999999.y.z"]
        {
            assert_eq!(Cookie::read(text), None, "{text}");
        }
    }

    #[test]
    fn the_cookie_is_found_among_others_and_those_of_other_servers() {
        let mut headers = HeaderMap::new();
        let settings = CookieSettings::new(8080, false);
        assert_eq!(settings.value(&headers), None);
        headers.append(header::COOKIE, "a=b; softmark-80800=1; softmark-8081=2".parse().unwrap());
        headers.append(header::COOKIE, "x=y;softmark-8080=61.1.2.3; z=1".parse().unwrap());
        assert_eq!(settings.value(&headers), Some("61.1.2.3"));
    }

    #[test]
    fn cookies_are_for_the_server_alone() {
        assert_eq!(
            CookieSettings::new(80, false).line("a.b"),
            "softmark-80=a.b; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict"
        );
        assert_eq!(
            CookieSettings::new(80, true).line(""),
            "softmark-80=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure"
        );
    }
}
