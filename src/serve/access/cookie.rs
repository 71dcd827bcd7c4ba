//! The cookie of a session: user, end and a random number, with a signature.

use axum::http::{HeaderMap, header};

use super::key::{Key, hexadecimal, is_equal};

/// Name of the cookie.
pub(in crate::serve) const COOKIE: &str = "softmark";

/// Seconds after which one has to log in again.
pub(in crate::serve) const MAX_AGE: u64 = 12 * 60 * 60;

/// Purpose of the signature.
const PURPOSE: &str = "cookie";

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

/// Returns the value of the session's cookie in a request.
pub(super) fn cookie_value(headers: &HeaderMap) -> Option<&str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs =
        lines.flat_map(|line| line.split(';')).filter_map(|it| it.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE).map(|(_, value)| value)
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
    fn the_cookie_is_found_among_others() {
        let mut headers = HeaderMap::new();
        assert_eq!(cookie_value(&headers), None);
        headers.append(header::COOKIE, "a=b; softmarks=1".parse().unwrap());
        headers.append(header::COOKIE, "x=y;softmark=61.1.2.3; z=1".parse().unwrap());
        assert_eq!(cookie_value(&headers), Some("61.1.2.3"));
    }
}
