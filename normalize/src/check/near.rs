//! The one known name that a mistyped one is near to.

/// The candidate nearest to a text, where it is near and no other is as near.
///
/// Slips are a letter too many, too few, another one, or two in the wrong order: one in a short text, two in a long one.
pub(super) fn nearest<'a>(
    text: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let typed: Vec<char> = text.chars().collect();
    let slips = match typed.len() {
        0..=3 => return None,
        4..=7 => 1,
        8..=60 => 2,
        _ => return None,
    };
    let mut best: Option<(usize, &str)> = None;
    let mut tied = false;
    for candidate in candidates {
        let meant: Vec<char> = candidate.chars().collect();
        let Some(distance) = distance(&typed, &meant, slips) else {
            continue;
        };
        match best {
            Some((least, _)) if distance > least => {}
            Some((least, found)) if distance == least => tied |= found != candidate,
            _ => {
                best = Some((distance, candidate));
                tied = false;
            }
        }
    }
    best.filter(|_| !tied).map(|(_, candidate)| candidate)
}

/// True when at most `slips` slips lie between two different texts.
pub(super) fn is_near(a: &str, b: &str, slips: usize) -> bool {
    let letters = |text: &str| text.chars().collect::<Vec<_>>();
    a != b && distance(&letters(a), &letters(b), slips).is_some()
}

/// Optimal string alignment distance, `None` above `most`.
fn distance(a: &[char], b: &[char], most: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    let mut previous = None;
    for (i, &x) in a.iter().enumerate() {
        let mut next = Vec::with_capacity(row.len());
        next.push(i + 1);
        let mut left = None;
        for (j, &y) in b.iter().enumerate() {
            let at = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX - 1);
            let mut cost = (at(&row, j) + usize::from(x != y))
                .min(at(&row, j + 1) + 1)
                .min(at(&next, j) + 1);
            if previous == Some(y) && left == Some(x) && j > 0 {
                cost = cost.min(at(&before, j - 1) + 1);
            }
            next.push(cost);
            left = Some(y);
        }
        if next.iter().all(|cost| *cost > most) {
            return None;
        }
        before = std::mem::replace(&mut row, next);
        previous = Some(x);
    }
    row.last().copied().filter(|cost| *cost <= most)
}

#[cfg(test)]
mod tests {
    use super::{is_near, nearest};

    #[test]
    fn a_slip_leads_to_the_name_that_was_meant() {
        let names = ["united states", "united kingdom", "iran", "iraq", "mali"];
        assert_eq!(
            nearest("untied states", names.into_iter()),
            Some("united states")
        );
        assert_eq!(nearest("malii", names.into_iter()), Some("mali"));
    }

    #[test]
    fn what_is_as_near_to_two_names_is_near_to_none() {
        assert_eq!(nearest("iras", ["iran", "iraq"].into_iter()), None);
        assert_eq!(nearest("usa", ["use"].into_iter()), None, "too short");
    }

    #[test]
    fn a_text_is_not_near_itself() {
        assert!(is_near("gmial.com", "gmail.com", 1));
        assert!(!is_near("gmail.com", "gmail.com", 1));
        assert!(!is_near("gail", "gmail.com", 2));
    }
}
