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

# The census has a few of the other gender for most names, and of some lists one is wrong: slips of who wrote them down.
LEAST_SHARE = 0.1
# Shorter names have no other spellings.
LEAST_LETTERS = 5


def census(folder):
    """Name, gender, and the part of its bearers who are of it."""
    percents = collections.defaultdict(dict)
    for gender, file in (("f", "dist.female.first"), ("m", "dist.male.first")):
        for line in (folder / file).read_text().splitlines():
            name, percent = line.split()[:2]
            percents[name][gender] = float(percent)
    for name, of in percents.items():
        for gender, percent in of.items():
            yield name, gender, percent / sum(of.values())


def lists():
    """Name and gender, once for each list of Faker that has it; countries of one language share most of theirs."""
    for module in pkgutil.iter_modules(faker.providers.person.__path__):
        provider = importlib.import_module("faker.providers.person." + module.name).Provider
        for gender, attribute in (("f", "first_names_female"), ("m", "first_names_male")):
            for name in getattr(provider, attribute, ()):
                yield name, gender, 1.0


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
    votes = collections.defaultdict(collections.Counter)
    for name, gender, vote in itertools.chain(census(pathlib.Path(sys.argv[1])), lists()):
        votes[folded(name)][gender] += vote
    women, men = set(), set()
    for name, of in votes.items():
        if name.isascii() and name.isalpha() and len(name) >= LEAST_LETTERS:
            if of["m"] < LEAST_SHARE * of.total():
                women.add(name)
            if of["f"] < LEAST_SHARE * of.total():
                men.add(name)
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
