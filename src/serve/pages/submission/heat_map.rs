//! Heat maps of small arrays: tables whose cells have a color and a number.

use maud::{Markup, html};
use softmark_checks::array::short;
use softmark_untrusted::Untrusted;

use crate::model::Compared;

/// Most numbers of an array that is shown as a heat map: a mask of 32 positions, and a table that fits a screen.
const MOST_VALUES: usize = 1024;

/// Most columns of a heat map: numbers of four characters in a window of 1280 pixels.
const MOST_COLUMNS: usize = 32;

/// Steps of the scale of colors, on each side of zero.
const STEPS: f64 = 5.0;

/// Array of numbers.
#[derive(Debug, Clone, PartialEq)]
struct Array {
    shape: Vec<usize>,
    values: Vec<f64>,
}

/// Matrix in an array.
struct Matrix<'a> {
    /// Indices before the last two.
    indices: Vec<usize>,
    /// Place of its first value in the array, in row-major order.
    first: usize,
    rows: Vec<&'a [f64]>,
}

/// Array to show, and how.
struct Map<'a> {
    name: &'a str,
    array: &'a Array,
    /// Largest absolute value of the scale of colors.
    most: f64,
    /// Place of the value that a message is about, in row-major order.
    marked: Option<usize>,
}

/// Returns the heat maps of an array that is written with brackets, one for each of its matrices; `None` if the text is no such
/// array, or if it is too large to be read.
pub(super) fn heat_map(name: &Untrusted, text: &Untrusted) -> Option<Markup> {
    let array = Array::parse(&text.to_string())?;
    let (name, most) = (&name.to_string(), array.most());
    Some(Map { name, array: &array, most, marked: None }.show())
}

/// Returns the heat maps of an output, of the expected one on the same scale, and of their difference; `None` if they are too
/// large to be read. The value at `index` is marked.
pub(super) fn compared(compared: &Compared, index: Option<&[usize]>) -> Option<Markup> {
    let Compared { shape, got, expected } = compared;
    let got = Array::new(shape, got.clone())?;
    let expected = Array::new(shape, expected.clone())?;
    let difference = got.values.iter().zip(&expected.values).map(|(got, expected)| got - expected);
    let difference = Array::new(shape, difference.collect())?;
    let most = got.most().max(expected.most());
    let marked = index.and_then(|index| place(index, shape));
    let map = |name, array, most| Map { name, array, most, marked }.show();
    Some(html! {
        (map("got", &got, most))
        (map("expected", &expected, most))
        (map("difference", &difference, difference.most()))
    })
}

impl Map<'_> {
    fn show(&self) -> Markup {
        let Self { name, array, .. } = self;
        let shape: Vec<String> = array.shape.iter().map(ToString::to_string).collect();
        html! {
            @for matrix in array.matrices() {
                div.scroll tabindex="0" role="region" aria-label={ "Values of " (name) (indices(&matrix)) } {
                    table.heat {
                        caption { code { (name) (indices(&matrix)) } " " small { (shape.join(" × ")) } }
                        tbody {
                            @for (row, values) in matrix.rows.iter().enumerate() {
                                tr { @for (column, value) in values.iter().enumerate() {
                                    (self.cell(*value, matrix.first + row * values.len() + column))
                                } }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Returns the cell of the value at `place`.
    fn cell(&self, value: f64, place: usize) -> Markup {
        let is_marked = self.marked == Some(place);
        html! {
            td class=(color(value, self.most)) {
                @if is_marked { strong { (short(value)) } } @else { (short(value)) }
            }
        }
    }
}

fn indices(matrix: &Matrix<'_>) -> String {
    if matrix.indices.is_empty() { String::new() } else { format!("{:?}", matrix.indices) }
}

/// Returns the class of a value's color: `p1` to `p5` above zero, `m1` to `m5` below.
fn color(value: f64, most: f64) -> String {
    if !value.is_finite() {
        return "odd".to_owned();
    }
    if value == 0.0 || most == 0.0 {
        return "zero".to_owned();
    }
    let step = (value.abs() / most * STEPS).ceil().clamp(1.0, STEPS);
    format!("{}{step:.0}", if value > 0.0 { "p" } else { "m" })
}

impl Array {
    fn parse(text: &str) -> Option<Self> {
        let mut reader = Reader { rest: text.trim(), values: Vec::new() };
        let shape = reader.array(0)?;
        let Reader { rest, values } = reader;
        rest.trim().is_empty().then(|| Self::new(&shape, values)).flatten()
    }

    /// Returns the array, if it is not empty, its shape fits, and it is small enough to be read.
    fn new(shape: &[usize], values: Vec<f64>) -> Option<Self> {
        // A record that somebody edited may hold any shape.
        let size = shape.iter().try_fold(1_usize, |size, dimension| size.checked_mul(*dimension));
        let columns = shape.last().copied().unwrap_or(1);
        let is_small = !values.is_empty() && values.len() <= MOST_VALUES && columns <= MOST_COLUMNS;
        (size == Some(values.len()) && is_small).then(|| Self { shape: shape.to_vec(), values })
    }

    /// Returns the largest absolute value that is finite, or zero.
    fn most(&self) -> f64 {
        let finite = self.values.iter().filter(|it| it.is_finite());
        finite.fold(0.0, |most, it| it.abs().max(most))
    }

    /// Returns the matrices of the last two dimensions; a list is one with one row.
    fn matrices(&self) -> Vec<Matrix<'_>> {
        let columns = self.shape.last().copied().unwrap_or(1).max(1);
        let (outer, rows) = match self.shape.as_slice() {
            [outer @ .., rows, _] => (outer, (*rows).max(1)),
            _ => (&[][..], 1),
        };
        let matrices = self.values.chunks(columns * rows).enumerate();
        let matrix = |(at, values)| Matrix {
            indices: index(at, outer),
            first: at * columns * rows,
            rows: rows_of(values, columns),
        };
        matrices.map(matrix).collect()
    }
}

fn rows_of(values: &[f64], columns: usize) -> Vec<&[f64]> {
    values.chunks(columns).collect()
}

/// Returns the indices of the place `at` in an array of this shape.
fn index(mut at: usize, shape: &[usize]) -> Vec<usize> {
    let mut indices = Vec::new();
    for size in shape.iter().rev() {
        indices.push(at % (*size).max(1));
        at /= (*size).max(1);
    }
    indices.reverse();
    indices
}

/// Returns the place of an index in an array of this shape, in row-major order; `None` if it is not in the array.
fn place(index: &[usize], shape: &[usize]) -> Option<usize> {
    let is_inside =
        index.len() == shape.len() && index.iter().zip(shape).all(|(index, size)| index < size);
    let place = || index.iter().zip(shape).fold(0, |place, (index, size)| place * size + index);
    is_inside.then(place)
}

/// Reader of nested lists of numbers.
struct Reader<'a> {
    rest: &'a str,
    values: Vec<f64>,
}

/// Deepest nesting that is read.
const DEEPEST: usize = 6;

impl Reader<'_> {
    /// Reads a list, and returns its shape; `None` if it is no list of numbers or of lists with one shape.
    fn array(&mut self, depth: usize) -> Option<Vec<usize>> {
        self.skip('[')?;
        let mut shape: Option<Vec<usize>> = None;
        let mut length = 0;
        loop {
            let inner = if self.rest.starts_with('[') {
                if depth >= DEEPEST {
                    return None;
                }
                self.array(depth + 1)?
            } else {
                self.number()?;
                Vec::new()
            };
            if shape.as_ref().is_some_and(|shape| *shape != inner)
                || self.values.len() > MOST_VALUES
            {
                return None;
            }
            shape = Some(inner);
            length += 1;
            if self.skip(',').is_none() {
                self.skip(']')?;
                return Some([vec![length], shape?].concat());
            }
        }
    }

    fn number(&mut self) -> Option<()> {
        let end = self.rest.find([',', ']'])?;
        let (text, rest) = self.rest.split_at_checked(end)?;
        self.values.push(text.trim().parse().ok()?);
        self.rest = rest;
        Some(())
    }

    fn skip(&mut self, character: char) -> Option<()> {
        self.rest = self.rest.strip_prefix(character)?.trim_start();
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nested_lists_are_arrays_and_other_texts_are_not() {
        let array = Array::parse("[[[1, 0], [0.5, -1e-3]]]").unwrap();
        assert_eq!(array, Array { shape: vec![1, 2, 2], values: vec![1.0, 0.0, 0.5, -0.001] });
        let matrices = array.matrices();
        assert_eq!((matrices.len(), matrices[0].indices.as_slice()), (1, &[0][..]));
        assert_eq!(matrices[0].rows, [&[1.0, 0.0][..], &[0.5, -0.001]]);
        assert_eq!(Array::parse("[1, 2, NaN]").unwrap().matrices()[0].rows.len(), 1);
        for text in
            ["", "[", "[]", "[1", "[1, [2]]", "[[1], [2, 3]]", "[a]", "[1] x", "<b>", "[[]]", "1"]
        {
            assert_eq!(Array::parse(text), None, "{text}");
        }
        assert_eq!(Array::parse(&"[".repeat(100_000)), None);
        let large = format!("[{}1]", "1, ".repeat(2000));
        assert_eq!(Array::parse(&large), None);
    }

    #[test]
    fn colors_follow_the_sign_and_the_size() {
        let of = |value| color(value, 2.0);
        assert_eq!(
            [of(2.0), of(-2.0), of(0.1), of(0.0), of(f64::NAN)],
            ["p5", "m5", "p1", "zero", "odd"]
        );
    }

    #[test]
    fn each_matrix_has_its_indices() {
        let text = "[[[1, 2]], [[3, 4]]]";
        let shown = heat_map(&"<b>".into(), &text.into()).unwrap().into_string();
        assert_eq!(shown.matches("<table class=\"heat\">").count(), 2);
        assert!(shown.contains("<code>&lt;b&gt;[1]</code>"), "{shown}");
    }

    #[test]
    fn what_was_got_and_expected_stand_side_by_side_with_their_difference() {
        let maps = |shape: &[usize], got: &[f64], expected: &[f64]| {
            let (shape, got, expected) = (shape.to_vec(), got.to_vec(), expected.to_vec());
            compared(&Compared { shape, got, expected }, Some(&[1, 0]))
        };
        let shown = maps(&[2, 2], &[1.0, 0.5, f64::NAN, 0.0], &[1.0, 0.25, 2.0, 0.0]).unwrap();
        let shown = shown.into_string();
        let cells = [
            r#"<td class="p3">1</td><td class="p2">0.5</td>"#,
            r#"<td class="odd"><strong>NaN</strong></td><td class="zero">0</td>"#,
            r#"<td class="p3">1</td><td class="p1">0.25</td>"#,
            r#"<td class="p5"><strong>2</strong></td><td class="zero">0</td>"#,
            r#"<td class="zero">0</td><td class="p5">0.25</td>"#,
        ];
        for cell in cells {
            assert!(shown.contains(cell), "{cell} in {shown}");
        }
        // Records that somebody edited.
        assert!(maps(&[2, 2], &[1.0], &[1.0]).is_none());
        assert!(maps(&[2], &[1.0, 2.0], &[1.0]).is_none());
        assert!(maps(&[usize::MAX, 2], &[1.0, 2.0], &[1.0, 2.0]).is_none());
        assert!(maps(&[0], &[], &[]).is_none());
    }

    proptest! {
        #[test]
        fn a_place_is_that_of_the_index(at in 0_usize..24) {
            let shape = [2, 3, 4];
            prop_assert_eq!(place(&index(at, &shape), &shape), Some(at));
        }

        #[test]
        fn any_text_is_read_without_panic(text in "[\\[\\],0-9.eNa \\-]{0,40}") {
            let array = Array::parse(&text);
            if let Some(array) = array {
                prop_assert_eq!(array.shape.iter().product::<usize>(), array.values.len());
            }
        }
    }
}
