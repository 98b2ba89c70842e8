"""Writes given_names.tsv and surnames.tsv: how many of a million people bear a name.

Needs the folder of PyPI `names` 0.3.0 (its files are the tables of the US census of 1990, public domain):
    pip download --no-deps names==0.3.0 && tar xzf names-0.3.0.tar.gz
    python3 name_shares.py names-0.3.0/names
"""

import pathlib
import sys

# A share below this is told no better than by "a rare name".
LEAST_PER_MILLION = 10


def shares(*files):
    """Name to share of a million, the files having equal parts."""
    out = {}
    for file in files:
        for line in file.read_text().splitlines():
            name, percent = line.split()[:2]
            out[name.lower()] = out.get(name.lower(), 0) + float(percent) * 10_000 / len(files)
    return out


def write(path, title, table):
    lines = [f"# {title} Made by make/name_shares.py."]
    common = [(name, round(share)) for name, share in table.items() if share >= LEAST_PER_MILLION]
    lines += [f"{name}\t{share}" for name, share in sorted(common)]
    path.write_text("\n".join(lines) + "\n")


def main():
    source = pathlib.Path(sys.argv[1])
    tables = pathlib.Path(__file__).parent.parent
    given = shares(source / "dist.female.first", source / "dist.male.first")
    write(tables / "given_names.tsv", "Of a million people, how many bear a given name.", given)
    surnames = shares(source / "dist.all.last")
    write(tables / "surnames.tsv", "Of a million people, how many bear a family name.", surnames)


if __name__ == "__main__":
    main()
