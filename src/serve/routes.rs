//! All routes.

use axum::http::Method;

use super::access::Role;
use super::marking;
use super::pages::{
    assets, change_log, changes, class, decisions, grading, login, similar, statistics, submission,
};
use super::route::{Names, Page, Route};

/// Returns all routes.
pub(super) fn routes() -> Vec<Route> {
    use Names::{Hidden, Shown};
    use Role::{Marker, Owner, Reader};
    let mut routes = marking::routes();
    routes.extend([
        Route::get("/", Reader, Shown, class::show),
        Route::get("/submission/{number}", Reader, Shown, submission::show),
        Route::get("/submission/{number}/code", Reader, Shown, submission::code),
        Route::get("/submission/{number}/attempts", Reader, Shown, submission::attempts),
        Route::get("/submission/{number}/history", Reader, Shown, submission::history),
        Route::get("/submission/{number}/student", Reader, Shown, submission::student_view),
        Route::get("/submission/{number}/feedback", Reader, Shown, submission::feedback),
        Route::post("/submission/{number}/override", Owner, Shown, submission::decide),
        Route::post("/submission/{number}/appeal", Marker, Shown, submission::add_step),
        Route::get("/statistics", Reader, Hidden, statistics::show),
        Route::get("/changes", Reader, Shown, changes::show),
        Route::get("/decisions", Reader, Shown, decisions::show),
        Route::get("/similar", Marker, Shown, similar::show),
        Route::post("/similar", Marker, Shown, similar::compare),
        Route::get("/similar/report", Marker, Shown, similar::report),
        Route::get("/grading", Owner, Hidden, grading::show),
        Route::post("/grading/start", Owner, Hidden, grading::start),
        Route::post("/grading/stop", Owner, Hidden, grading::stop),
        Route::get("/log", Owner, Shown, change_log::show),
        Route { method: Method::GET, path: "/events", page: Page::Events(Reader), names: Hidden },
        Route::open(Method::GET, "/login", login::show),
        Route {
            method: Method::POST,
            path: "/login",
            page: Page::LogIn(login::log_in),
            names: Hidden,
        },
        Route::open(Method::POST, "/logout", login::log_out),
        Route::open(Method::GET, "/assets/style.css", assets::style),
        Route::open(Method::GET, "/assets/script.js", assets::script),
    ]);
    routes
}
