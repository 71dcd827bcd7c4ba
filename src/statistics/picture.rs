//! Pictures of statistics, as SVG to be put into a page.
//!
//! The same figures give the same bytes. Colors are those of the page, so that a picture fits light and dark pages; every
//! picture can be read without color. Each has a description for readers that cannot see it.

use std::fmt::Write as _;

use super::checks::CheckStatistics;
use super::figures::Distribution;
use crate::report::html::Text;

/// Style of the pictures. Its classes are none of the page's, whose sizes would change those of the shapes.
pub(super) const STYLE: &str = "\
svg.picture { max-width: 100%; height: auto; display: block; }
.picture text { fill: var(--soft); font-size: 11px; }
.picture .name { fill: var(--ink); }
.picture .axis { stroke: var(--rule); stroke-width: 1; fill: none; }
.picture .zero { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 4 3; }
.picture .column { fill: var(--bar); }
.picture .box { fill: var(--bar); fill-opacity: .35; stroke: var(--bar); }
.picture .line { stroke: var(--bar); stroke-width: 1.5; }
.picture .median { stroke: var(--ink); stroke-width: 2; }
.picture .dot { fill: var(--bar); stroke: var(--card); }
.picture .flagged { fill: var(--warn); stroke: var(--ink); }
";

/// SVG that is being written.
struct Svg(String);

impl Svg {
    fn new(width: u32, height: u32, about: &str) -> Self {
        let about = Text(about);
        Self(format!(
            "<svg class=\"picture\" role=\"img\" aria-label=\"{about}\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n<title>{about}</title>\n"
        ))
    }

    fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        // Writing to a string does not fail.
        writeln!(
            self.0,
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        )
        .ok();
    }

    fn rectangle(
        &mut self,
        class: &str,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        about: &str,
    ) {
        let about = Text(about);
        writeln!(
            self.0,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
             height=\"{height:.1}\"><title>{about}</title></rect>"
        )
        .ok();
    }

    fn dot(&mut self, class: &str, (x, y): (f64, f64), about: &str) {
        let about = Text(about);
        writeln!(
            self.0,
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"><title>{about}</title></circle>"
        )
        .ok();
    }

    fn text(&mut self, class: &str, (x, y): (f64, f64), anchor: &str, text: &str) {
        let text = Text(text);
        writeln!(
            self.0,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
        )
        .ok();
    }

    fn end(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }
}

/// Returns a histogram of points by tenths.
pub(crate) fn histogram(points: &Distribution) -> String {
    const WIDTH: f64 = 420.0;
    const HEIGHT: f64 = 130.0;
    let mut svg = Svg::new(460, 170, "histogram of the points, in tenths of those available");
    let most = points.bins.iter().copied().max().unwrap_or(1).max(1) as f64;
    let step = WIDTH / points.bins.len() as f64;
    for (bin, number) in points.bins.iter().enumerate() {
        let (x, height) = (10.0 + bin as f64 * step, *number as f64 / most * HEIGHT);
        let (from, to) = (bin * 10, (bin + 1) * 10);
        let about = format!("{from} to {to} % of the points: {number}");
        svg.rectangle("column", (x + 1.5, 20.0 + HEIGHT - height), (step - 3.0, height), &about);
        if *number > 0 {
            let at = (x + step / 2.0, 15.0 + HEIGHT - height);
            svg.text("name", at, "middle", &number.to_string());
        }
        svg.text("tick", (x, 20.0 + HEIGHT + 14.0), "middle", &format!("{from}"));
    }
    svg.text("tick", (10.0 + WIDTH, 20.0 + HEIGHT + 14.0), "middle", "100 %");
    svg.line("axis", (10.0, 20.0 + HEIGHT), (10.0 + WIDTH, 20.0 + HEIGHT));
    svg.end()
}

/// Returns box plots of the share of points in each task: whiskers from minimum to maximum, a box between the
/// quartiles, a line at the median, and a dot at the mean.
pub(crate) fn boxes(tasks: &[(String, &Distribution)]) -> String {
    const LEFT: f64 = 200.0;
    const WIDTH: f64 = 420.0;
    const ROW: f64 = 26.0;
    let rows = u32::try_from(tasks.len()).unwrap_or(u32::MAX / 64);
    let mut svg = Svg::new(640, 34 + 26 * rows, "box plots of the points of each task");
    let bottom = 8.0 + ROW * tasks.len() as f64;
    for quarter in 0..=4 {
        let x = LEFT + WIDTH * f64::from(quarter) / 4.0;
        svg.line("axis", (x, 4.0), (x, bottom));
        svg.text("tick", (x, bottom + 14.0), "middle", &format!("{} %", quarter * 25));
    }
    for (row, (name, points)) in tasks.iter().enumerate() {
        let y = 8.0 + ROW * (row as f64 + 0.5);
        let most = points.max_points.to_f64();
        let at = |value: f64| if most > 0.0 { LEFT + WIDTH * value / most } else { LEFT };
        let [min, q1, median, q3, max] = points.quartiles.map(at);
        svg.text("name", (LEFT - 10.0, y + 4.0), "end", &crate::report::text::fit(name, 28));
        svg.line("line", (min, y), (max, y));
        let [_, low, middle, high, _] = points.quartiles;
        let about = format!(
            "{name}: quartiles {low:.2}, {middle:.2}, {high:.2}, mean {:.2} of {most:.2}",
            points.mean
        );
        svg.rectangle("box", (q1, y - 8.0), ((q3 - q1).max(1.0), 16.0), &about);
        svg.line("median", (median, y - 8.0), (median, y + 8.0));
        svg.dot("dot", (at(points.mean), y), &about);
    }
    svg.end()
}

/// Returns a map of the checks: pass rate to the right, discrimination upwards. Flagged checks are in another
/// color and have their ids beside them.
pub(crate) fn map(checks: &[CheckStatistics]) -> String {
    const SIZE: f64 = 360.0;
    const LEFT: f64 = 44.0;
    const TOP: f64 = 10.0;
    let mut svg = Svg::new(640, 420, "pass rate and discrimination of each check");
    let x = |rate: f64| LEFT + SIZE * 1.4 * rate;
    let y = |r: f64| TOP + SIZE * (1.0 - r) / 2.0;
    for step in 0..=4 {
        let share = f64::from(step) / 4.0;
        svg.line("axis", (x(share), TOP), (x(share), TOP + SIZE));
        let label = format!("{} %", step * 25);
        svg.text("tick", (x(share), TOP + SIZE + 14.0), "middle", &label);
        let r = share * 2.0 - 1.0;
        svg.line(if step == 2 { "zero" } else { "axis" }, (x(0.0), y(r)), (x(1.0), y(r)));
        svg.text("tick", (LEFT - 6.0, y(r) + 4.0), "end", &format!("{r:+.1}"));
    }
    svg.text("tick", (x(0.5), TOP + SIZE + 32.0), "middle", "pass rate");
    for check in checks {
        let (Some(rate), Some(r)) = (check.pass_rate(), check.discrimination) else { continue };
        let at = (x(rate), y(r));
        let about =
            format!("{}: passed by {:.1} %, discrimination {r:+.2}", check.id, rate * 100.0);
        let is_flagged = !check.flags.is_empty();
        svg.dot(if is_flagged { "flagged" } else { "dot" }, at, &about);
        if is_flagged {
            let end = if rate > 0.5 { "end" } else { "start" };
            let beside = if rate > 0.5 { -9.0 } else { 9.0 };
            svg.text("name", (at.0 + beside, at.1 + 4.0), end, &check.id.to_string());
        }
    }
    svg.end()
}

/// Returns a bar of the pass rate with its interval, for a row of a table.
pub(crate) fn rate(check: &CheckStatistics) -> String {
    const WIDTH: f64 = 100.0;
    let (Some(rate), Some(interval)) = (check.pass_rate(), check.interval()) else {
        return String::new();
    };
    let about = format!(
        "passed by {:.1} %, 95 % interval {:.1} to {:.1} %",
        rate * 100.0,
        interval.low * 100.0,
        interval.high * 100.0
    );
    let mut svg = Svg::new(104, 16, &about);
    svg.rectangle("axis", (2.0, 3.0), (WIDTH, 10.0), &about);
    svg.rectangle("column", (2.0, 3.0), (WIDTH * rate, 10.0), &about);
    let (low, high) = (2.0 + WIDTH * interval.low, 2.0 + WIDTH * interval.high);
    svg.line("median", (low, 8.0), (high, 8.0));
    svg.end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Points;

    #[test]
    fn names_are_no_markup_and_points_lie_on_the_scale() {
        let points: Vec<Points> = [0, 500, 1000].map(Points::from_hundredths).to_vec();
        let distribution = Distribution::of(&points, Points::from_hundredths(1000)).unwrap();
        let svg = boxes(&[("<script>&\u{1b}[2J".to_owned(), &distribution)]);
        assert!(svg.contains("&lt;script&gt;&amp;␛[2J") && !svg.contains("<script"), "{svg}");
        // From no points at the left edge to all of them 420 to the right, the median between.
        assert!(
            svg.contains("<line class=\"line\" x1=\"200.0\" y1=\"21.0\" x2=\"620.0\""),
            "{svg}"
        );
        assert!(svg.contains("<line class=\"median\" x1=\"410.0\""), "{svg}");
        let svg = histogram(&distribution);
        assert_eq!(svg.matches("<rect class=\"column\"").count(), 10);
        assert_eq!(svg.matches("text-anchor=\"middle\">1</text>").count(), 3);
    }
}
