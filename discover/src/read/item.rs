//! What pieces were read as.

use crate::Reason;
use crate::cond::Cond;

/// What a condition is about; neighbours of one class belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Role,
    /// What those do of whom only the level was said: it narrows, and begins nothing.
    Field,
    Company,
    Industry,
    Size,
    Type,
    Place,
    Years,
    Founded,
    Employees,
    Growth,
    Tenure,
    Sources,
    Seen,
    Contact,
    Flag,
    Name,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    pub(crate) what: Is,
    /// Pieces, the last one not included.
    pub(crate) from: usize,
    pub(crate) to: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Is {
    Condition(Class, Cond),
    Or,
    And,
    Comma,
    /// The end of a sentence or of a part of it.
    Break,
    But,
    Not,
    /// "Except": what follows it is left out as a whole.
    Except,
    /// "I don't want": all that is said of what follows it is left out together.
    Unwanted,
    /// "Second, …": another phrase.
    Another,
    /// "Either" and "both".
    Either,
    Open,
    Close,
    Unsupported(Reason),
    /// A value that another one stands beside, of a column that has one: it is reported, and joins, parts and turns round nothing.
    Yields,
    /// Says nothing of its own.
    Noise,
    /// A small word that says which ones are meant, and joins and parts no more than one that says nothing: "agency", "based".
    Small,
    /// Nothing knows it.
    Unknown,
}

impl Is {
    /// Whether it is a small word, which others are joined, turned round and left out across.
    pub(crate) const fn is_small(&self) -> bool {
        matches!(self, Self::Noise | Self::Small)
    }

    /// Whether it turns round what stands behind it.
    pub(crate) const fn turns(&self) -> bool {
        matches!(self, Self::Not | Self::Except | Self::Unwanted)
    }
}
