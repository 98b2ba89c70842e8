//! Family names that are written in several ways in Latin letters: `lee`, `yi`, `rhee`.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::table;

/// The lines in which a name stands: `chun` is a `cheon` or a `jeon`.
static FORMS: LazyLock<HashMap<&'static str, Vec<usize>>> = LazyLock::new(|| {
    let mut forms: HashMap<&str, Vec<usize>> = HashMap::new();
    for (line, at) in table::lines(include_str!("../../tables/family_name_forms.txt")).zip(0..) {
        for name in line.split_whitespace() {
            forms.entry(name).or_default().push(at);
        }
    }
    forms
});

/// Whether two folded family names are one in different transcriptions.
#[must_use]
pub fn are_forms(a: &str, b: &str) -> bool {
    let lines = |name: &str| FORMS.get(name).map_or(&[][..], Vec::as_slice);
    lines(a).iter().any(|line| lines(b).contains(line))
}

#[cfg(test)]
mod tests {
    use super::are_forms;

    #[test]
    fn a_family_name_has_several_transcriptions() {
        assert!(are_forms("lee", "yi") && are_forms("park", "pak") && are_forms("chun", "jeon"));
        assert!(
            !are_forms("cheon", "jeon")
                && !are_forms("lee", "park")
                && !are_forms("smith", "smith")
        );
    }
}
