//! The rules of bounds: which go together, and which values they allow. What is written out is judged
//! here, and all else by the compiler, in the same words.

use std::cmp::Ordering;

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, ExprUnary, Lit, Token, UnOp};

use crate::args::BoundKey;
use crate::doc;

/// Two bounds that leave room between them.
pub(crate) struct Pair {
    pub(crate) low: BoundKey,
    pub(crate) high: BoundKey,
    /// Whether the two may be equal.
    pub(crate) includes_both: bool,
}

impl Pair {
    pub(crate) const ALL: [Self; 6] = [
        Self::new(BoundKey::Min, BoundKey::Max, true),
        Self::new(BoundKey::Min, BoundKey::ExclusiveMax, false),
        Self::new(BoundKey::ExclusiveMin, BoundKey::Max, false),
        Self::new(BoundKey::ExclusiveMin, BoundKey::ExclusiveMax, false),
        Self::new(BoundKey::MinLen, BoundKey::MaxLen, true),
        Self::new(BoundKey::MinItems, BoundKey::MaxItems, true),
    ];

    const fn new(low: BoundKey, high: BoundKey, includes_both: bool) -> Self {
        Self {
            low,
            high,
            includes_both,
        }
    }

    /// What is wrong where they leave none.
    pub(crate) fn fault(&self, param: &str) -> Fault {
        let (low, high) = (self.low.name(), self.high.name());
        Fault {
            rule: format!("leave values between `{low}` and `{high}`"),
            note: format!("nothing could be given for `{param}`; change one of the two"),
        }
    }

    pub(crate) fn is_kept(&self, low: Number, high: Number) -> bool {
        match low.partial_cmp(&high) {
            Some(Ordering::Less) => true,
            Some(Ordering::Equal) => self.includes_both,
            Some(Ordering::Greater) | None => false,
        }
    }
}

/// What a bound asks of a value.
#[derive(Clone, Copy)]
pub(crate) enum Asks {
    AtLeast,
    AtMost,
    Above,
    Below,
    MultipleOf,
    /// Told only when the tool is used.
    Match,
}

impl BoundKey {
    pub(crate) fn asks(self) -> Asks {
        match self {
            Self::Min | Self::MinLen | Self::MinItems => Asks::AtLeast,
            Self::Max | Self::MaxLen | Self::MaxItems => Asks::AtMost,
            Self::ExclusiveMin => Asks::Above,
            Self::ExclusiveMax => Asks::Below,
            Self::MultipleOf => Asks::MultipleOf,
            Self::Pattern => Asks::Match,
        }
    }

    /// What kind of type has it.
    pub(crate) fn kind(self) -> Kind {
        match self {
            Self::Min | Self::Max | Self::ExclusiveMin | Self::ExclusiveMax | Self::MultipleOf => {
                Kind::Number
            }
            Self::MinLen | Self::MaxLen | Self::Pattern => Kind::Text,
            Self::MinItems | Self::MaxItems => Kind::List,
        }
    }

    /// Whether the bound allows a value, as far as it can be told here.
    pub(crate) fn allows(self, value: Number, bound: Number) -> Option<bool> {
        let order = value.partial_cmp(&bound);
        let is = |wanted: &[Ordering]| order.map(|order| wanted.contains(&order));
        match self.asks() {
            Asks::AtLeast => is(&[Ordering::Greater, Ordering::Equal]),
            Asks::AtMost => is(&[Ordering::Less, Ordering::Equal]),
            Asks::Above => is(&[Ordering::Greater]),
            Asks::Below => is(&[Ordering::Less]),
            Asks::MultipleOf => match (value, bound) {
                (Number::Whole(value), Number::Whole(bound)) => {
                    value.checked_rem(bound).map(|rest| rest == 0)
                }
                _ => None,
            },
            Asks::Match => None,
        }
    }
}

/// The kinds of types that have bounds.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Number,
    Text,
    List,
}

impl Kind {
    pub(crate) const ALL: [Self; 3] = [Self::Number, Self::Text, Self::List];
}

/// What is wrong, and how to mend it.
pub(crate) struct Fault {
    pub(crate) rule: String,
    pub(crate) note: String,
}

/// A default or an example that a bound does not allow.
pub(crate) fn outside(what: &str, param: &str, bound: BoundKey) -> Fault {
    let bound = bound.name();
    Fault {
        rule: format!("have {what} that its `{bound}` allows"),
        note: match what {
            "a default" => {
                format!("a call without `{param}` would be given it; change one of the two")
            }
            _ => format!("the model would be shown a `{param}` that the tool refuses"),
        },
    }
}

/// A `multiple_of` that nothing, or everything, is a multiple of.
pub(crate) fn not_positive() -> Fault {
    Fault {
        rule: "have a `multiple_of` above zero".to_owned(),
        note: "it is the step between two values that can be given".to_owned(),
    }
}

/// A number that is written out.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    Whole(i128),
    Float(f64),
}

impl Number {
    pub(crate) fn of(value: &Expr) -> Option<Self> {
        match value {
            Expr::Lit(ExprLit { lit, .. }) => Self::of_literal(lit),
            Expr::Unary(ExprUnary {
                op: UnOp::Neg(_),
                expr,
                ..
            }) => Some(Self::of(expr)?.negated()),
            Expr::Group(group) => Self::of(&group.expr),
            Expr::Paren(paren) => Self::of(&paren.expr),
            _ => None,
        }
    }

    fn of_literal(literal: &Lit) -> Option<Self> {
        match literal {
            Lit::Int(literal) => literal.base10_parse().ok().map(Self::Whole),
            Lit::Float(literal) => literal.base10_parse().ok().map(Self::Float),
            _ => None,
        }
    }

    /// What bounds of this kind judge a value by: the number itself, the length of a text, the
    /// number of items that stand in a `vec![..]`.
    pub(crate) fn measure(value: &Expr, kind: Kind) -> Option<Self> {
        match kind {
            Kind::Number => Self::of(value),
            Kind::Text => doc::as_literal(value).map(|text| text.value().chars().count().into()),
            Kind::List => items(value).map(Self::from),
        }
    }

    fn negated(self) -> Self {
        match self {
            Self::Whole(number) => Self::Whole(-number),
            Self::Float(number) => Self::Float(-number),
        }
    }

    #[allow(
        clippy::cast_precision_loss,
        reason = "beside a float it is taken for one"
    )]
    fn as_float(self) -> f64 {
        match self {
            Self::Whole(number) => number as f64,
            Self::Float(number) => number,
        }
    }
}

impl From<usize> for Number {
    fn from(count: usize) -> Self {
        Self::Whole(i128::try_from(count).unwrap_or(i128::MAX))
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Whole(one), Self::Whole(other)) => one.partial_cmp(other),
            (one, other) => one.as_float().partial_cmp(&other.as_float()),
        }
    }
}

fn items(value: &Expr) -> Option<usize> {
    match value {
        Expr::Macro(expr) if expr.mac.path.is_ident("vec") => {
            let list = Punctuated::<Expr, Token![,]>::parse_terminated;
            list.parse2(expr.mac.tokens.clone())
                .ok()
                .map(|items| items.len())
        }
        Expr::Group(group) => items(&group.expr),
        _ => None,
    }
}

/// Whether an expression can stand in a constant, told by its form.
pub(crate) fn is_constant(value: &Expr) -> bool {
    match value {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Unary(unary) => is_constant(&unary.expr),
        Expr::Binary(binary) => is_constant(&binary.left) && is_constant(&binary.right),
        Expr::Group(group) => is_constant(&group.expr),
        Expr::Paren(paren) => is_constant(&paren.expr),
        _ => false,
    }
}
