"""What records are drawn from: countries, names, cities, schools and titles with their shares, and the companies."""
import json
import os
import random
from bisect import bisect_right
from itertools import accumulate
from typing import NamedTuple

from companies import make_companies
from text import ascii_text, slots
from vocabulary import DECISION_MAKERS, FUNCTIONS_OF_PROFILE, LEVELS, SKILLS, TITLES, YEARS_OF_EXPERIENCE

POOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'pools.json')
# The year and month of the data: nothing in it is later.
PRESENT_YEAR, PRESENT_MONTH = 2026, 9


class City(NamedTuple):
    name: str
    # Its keys and values in a record, as JSON without braces.
    fields: str
    state: str
    state_code: str


class Title(NamedTuple):
    name: str
    # Of a record, as JSON without braces: the title itself, and what follows from level and function.
    title_field: str
    level_fields: str


class World:
    """Drawn from by index; each list has a power of two of slots, so that an index is some bits of a random number."""

    def __init__(self, seed, company_count):
        with open(POOLS, encoding='utf-8') as file:
            pools = json.load(file)
        self.seed = seed
        # Of each country: the code for calls, how many digits are free, and what may stand before these.
        self.phones = pools['phones']
        self.nicknames = pools['nicknames']
        self.country_names = pools['countries']
        self.countries = slots(list(pools['weights'].items()), 4096)
        self.locales = {country: locale_slots(locales) for country, locales in pools['locales'].items()}
        self.first_names, self.last_names = {}, {}
        for locale, (first_names, last_names) in pools['names'].items():
            self.first_names[locale] = name_slots(first_names, 4096, offset=6, exponent=.75)
            self.last_names[locale] = name_slots(last_names, 8192, offset=8, exponent=.8)
        self.cities = {
            country: city_slots(cities, country, pools['countries'][country])
            for country, cities in pools['cities'].items()
        }
        self.schools = {
            country: slots([(tuple(school), 1 / (rank + 3)) for rank, school in enumerate(schools)], 256)
            for country, schools in pools['schools'].items()
        }
        self.functions = {
            profile: slots(list(shares.items()), 256) for profile, shares in FUNCTIONS_OF_PROFILE.items()
        }
        self.levels = slots(LEVELS, 256)
        self.titles = {
            (function, level): title_slots(function, level) for function in TITLES for level in YEARS_OF_EXPERIENCE
        }
        self.skills = {function: skill_slots(skills) for function, skills in SKILLS.items()}
        self.dates = date_slots()
        self.companies = make_companies(self, company_count)
        self.company_fields = [company.fields_of_person() for company in self.companies]
        # Up to which draw of 32 bits each company is meant: a large one employs more.
        shares = [company.employee_count ** .75 for company in self.companies]
        total = float(sum(shares)) or 1.0
        self.company_bounds = [int(share / total * 2 ** 32) for share in accumulate(shares)]
        self.company_bounds[-1] = 2 ** 32

    def company_index(self, draw):
        """The company that a draw of 32 bits means, by its place in `companies`."""
        return bisect_right(self.company_bounds, draw)


def locale_slots(locales):
    weights = (12, 3, 2, 1)
    return slots([(locale, weights[min(rank, 3)]) for rank, locale in enumerate(locales)], 64)


def name_slots(names, count, offset, exponent):
    """Pairs: a name as records have it, and as addresses have it."""
    return slots([
        ((name.lower(), ascii_text(name).replace(' ', '')), 1 / (rank + offset) ** exponent)
        for rank, name in enumerate(names)
    ], count)


def city_slots(cities, country_code, country):
    weighted = []
    for name, state_code, state, weight in cities:
        name = name.lower()
        fields = (
            f'"city":"{name}","state":"{state}","state_code":"{state_code}",'
            f'"country":"{country}","country_code":"{country_code}"'
        )
        weighted.append((City(name, fields, state, state_code), weight ** .85))
    return slots(weighted, 4096)


def title_slots(function, level):
    of_function = TITLES[function]
    names = of_function.get(level) or TITLES['executive'].get(level) or of_function['senior']
    is_decision_maker = 'true' if level in DECISION_MAKERS else 'false'
    level_fields = f'"seniority_level":"{level}","job_function":"{function}","is_decision_maker":{is_decision_maker}'
    return slots([
        (Title(name, f'"job_title":"{name}"', level_fields), 1 / (rank + 1.5)) for rank, name in enumerate(names)
    ], 64)


def skill_slots(skills):
    """Sixteen selections of three to five skills, as JSON."""
    selections = []
    for number in range(16):
        selected = random.Random(number).sample(skills, min(len(skills), 3 + number % 3))
        selections.append(json.dumps(sorted(selected), separators=(',', ':')))
    return selections


def date_slots():
    """When data points were last seen: mostly this year."""
    rng = random.Random(4242)
    dates = []
    for draw in [rng.random() for _ in range(512)]:
        year = PRESENT_YEAR if draw < .62 else PRESENT_YEAR - 1 if draw < .9 else PRESENT_YEAR - 2
        month = rng.randrange(1, PRESENT_MONTH + 1 if year == PRESENT_YEAR else 13)
        day = rng.randrange(1, 29)
        dates.append(f'{year:04d}-{month:02d}-{day:02d}')
    return dates
