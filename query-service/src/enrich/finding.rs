//! How one input stands to a candidate, and by what: the vocabulary of the matcher and of `explain`.

use std::borrow::Cow;

use normalize::compare::{AddressFinding, Agreement, Difference, OrganisationFinding};

/// What an input means for a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The same value.
    Agrees,
    /// The record has no value, or the two could be the same.
    Unknown,
    /// The record has another value.
    Contradicts,
}

/// By what an input agrees or does not; the nearer the earlier. Its name closes the name of a feature
/// (`company_near`), see [`How::as_str`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// A key of the identifier led to the record.
    Exact,
    /// The same value but for spelling; of a name also the same middle name.
    Same,
    /// The same name, but one side has a middle name or a legal form more.
    But,
    /// A short form of a given name.
    Nickname,
    /// One holds the other: one of two family names, a title without its place, a company's name without `group` or without what
    /// stands in brackets.
    Part,
    /// Family name first.
    Order,
    /// A slip in an organisation's or place's name, words that say nothing more or less, or a domain that is made
    /// of the name.
    Near,
    /// Another name of the same organisation, by the table of names: `jpmc` of `jpmorgan chase`.
    OtherName,
    /// A given name is an initial, or an organisation's name the first letters of the other.
    Initial,
    /// An employer's or a school's name without a word of its kind or its closing words: `deloitte`, `harvard`. Says little.
    Short,
    /// A slip in a person's name, or in the one word of a company's that says which it is: counts with a strong context only.
    Slip,
    /// A company's name has words of its kind more or less, or any beyond several of its own: counts with a context, or where no other company
    /// is called so.
    Kind,
    /// A company's name has words more or less that could make it another: counts with a context, or where it was cut short and no other
    /// goes on after what is left.
    Word,
    /// It could be: another middle name, a part of a name.
    Unsure,
    /// The record knows nothing about it.
    Unknown,
    /// The record knows another value.
    Contradicts,
}

impl How {
    /// What it means for a match. A slip in a person's name says nothing by itself.
    #[must_use]
    pub const fn verdict(self) -> Verdict {
        match self {
            Self::Exact
            | Self::Same
            | Self::But
            | Self::Nickname
            | Self::Part
            | Self::Order
            | Self::Near
            | Self::OtherName
            | Self::Initial
            | Self::Short => Verdict::Agrees,
            Self::Slip | Self::Kind | Self::Word | Self::Unsure | Self::Unknown => Verdict::Unknown,
            Self::Contradicts => Verdict::Contradicts,
        }
    }

    /// How far it is from the very value, to tell namesakes apart: of two records that stand equal otherwise, the
    /// nearer is meant.
    #[must_use]
    pub const fn distance(self) -> u32 {
        match self {
            Self::Exact | Self::Same => 0,
            Self::But => 1,
            Self::Nickname | Self::Part | Self::Order => 3,
            Self::Near | Self::OtherName => 4,
            Self::Initial | Self::Short => 5,
            Self::Kind => 6,
            Self::Word => 7,
            Self::Slip => 8,
            Self::Unsure | Self::Unknown | Self::Contradicts => 0,
        }
    }

    /// The closing word of a feature's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Same | Self::But => "same",
            Self::Nickname => "nickname",
            Self::Part => "part",
            Self::Order => "order",
            Self::Near => "near",
            Self::OtherName => "other_name",
            Self::Initial => "initial",
            Self::Short => "short",
            Self::Slip => "slip",
            Self::Kind => "kind",
            Self::Word => "word",
            Self::Unsure => "unsure",
            Self::Unknown => "unknown",
            Self::Contradicts => "contradicts",
        }
    }

    /// Of a name of a person.
    #[must_use]
    pub const fn of_name(difference: Difference) -> Self {
        match difference {
            Difference::NoneAndMiddle => Self::Same,
            Difference::None => Self::But,
            Difference::Nickname => Self::Nickname,
            Difference::Part => Self::Part,
            Difference::Order => Self::Order,
            Difference::Initial => Self::Initial,
            Difference::Slip => Self::Slip,
            Difference::Middle => Self::Unsure,
            Difference::Another => Self::Contradicts,
        }
    }

    /// Of an organisation: what is near agrees.
    #[must_use]
    pub const fn of_organisation(found: OrganisationFinding) -> Self {
        match found {
            OrganisationFinding::Same => Self::Same,
            OrganisationFinding::Beside => Self::Part,
            OrganisationFinding::OtherName => Self::OtherName,
            OrganisationFinding::Near => Self::Near,
            OrganisationFinding::Letters => Self::Initial,
            OrganisationFinding::Kind => Self::Kind,
            OrganisationFinding::Word => Self::Word,
            OrganisationFinding::Partial => Self::Unsure,
            OrganisationFinding::Different => Self::Contradicts,
        }
    }

    /// Of a city: what is near agrees.
    #[must_use]
    pub const fn of_near(agreement: Agreement) -> Self {
        match agreement {
            Agreement::Same => Self::Same,
            Agreement::Near => Self::Near,
            Agreement::Partial => Self::Unsure,
            Agreement::Different => Self::Contradicts,
        }
    }

    /// Of what must be the same to agree.
    #[must_use]
    pub const fn of_whole(agreement: Agreement) -> Self {
        match agreement {
            Agreement::Same => Self::Same,
            Agreement::Near | Agreement::Partial => Self::Unsure,
            Agreement::Different => Self::Contradicts,
        }
    }

    /// Of a street line.
    #[must_use]
    pub const fn of_address(found: AddressFinding) -> Self {
        match found {
            AddressFinding::Same => Self::Same,
            AddressFinding::Near => Self::Near,
            AddressFinding::Street => Self::Part,
            AddressFinding::Partly => Self::Unsure,
            AddressFinding::Unknown => Self::Unknown,
            AddressFinding::Other => Self::Contradicts,
        }
    }

    /// Equal or not.
    #[must_use]
    pub const fn of_equal(same: bool) -> Self {
        if same { Self::Same } else { Self::Contradicts }
    }
}

/// How an input stands to a candidate, with the record's value by which it was found so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding<'a> {
    /// By what.
    pub how: How,
    /// The value that is nearest; none where the record has none, or where the index knows it only by its key.
    pub record: Option<Cow<'a, str>>,
}

impl<'a> Finding<'a> {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self {
        how: How::Unknown,
        record: None,
    };

    /// With the record's value.
    #[must_use]
    pub const fn of(how: How, record: &'a str) -> Self {
        Self {
            how,
            record: Some(Cow::Borrowed(record)),
        }
    }

    /// Without one.
    #[must_use]
    pub const fn bare(how: How) -> Self {
        Self { how, record: None }
    }

    /// What it means for a match.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        self.how.verdict()
    }

    /// The nearest of a value against all that the record has; [`Finding::UNKNOWN`] if it has nothing.
    pub fn nearest(values: impl IntoIterator<Item = &'a str>, how: impl Fn(&str) -> How) -> Self {
        let mut nearest: Option<Self> = None;
        for value in values {
            let found = Self::of(how(value), value);
            if nearest
                .as_ref()
                .is_none_or(|nearest| found.how < nearest.how)
            {
                nearest = Some(found);
            }
            // Nothing is nearer.
            if nearest
                .as_ref()
                .is_some_and(|nearest| nearest.how <= How::Same)
            {
                break;
            }
        }
        nearest.unwrap_or(Self::UNKNOWN)
    }

    /// Of an identifier that did not lead to the record: contradicted by one of its kind that the record has.
    #[must_use]
    pub const fn unless_known(known: bool) -> Self {
        Self::bare(if known {
            How::Contradicts
        } else {
            How::Unknown
        })
    }

    /// The one that agrees; if neither does, this one.
    #[must_use]
    pub fn or_agreeing(self, other: impl FnOnce() -> Self) -> Self {
        if self.verdict() == Verdict::Agrees {
            return self;
        }
        let other = other();
        match other.verdict() {
            Verdict::Agrees => other,
            _ if self.how == How::Unknown => other,
            _ => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Finding, How, Verdict};

    #[test]
    fn the_nearest_value_of_the_record_counts() {
        let how = |value: &str| match value {
            "a" => How::Contradicts,
            "b" => How::Near,
            _ => How::Unsure,
        };
        assert_eq!(
            Finding::nearest(["a", "c", "b"], how),
            Finding::of(How::Near, "b")
        );
        assert_eq!(Finding::nearest([], how), Finding::UNKNOWN);
    }

    #[test]
    fn a_slip_in_a_name_says_nothing_by_itself() {
        assert_eq!(How::Slip.verdict(), Verdict::Unknown);
    }
}
