//! All routes.

use axum::http::Method;

use super::access::Role;
use super::marking;
use super::pages::{assets, class, login};
use super::route::{Names, Page, Route};

/// Returns all routes.
pub(super) fn routes() -> Vec<Route> {
    use Names::{Hidden, Shown};
    use Role::Reader;
    let mut routes = marking::routes();
    routes.extend([
        Route::get("/", Reader, Shown, class::show),
        Route { method: Method::GET, path: "/events", page: Page::Events(Reader), names: Hidden },
        Route::open(Method::GET, "/login", login::show),
        Route::open(Method::POST, "/login", login::log_in),
        Route::open(Method::POST, "/logout", login::log_out),
        Route::open(Method::GET, "/assets/style.css", assets::style),
        Route::open(Method::GET, "/assets/script.js", assets::script),
    ]);
    routes
}
