//! Which edition of the canon and the keys this code is.
//!
//! Records keep what the canon and the keys made of them when their build was loaded; requests are read by the canon and the keys of today. Where
//! the two differ a request may miss a record without a word. So a build remembers the edition that it was loaded by
//! (`build_load.edition`), and whoever answers from a build of another edition says so (docs/OPERATING.md, "Updating").

/// Raised by one whenever a line would become another record, or be found by other keys, than before. The test
/// `the_sample_is_read_as_this_edition_says` of the projector fails until it is.
///
/// 0 is what no edition is known of: builds that were loaded before editions were recorded.
pub const EDITION: i32 = 5;
