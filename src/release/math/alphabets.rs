//! Letters of other alphabets: bold, script and blackboard.

/// Alphabet of letters and digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alphabet {
    /// Upright, as in `\mathrm`.
    Upright,
    /// Bold, as in `\mathbf`.
    Bold,
    /// Script capitals, as in `\mathcal`.
    Script,
    /// Double-struck capitals, as in `\mathbb`.
    Blackboard,
}

/// Script capitals that Unicode had before it had the alphabet.
const SCRIPT: [(char, char); 8] = [
    ('B', 'ℬ'),
    ('E', 'ℰ'),
    ('F', 'ℱ'),
    ('H', 'ℋ'),
    ('I', 'ℐ'),
    ('L', 'ℒ'),
    ('M', 'ℳ'),
    ('R', 'ℛ'),
];

/// Double-struck capitals that Unicode had before it had the alphabet.
const BLACKBOARD: [(char, char); 7] =
    [('C', 'ℂ'), ('H', 'ℍ'), ('N', 'ℕ'), ('P', 'ℙ'), ('Q', 'ℚ'), ('R', 'ℝ'), ('Z', 'ℤ')];

impl Alphabet {
    /// Returns the alphabet that a command selects.
    pub(super) fn of(command: &str) -> Option<Self> {
        match command {
            "mathrm" => Some(Self::Upright),
            "mathbf" => Some(Self::Bold),
            "mathcal" => Some(Self::Script),
            "mathbb" => Some(Self::Blackboard),
            _ => None,
        }
    }

    /// Returns a letter or digit in this alphabet, if it has it.
    pub(super) fn letter(self, c: char) -> Option<char> {
        let old = |list: &[(char, char)]| list.iter().find(|(it, _)| *it == c).map(|(_, to)| *to);
        match self {
            Self::Upright => c.is_alphanumeric().then_some(c),
            Self::Bold => shifted(c, 'A'..='Z', '𝐀')
                .or_else(|| shifted(c, 'a'..='z', '𝐚'))
                .or_else(|| shifted(c, '0'..='9', '𝟎')),
            Self::Script => old(&SCRIPT).or_else(|| shifted(c, 'A'..='Z', '𝒜')),
            Self::Blackboard => old(&BLACKBOARD)
                .or_else(|| shifted(c, 'A'..='Z', '𝔸'))
                .or_else(|| shifted(c, '0'..='9', '𝟘')),
        }
    }
}

/// Returns the character that is as far from `first` as `c` is from the beginning of its range.
fn shifted(c: char, range: std::ops::RangeInclusive<char>, first: char) -> Option<char> {
    let place = u32::from(c).checked_sub(u32::from(*range.start()))?;
    range.contains(&c).then(|| char::from_u32(u32::from(first) + place)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_their_places_in_the_alphabets() {
        let of = |alphabet: Alphabet, text: &str| -> Option<String> {
            text.chars().map(|c| alphabet.letter(c)).collect()
        };
        assert_eq!(of(Alphabet::Bold, "AZaz09").unwrap(), "𝐀𝐙𝐚𝐳𝟎𝟗");
        assert_eq!(of(Alphabet::Script, "AELZ").unwrap(), "𝒜ℰℒ𝒵");
        assert_eq!(of(Alphabet::Blackboard, "EKRZ1").unwrap(), "𝔼𝕂ℝℤ𝟙");
        assert_eq!(of(Alphabet::Script, "a"), None);
        assert_eq!(of(Alphabet::Upright, "FFN").unwrap(), "FFN");
        assert_eq!(of(Alphabet::Upright, "a-b"), None);
    }
}
