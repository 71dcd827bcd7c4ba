//! Removal of the marks that earlier processing left in the texts of AG News.

use crate::decode::WINDOWS;

/// The named entities that occur and stand for one character each.
const NAMED: [(&str, char); 14] = [
    ("amp", '&'),
    ("apos", '\''),
    ("eacute", 'é'),
    ("gt", '>'),
    ("hellip", '…'),
    ("ldquo", '“'),
    ("lsquo", '‘'),
    ("lt", '<'),
    ("mdash", '—'),
    ("nbsp", '\u{a0}'),
    ("ndash", '–'),
    ("quot", '"'),
    ("rdquo", '”'),
    ("rsquo", '’'),
];

/// The maximum length of an entity between ` ` and `;`.
const LONGEST: usize = 8;

/// Returns a text without the marks: ` #39;` becomes `'`, ` quot;` becomes `"` and so on, `\$` becomes `$`,
/// and any other backslash becomes the space that a line break was.
///
/// ```
/// use softmark_data::ag_news::mend;
///
/// assert_eq!(mend(r"Moore #39;s  quot;second\team quot; won  #36;10"), "Moore's \"second team\" won $10");
/// assert_eq!(mend("at noon; #x; #1114112;"), "at noon; #x; #1114112;");
/// ```
pub fn mend(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find([' ', '\\']) {
        let (before, from) = rest.split_at(at);
        mended.push_str(before);
        let (character, after) = entity(from)
            .or_else(|| Some(('$', from.strip_prefix("\\$")?)))
            .unwrap_or_else(|| (' ', from.get(1..).unwrap_or_default()));
        mended.push(character);
        rest = after;
    }
    mended.push_str(rest);
    mended
}

/// Returns the character of the entity at the start of `text`, whose `&` is a space, and the rest of the text.
fn entity(text: &str) -> Option<(char, &str)> {
    let inner = text.strip_prefix(' ')?;
    let end = inner.bytes().take(LONGEST + 1).position(|byte| byte == b';')?;
    let (name, after) = (inner.get(..end)?, inner.get(end + 1..)?);
    let character = match name.strip_prefix('#') {
        Some(number) => numbered(number)?,
        None => NAMED.iter().find(|(known, _)| *known == name)?.1,
    };
    Some((character, after))
}

/// Returns the character of a numeric entity as in HTML: numbers from 128 to 159 are Windows-1252.
fn numbered(digits: &str) -> Option<char> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: u32 = digits.parse().ok()?;
    let windows = number.checked_sub(128).and_then(|at| WINDOWS.get(at as usize));
    windows.copied().or_else(|| char::from_u32(number)).filter(|it| *it != '\0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_html_reads_them() {
        assert_eq!(mend("a #151; b #8217;s #233;"), "a— b’sé");
        assert_eq!(mend(" #0; #; #+39; #55296;"), " #0; #; #+39; #55296;");
    }

    #[test]
    fn only_a_lost_ampersand_makes_an_entity() {
        assert_eq!(mend("#39;s quot; &quot;"), "#39;s\" &quot;");
        assert_eq!(mend("été ; é;"), "été ; é;");
        assert_eq!(mend(r"so\\ends\"), "so  ends ");
    }
}
