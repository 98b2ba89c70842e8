//! Autocomplete: which stored values a text may become, of any column of text that does not reach a person
//! (docs/SEARCH.md, Completing values). What completes is [`column_files::Completing`].

pub mod request;
