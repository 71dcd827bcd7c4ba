//! The header with which a trusted proxy names the user.

use std::net::IpAddr;

use axum::http::HeaderMap;

/// Header of a trusted proxy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProxyHeader {
    /// Name of the header.
    pub name: String,
    /// Addresses of proxies whose header is believed.
    pub from: Vec<IpAddr>,
}

impl ProxyHeader {
    /// Returns the name of the user in the header, if it comes from a trusted address; `None` if there is none, or more than
    /// one.
    pub(super) fn user<'a>(&self, headers: &'a HeaderMap, peer: IpAddr) -> Option<&'a str> {
        // An IPv4 address may come as an IPv6 one.
        if !self.from.iter().any(|from| from.to_canonical() == peer.to_canonical()) {
            return None;
        }
        let mut values = headers.get_all(&self.name).iter();
        match (values.next(), values.next()) {
            (Some(value), None) => value.to_str().ok().map(str::trim).filter(|it| !it.is_empty()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_header_from_a_listed_address_is_believed() {
        let proxy =
            ProxyHeader { name: "x-user".to_owned(), from: vec!["127.0.0.1".parse().unwrap()] };
        let (near, far): (IpAddr, IpAddr) =
            ("::ffff:127.0.0.1".parse().unwrap(), "10.0.0.1".parse().unwrap());
        let mut headers = HeaderMap::new();
        assert_eq!(proxy.user(&headers, near), None);
        headers.append("X-User", "amal".parse().unwrap());
        assert_eq!(proxy.user(&headers, near), Some("amal"));
        assert_eq!(proxy.user(&headers, far), None);
        headers.append("X-User", "ben".parse().unwrap());
        assert_eq!(proxy.user(&headers, near), None);
    }
}
