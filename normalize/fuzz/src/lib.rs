//! The law that every target asserts; that no input panics, the fuzzer asserts itself.

use normalize::Unreadable;

/// Cleaning a cleaned value changes nothing.
///
/// # Panics
/// When it does: that is the finding.
pub fn assert_settled(input: &str, clean: impl Fn(&str) -> Result<String, Unreadable>) {
    if let Ok(once) = clean(input) {
        let twice = clean(&once);
        assert_eq!(twice.as_ref(), Ok(&once), "{input:?}");
    }
}
