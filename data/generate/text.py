"""Spelling of names in addresses, ids as text, and drawing by shares."""
import unicodedata

# Letters that Unicode does not take apart into a base letter and an accent.
LETTERS = str.maketrans({
    'ø': 'o', 'ł': 'l', 'đ': 'd', 'ı': 'i', 'ß': 'ss', 'æ': 'ae', 'œ': 'oe', 'þ': 'th', 'ð': 'd',
    'Ø': 'o', 'Ł': 'l', 'Đ': 'd',
})


def ascii_text(text):
    """Lowercase ASCII letters, digits, spaces and hyphens; everything else is left out."""
    decomposed = unicodedata.normalize('NFKD', text.translate(LETTERS))
    return ''.join(c for c in decomposed.lower() if 'a' <= c <= 'z' or '0' <= c <= '9' or c in ' -')


def without_accents(text):
    decomposed = unicodedata.normalize('NFKD', text.translate(LETTERS))
    return ''.join(c for c in decomposed if not unicodedata.combining(c))


def slug(text):
    return '-'.join(ascii_text(text).replace('&', ' ').split())


def uuid_text(digits, variant):
    """32 hexadecimal digits as a UUID of version 4; `variant` is the digit that begins its fourth group."""
    return f'{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:]}'


def slots(weighted, count):
    """A list of `count` items in which each of `weighted`, pairs of item and weight, has its share, at least one slot.

    An item is then drawn by a uniform index: by some bits of a random number.
    """
    filled = []
    total = float(sum(weight for _, weight in weighted))
    so_far = 0.0
    for item, weight in weighted:
        so_far += weight
        up_to = int(round(so_far / total * count))
        filled.extend([item] * max(1, up_to - len(filled)))
    last_item = weighted[-1][0]
    return filled[:count] + [last_item] * (count - len(filled))
