//! What a field of a record is.

/// A field: name, type, and whether `titlecase` touches it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Key in the JSON object.
    pub name: &'static str,
    /// What stands there; absent scalars are null, absent lists `[]`, absent maps `{}`.
    pub kind: FieldType,
    /// Names of people, organizations and schools, places and job titles; nothing else (`docs/RECORDS.md`, "T").
    pub titlecase: bool,
}

/// What stands in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    /// Lower-case text.
    Text,
    /// Text that is one of a closed list.
    Enum(&'static [&'static str]),
    /// A closed list of `docs/RECORDS.md`, by name (`seniority_level`, `job_function`, `industry`, `size`, `type`):
    /// closed lists held by the crate `normalize`.
    Vocabulary(&'static str),
    /// UUID.
    Id,
    /// URL without scheme, or a host.
    Url,
    /// ISO or hash code; case is part of it.
    Code,
    /// `YYYY-MM-DD`, `YYYY-MM` or `YYYY`.
    Date,
    /// Whole number.
    Integer,
    /// Number.
    Number,
    /// true or false.
    Boolean,
    /// `{cleaned, raw: [..]}`; null when absent.
    Cleaned,
    /// An object with these fields; always present with its keys unless `nullable`.
    Object {
        /// The fields.
        fields: &'static [Field],
        /// Whether the whole object is null when absent.
        nullable: bool,
    },
    /// A list of objects.
    List(&'static [Field]),
    /// A list of text.
    TextList,
    /// A list of `{cleaned, raw: [..]}` with these further keys.
    CleanedList(&'static [Field]),
    /// A map from a key that data gives to a number, e.g. counts by level; `{}` when absent.
    Map,
    /// Counts or rates by `1m`, `3m`, `6m`, `12m`; null when absent.
    Periods,
    /// A map from a key that data gives to periods.
    PeriodsMap,
}

/// Fields of `{cleaned, raw}`.
const CLEANED: &[Field] = &[
    Field {
        name: "cleaned",
        kind: FieldType::Text,
        titlecase: false,
    },
    Field {
        name: "raw",
        kind: FieldType::TextList,
        titlecase: false,
    },
];

/// Fields of periods.
const PERIODS: &[Field] = &[
    Field {
        name: "1m",
        kind: FieldType::Number,
        titlecase: false,
    },
    Field {
        name: "3m",
        kind: FieldType::Number,
        titlecase: false,
    },
    Field {
        name: "6m",
        kind: FieldType::Number,
        titlecase: false,
    },
    Field {
        name: "12m",
        kind: FieldType::Number,
        titlecase: false,
    },
];

impl Field {
    /// A field that `titlecase` leaves alone.
    #[must_use]
    pub(crate) const fn new(name: &'static str, kind: FieldType) -> Self {
        Self {
            name,
            kind,
            titlecase: false,
        }
    }

    /// A field that `titlecase` touches.
    #[must_use]
    pub(crate) const fn titled(name: &'static str, kind: FieldType) -> Self {
        Self {
            name,
            kind,
            titlecase: true,
        }
    }

    /// The fields one level below, reached by a dot. `cleaned` of a titled field is reached through its parent.
    #[must_use]
    pub const fn children(&self) -> &'static [Self] {
        match self.kind {
            FieldType::Object { fields, .. } | FieldType::List(fields) => fields,
            FieldType::CleanedList([]) | FieldType::Cleaned => CLEANED,
            FieldType::CleanedList(fields) => fields,
            FieldType::Periods => PERIODS,
            _ => &[],
        }
    }

    /// Whether the field holds a list.
    #[must_use]
    pub const fn is_list(&self) -> bool {
        matches!(
            self.kind,
            FieldType::List(_) | FieldType::CleanedList(_) | FieldType::TextList
        )
    }
}
