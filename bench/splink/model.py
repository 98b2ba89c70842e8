"""The linkage model: what Splink compares, which pairs it looks at, and how it is trained without labels.

The choices are those of Splink's own documentation (its examples for Febrl 3 and 4, its guides): Jaro-Winkler levels with term
frequencies for names, its comparison of birth dates, Damerau-Levenshtein for codes, u by random sampling, m by expectation
maximisation over several blockings. One model serves all data: a comparison or a rule is used where the records and the
requests both fill its columns, and a value that one request does not give is null, which weighs nothing.
"""

import logging

import splink.comparison_level_library as cll
import splink.comparison_library as cl
from splink import Linker, SettingsCreator, block_on

# Its documentation calls 1e7 often adequate for a first look, and recommends more for the last.
U_PAIRS = 1e8
# What the sure rules find of all matches, as its example for Febrl 4 guesses.
RECALL_OF_SURE_RULES = 0.8
SEED = 1


def comparisons(has):
    """What two persons are compared by; `has(column…)` tells whether both sides fill the columns."""
    out = [given_name(), cl.NameComparison("family_name").configure(term_frequency_adjustments=True)]
    if has("birth_date"):
        out.append(cl.DateOfBirthComparison("birth_date", input_is_string=True))
    if has("street"):
        out.append(cl.ExactMatch("street_number").configure(term_frequency_adjustments=True))
        out.append(similar("street"))
    if has("postal_code"):
        codes = cl.DamerauLevenshteinAtThresholds("postal_code", [1, 2])
        out.append(codes.configure(term_frequency_adjustments=True))
    if has("city"):
        out.append(similar("city"))
    if has("employers"):
        out.append(employer())
    if has("title"):
        out.append(similar("title"))
    if has("schools"):
        out.append(cl.PairwiseStringDistanceFunctionAtThresholds("schools", "jaro_winkler", [0.92, 0.8]))
    return out


def given_name():
    """Splink's comparison of names, with a level for short forms after the exact one."""
    levels = [
        cll.NullLevel("given_name"),
        cll.ExactMatchLevel("given_name").configure(tf_adjustment_column="given_name"),
        cll.ArrayIntersectLevel("given_forms"),
        *[cll.JaroWinklerLevel("given_name", least) for least in (0.92, 0.88, 0.7)],
        cll.ElseLevel(),
    ]
    return cl.CustomComparison(output_column_name="given_name", comparison_levels=levels)


def similar(column):
    """Values that are longer than names and less often exact."""
    return cl.JaroWinklerAtThresholds(column, [0.92, 0.8]).configure(term_frequency_adjustments=True)


def employer():
    """The present employer by its frequency; else any that the record has, by name, domain or first letters."""
    levels = [
        cll.NullLevel("employers"),
        cll.ExactMatchLevel("employer").configure(tf_adjustment_column="employer"),
        cll.ArrayIntersectLevel("employers"),
        *[cll.PairwiseStringDistanceFunctionLevel("employers", "jaro_winkler", least) for least in (0.92, 0.8)],
        cll.ElseLevel(),
    ]
    return cl.CustomComparison(output_column_name="employer", comparison_levels=levels)


def rules_of_pairs(has):
    """Which pairs are looked at: generous, so that a match is not lost before it is weighed."""
    swapped = "l.given_name = r.family_name and l.family_name = r.given_name"
    out = [block_on("family_name"), swapped]
    if has("birth_date"):
        # Few enough records have an address to look at every namesake.
        out += [block_on("given_name"), block_on("birth_date")]
    out += [block_on(column) for column in ("street", "postal_code", "city") if has(column)]
    lists = [column for column in ("employers", "schools") if has(column)]
    return out + [block_on(column, arrays_to_explode=[column]) for column in lists]


def sure_rules(has):
    """Pairs of which nearly all are matches: their number tells how likely a match is at all."""
    out = []
    if has("birth_date"):
        out += [block_on("full_name", "birth_date"), block_on("street_number", "street", "birth_date")]
    if has("postal_code"):
        out.append(block_on("full_name", "postal_code"))
    lists = [column for column in ("employers", "schools") if has(column)]
    return out + [f"l.full_name = r.full_name and list_has_any(l.{column}, r.{column})" for column in lists]


def rules_of_training(has):
    """Blockings for expectation maximisation: each trains what it does not block on.

    Its documentation wants matches to be between 1 and 99 % of the pairs of a blocking. Hardly one in a thousand who share an
    employer or a city is one person, so these are blocked on in twos.
    """
    blocks = [("given_name", "family_name"), ("birth_date",), ("postal_code",), ("employer", "city"), ("employer", "title")]
    return [block_on(*columns) for columns in blocks if has(*columns)]


def train(api, has):
    """A linker of the tables `records` and `requests`, trained."""
    settings = SettingsCreator(
        link_type="link_only",
        unique_id_column_name="id",
        comparisons=comparisons(has),
        blocking_rules_to_generate_predictions=rules_of_pairs(has),
        retain_matching_columns=False,
    )
    # Splink orders a pair by these names: records are left, requests right.
    tables = [api.register(table, dataset_display_name=f"of_{table}") for table in ("records", "requests")]
    # Below an error it tells each step, and warns of levels that no pair of a small data set reaches.
    linker = Linker(tables, settings, log_level=logging.ERROR)
    training = linker.training
    training.estimate_probability_two_random_records_match(sure_rules(has), recall=RECALL_OF_SURE_RULES)
    training.estimate_u_using_random_sampling(max_pairs=U_PAIRS, seed=SEED)
    for rule in rules_of_training(has):
        training.estimate_parameters_using_expectation_maximisation(rule)
    return linker
