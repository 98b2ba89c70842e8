"""Writes given_name_counterparts.tsv: given names of women and of men, in many languages, that are one letter apart.

Needs PyPI `faker` 40.63.0 (MIT) and the folder of PyPI `names` 0.3.0 (the US census of 1990, public domain):
    pip install faker==40.63.0
    pip download --no-deps names==0.3.0 && tar xzf names-0.3.0.tar.gz
    python3 name_counterparts.py names-0.3.0/names
"""

import collections
import importlib
import itertools
import pathlib
import pkgutil
import sys
import unicodedata

import faker.providers.person

# The census has a few of the other gender for most names: slips of who wrote them down.
LEAST_SHARE = 0.1
# A name that one list has may be a slip, too.
LEAST_LISTS = 2
# As many lists of its own gender for one of the other: some have a name in the wrong list.
OWN_LISTS = 5
# Shorter names have no other spellings.
LEAST_LETTERS = 5


def census(folder):
    """Name and gender, of those who bear most names."""
    percents = collections.defaultdict(dict)
    for gender, file in (("f", "dist.female.first"), ("m", "dist.male.first")):
        for line in (folder / file).read_text().splitlines():
            name, percent = line.split()[:2]
            percents[name][gender] = float(percent)
    for name, of in percents.items():
        for gender, percent in of.items():
            if percent >= LEAST_SHARE * sum(of.values()):
                yield name, gender


def lists():
    """Name and gender, once for each language in which Faker has it."""
    seen = set()
    for module in pkgutil.iter_modules(faker.providers.person.__path__):
        provider = importlib.import_module("faker.providers.person." + module.name).Provider
        for gender, attribute in (("f", "first_names_female"), ("m", "first_names_male")):
            names = {(folded(name), gender, module.name[:2]) for name in getattr(provider, attribute, ())}
            yield from ((name, gender) for name, gender, _ in names - seen)
            seen |= names


def folded(name):
    """Without accents, in lower case."""
    letters = unicodedata.normalize("NFD", name.lower())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def one_letter_less(name):
    return {name[:at] + name[at + 1 :] for at in range(len(name))}


def are_a_letter_apart(a, b):
    """One is lacking, one is another, or two are turned."""
    if len(a) != len(b):
        return min(a, b, key=len) in one_letter_less(max(a, b, key=len))
    differing = [at for at in range(len(a)) if a[at] != b[at]]
    first, last = differing[0], differing[-1]
    is_turned = len(differing) == 2 and a[first : last + 1] == b[last] + b[first]
    return first == last or is_turned


def main():
    lists_of = {"f": collections.Counter(), "m": collections.Counter()}
    for name, gender in itertools.chain(census(pathlib.Path(sys.argv[1])), lists()):
        lists_of[gender][folded(name)] += 1
    women, men = (
        {
            name
            for name, lists in lists_of[gender].items()
            if lists >= max(LEAST_LISTS, OWN_LISTS * lists_of[other][name])
            if name.isascii() and name.isalpha() and len(name) >= LEAST_LETTERS
        }
        for gender, other in ("fm", "mf")
    )
    near = collections.defaultdict(set)
    for name in men:
        for part in one_letter_less(name) | {name}:
            near[part].add(name)
    pairs = set()
    for name in women:
        for part in one_letter_less(name) | {name}:
            pairs |= {(name, other) for other in near[part] if are_a_letter_apart(name, other)}
    lines = ["# A given name of women and one of men, a letter apart. Made by make/name_counterparts.py."]
    lines += ["\t".join(pair) for pair in sorted(pairs)]
    table = pathlib.Path(__file__).parent.parent / "given_name_counterparts.tsv"
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
