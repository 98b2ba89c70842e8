#!/usr/bin/env python3
"""weights.py FOLDER: what expectation maximisation makes of the pairs that `score --pairs FOLDER` wrote, in the terms of
Roster's weights (query-service/src/enrich/weights.rs). See README.md beside this file.

One line a field and list: `same` is how often the same person has the same value, `near` the bits that each near level of model.py says
less than the same, nearest first, `other` the bits of another value. Roster counts how common a value is by itself, so that u of `same`
is not compared.
"""

import argparse
import json
import math
import pathlib

import duckdb
from splink import DuckDBAPI

import link
import model


def levels(linker):
    """The trained levels of each comparison: (field, [(m, u) from exact to other])."""
    for comparison in linker.misc.save_model_to_json()["comparisons"]:
        trained = [
            (level.get("m_probability"), level.get("u_probability"))
            for level in comparison["comparison_levels"]
            if not level.get("is_null_level")
        ]
        yield comparison["output_column_name"], trained


def bits(level):
    m, u = level
    return math.log2(m / u) if m and u else None


def shown(value, form):
    return "-" if value is None else format(value, form)


def line(field, trained):
    """Of one comparison: how often the same, what each near level says less, what another value says."""
    exact, *nears, other = trained
    told = [bits(level) for level in nears]
    less = " ".join(shown(value - bits(exact), "+.1f") for value in told if value is not None and bits(exact) is not None)
    return f"| `{field}` | {shown(exact[0], '.2f')} | {less or '-'} | {shown(bits(other), '+.1f')} |"


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=pathlib.Path, help="what score --pairs wrote")
    folder = arguments.parse_args().folder
    for about in sorted(folder.glob("*/about.json"), key=lambda about: link.in_order(about.parent)):
        world = json.loads(about.read_text())
        for requests in sorted((about.parent / "requests").glob("*.ndjson"), key=link.in_order):
            with duckdb.connect() as database:
                database.execute("set lambda_syntax = 'ENABLE_SINGLE_ARROW'")
                link.load(database, "records", about.parent / "records.ndjson", {})
                link.load(database, "requests", requests, link.JUDGED)
                linker = model.train(DuckDBAPI(connection=database), link.filled_by_both(database))
                print(f"\n{world['world']}, {requests.stem.replace('-', ' ')}\n\n| field | same | near | other |\n|---|---|---|---|")
                for field, trained in levels(linker):
                    print(line(field, trained))


if __name__ == "__main__":
    main()
