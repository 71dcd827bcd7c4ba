//! The gatekeeper: finds the user of a request.

use std::net::IpAddr;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use axum::http::HeaderMap;

use super::cookie::{Cookie, CookieSettings, MAX_AGE};
use super::key::{Key, is_equal, new_token};
use super::proxy::ProxyHeader;
use super::role::Role;
use super::session::{Session, User};
use super::users::{UserEntry, Users, UsersError};
use crate::clock;
use crate::serve::config::AccessConfig;

/// Time that a wrong password takes in addition: at three a second, a list of a million passwords takes four days.
const PENALTY: Duration = Duration::from_millis(300);

/// Purpose of the signature that is the token of forms.
const FORM: &str = "form";

/// Finder of users.
#[derive(Debug)]
pub(in crate::serve) struct Gatekeeper {
    token: Option<String>,
    owner: String,
    users: Option<PathBuf>,
    proxy: Option<ProxyHeader>,
    /// Key, unless the file of users has one.
    key: Key,
    /// Name and attributes of the cookie.
    cookies: CookieSettings,
}

impl Gatekeeper {
    /// Creates the gatekeeper of these settings.
    ///
    /// # Errors
    ///
    /// Fails if the system has no random numbers.
    pub(in crate::serve) fn new(
        config: &AccessConfig,
        cookies: CookieSettings,
    ) -> Result<Self, UsersError> {
        let AccessConfig { token, owner, users, proxy } = config.clone();
        let secret = match &token {
            Some(token) => token.clone(),
            None => new_token().ok_or(UsersError::NoRandom)?,
        };
        let key = Key::of(&secret);
        Ok(Self { token, owner, users, proxy, key, cookies })
    }

    /// Returns name and attributes of the cookie.
    pub(in crate::serve) fn cookies(&self) -> &CookieSettings {
        &self.cookies
    }

    /// Returns true if users have passwords to log in with.
    pub(in crate::serve) fn has_passwords(&self) -> bool {
        self.users.is_some()
    }

    /// Returns the session of a request; `None` if it comes from nobody who is known.
    ///
    /// # Errors
    ///
    /// Fails if the file of users cannot be read.
    pub(in crate::serve) fn session(
        &self,
        headers: &HeaderMap,
        peer: IpAddr,
    ) -> Result<Option<Session>, UsersError> {
        let users = self.read_users()?;
        let key = self.key(users.as_ref());
        let named = self.proxy.as_ref().and_then(|proxy| proxy.user(headers, peer));
        if let Some(name) = named {
            let user = users.as_ref().and_then(|users| users.find(name));
            return Ok(user.map(|user| session(&key, user_of(user), "proxy")));
        }
        let Some(text) = self.cookies.value(headers) else { return Ok(None) };
        let Some(cookie) = Cookie::read(text) else { return Ok(None) };
        let Some(known) = self.known(&cookie.user, users.as_ref()) else { return Ok(None) };
        if !cookie.is_valid(text, &key, &known.secret, clock::seconds()) {
            return Ok(None);
        }
        Ok(Some(session(&key, known.user, &cookie.nonce)))
    }

    /// Returns the cookie of a user who comes with the start-up token; `None` if the token is not right.
    ///
    /// # Errors
    ///
    /// Fails if the file of users cannot be read, or the system has no random numbers.
    pub(in crate::serve) fn log_in_with_token(
        &self,
        given: &str,
    ) -> Result<Option<String>, UsersError> {
        match &self.token {
            Some(token) if is_equal(token, given) => {
                let key = self.key(self.read_users()?.as_ref());
                cookie("", &key, token).map(Some)
            }
            Some(_) | None => Ok(None),
        }
    }

    /// Returns the cookie of a user with a password; `None` if name or password is not right. The caller sees to it that one
    /// password is tried at a time.
    ///
    /// # Errors
    ///
    /// Fails if the file of users cannot be read, or the system has no random numbers.
    pub(in crate::serve) fn log_in_with_password(
        &self,
        name: &str,
        password: &str,
    ) -> Result<Option<String>, UsersError> {
        let Some(users) = self.read_users()? else { return Ok(None) };
        if let Some(user) = users.log_in(name, password) {
            return cookie(&user.name, &self.key(Some(&users)), &user.password).map(Some);
        }
        thread::sleep(PENALTY);
        Ok(None)
    }

    fn read_users(&self) -> Result<Option<Users>, UsersError> {
        self.users.as_deref().map(Users::read).transpose().map(Option::flatten)
    }

    fn key(&self, users: Option<&Users>) -> Key {
        match (&self.token, users) {
            (None, Some(users)) => Key::of(&users.key),
            _ => self.key.clone(),
        }
    }

    /// Returns the user whom a cookie names, and the secret that it is signed with.
    fn known(&self, name: &str, users: Option<&Users>) -> Option<Known> {
        if name.is_empty() {
            let user = User { name: self.owner.clone(), role: Role::Owner };
            return Some(Known { user, secret: self.token.clone()? });
        }
        let user = users?.find(name)?;
        Some(Known { user: user_of(user), secret: user.password.clone() })
    }
}

/// User, and the secret that ends the sessions of this user when it changes.
struct Known {
    user: User,
    secret: String,
}

fn user_of(entry: &UserEntry) -> User {
    User { name: entry.name.clone(), role: entry.role }
}

fn session(key: &Key, user: User, nonce: &str) -> Session {
    let form_token = key.sign(FORM, &[&user.name, nonce]);
    Session { user, form_token }
}

fn cookie(user: &str, key: &Key, secret: &str) -> Result<String, UsersError> {
    let nonce = new_token().ok_or(UsersError::NoRandom)?;
    let cookie = Cookie { user: user.to_owned(), ends_at: clock::seconds() + MAX_AGE, nonce };
    Ok(cookie.write(key, secret))
}

#[cfg(test)]
mod tests {
    use axum::http::header;

    use super::*;

    const NEAR: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn config() -> AccessConfig {
        AccessConfig {
            token: Some("a token".to_owned()),
            owner: "okafor".to_owned(),
            users: None,
            proxy: None,
        }
    }

    fn gatekeeper(config: &AccessConfig) -> Gatekeeper {
        Gatekeeper::new(config, CookieSettings::new(8080, false)).unwrap()
    }

    fn with_cookie(value: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::COOKIE, format!("softmark-8080={value}").parse().unwrap())])
    }

    fn session_of(gate: &Gatekeeper, value: &str) -> Option<Session> {
        gate.session(&with_cookie(value), NEAR).unwrap()
    }

    #[test]
    fn the_token_makes_an_owner_whose_sessions_survive_a_restart() {
        let gate = gatekeeper(&config());
        assert!(gate.log_in_with_token("another token").unwrap().is_none());
        let cookie = gate.log_in_with_token("a token").unwrap().unwrap();
        let session = session_of(&gate, &cookie).unwrap();
        assert_eq!(session.user, User { name: "okafor".to_owned(), role: Role::Owner });
        let again = gatekeeper(&config());
        assert_eq!(session_of(&again, &cookie).unwrap(), session);
        let other = AccessConfig { token: Some("another".to_owned()), ..config() };
        assert!(session_of(&gatekeeper(&other), &cookie).is_none());
        assert!(gate.session(&HeaderMap::new(), NEAR).unwrap().is_none());
        let second = gate.log_in_with_token("a token").unwrap().unwrap();
        assert_ne!(session_of(&gate, &second).unwrap().form_token, session.form_token);
    }

    #[test]
    fn another_password_or_no_user_ends_a_session_and_a_role_changes_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("users.toml");
        let mut users = Users::new().unwrap();
        users.set("amal", Role::Marker, Some("correct horse battery")).unwrap();
        users.write(&path).unwrap();
        let gate = gatekeeper(&AccessConfig { token: None, users: Some(path.clone()), ..config() });
        assert!(gate.log_in_with_password("amal", "wrong").unwrap().is_none());
        let cookie = gate.log_in_with_password("amal", "correct horse battery").unwrap().unwrap();
        assert_eq!(session_of(&gate, &cookie).unwrap().user.role, Role::Marker);
        users.users[0].role = Role::Reader;
        users.write(&path).unwrap();
        assert_eq!(session_of(&gate, &cookie).unwrap().user.role, Role::Reader);
        users.set("amal", Role::Reader, Some("another long password")).unwrap();
        users.write(&path).unwrap();
        assert!(session_of(&gate, &cookie).is_none());
        assert!(gate.log_in_with_token("").unwrap().is_none());
    }

    #[test]
    fn a_proxy_names_users_of_the_file_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("users.toml");
        let mut users = Users::new().unwrap();
        users.set("amal", Role::Marker, None).unwrap();
        users.write(&path).unwrap();
        let proxy = ProxyHeader { name: "x-user".to_owned(), from: vec![NEAR] };
        let config =
            AccessConfig { token: None, users: Some(path), proxy: Some(proxy), ..config() };
        let gate = gatekeeper(&config);
        let headers =
            |name: &str| HeaderMap::from_iter([("x-user".parse().unwrap(), name.parse().unwrap())]);
        assert_eq!(gate.session(&headers("amal"), NEAR).unwrap().unwrap().user.name, "amal");
        assert!(gate.session(&headers("ben"), NEAR).unwrap().is_none());
        let far = "10.0.0.1".parse().unwrap();
        assert!(gate.session(&headers("amal"), far).unwrap().is_none());
    }
}
