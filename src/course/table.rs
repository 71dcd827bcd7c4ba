//! Tables that learning platforms export as text: read with the places of all cells, so that single cells can be replaced and
//! every other byte stays.
//!
//! Fields are separated by commas, semicolons or tabs, whichever the first line has most of. The text is UTF-8, with or
//! without a byte order mark, or UTF-16 with one, as Blackboard writes it.

use std::collections::BTreeMap;
use std::ops::Range;

use thiserror::Error;

/// Byte order mark.
const MARK: char = '\u{feff}';

/// Table with the places of its cells.
#[derive(Debug, Clone)]
pub struct Table {
    text: String,
    encoding: Encoding,
    /// Rows that are not empty; the first is the header.
    rows: Vec<Row>,
}

/// Row of a table.
#[derive(Debug, Clone)]
struct Row {
    /// Number of its first line, from 1 on.
    line: usize,
    /// Places of its cells in the text, with quotes.
    cells: Vec<Range<usize>>,
}

/// Place of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// Number of the row below the header, from 0 on.
    pub row: usize,
    /// Number of the column, from 0 on.
    pub column: usize,
}

/// Encoding of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf16Little,
    Utf16Big,
}

/// Text that is no table.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TableError {
    /// The text is neither UTF-8 nor UTF-16.
    #[error("it is neither UTF-8 nor UTF-16 text; export it again as CSV")]
    Encoding,
    /// The file is empty.
    #[error("it has no header line")]
    Empty,
    /// A quoted field does not end.
    #[error("line {line}: a quoted field does not end")]
    OpenQuote {
        /// Number of the line in which the field begins.
        line: usize,
    },
    /// There is text between the end of a quoted field and the delimiter.
    #[error(
        "line {line}: text after the closing quote of a field; a quote inside a quoted field is written twice"
    )]
    AfterQuote {
        /// Number of the line in which the quoted text ends.
        line: usize,
    },
    /// A row has fewer or more fields than the header.
    #[error("line {line}: {found} fields, and the header has {expected}")]
    Width {
        /// Number of the line.
        line: usize,
        /// Number of fields in the row.
        found: usize,
        /// Number of columns.
        expected: usize,
    },
}

impl Table {
    /// Parses a table. Trailing empty fields of the header may be missing in a row, and a row may end in one more delimiter.
    ///
    /// ```
    /// use softmark::course::{Cell, Table};
    ///
    /// let table = Table::parse(b"id;name\r\n7;\"Okafor; Amara\"\r\n").unwrap();
    /// assert_eq!(table.header(), ["id", "name"]);
    /// assert_eq!(table.cell(Cell { row: 0, column: 1 }), "Okafor; Amara");
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the text has another encoding or no header, a quoted field does not end or has text after its end, or a row has
    /// more fields than the header.
    pub fn parse(bytes: &[u8]) -> Result<Self, TableError> {
        let (text, encoding) = decode(bytes).ok_or(TableError::Encoding)?;
        let delimiter = delimiter_of(&text);
        let rows = Scanner { text: &text, delimiter, at: 0, line: 1 }.rows()?;
        let expected = rows.first().ok_or(TableError::Empty)?.cells.len();
        let table = Self { text, encoding, rows };
        let is_wide = |row: &&Row| {
            let more = row.cells.iter().skip(expected);
            more.into_iter().any(|cell| !table.value(cell).is_empty())
        };
        match table.rows.iter().find(is_wide) {
            None => Ok(table),
            Some(row) => {
                let found = row.cells.len();
                Err(TableError::Width { line: row.line, found, expected })
            }
        }
    }

    /// Returns the names of the columns, without spaces around them.
    pub fn header(&self) -> Vec<String> {
        let cells = self.rows.first().map(|row| row.cells.as_slice()).unwrap_or_default();
        cells.iter().map(|cell| self.value(cell).trim().to_owned()).collect()
    }

    /// Returns the number of rows below the header.
    pub fn len(&self) -> usize {
        self.rows.len().saturating_sub(1)
    }

    /// True if there is no row below the header.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of the line in which a row begins, from 1 on.
    pub fn line(&self, row: usize) -> usize {
        self.rows.get(row + 1).map_or(0, |row| row.line)
    }

    /// Returns the text of a cell without quotes; empty if the row does not have it.
    pub fn cell(&self, cell: Cell) -> String {
        let row = self.rows.get(cell.row + 1);
        row.and_then(|row| row.cells.get(cell.column)).map(|it| self.value(it)).unwrap_or_default()
    }

    /// Returns the bytes of the table with other texts in some cells. All other bytes are those that were parsed. The texts
    /// must have no delimiters, quotes and line ends; a cell that was quoted stays so.
    ///
    /// # Errors
    ///
    /// Fails if a row does not have the cell.
    pub fn with_cells(&self, texts: &BTreeMap<Cell, String>) -> Result<Vec<u8>, TableError> {
        let mut out = String::with_capacity(self.text.len());
        let mut copied = 0;
        for (cell, text) in texts {
            let row = self.rows.get(cell.row + 1);
            let Some(place) = row.and_then(|row| row.cells.get(cell.column)) else {
                let found = row.map_or(0, |row| row.cells.len());
                let expected = self.header().len();
                return Err(TableError::Width { line: self.line(cell.row), found, expected });
            };
            out.push_str(self.text.get(copied..place.start).unwrap_or_default());
            let is_quoted = self.text.get(place.clone()).is_some_and(|it| it.starts_with('"'));
            let quote = if is_quoted { "\"" } else { "" };
            out.extend([quote, text, quote]);
            copied = place.end;
        }
        out.push_str(self.text.get(copied..).unwrap_or_default());
        Ok(encode(&out, self.encoding))
    }

    fn value(&self, place: &Range<usize>) -> String {
        let raw = self.text.get(place.clone()).unwrap_or_default();
        match raw.strip_prefix('"') {
            Some(inside) => inside.strip_suffix('"').unwrap_or(inside).replace("\"\"", "\""),
            None => raw.to_owned(),
        }
    }
}

/// Reader of the fields of a text.
struct Scanner<'a> {
    text: &'a str,
    delimiter: char,
    at: usize,
    line: usize,
}

impl Scanner<'_> {
    /// Returns all rows that are not empty.
    fn rows(mut self) -> Result<Vec<Row>, TableError> {
        if self.text.starts_with(MARK) {
            self.at = MARK.len_utf8();
        }
        let mut rows = Vec::new();
        while self.peek().is_some() {
            let row = self.row()?;
            if row.cells.len() > 1 || row.cells.iter().any(|cell| !cell.is_empty()) {
                rows.push(row);
            }
        }
        Ok(rows)
    }

    fn row(&mut self) -> Result<Row, TableError> {
        let mut row = Row { line: self.line, cells: Vec::new() };
        loop {
            row.cells.push(self.field()?);
            match self.peek() {
                Some(next) if next == self.delimiter => self.advance(),
                _ => break,
            }
        }
        if self.peek() == Some('\r') {
            self.advance();
        }
        if self.peek() == Some('\n') {
            self.advance();
        }
        Ok(row)
    }

    /// Reads a field up to the delimiter or the end of the line.
    fn field(&mut self) -> Result<Range<usize>, TableError> {
        let (start, line) = (self.at, self.line);
        if self.peek() == Some('"') {
            self.advance();
            loop {
                match self.peek() {
                    None => return Err(TableError::OpenQuote { line }),
                    Some('"') if self.rest().starts_with("\"\"") => self.advance(),
                    Some('"') => break,
                    Some(_) => {}
                }
                self.advance();
            }
            self.advance();
            let end = self.at;
            self.skip_spaces();
            let is_end = |it| it == self.delimiter || it == '\n' || it == '\r';
            return if self.peek().is_none_or(is_end) {
                Ok(start..end)
            } else {
                Err(TableError::AfterQuote { line: self.line })
            };
        }
        while self.peek().is_some_and(|it| it != self.delimiter && it != '\n' && it != '\r') {
            self.advance();
        }
        Ok(start..self.at)
    }

    /// Skips spaces, which some programs write around quoted fields.
    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(|it| it != self.delimiter && matches!(it, ' ' | '\t')) {
            self.advance();
        }
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn advance(&mut self) {
        if let Some(next) = self.peek() {
            self.at += next.len_utf8();
            self.line += usize::from(next == '\n');
        }
    }
}

/// Returns the delimiter of which the first line has most, outside of quotes.
pub(crate) fn delimiter_of(text: &str) -> char {
    let (mut in_quotes, mut counts) = (false, [(',', 0), (';', 0), ('\t', 0)]);
    for character in text.trim_start_matches([MARK, '\r', '\n']).chars() {
        match character {
            '"' => in_quotes = !in_quotes,
            '\n' if !in_quotes => break,
            _ if in_quotes => {}
            _ => counts.iter_mut().filter(|it| it.0 == character).for_each(|it| it.1 += 1),
        }
    }
    let mut best = (',', 0);
    for count in counts {
        best = if count.1 > best.1 { count } else { best };
    }
    best.0
}

fn decode(bytes: &[u8]) -> Option<(String, Encoding)> {
    let wide = |from: fn([u8; 2]) -> u16, encoding| {
        let units: Vec<u16> = bytes.as_chunks::<2>().0.iter().map(|unit| from(*unit)).collect();
        let is_even = bytes.len().is_multiple_of(2);
        Some((String::from_utf16(&units).ok().filter(|_| is_even)?, encoding))
    };
    match bytes {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes, Encoding::Utf16Little),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes, Encoding::Utf16Big),
        _ => Some((String::from_utf8(bytes.to_vec()).ok()?, Encoding::Utf8)),
    }
}

fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Utf16Little => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        Encoding::Utf16Big => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn with(bytes: &[u8], row: usize, column: usize, text: &str) -> Vec<u8> {
        let texts = BTreeMap::from([(Cell { row, column }, text.to_owned())]);
        Table::parse(bytes).unwrap().with_cells(&texts).unwrap()
    }

    #[test]
    fn one_cell_changes_and_no_other_byte() {
        let before = "\u{feff}\"Last Name\"\t\"Lab\"\r\n\"O\"\"Neil\"\t\"\"\r\n\r\n=1+1\t2\n";
        let after = "\u{feff}\"Last Name\"\t\"Lab\"\r\n\"O\"\"Neil\"\t\"3.50\"\r\n\r\n=1+1\t2\n";
        assert_eq!(with(before.as_bytes(), 0, 1, "3.50"), after.as_bytes());
        for encoding in [Encoding::Utf16Little, Encoding::Utf16Big] {
            assert_eq!(
                with(&encode(before, encoding), 0, 1, "3.50"),
                encode(after, encoding),
                "{encoding:?}"
            );
        }
        assert_eq!(with(b"a,b\n1,\n", 0, 1, "x"), b"a,b\n1,x\n");
        assert_eq!(with(b"a,b\n1,", 0, 1, "x"), b"a,b\n1,x");
    }

    #[test]
    fn rows_know_their_lines() {
        let table = Table::parse(b"a,b\n\n\"x\ny\",2\n3,4").unwrap();
        assert_eq!((table.len(), table.line(0), table.line(1)), (2, 3, 5));
        assert_eq!(table.cell(Cell { row: 0, column: 0 }), "x\ny");
    }

    #[test]
    fn spaces_may_follow_a_quoted_field() {
        for text in ["a,b\n\"x\" ,y\n", "a,b\r\n\"x\"  ,\"y\" \r\n", "a,b\n\"x\"\t,\"y\" "] {
            let table = Table::parse(text.as_bytes()).unwrap();
            let cells = [0, 1].map(|column| table.cell(Cell { row: 0, column }));
            assert_eq!((table.len(), cells), (1, ["x".to_owned(), "y".to_owned()]), "{text}");
        }
        assert_eq!(with(b"a,b\n\"x\" ,y\n", 0, 0, "z"), b"a,b\n\"z\" ,y\n");
        let tabs = Table::parse(b"a\tb\tc\n\"x\"\t\t\"y\"\n").unwrap();
        assert_eq!(tabs.cell(Cell { row: 0, column: 2 }), "y");
    }

    #[test]
    fn what_is_no_table_is_refused() {
        let refused = |bytes: &[u8]| Table::parse(bytes).unwrap_err().to_string();
        assert!(refused(b"a\xff").contains("neither UTF-8 nor UTF-16"));
        assert!(refused(b"\xff\xfea").contains("neither UTF-8 nor UTF-16"));
        assert_eq!(refused(b"\n\n"), "it has no header line");
        assert_eq!(refused(b"a,b\n\"x,y\n"), "line 2: a quoted field does not end");
        let after = "text after the closing quote of a field; a quote inside a quoted field is written twice";
        for (text, line) in [
            (&b"a,b\n\"x\"y,z\n"[..], 2),
            (b"a,b\n\"x\" y,z\n", 2),
            (b"a,b\n\"x\ny\"z\n", 3),
            (b"a,b\n\"Amara \"A\" Okafor\",z\n", 2),
            (b"\"a\"b,c\n", 1),
        ] {
            assert_eq!(refused(text), format!("line {line}: {after}"));
        }
        assert_eq!(refused(b"a,b\n1,2\n1,2,3\n"), "line 3: 3 fields, and the header has 2");
        assert!(Table::parse(b"a,b\n1,2,\n1\n").is_ok());
        let texts = BTreeMap::from([(Cell { row: 0, column: 1 }, "x".to_owned())]);
        let short = Table::parse(b"a,b\n1\n").unwrap().with_cells(&texts).unwrap_err();
        assert_eq!(short.to_string(), "line 2: 1 fields, and the header has 2");
    }

    proptest! {
        #[test]
        fn what_is_not_replaced_stays(text in "[a-c\",;\t\r\n é=]{0,60}") {
            if let Ok(table) = Table::parse(text.as_bytes()) {
                prop_assert_eq!(table.with_cells(&BTreeMap::new()).unwrap(), text.as_bytes());
            }
        }

        #[test]
        fn cells_are_those_that_a_csv_reader_reads(
            rows in prop::collection::vec(prop::collection::vec("[a-c\",\n é]{0,6}", 3), 1..6),
        ) {
            let mut writer = ::csv::Writer::from_writer(Vec::new());
            let header = ["x".to_owned(), "y".to_owned(), "z".to_owned()].to_vec();
            for row in std::iter::once(&header).chain(&rows) {
                writer.write_record(row).unwrap();
            }
            let table = Table::parse(&writer.into_inner().unwrap()).unwrap();
            for (at, row) in rows.iter().enumerate() {
                let read: Vec<String> = (0..3).map(|column| table.cell(Cell { row: at, column })).collect();
                prop_assert_eq!(&read, row);
            }
        }
    }
}
