"""Companies listed at stock exchanges under the names that several publishers write, as files for `score --population FOLDER`.

    python population.py FOLDER_OF_PACKAGES FOLDER

A company is known by the ISIN of its share, whatever it is called. Its record (`companies.ndjson`) has the full name that its home exchange
prints (investpy). Asked for (`queries.ndjson`, a line a request, as `data/generate` writes them) are the other names of the same ISIN: what
brokers print in a column, what other exchanges print, what an encyclopedia calls it (pytickersymbols). Nobody made this noise. One company
of ten is left out and asked for all the same.
"""

import collections
import csv
import hashlib
import json
import pathlib
import re
import runpy
import sys
import uuid

LEFT_OUT = 10
# What exchanges print behind a name to say which share is meant: not the company's name, so that such lines are left out.
SHARE = re.compile(
    r"\b(adr|ads|gdr|drc|bdr|cdi|dr|prf|pref|prefs|prfd|preferred|vz|vzo|vna|st|na|nv?tg|pn|on|pk|mu|bo|rg|wi|cum|perp|units?|rights?|warrants?|"
    r"notes?|sub|ser(ies)?|cl(ass)?|fii|reit|fund|etf|trust)\b|\bo\.n\.|\d|[-_ ][a-z]$|%",
    re.I,
)

ISIN = re.compile(r"[A-Z]{2}[A-Z0-9]{9}[0-9]")
# Sold over the counter in the United States: a foreign share (F), or a receipt for one (Y), which has an ISIN of its own.
FOREIGN = re.compile(r"[A-Z]{4}[FY]")


def main(packages, folder):
    packages, folder = pathlib.Path(packages), pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    listings = list(exchanges(packages))
    names = collections.defaultdict(set)
    for source, isin, name in written(packages, listings):
        names[isin].add((source, name))
    with open(folder / "companies.ndjson", "w", encoding="utf-8") as records, open(folder / "queries.ndjson", "w", encoding="utf-8") as queries:
        for home, isins in companies(listings):
            is_left_out = at_random(home["isin"]) % LEFT_OUT == 0
            if not is_left_out:
                print(json.dumps(record(home)), file=records)
            others = {name: source for isin in isins for source, name in sorted(names[isin]) if plain(name) != plain(home["full_name"])}
            for name, source in sorted(others.items()):
                for query in requests(home, name, source, is_left_out):
                    print(json.dumps(query), file=queries)


def exchanges(packages):
    """The lines of investpy that name a company: name, full_name, isin, symbol, country of the exchange."""
    with open(packages / "stocks.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            is_share = ISIN.fullmatch(row["isin"]) and not FOREIGN.fullmatch(row["symbol"] if row["country"] == "united states" else "")
            if is_share and not SHARE.search(row["full_name"]) and not SHARE.search(row["name"]):
                yield row


def written(packages, listings):
    """(source, ISIN, name) of every name that is printed for a share."""
    for row in listings:
        yield "short", row["isin"], row["name"].strip()
        yield "exchange", row["isin"], row["full_name"].strip()
    for line in json.loads((packages / "symbols-2022.json").read_text(encoding="utf-8"))["companies"]:
        yield from (("index", isin, line["name"].strip()) for isin in line.get("isins") or [] if not SHARE.search(line["name"]))
    indices = runpy.run_path(str(packages / "symbols-2026.py"))["INDICES"]
    for line in (line for index in indices.values() for line in index["companies"]):
        yield from (("encyclopedia", isin, line["name"].strip()) for isin in line.get("isins") or [] if not SHARE.search(line["name"]))


def companies(listings):
    """The listing at home and all ISINs of each company: shares of one country with the same full name are one company's."""
    shares = collections.defaultdict(list)
    for row in listings:
        shares[row["isin"]].append(row)
    same = collections.defaultdict(dict)
    for isin, rows in sorted(shares.items()):
        home = min(rows, key=lambda row: (row["country"] != COUNTRIES.get(isin[:2]), -len(row["full_name"]), row["full_name"]))
        same[isin[:2], plain(home["full_name"])][isin] = home
    for isins in same.values():
        yield next(iter(isins.values())), list(isins)


def record(home):
    return {"service_id": identifier(home), "name": home["full_name"].strip(), "locations": [{"country": country(home), "primary": True}]}


def requests(home, name, source, is_left_out):
    """By the name alone, and with the country of its seat."""
    for kind, context in (("name", {}), ("name_country", {"country": country(home)})):
        yield {
            "entity": "company",
            "kind": f"none_{kind}" if is_left_out else kind,
            "noise": [source],
            "truth": None if is_left_out else identifier(home),
            "request": {"name": name, **context},
            "about": home["full_name"],
        }


def plain(name):
    return re.sub(r"[^a-z0-9]+", " ", name.lower()).strip()


def country(home):
    """Of the seat, by the first letters of the ISIN; of an exchange where a holding's island stands there."""
    return COUNTRIES.get(home["isin"][:2], home["country"])


def identifier(home):
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"listed-{home['isin']}"))


def at_random(isin):
    return int.from_bytes(hashlib.sha256(isin.encode()).digest()[:8], "big")


# Letters of ISINs (ISO 3166-1) whose companies are listed at home in these data, as investpy names the country.
COUNTRIES = {
    "AE": "united arab emirates", "AR": "argentina", "AT": "austria", "AU": "australia", "BD": "bangladesh", "BE": "belgium", "BG": "bulgaria",
    "BR": "brazil", "CA": "canada", "CH": "switzerland", "CL": "chile", "CN": "china", "CO": "colombia", "CZ": "czech republic", "DE": "germany",
    "DK": "denmark", "EG": "egypt", "ES": "spain", "FI": "finland", "FR": "france", "GB": "united kingdom", "GR": "greece", "HK": "hong kong",
    "HR": "croatia", "HU": "hungary", "ID": "indonesia", "IE": "ireland", "IL": "israel", "IN": "india", "IT": "italy", "JP": "japan",
    "KE": "kenya", "KR": "south korea", "KW": "kuwait", "LK": "sri lanka", "MA": "morocco", "MX": "mexico", "MY": "malaysia", "NG": "nigeria",
    "NL": "netherlands", "NO": "norway", "NZ": "new zealand", "OM": "oman", "PE": "peru", "PH": "philippines", "PK": "pakistan", "PL": "poland",
    "PT": "portugal", "QA": "qatar", "RO": "romania", "RU": "russia", "SA": "saudi arabia", "SE": "sweden", "SG": "singapore", "TH": "thailand",
    "TN": "tunisia", "TR": "turkey", "TW": "taiwan", "UA": "ukraine", "US": "united states", "VN": "vietnam", "ZA": "south africa",
}

if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
