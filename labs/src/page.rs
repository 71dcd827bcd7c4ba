//! The page of a report: one file without scripts or anything that has to be loaded.

use crate::html::Html;
use crate::report::{Drawing, Figure, Report, Section, Table, number};

const STYLE: &str = "\
:root { color-scheme: light; }
body { max-width: 62rem; margin: 0 auto; padding: 1rem; background: #fff; color: #222;
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.15rem; margin-top: 2rem; }
p { max-width: 44rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid #ccc; text-align: left; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
figure { margin: 1rem 0; }
figure .wide svg { display: block; max-width: max(100%, 40rem); height: auto; }
figcaption { font-size: .9rem; color: #444; }
@media print {
  body { max-width: none; padding: 0; font-size: .85rem; }
  figure, tr { break-inside: avoid; }
  .wide { overflow: visible; }
  figure .wide svg { max-width: 100%; }
}
";

/// Returns the page of a report.
pub(crate) fn render(report: &Report, lab: &str, device: &str) -> String {
    let mut body = Html::of("h1", &report.title);
    body.push(&Html::of("p", &report.source));
    body.push(&Html::of("h2", "Figures"));
    body.push(&figures(&report.figures));
    let seed = format!("Lab {lab}, seed {}, device {device}.", report.seed);
    body.push(&Html::of("p", &seed));
    body.push(&Html::of("h2", "Data"));
    body.push(&paragraphs(&report.data));
    body.push(&Html::of("h2", "Differences"));
    body.push(&paragraphs(&report.explanation));
    for each in &report.sections {
        body.push(&section(each));
    }
    Html::page(&report.title, STYLE, &Html::element("main", &body))
}

/// Formats a figure; `–` if there is none.
pub(crate) fn figure_or_dash(of: Option<f64>) -> String {
    of.map_or("–".to_owned(), number)
}

fn paragraphs(of: &[String]) -> Html {
    of.iter().map(|it| Html::of("p", it)).collect()
}

fn figures(of: &[Figure]) -> Html {
    let head = ["figure", "published", "ours", "settings"].map(|it| match it {
        "published" | "ours" => Html::of("th class=\"n\" scope=\"col\"", it),
        it => Html::of("th scope=\"col\"", it),
    });
    let mut rows = Html::element("tr", &head.into_iter().collect());
    for Figure { name, published, ours, settings } in of {
        let cells = [
            Html::of("th scope=\"row\"", name),
            Html::of("td class=\"n\"", &figure_or_dash(*published)),
            Html::of("td class=\"n\"", &figure_or_dash(*ours)),
            Html::of("td", settings),
        ];
        rows.push(&Html::element("tr", &cells.into_iter().collect()));
    }
    Html::element("div class=\"wide\"", &Html::element("table", &rows))
}

fn section(of: &Section) -> Html {
    let Section { heading, text, table, pictures } = of;
    let mut html = Html::of("h2", heading);
    html.push(&paragraphs(text));
    if let Some(it) = table {
        html.push(&rows(it));
    }
    html.push(&pictures.iter().map(figure).collect());
    html
}

fn rows(of: &Table) -> Html {
    let head = of.columns.iter().map(|it| Html::of("th scope=\"col\"", it)).collect();
    let mut rows = Html::element("tr", &head);
    for row in &of.rows {
        rows.push(&Html::element("tr", &row.iter().map(|it| cell(it)).collect()));
    }
    Html::element("div class=\"wide\"", &Html::element("table", &rows))
}

/// Returns a cell; numbers are aligned at the right.
fn cell(text: &str) -> Html {
    if text.parse::<f64>().is_ok() || text == "–" {
        Html::of("td class=\"n\"", text)
    } else {
        Html::of("td", text)
    }
}

fn figure(of: &Drawing) -> Html {
    let mut inside = Html::element("div class=\"wide\"", &Html::picture(&of.picture));
    inside.push(&Html::of("figcaption", &of.caption));
    Html::element("figure", &inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use softmark_plot::confusion_matrix;

    #[test]
    fn names_are_escaped_in_texts_tables_and_pictures() {
        let evil = "<script>alert('x')</script>";
        let picture = confusion_matrix(evil, &[&[1, 2], &[3, 4]], &[evil, "b"]).unwrap();
        let section = Section::text(evil, &[evil])
            .with_table(&[evil, "n"], vec![vec![evil.to_owned(), "0.5".to_owned()]])
            .with_picture(picture, evil);
        let report = Report {
            title: evil.to_owned(),
            source: evil.to_owned(),
            data: vec![evil.to_owned()],
            seed: 1,
            figures: vec![Figure::new(evil, 0.5, None, evil)],
            explanation: vec![evil.to_owned()],
            sections: vec![section],
            runs: Vec::new(),
        };
        let page = render(&report, "lab", "cpu");
        assert!(!page.contains("<script"), "{page}");
        assert!(page.contains("&lt;script&gt;") && page.contains("<td class=\"n\">0.5000</td>"));
        assert!(page.contains("<td class=\"n\">–</td>"), "a figure that was not measured");
        for loaded in ["http-equiv", "src=", "href=", "@import", "url("] {
            assert!(!page.contains(loaded), "{loaded}");
        }
    }
}
