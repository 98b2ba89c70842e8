//! The query language of search: SQL text becomes one canonical [`Filter`], and a [`Filter`] becomes text again.
//!
//! `text → sqlparser → allow-list over its AST → Filter`. Nothing of a query's text goes any further than this crate: what
//! executes a query sees columns of a closed catalogue and typed values, never SQL.
//!
//! Guarantees: pure and total (any text gives a query or a refusal that says what, where and what would be accepted; never
//! a panic, never unbounded work); one meaning has one text: [`Query::text`] parses back to the same [`Query`], and one digest
//! ([`Query::digests`]).
//! No I/O, no HTTP and no build in here: whether a value is stored anywhere is not this crate's question.

#[cfg(any(test, feature = "arbitrary"))]
pub mod arbitrary;
mod canon;
pub mod column;
mod condition;
mod digest;
mod element;
pub mod filter;
mod fold;
mod interpret;
mod lexer;
mod literal;
mod names;
mod near;
mod normal;
mod parse;
mod precheck;
mod print;
mod refusal;
mod side;
mod statement;
mod usual;
mod values;
mod words;

pub use canon::stored_forms;
pub use column::{Catalog, Column, ColumnId, List, ListForm, ListId, Place, ValueType};
pub use digest::{Digest, Digests};
pub use filter::{Condition, Filter, OrderKey, Query, Target, Test, Value};
pub use fold::fold;
pub use interpret::{interpret, like, order_value, truth};
pub use literal::{MAX_READINGS, Reading};
pub use names::column_of;
pub use near::{closed_values, nearest};
pub use parse::Parsed;
pub use precheck::{MAX_CHARS, MAX_CONDITIONS, MAX_ITEMS, MAX_NESTING, MAX_ORDER_KEYS};
pub use refusal::{Reason, Refusal};
pub use values::Values;
