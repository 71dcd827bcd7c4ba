//! Strict parser of one row of comma-separated values; malformed rows are errors.

/// Returns the fields of one line. A field is either quoted, with `""` for a quotation mark, or contains no
/// quotation marks.
pub(crate) fn fields(line: &str) -> Result<Vec<String>, &'static str> {
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        let (field, after) = match rest.strip_prefix('"') {
            Some(quoted) => in_quotes(quoted)?,
            None => bare(rest)?,
        };
        fields.push(field);
        match after.strip_prefix(',') {
            Some(next) => rest = next,
            None if after.is_empty() => return Ok(fields),
            None => return Err("something stands between a closing quotation mark and the comma"),
        }
    }
}

/// Returns the content before the closing quotation mark, and the text after it.
fn in_quotes(text: &str) -> Result<(String, &str), &'static str> {
    let mut field = String::new();
    let mut rest = text;
    loop {
        let (part, after) = rest.split_once('"').ok_or("a quotation mark is never closed")?;
        field.push_str(part);
        match after.strip_prefix('"') {
            Some(more) => {
                field.push('"');
                rest = more;
            }
            None => return Ok((field, after)),
        }
    }
}

/// Returns the text before the next comma, and the rest from that comma on.
fn bare(text: &str) -> Result<(String, &str), &'static str> {
    let end = text.find(',').unwrap_or(text.len());
    let (field, after) = text.split_at(end);
    if field.contains('"') {
        return Err("a quotation mark stands in a field that did not open with one");
    }
    Ok((field.to_owned(), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotation_marks_and_commas_stand_in_quoted_fields() {
        assert_eq!(
            fields(r#""1","a ""b"", c","""""" "#.trim()).unwrap(),
            ["1", r#"a "b", c"#, r#""""#]
        );
        assert_eq!(fields("1,b,").unwrap(), ["1", "b", ""]);
        assert_eq!(fields("").unwrap(), [""]);
    }

    #[test]
    fn what_is_not_right_is_refused() {
        for row in [r#""1"x,"b""#, r#"a"b,c"#, r#""1","b"#, r#""1" ,"b""#] {
            assert!(fields(row).is_err(), "{row}");
        }
    }
}
