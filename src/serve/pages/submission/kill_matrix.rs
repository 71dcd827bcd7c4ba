//! Kill matrix of a student's detectors.

use maud::{Markup, html};

use crate::model::{DetectorVerdict, KillMatrix, LayerKind};
use crate::report::{VERDICT_SIGNS, caught, verdict_sign};

/// Returns the verdict of each detector about each layer.
pub(super) fn kill_matrix(matrix: &KillMatrix) -> Markup {
    html! {
        details.kills open {
            summary { "Detectors: " (caught(matrix)) }
            div.scroll tabindex="0" role="region" aria-label="Verdicts of the detectors" {
                table {
                    caption { (VERDICT_SIGNS) }
                    thead { tr {
                        th scope="col" { "layer" }
                        @for (at, name) in matrix.detectors.iter().enumerate() {
                            th scope="col" {
                                (name)
                                @if !matrix.counts(at) { " " small { "counts for nothing" } }
                            }
                        }
                    } }
                    tbody {
                        @for row in &matrix.rows {
                            tr {
                                th scope="row" {
                                    (row.symptom) " " small { (row.kind.as_str()) }
                                    @if row.kind == LayerKind::Mutant && !matrix.is_caught(row) { " " strong { "survived" } }
                                }
                                @for verdict in &row.verdicts { (cell(*verdict)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn cell(verdict: DetectorVerdict) -> Markup {
    html! {
        td class={ "verdict " (verdict.as_str()) } {
            span aria-hidden="true" { (verdict_sign(verdict)) }
            span.hidden { (verdict.as_str()) }
        }
    }
}
