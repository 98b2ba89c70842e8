#!/usr/bin/env python3
"""link.py FOLDER: links the requests that `score --pairs FOLDER` wrote with its records by Splink, and prints one table for each
list of requests with both engines. See README.md beside this file."""

import argparse
import json
import pathlib
import re
import time

import duckdb
import splink
from splink import DuckDBAPI

import model
import table

TEXTS = "id full_name given_name family_name birth_date street_address city state postal_code employer title".split()
LISTS = "given_forms employers schools".split()
# Of requests alone: what was meant, and what Roster answered.
JUDGED = {"kind": "VARCHAR", "truth": "VARCHAR", "found": "VARCHAR", "level": "VARCHAR", "seconds": "DOUBLE"}

# Who links a pair below this does not link it: nothing under Splink's lowest threshold is kept.
LEAST = table.PROBABILITIES[0]


def load(database, name, file, more):
    """Reads a file of NDJSON as a table; an empty list is null, and the number of a house stands apart from its street."""
    columns = {**dict.fromkeys(TEXTS, "VARCHAR"), **dict.fromkeys(LISTS, "VARCHAR[]"), **more}
    lists = ", ".join(f"case when len({column}) > 0 then {column} end as {column}" for column in LISTS)
    database.execute(
        f"""create or replace table {name} as
            select * replace ({lists}),
                   nullif(regexp_extract(street_address, '^[0-9]\\S*'), '') as street_number,
                   nullif(regexp_replace(street_address, '^[0-9]\\S* ?', ''), '') as street
            from read_json($file, format = 'newline_delimited', columns = {columns})""",
        {"file": str(file)},
    )


def filled_by_both(database):
    """Tells whether columns hold values in the records and in the requests."""

    def fills(name, column):
        [(values,)] = database.execute(f"select count({column}) from {name}").fetchall()
        return values > 0

    return lambda *columns: all(fills(name, column) for name in ("records", "requests") for column in columns)


def best(database, predictions):
    """The likeliest record of each request and its probability; none where two are equally likely, as Roster has it."""
    database.execute(
        f"""create or replace table best as
            select id_r as request, max_by(id_l, match_weight) as record, max(match_probability) as probability
            from (select *, max(match_weight) over (partition by id_r) as highest from {predictions})
            where match_weight = highest
            group by id_r
            having count(*) = 1"""
    )


def link(database, world, list_of_requests):
    """Trains on the two loaded tables, links them and prints what came of it."""
    api = DuckDBAPI(connection=database)
    started = time.monotonic()
    linker = model.train(api, filled_by_both(database))
    trained = time.monotonic()
    predictions = linker.inference.predict(threshold_match_probability=LEAST, warning_mode="never")
    best(database, predictions.physical_name)
    linked = time.monotonic()
    rows = database.execute(
        """select kind, truth, found, level, seconds, best.record, best.probability
           from requests left join best on best.request = requests.id order by requests.id::int"""
    ).fetchall()
    answers = [table.Answered(*row) for row in rows]
    table.show(f"{world['world']}, {list_of_requests}", answers)
    table.show_times(world["loading_seconds"], answers, trained - started, linked - trained)
    api.delete_tables_created_by_splink_from_db()


def in_order(path):
    """By the words of a name, numbers by their size."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", path.name)]


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=pathlib.Path, help="what score --pairs wrote")
    folder = arguments.parse_args().folder
    worlds = sorted((about.parent for about in folder.glob("*/about.json")), key=in_order)
    if not worlds:
        raise SystemExit(f"error: no folder of {folder} holds what score --pairs writes")
    print(f"Splink {splink.__version__}, DuckDB {duckdb.__version__}")
    for path in worlds:
        world = json.loads((path / "about.json").read_text())
        for requests in sorted((path / "requests").glob("*.ndjson"), key=in_order):
            with duckdb.connect() as database:
                # Splink 5.0 writes lambdas as DuckDB did before 2.0.
                database.execute("set lambda_syntax = 'ENABLE_SINGLE_ARROW'")
                load(database, "records", path / "records.ndjson", {})
                load(database, "requests", requests, JUDGED)
                link(database, world, requests.stem.replace("-", " "))


if __name__ == "__main__":
    main()
