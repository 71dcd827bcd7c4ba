//! Names that no item has.

/// True if an item may have a name: it is no keyword, and no type of the language.
pub(crate) fn may_be_item(name: &str) -> bool {
    const NEVER: [&str; 50] = [
        "Self", "as", "async", "await", "bool", "break", "char", "const", "continue", "crate",
        "dyn", "else", "enum", "extern", "f32", "f64", "false", "fn", "for", "i128", "i16", "i32",
        "i64", "i8", "if", "impl", "in", "isize", "let", "loop", "match", "mod", "move", "mut",
        "pub", "ref", "return", "self", "str", "struct", "super", "trait", "true", "u128", "u16",
        "u32", "u64", "u8", "usize", "where",
    ];
    !NEVER.contains(&name)
}
