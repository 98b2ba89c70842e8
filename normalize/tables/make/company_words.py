"""Writes ../company_words.txt: the words that at least one of 2,000 names of organisations holds.

Needs the sample of real companies: python3 company_words.py ../../../data/sample/companies.ndjson.gz
A word counts once a name, folded as `text::fold` does; accents other than those of Latin letters are not.
"""

import collections
import gzip
import json
import re
import sys
import unicodedata
from pathlib import Path

LEAST = 0.0005
"""Of the names."""


def words(name: str) -> set[str]:
    plain = unicodedata.normalize("NFKD", name.lower())
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    plain = re.sub(r"['`.]", "", plain)
    return set(re.findall(r"[a-z0-9]+", plain))


def main() -> None:
    held: collections.Counter[str] = collections.Counter()
    names = 0
    with gzip.open(sys.argv[1], "rt", encoding="utf-8") as lines:
        for line in lines:
            names += 1
            held.update(words(json.loads(line)["name"]["cleaned"]))
    kept = sorted(word for word, count in held.items() if count >= LEAST * names and len(word) > 1)
    target = Path(__file__).parent.parent / "company_words.txt"
    head = "# Words that many organisations have in their names. Made by make/company_words.py.\n"
    target.write_text(head + "\n".join(kept) + "\n", encoding="utf-8")


main()
