//! Routes of the marking pages. Names of students are shown on them only if marking is not anonymous.

use axum::http::Method;

use super::{answer, assets, disagreements, group, overview, questions, rubric_page, save};
use crate::serve::access::Role::{Marker, Reader};
use crate::serve::route::Names::Hidden;
use crate::serve::route::Route;

/// Returns the routes.
pub(in crate::serve) fn routes() -> Vec<Route> {
    vec![
        Route::get("/marking", Reader, Hidden, questions::show),
        Route::get("/marking/{assignment}/{question}", Reader, Hidden, overview::show),
        Route::get("/marking/{assignment}/{question}/next", Marker, Hidden, overview::next_open),
        Route::get("/marking/{assignment}/{question}/answers/{code}", Reader, Hidden, answer::show),
        Route::post("/marking/{assignment}/{question}/answers/{code}", Marker, Hidden, save::mark),
        Route::post(
            "/marking/{assignment}/{question}/answers/{code}/undo",
            Marker,
            Hidden,
            save::undo,
        ),
        Route::get(
            "/marking/{assignment}/{question}/rubric/{item}",
            Marker,
            Hidden,
            rubric_page::show,
        ),
        Route::post(
            "/marking/{assignment}/{question}/rubric/{item}",
            Marker,
            Hidden,
            rubric_page::change,
        ),
        Route::get("/marking/{assignment}/{question}/groups", Reader, Hidden, group::list),
        Route::get("/marking/{assignment}/{question}/groups/{code}", Marker, Hidden, group::show),
        Route::post("/marking/{assignment}/{question}/groups/{code}", Marker, Hidden, group::mark),
        Route::get(
            "/marking/{assignment}/{question}/disagreements",
            Reader,
            Hidden,
            disagreements::show,
        ),
        Route::open(Method::GET, "/assets/marking.css", assets::style),
        Route::open(Method::GET, "/assets/marking.js", assets::script),
    ]
}
