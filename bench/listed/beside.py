"""The same listed companies by name_matching (De Nederlandsche Bank, MIT), whose purpose it is: companies' names without training.

    pip install name_matching==0.9.22
    python beside.py FOLDER [COUNT]

FOLDER is what `population.py` wrote; COUNT of its requests by the name alone are asked, drawn with seed 4. Run by hand: it takes minutes.
"""

import json
import pathlib
import random
import sys
import time

import pandas
from name_matching.name_matcher import NameMatcher

SCORES = (50, 60, 70, 75, 80, 85, 90, 95)


def main(folder, count):
    folder = pathlib.Path(folder)
    records = pandas.DataFrame([{"id": one["service_id"], "name": one["name"]} for one in lines(folder / "companies.ndjson")])
    asked = [one for one in lines(folder / "queries.ndjson") if one["kind"] in ("name", "none_name")]
    random.Random(4).shuffle(asked)
    asked = asked[:count]
    started = time.time()
    # As its documentation shows, with legal forms taken off and more candidates than by default.
    matcher = NameMatcher(number_of_matches=1, legal_suffixes=True, common_words=False, top_n=50, verbose=False)
    matcher.set_distance_metrics(["bag", "typo", "refined_soundex"])
    matcher.load_and_process_master_data(column="name", df_matching_data=records, transform=True)
    found = matcher.match_names(to_be_matched=pandas.DataFrame([{"name": one["request"]["name"]} for one in asked]), column_matching="name")
    print(f"{len(asked)} requests, {time.time() - started:.0f} s")
    answers = [(score, records["id"][int(at)]) for score, at in zip(found["score"], found["match_index"])]
    for least in SCORES:
        print_line(least, [(one["truth"], answer if score >= least else None) for one, (score, answer) in zip(asked, answers)])


def print_line(least, pairs):
    known = [(truth, answer) for truth, answer in pairs if truth]
    strangers = [answer for truth, answer in pairs if not truth]
    answered = [truth == answer for truth, answer in known if answer]
    right, told = sum(answered), sum(answer is not None for answer in strangers)
    print(f"score {least}: precision {right / max(1, len(answered)):.4f}, recall {right / len(known):.4f}, strangers {told} of {len(strangers)}")


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3000)
