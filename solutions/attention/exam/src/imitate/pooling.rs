//! Pooling by changeable rules.

use softmark_checks::{Array, Case};
use softmark_exam::Response;

use crate::truth::has_misfit;

/// What is done about padding, for one way of pooling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Padding {
    /// Left out, as it should.
    LeftOut,
    /// Taken for tokens.
    Included,
    /// What is not padding is left out.
    Inverted,
    /// Set to this number, and then taken for tokens.
    SetTo(f64),
}

/// What becomes of a sequence that is padding throughout.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Nothing {
    /// Zeros, as it should.
    Zeros,
    /// This number throughout; [`f64::NEG_INFINITY`] stands for anything very negative.
    Number(f64),
    /// What stands at the first position.
    FirstPosition,
    /// What the numbers come to.
    AsComputed,
}

/// Which axis is pooled over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Over {
    /// Positions, as it should: `[B, D]`.
    Positions,
    /// Examples: `[T, D]`.
    Examples,
}

/// Which token stands for the sequence, where a single one does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    /// The first that is pooled, as it should.
    First,
    /// The last.
    Last,
}

/// The rules of one way of pooling.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    pub(crate) padding: Padding,
    pub(crate) nothing: Nothing,
    pub(crate) over: Over,
    pub(crate) token: Token,
    /// Whether views that are not contiguous are refused.
    pub(crate) refuses_strided: bool,
}

/// The rules of all three.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) mean: Rule,
    pub(crate) max: Rule,
    pub(crate) first: Rule,
}

/// The right rule of each.
pub(crate) const LEFT_OUT: Rule = Rule {
    padding: Padding::LeftOut,
    nothing: Nothing::Zeros,
    over: Over::Positions,
    token: Token::First,
    refuses_strided: false,
};

/// The right rules.
pub(crate) const RIGHT: Rules = Rules { mean: LEFT_OUT, max: LEFT_OUT, first: LEFT_OUT };

/// What pooling by these rules gives in answer.
pub(crate) fn imitate(rules: &Rules, case: &Case) -> Response {
    if has_misfit(case) {
        return Response::Refused;
    }
    let kind = case.get_size("kind");
    let rule = match kind {
        0 => rules.mean,
        1 => rules.max,
        _ => rules.first,
    };
    if rule.refuses_strided && case.inputs.iter().any(|input| input.strided) {
        return Response::Refused;
    }
    let (x, mask) = (case.get("x"), case.find("mask"));
    let (b, t, d) = (x.dim(0), x.dim(1), x.dim(2));
    let real = |b: usize, t: usize| mask.as_ref().is_none_or(|m| m.at(&[b, t]) != 0.0);
    let (shape, length) = match rule.over {
        Over::Positions => ([b, d], t),
        Over::Examples => ([t, d], b),
    };
    Response::output(Array::from_fn(&shape, |at| match *at {
        [row, column] => {
            let place = |n: usize| match rule.over {
                Over::Positions => [row, n, column],
                Over::Examples => [n, row, column],
            };
            let line: Vec<(bool, f64)> =
                (0..length).map(place).map(|[b, t, c]| (real(b, t), x.at(&[b, t, c]))).collect();
            pool(rule, kind, mask.is_some(), &line)
        }
        _ => f64::NAN,
    }))
}

fn pool(rule: Rule, kind: usize, masked: bool, line: &[(bool, f64)]) -> f64 {
    let counted = line.iter().filter_map(|&(real, x)| match rule.padding {
        Padding::LeftOut => real.then_some(x),
        Padding::Included => Some(x),
        Padding::Inverted => (!masked || !real).then_some(x),
        Padding::SetTo(number) => Some(if real { x } else { number }),
    });
    let counted: Vec<f64> = counted.collect();
    // Where padding is taken for tokens, a sequence of it may still be looked for.
    let nothing = match rule.padding {
        Padding::LeftOut | Padding::Inverted => counted.is_empty(),
        Padding::Included | Padding::SetTo(_) => line.iter().all(|(real, _)| !real),
    };
    if nothing {
        match rule.nothing {
            Nothing::Zeros => return 0.0,
            Nothing::Number(number) => return number,
            Nothing::FirstPosition => return line.first().map_or(f64::NAN, |(_, x)| *x),
            Nothing::AsComputed => {}
        }
    }
    match kind {
        0 => counted.iter().sum::<f64>() / counted.len() as f64,
        1 => counted.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        _ if rule.token == Token::Last => counted.last().copied().unwrap_or(f64::NAN),
        _ => counted.first().copied().unwrap_or(f64::NAN),
    }
}
