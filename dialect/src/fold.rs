//! How text is compared: without regard to case, in one Unicode form.

use unicode_normalization::UnicodeNormalization;

/// The form in which two texts are compared: lower case, NFC, one small sigma. Stored values and literals both pass
/// through here.
#[must_use]
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // A word's last sigma has a small letter of its own, which only whole words tell: `Σ` alone would miss it.
    let lower = text.chars().flat_map(char::to_lowercase);
    lower
        .map(|c| if c == 'ς' { 'σ' } else { c })
        .nfc()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn capitals_and_small_letters_of_one_word_are_one() {
        assert_eq!(
            fold("ΠΑΠΑΔΟΠΟΥΛΟΣ"),
            fold("παπαδόπουλος".replace('ό', "ο").as_str())
        );
        assert_eq!(fold("MÜNCHEN"), "münchen");
        assert_eq!(fold("e\u{301}"), "é");
    }
}
