//! Titles written against the name: `Ms.Priya`, `Prof.Dr.Anna`, `د/محمد`.

use super::affixes::is_title;
use super::bare::bare;
use super::shares;

/// Abbreviations that are titles before a point although they are words or names without one: `Er.Rahul`, `Adv.Meera`.
const ABBREVIATIONS: [&str; 9] = [
    "adv", "ca", "eng", "er", "geom", "ing", "lic", "shri", "sri",
];

/// What stands behind a title's point and is the title's end: `Dr.in`, `Prof.ssa`, `Sig.na`. `Dr.In` and `Dr.Sa` are before names.
pub(super) fn is_ending(title: &str, end: &str) -> bool {
    match &*bare(end) {
        "inn" | "innen" | "ⁱⁿ" | "ssa" | "ª" => true,
        "a" => title == "mag" && end.starts_with(char::is_lowercase),
        "na" | "ra" => title == "sig",
        "to" => title == "avv" && end.starts_with(char::is_lowercase),
        "in" | "em" | "sa" => {
            matches!(title, "dr" | "prof" | "dott" | "mag") && end.starts_with(char::is_lowercase)
        }
        _ => false,
    }
}

/// The word at a place becomes two where a title is written against a name in it.
pub(super) fn part_title(words: &mut Vec<String>, at: usize) {
    let is_whole = words.len() > at + 1;
    let parted = words.get(at).and_then(|word| {
        let thai = || thai_title_and_name(word).filter(|_| is_whole);
        let (title, name) = title_and_name(word).or_else(thai)?;
        Some([title.to_owned(), name.to_owned()])
    });
    if let Some(parted) = parted {
        words.splice(at..=at, parted);
    }
}

/// The title and the name that is written against it. `J.Smith`, `St.John` and `Ma.Teresa` begin with no title, `Dr.J` ends
/// with no name.
fn title_and_name(word: &str) -> Option<(&str, &str)> {
    if !word.contains(['.', '/']) || is_title(word) {
        return None;
    }
    word.rmatch_indices(['.', '/'])
        .filter_map(|(at, _)| word.split_at_checked(at + 1))
        .find(|(title, name)| is_glued(title) && is_name(name) && !is_ending(&bare(title), name))
}

/// Thai writes no space behind a title: `นายสมชาย`. What follows begins as a word does, with a consonant or a vowel before it.
fn thai_title_and_name(word: &str) -> Option<(&str, &str)> {
    const TITLES: [&str; 4] = ["นางสาว", "น.ส.", "นาย", "นาง"];
    let begins = |c| matches!(c, '\u{e01}'..='\u{e2e}' | '\u{e40}'..='\u{e44}');
    let title = TITLES.iter().find(|title| word.starts_with(*title))?;
    let (title, name) = word.split_at_checked(title.len())?;
    (name.starts_with(begins) && name.chars().nth(1).is_some()).then_some((title, name))
}

/// A title, of which the first part is one by itself and nobody's name: `dean.king.jones` and `lady.smith` lose nothing.
fn is_glued(title: &str) -> bool {
    let first = title
        .find(['.', '/'])
        .and_then(|at| title.get(..=at))
        .unwrap_or(title);
    // `Don/Jane` and `Tan/Lim` are two people: before a slash stands a title that is no name at all.
    let first = first.trim_end_matches('/');
    let stem = first.split(['.', '-']).next().unwrap_or(first);
    let is_given = shares::given(&bare(stem)).is_some();
    is_title(title) && !is_given && (is_title(first) || title.contains(".-"))
        || ABBREVIATIONS.contains(&&*bare(title))
}

fn is_name(text: &str) -> bool {
    text.starts_with(char::is_alphabetic)
        // The point that a small letter keeps of `İ` is no letter.
        && text.chars().filter(|c| c.is_alphabetic()).nth(1).is_some()
        && !text.contains(|c: char| c.is_ascii_digit() || c == '@' || c == '/')
}

#[cfg(test)]
mod tests {
    use super::title_and_name;

    #[test]
    fn a_title_is_told_from_an_initial_and_from_a_name() {
        for (word, name) in [
            ("Ms.Priya", Some("Priya")),
            ("Dr.J.Smith", Some("J.Smith")),
            ("Prof.Dr.Anna", Some("Anna")),
            ("Dr.med.Anna", Some("Anna")),
            ("Prof.Dr.med.Anna", Some("Anna")),
            ("Dipl.-Ing.Anna", Some("Anna")),
            ("Maj.Gen.Smith", Some("Smith")),
            ("Er.Rahul", Some("Rahul")),
            ("д-р.Анна", Some("Анна")),
            ("د.محمد", Some("محمد")),
            ("J.Smith", None),
            ("St.John", None),
            ("Ma.Teresa", None),
            ("M.Night", None),
            ("D.R.Andrews", None),
            ("Md.Rahman", None),
            ("dean.king.jones", None),
            ("lady.smith", None),
            ("Dr.J", None),
            ("Dr.İ", None),
            ("dr.i\u{307}", None),
            ("Mag.in", None),
            ("Mag.Anna", Some("Anna")),
            ("Dr.h.c.", None),
            ("Dr.in", None),
            ("Dott.ssa", None),
            ("Sig.na", None),
            ("Dr.sa", None),
            ("Dr.Sa", Some("Sa")),
            ("Dr.Na", Some("Na")),
            ("Dr.In", Some("In")),
            ("Dr/Jane", Some("Jane")),
            ("د/محمد", Some("محمد")),
            ("Don/Jane", None),
            ("Dean/Susan", None),
            ("Tan/Lim", None),
            ("Prince/Anna", None),
            ("Don-Prince/Anna", None),
            ("Gen/Anna", None),
        ] {
            assert_eq!(title_and_name(word).map(|(_, name)| name), name, "{word}");
        }
    }
}
