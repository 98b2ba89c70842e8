//! What the steps of a scan cost, in nanoseconds, about: the order in which conditions are looked at, and whether the rows of a list
//! condition are looked at one by one, follow from these. `examples/scan.rs` shows how long whole queries take.

/// A code that is compared with one run of codes, for each byte of its width.
pub(super) const COMPARED_A_BYTE: f64 = 0.03;
/// A code that is looked up in a table.
pub(super) const IN_A_TABLE: f64 = 0.75;
/// A code that is looked up in bits.
pub(super) const IN_BITS: f64 = 1.0;
/// A bit of a column's own, as of hashes that are not kept.
pub(super) const COPY_A_BIT: f64 = 0.01;
/// A row's bit that says whether its list has elements.
pub(super) const FILLED_A_ROW: f64 = 0.02;
/// An element on the way into the bit of its row.
pub(super) const FOLD_AN_ELEMENT: f64 = 0.15;
/// The bit of that row.
pub(super) const FOLD_A_ROW: f64 = 0.1;
/// A word that is gone through to find the elements of a row.
pub(super) const WALK_A_WORD: f64 = 3.0;
/// A row that is looked at by itself.
pub(super) const FIND_A_ROW: f64 = 20.0;
/// The first element of such a row: a place far from the last one waits for memory.
pub(super) const FAR_LOOK: f64 = 45.0;
/// Each element of such a row, on top of that.
pub(super) const NEAR_LOOK: f64 = 5.0;
/// Rows of a list condition are looked at one by one only if that takes no longer: it is one step, between whose rows no other search gets
/// a turn.
pub(super) const MAX_ALONE: f64 = 1_000_000.0;
