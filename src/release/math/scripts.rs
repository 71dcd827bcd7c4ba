//! Subscripts and superscripts in plain text.

/// Characters and their superscripts.
const SUPERSCRIPTS: &[(char, char)] = &[
    ('0', '⁰'),
    ('1', '¹'),
    ('2', '²'),
    ('3', '³'),
    ('4', '⁴'),
    ('5', '⁵'),
    ('6', '⁶'),
    ('7', '⁷'),
    ('8', '⁸'),
    ('9', '⁹'),
    ('+', '⁺'),
    ('−', '⁻'),
    ('=', '⁼'),
    ('(', '⁽'),
    (')', '⁾'),
    ('a', 'ᵃ'),
    ('b', 'ᵇ'),
    ('c', 'ᶜ'),
    ('d', 'ᵈ'),
    ('e', 'ᵉ'),
    ('f', 'ᶠ'),
    ('g', 'ᵍ'),
    ('h', 'ʰ'),
    ('i', 'ⁱ'),
    ('j', 'ʲ'),
    ('k', 'ᵏ'),
    ('l', 'ˡ'),
    ('m', 'ᵐ'),
    ('n', 'ⁿ'),
    ('o', 'ᵒ'),
    ('p', 'ᵖ'),
    ('r', 'ʳ'),
    ('s', 'ˢ'),
    ('t', 'ᵗ'),
    ('u', 'ᵘ'),
    ('v', 'ᵛ'),
    ('w', 'ʷ'),
    ('x', 'ˣ'),
    ('y', 'ʸ'),
    ('z', 'ᶻ'),
    ('T', 'ᵀ'),
    ('⊤', 'ᵀ'),
    ('′', '′'),
    ('∗', '*'),
];

/// Digits and their subscripts. Letters are not among them, because half of them have none.
const SUBSCRIPTS: &[(char, char)] = &[
    ('0', '₀'),
    ('1', '₁'),
    ('2', '₂'),
    ('3', '₃'),
    ('4', '₄'),
    ('5', '₅'),
    ('6', '₆'),
    ('7', '₇'),
    ('8', '₈'),
    ('9', '₉'),
];

/// Most characters of a superscript that is written as such.
const LONGEST_SUPERSCRIPT: usize = 6;

/// Returns the scripts of a part, as they are written after it.
pub(super) fn text(sub: Option<&str>, sup: Option<&str>) -> String {
    let is_prime = sup.is_some_and(|text| text.starts_with('′'));
    let low = sub.map(|text| mapped(text, SUBSCRIPTS).ok_or_else(|| script('_', text)));
    let high = sup.map(|text| superscript(text).ok_or_else(|| script('^', text)));
    match (low, high) {
        // A prime belongs to the name.
        (Some(Err(low)), Some(Ok(high))) if is_prime => format!("{high}{low}"),
        (Some(Err(low)), Some(_)) if sup == Some("⊤") => format!("{low}ᵀ"),
        // `x_i²` could be read as a power of i.
        (Some(Err(low)), Some(_)) => format!("{low}{}", script('^', sup.unwrap_or_default())),
        (low, high) => {
            let scripts = [low, high].into_iter().flatten();
            scripts.map(|script| script.unwrap_or_else(|text| text)).collect()
        }
    }
}

/// Returns a text in superscript characters, if it is short and has all of them.
pub(super) fn superscript(text: &str) -> Option<String> {
    mapped(text, SUPERSCRIPTS)
}

/// Returns a text in the characters that a list has for it, if it is short and has all of them.
fn mapped(text: &str, list: &[(char, char)]) -> Option<String> {
    if text.chars().count() > LONGEST_SUPERSCRIPT {
        return None;
    }
    let of = |c: char| list.iter().find(|(from, _)| *from == c).map(|(_, to)| *to);
    text.chars().map(of).collect()
}

/// Returns a script after its sign, in brackets if it would not end where it ends.
fn script(sign: char, text: &str) -> String {
    let is_word = text.chars().all(char::is_alphanumeric) || text.chars().count() == 1;
    let is_in_brackets =
        text.starts_with('(') && text.ends_with(')') && text.matches('(').count() == 1;
    if is_word || is_in_brackets { format!("{sign}{text}") } else { format!("{sign}({text})") }
}
