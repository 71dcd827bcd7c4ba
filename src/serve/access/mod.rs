//! Access: who sends a request, and what that person may do.
//!
//! ```text
//! start-up token ─┐
//! name, password ─┴─► cookie ─┐
//! header of a trusted proxy ──┴─► user with a role ─► token of forms
//! ```

mod cookie;
mod gatekeeper;
mod key;
mod private_file;
mod proxy;
mod role;
mod session;
mod users;

pub(super) use cookie::CookieSettings;
pub(super) use gatekeeper::Gatekeeper;
pub(super) use key::is_equal;
pub use key::new_token;
pub use private_file::is_private;
pub use proxy::ProxyHeader;
pub use role::Role;
pub(super) use session::{Session, User};
pub use users::{UserEntry, Users, UsersError};
