//! What a phrase may mean.

use serde::Deserialize;

/// A reading of a phrase.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Meaning {
    Level(Vec<String>),
    Function(String),
    /// Part of a job title.
    Title(String),
    Size(Vec<String>),
    Type(String),
    Industry(Vec<String>),
    Place(Place),
    /// The people of a country ("German engineers").
    Demonym(Place),
    /// Name of an organization, as it is stored.
    Company(String),
    /// First and last name of a person.
    FullName(String),
    Contact(Contact),
    DecisionMaker,
    PlatformWorker,
    Word(Cue),
}

impl Meaning {
    /// Whether it is a level, a function or a title: a part of somebody's role.
    pub(crate) const fn is_role(&self) -> bool {
        matches!(self, Self::Title(_) | Self::Level(_) | Self::Function(_))
    }
}

/// Whether levels are said of a role, and are none by themselves: "junior", "mid-level", "senior".
pub(crate) fn is_adjective(levels: &[String]) -> bool {
    levels
        .iter()
        .all(|level| matches!(level.as_str(), "entry" | "mid" | "senior"))
}

/// Where.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Place {
    Country(String),
    /// A region of countries.
    Countries(Vec<String>),
    State(String),
    States(Vec<String>),
    City(String),
    Metro {
        state: String,
        cities: Vec<String>,
    },
}

/// Ways to reach a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Contact {
    WorkEmail,
    LinkedIn,
}

/// Words that say how others belong together, or what a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Cue {
    Or,
    And,
    But,
    Either,
    Not,
    Neither,
    Nor,
    Except,
    Outside,
    Without,
    /// In, from, based in.
    In,
    /// At, for, with: an employer follows.
    At,
    With,
    /// People.
    People,
    /// Companies.
    Companies,
    /// Says nothing.
    Filler,
    Seen,
    Founded,
    Experience,
    Employees,
    Tenure,
    Growth,
    Shrinking,
    Doubled,
    Sources,
    Old,
    Size,
    /// Industry, sector, space.
    Sector,
    Named,
    Domain,
    More,
    Less,
    AtLeast,
    AtMost,
    Between,
    To,
    Exactly,
    Since,
    Before,
    After,
    During,
    Last,
    This,
    Contains,
    StartsWith,
    Title,
    Surname,
    FirstName,
}
