"""A simulated population with the noise of a census and of tax forms, as files for `score --population FOLDER`.

    python population.py SEED FOLDER

pseudopeople's sample population: who lives at which address, born when, and works where, without noise, is what a build would hold
(`persons.ndjson`); the same people as a census and their employers' W-2 forms write them down, with pseudopeople's own default noise,
are who is asked for (`queries.ndjson`, a line a request, as `data/generate` writes them). One person of ten is left out and asked for all
the same. Everybody of the sample lives in one town with one postal code: what is the same for all is left out on both sides.
"""

import datetime
import json
import pathlib
import sys
import uuid

import pandas
import pseudopeople

YEAR = 2020
LEFT_OUT = 10


def main(seed, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    clean = {"seed": seed, "config": pseudopeople.NO_NOISE, "year": YEAR, "verbose": False}
    noisy = {"seed": seed, "year": YEAR, "verbose": False}
    census, taxes = pseudopeople.generate_decennial_census, pseudopeople.generate_taxes_w2_and_1099
    employers = {}
    for row in taxes(**clean).itertuples():
        if text(row.employer_name):
            employers.setdefault(row.simulant_id, []).append(text(row.employer_name))
    known = set()
    with open(folder / "persons.ndjson", "w", encoding="utf-8") as out:
        for row in census(**clean).itertuples():
            if row.simulant_id in known or is_left_out(row.simulant_id):
                continue
            known.add(row.simulant_id)
            print(json.dumps(person(row, employers.get(row.simulant_id, []))), file=out)
    with open(folder / "queries.ndjson", "w", encoding="utf-8") as out:
        for row in census(**noisy).itertuples():
            home = street(row.street_number, row.street_name, row.unit_number)
            ask(out, known, "name_birth_address", row, {"address": home, "birth_date": date(row.date_of_birth)})
        for row in taxes(**noisy).itertuples():
            home = street(row.mailing_address_street_number, row.mailing_address_street_name, row.mailing_address_unit_number)
            ask(out, known, "name_address_employer", row, {"address": home, "company": text(row.employer_name)})


def person(row, employers):
    jobs = [{"company_name": name, "is_current": at == 0} for at, name in enumerate(employers)]
    home = street(row.street_number, row.street_name, row.unit_number)
    return {
        "service_id": identifier(row.simulant_id),
        "full_name": full_name(row),
        "first_name": text(row.first_name),
        "last_name": text(row.last_name),
        "birth_date": date(row.date_of_birth),
        "locations": [{"street_address": home, "country": "united states"}],
        "company_name": next(iter(employers), None),
        "experience": jobs,
    }


def ask(out, known, kind, row, context):
    """A request, unless it is for somebody of whom the census does not know."""
    is_known = row.simulant_id in known
    if not is_known and not is_left_out(row.simulant_id):
        return
    body = {"full_name": full_name(row) or None, "country": "united states", **context}
    query = {
        "entity": "person",
        "kind": kind if is_known else f"none_{kind}",
        "noise": [],
        "truth": identifier(row.simulant_id) if is_known else None,
        "request": {field: value for field, value in body.items() if value},
        "names": [text(row.first_name), text(row.last_name)],
    }
    print(json.dumps(query), file=out)


def is_left_out(simulant):
    return int(simulant.rsplit("_", 1)[-1]) % LEFT_OUT == 0


def identifier(simulant):
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"census-{simulant}"))


def text(value):
    return None if pandas.isna(value) or value == "" else str(value)


def full_name(row):
    return " ".join(filter(None, map(text, (row.first_name, row.middle_initial, row.last_name))))


def street(number, name, unit):
    return " ".join(filter(None, map(text, (number, name, unit)))) or None


def date(value):
    """A date that noise has made none is not given."""
    try:
        return datetime.datetime.strptime(text(value) or "", "%m/%d/%Y").date().isoformat()
    except ValueError:
        return None


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
