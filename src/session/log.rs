//! Output of all workers of a session, concatenated.

/// Returns the log, cut in the middle if it is longer than `bytes`.
pub(crate) fn capped(log: Vec<u8>, bytes: usize) -> Vec<u8> {
    let left_out = log.len().saturating_sub(bytes);
    if left_out == 0 {
        return log;
    }
    let (head, rest) = log.split_at(bytes / 2);
    let (_, tail) = rest.split_at(rest.len() - (bytes - bytes / 2));
    let between = format!("\n[{left_out} bytes left out]\n");
    [head, between.as_bytes(), tail].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_left_out() {
        assert_eq!(capped(b"0123456789".to_vec(), 10), b"0123456789");
        assert_eq!(capped(b"0123456789".to_vec(), 5), b"01\n[5 bytes left out]\n789");
        assert_eq!(capped(b"0123456789".to_vec(), 0), b"\n[10 bytes left out]\n");
        assert_eq!(capped(Vec::new(), 0), b"");
    }
}
