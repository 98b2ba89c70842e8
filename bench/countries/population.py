"""People of 27 countries by the package Faker, and what they are asked for by, as files for `score --population FOLDER`.

    python population.py SEED FOLDER

Faker gives the names, streets, postal codes and half of the titles; how a country puts them together, who works where with whom, and who shares
a name or a home with whom is drawn here, by Zipf rather than evenly. `persons.ndjson` is the build, `queries.ndjson` a request a line. 1,500
people are left out and asked for all the same: some are anybody, some bear the name of a person of the build, some live in the home of one.
"""

import dataclasses
import datetime
import difflib
import functools
import json
import pathlib
import random
import re
import sys
import uuid

import faker

from lists import COUNTRIES, KOREAN_FAMILIES, TITLES
from noise import Ask, first_letters, latin, nicknames, same_titles, spoil, without_marks

PERSONS, LEFT_OUT, ASKED = 15_000, 1_500, 9_000
KINDS = {"name_company": 24, "name_company_title": 18, "name_company_city": 18, "name_school": 10, "name_birth_city": 12, "name_address": 10,
         "name_old_company": 8}
# What the build may not know of a person, and of how many.
UNKNOWN = {"birth_date": 0.15, "street_address": 0.2, "middle_name": 0.2, "school": 0.15}
# How many have a second given name, a patronymic or the mother's family name, by the country's customs.
MIDDLE = {"middle": 0.45, "patronymic": 0.6, "maiden": 0.5, "vietnamese": 1, "last": 0.2}
# Where a family name has a form for women.
GENDERED = "pl_PL cs_CZ ru_RU uk_UA el_GR".split()
# Where the other spelling of a city is its English name.
ENGLISH_CITIES = "de_DE fr_FR es_ES it_IT pl_PL cs_CZ sv_SE tr_TR ro_RO vi_VN ru_RU uk_UA el_GR ko_KR".split()
OF_STRANGERS = {"anybody": (40, KINDS), "namesake": (35, {**KINDS, "name_address": 0}), "at_home": (15, {"name_address": 7, "name_birth_city": 3}),
                "colleague": (10, {"name_company": 5, "name_company_title": 3, "name_company_city": 2})}


@dataclasses.dataclass
class City:
    name: str
    other: str
    state: str
    suburbs: list


@dataclasses.dataclass
class Employer:
    name: str
    core: str
    english: str
    city: City


@dataclasses.dataclass
class Job:
    employer: Employer
    title: str
    start: int
    end: int | None


@dataclasses.dataclass
class Home:
    city: City
    suburb: str
    street: str
    postal_code: str

    @property
    def town(self):
        return self.suburb or self.city.name


@dataclasses.dataclass
class Person:
    identifier: str
    code: str
    sex: str
    given: list
    middle: list
    families: list
    spouse_family: str
    birth: str
    home: Home
    old_address: str
    jobs: list
    school: list
    employers: list
    unknown: set
    stranger: str = ""

    country = property(lambda self: COUNTRIES[self.code])
    customs = property(lambda self: self.country.customs)
    native = property(lambda self: "native" in self.customs)
    family_first = property(lambda self: "familyfirst" in self.customs)

    def core_of(self, name):
        """An employer's name without its legal form."""
        return next((employer.core for employer in self.employers if employer.name == name), name)

    @property
    def english(self):
        """What abroad calls the employers of those who write in another script."""
        return {employer.name: employer.english for employer in self.employers}


class Zipf:
    """Values of which few are frequent and many are rare."""

    def __init__(self, values, rng, flat):
        self.values, self.rng = list(values), rng
        self.weights = [1 / (rank + flat) for rank in range(len(self.values))]

    def draw(self):
        return self.rng.choices(self.values, self.weights)[0]


class Land:
    """What the people of one country have in common: its names, cities, employers and schools."""

    def __init__(self, code, seed):
        self.code, self.country = code, COUNTRIES[code]
        self.rng = random.Random(f"{seed} {code}")
        self.fake, given, family, english = sources = [faker.Faker(locale) for locale in (code, self.country.given, self.country.family, "en_US")]
        for source in sources:
            source.seed_instance(f"{seed} {code}")
        romanized = "romanized" in self.country.customs
        self.given = {sex: self.pool(given.first_romanized_name if romanized else getattr(given, f"first_name_{sex}")) for sex in ("male", "female")}
        male = self.pool(family.last_romanized_name if romanized else family.last_name_male)
        self.family = {"male": male, "female": self.pool(family.last_name_female) if code in GENDERED else male}
        middle = getattr(self.fake, "middle_name", None)
        self.middle = {sex: self.pool(getattr(self.fake, f"middle_name_{sex}", middle)) for sex in ("male", "female")} if middle else self.given
        self.cities = Zipf([city(text) for text in self.country.cities], self.rng, 2)
        self.employers = self.found_employers(12 * self.country.persons)
        jobs = english if romanized else self.fake
        self.titles = Zipf(dict.fromkeys(tidy_title(jobs.job()) for _ in range(300)), self.rng, 20)
        self.business = self.business_titles()

    def pool(self, make):
        return Zipf(dict.fromkeys(make() for _ in range(1500)), self.rng, 12)

    def business_titles(self):
        """The English ones of lists.py and rather those of the country's language; in another script only these."""
        own = [word.split(":")[1] for row in TITLES for word in row if word.startswith(self.code[:2] + ":")]
        return own or self.titles.values[:20] if self.native_letters() else own * 2 + [row[0] for row in TITLES]

    def native_letters(self):
        return "native" in self.country.customs

    def found_employers(self, number):
        found = {}
        while len(found) < number:
            place = self.cities.draw()
            is_public, called = self.rng.random() < 0.12, self.called()
            own, _, english = self.rng.choice(self.country.public if is_public else [*self.country.trades, "{}={}"]).partition("=")
            core = own.format(place.name if is_public else called)
            name = core if is_public else self.rng.choice(self.country.legal).format(core)
            abroad = english.format(place.other if is_public else KOREAN_FAMILIES.get(called, latin(called)))
            found.setdefault(bare(core), Employer(name, core, abroad or name, place))
        return Zipf(found.values(), self.rng, 6)

    def called(self):
        """What an employer is called by: a family, two of them, letters, or a word that somebody made up."""
        way, family = self.rng.random(), lambda: self.family["male"].draw()
        if way < 0.45 or self.native_letters() and self.code != "ko_KR":
            return family()
        if way < 0.55 and self.code != "ko_KR":
            return f"{family()} & {family()}"
        if way < 0.7:
            return "".join(self.rng.choices("ABCDEFGIKLMNPRST", k=3))
        if self.code == "ko_KR":
            return "".join(self.rng.choices("한대우성진동신미래세아주일", k=2))
        return "".join(self.rng.choices("ve no lu ta mar sol cor ri den al tek bra mi fon ser ka".split(), k=self.rng.choice((2, 3)))).capitalize()

    def name(self, sex):
        """Given names, middle names, family names."""
        customs, rng = self.country.customs, self.rng
        given, middle, families = [self.given[sex].draw()], [], [self.family[sex].draw()]
        if "two" in customs or "last" in customs:
            families.append(self.family[sex].draw())
        if rng.random() < max((MIDDLE.get(custom, 0) for custom in customs), default=0):
            second = self.family[sex] if "maiden" in customs else self.given[sex] if "last" in customs or "middle" in customs else self.middle[sex]
            middle.append(second.draw())
        if "hyphen" in customs and rng.random() < 0.06 and "-" not in given[0] and "-" not in (second := self.given[sex].draw()):
            given = [f"{given[0]}-{second}"]
        return given, middle, families

    def home(self, place):
        return Home(place, self.rng.choice(place.suburbs) if self.rng.random() < 0.35 else "", self.street(), self.fake.postcode())

    def street(self):
        number, family = self.rng.randint(1, 140), self.family["male"].draw()
        own = {"tr_TR": f"{family} Sokak No: {number} D: {self.rng.randint(1, 20)}",
               "ja_JP": f"{number % 8 + 1}-{number % 30 + 1}-{number % 17 + 1} {family}-cho",
               "zh_CN": f"No. {number} {family}{self.family['male'].draw().lower()} Road", "ko_KR": f"{self.given['female'].draw()}로 {number}"}
        return own.get(self.code) or re.sub(r"\s*\n", ", ", self.fake.street_address()).strip()

    def career(self, birth_year):
        """The job of today first; an earlier one is rather in the same city."""
        start, end, jobs = self.rng.randint(2012, 2025), None, []
        for _ in range(self.rng.choices((1, 2, 3), (35, 40, 25))[0]):
            employer = self.employers.draw()
            if jobs and employer.city is not jobs[0].employer.city:
                employer = self.employers.draw()
            if start < birth_year + 18 or employer in [job.employer for job in jobs]:
                break
            title = self.rng.choice(self.business) if self.rng.random() < 0.5 else self.titles.draw()
            jobs.append(Job(employer, title, start, end))
            end, start = start, start - self.rng.randint(1, 7)
        return jobs

    def person(self, identifier):
        sex = self.rng.choice(("male", "female"))
        birth = datetime.date(1950, 1, 1) + datetime.timedelta(self.rng.triangular(0, 19_500, 13_000))
        jobs = self.career(birth.year) or [Job(self.employers.draw(), self.titles.draw(), 2025, None)]
        learnt = self.cities.draw()
        names = (learnt.name, learnt.other if self.code in ENGLISH_CITIES else learnt.name, learnt.name)
        school = [each.format(name) for each, name in zip(self.rng.choice(self.country.schools).split("="), names)]
        unknown = {field for field, share in UNKNOWN.items() if self.rng.random() < share}
        return Person(identifier, self.code, sex, *self.name(sex), self.family[sex].draw(), birth.isoformat(), self.home(jobs[0].employer.city),
                      self.street() if self.rng.random() < 0.3 else "", jobs, school, self.employers.values, unknown)

    def relative(self, identifier, other):
        """A son, a daughter, a spouse: the same home and family name, another given name and birth date."""
        person = self.person(identifier)
        while person.sex != other.sex and self.code in GENDERED or person.given[0][0] == other.given[0][0]:
            person = self.person(identifier)
        return dataclasses.replace(person, families=other.families, home=other.home, old_address="")

    def stranger(self, identifier, other, how):
        """Somebody left out who is like a person of the build."""
        person = self.person(identifier)
        if how == "at_home":
            return dataclasses.replace(self.relative(identifier, other), stranger=how)
        if how == "colleague":
            person = self.relative(identifier, other)
            return dataclasses.replace(person, jobs=other.jobs[:1], home=self.home(other.jobs[0].employer.city), stranger=how)
        if how == "namesake":
            while {person.home.city.name, person.school[0]} & {other.home.city.name, other.school[0]}:
                person = self.person(identifier)
            person = dataclasses.replace(person, sex=other.sex, given=other.given, families=other.families, middle=other.middle)
        return dataclasses.replace(person, stranger=how)


def main(seed, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(seed)
    lands = {code: Land(code, seed) for code in COUNTRIES}
    build = list(populate(lands, seed, rng))
    with open(folder / "persons.ndjson", "w", encoding="utf-8") as out:
        for person in build:
            print(json.dumps(record(person), ensure_ascii=False), file=out)
    bearers = by_word(build)
    with open(folder / "queries.ndjson", "w", encoding="utf-8") as out:
        for person in [*rng.sample(build, ASKED), *strangers(lands, build, seed, rng)]:
            kind, ask = draw_ask(person, rng)
            noises = spoil(ask, rng)
            if noises and is_knowable(ask, bearers):
                print(json.dumps(query(kind, ask, noises, rng), ensure_ascii=False), file=out)


def populate(lands, seed, rng):
    last, people = {}, [COUNTRIES[code].persons for code in COUNTRIES]
    for at in range(PERSONS):
        code = rng.choices(list(COUNTRIES), people)[0]
        identifier = str(uuid.uuid5(uuid.NAMESPACE_OID, f"countries-{seed}-{at}"))
        at_home = rng.random() < 0.12 and code in last
        last[code] = lands[code].relative(identifier, last[code]) if at_home else lands[code].person(identifier)
        yield last[code]


def strangers(lands, build, seed, rng):
    for at in range(LEFT_OUT):
        other = rng.choice(build)
        how = rng.choices(list(OF_STRANGERS), [weight for weight, _ in OF_STRANGERS.values()])[0]
        yield lands[other.code].stranger(str(uuid.uuid5(uuid.NAMESPACE_OID, f"countries-{seed}-out-{at}")), other, how)


def record(person):
    """What a build would hold: some do not know the birth date, the middle name, the school."""
    home, middle = person.home, [] if "middle_name" in person.unknown else person.middle
    return {
        "service_id": person.identifier,
        "full_name": Ask(person, person.given, middle, person.families, {}, person.family_first).name()["full_name"],
        "first_name": person.given[0],
        "middle_name": " ".join(middle) or None,
        "last_name": " ".join(person.families),
        "birth_date": None if "birth_date" in person.unknown else person.birth,
        "locations": [{"street_address": None if "street_address" in person.unknown else home.street, "city": home.town, "state": home.city.state,
                       "country": person.country.name, "postal_code": home.postal_code}],
        "company_name": person.jobs[0].employer.name,
        "job_title": person.jobs[0].title,
        "experience": [{"company_name": job.employer.name, "title": job.title, "is_current": job.end is None, "start_date": f"{job.start}",
                        "end_date": job.end and f"{job.end}"} for job in person.jobs],
        "education": [] if "school" in person.unknown else [{"school": person.school[0]}],
    }


def draw_ask(person, rng):
    """A request without noise."""
    kinds = OF_STRANGERS[person.stranger][1] if person.stranger else KINDS
    lacking = {"name_birth_city": "birth_date", "name_address": "street_address", "name_school": "school"}
    kinds = {kind: weight for kind, weight in kinds.items() if (person.stranger or lacking.get(kind) not in person.unknown)
             and (kind != "name_old_company" or len(person.jobs) > 1)}
    kind = rng.choices(list(kinds), list(kinds.values()))[0]
    values = {"company": person.jobs[-1 if kind == "name_old_company" else 0].employer.name, "title": person.jobs[0].title, "city": person.home.town,
              "school": person.school[0], "birth": person.birth, "address": person.home.street}
    named = {"title": "job_title", "birth": "birth_date"}
    fields = {named.get(part, part): values[part] for part in kind.split("_") if part in values}
    if kind == "name_address":
        fields |= {"city": person.home.town} if rng.random() < 0.6 else {"postal_code": person.home.postal_code}
    if "city" in fields and rng.random() < 0.2:
        fields["state"] = person.home.city.state
    if rng.random() < 0.4:
        fields["country"] = person.country.name if rng.random() < 0.7 else person.code[-2:]
    ask = Ask(person, list(person.given), list(person.middle), list(person.families), fields, person.family_first, in_parts=rng.random() < 0.25)
    return kind, ask


def query(kind, ask, noises, rng):
    person = ask.person
    return {
        "entity": "person",
        "kind": f"none_{kind}" if person.stranger else kind,
        "noise": noises,
        "truth": None if person.stranger else person.identifier,
        "request": ask.request(),
        "names": [person.given[0], " ".join(person.families)],
    }


# Whether a careful reader of the whole build could know the answer.

def by_word(build):
    bearers = {}
    for person in build:
        for word in set(" ".join(person.given + person.middle + person.families).split()):
            bearers.setdefault((person.code, bare(word)), []).append(person)
    return bearers


def is_knowable(ask, bearers):
    """No person of the build but the one asked for fits what is left of the request as well."""
    person, fields = ask.person, ask.fields.keys() - {"country", "state", "postal_code"}
    own = len(fields) if person.stranger else sum(agrees(ask, person, field) for field in fields)
    if len(ask.fields.get("birth_date", "")) in (4, 7):
        own -= 1
    words = {bare(word) for words in (ask.given, ask.families, person.given, person.families) for word in " ".join(words).split()}
    others = {other.identifier: other for word in sorted(words) for other in bearers.get((person.code, word), [])}
    return own > 0 and not any(other is not person and may_be_called(ask, other) and is_rival(ask, other, fields, own) for other in others.values())


def is_rival(ask, other, fields, own):
    """Fits as well as the person asked for. With a stranger, a rival is who has the employer, the school or the address in common, too."""
    agreeing = [field for field in fields if agrees(ask, other, field)]
    return len(agreeing) >= own or ask.person.stranger and any(field in ("company", "school", "address") for field in agreeing)


def may_be_called(ask, person):
    words = [bare(word) for word in " ".join(ask.given + ask.middle + ask.families).replace("-", " ").split()]
    short = [bare(word) for word in nicknames(person.code).get(person.given[0].lower(), [])]
    given = [bare(word) for word in " ".join(person.given + person.middle).replace("-", " ").split()] + short
    families = [bare(word) for word in " ".join(person.families).replace("-", " ").split() if len(word) > 3 or len(person.families[0]) < 5]
    return any(alike(word, name) for word in words for name in families) and any(
        alike(word, name) or word[:3] == name[:3] or len(word) == 1 and word == name[0] for word in words for name in given)


def agrees(ask, person, field):
    asked, jobs = bare(ask.fields[field]), person.jobs
    if field == "company":
        cores = [bare(core) for job in jobs for core in (job.employer.core, job.employer.english)]
        return any(alike(asked, core, 0.7) or core in asked or asked in core for core in cores) or any(
            asked == bare(first_letters(re.findall(r"[\w'’]+", job.employer.core))) for job in jobs)
    if field == "job_title":
        ways = {bare(way) for job in jobs for way in (job.title, *same_titles(job.title, person.code[:2]))}
        return any(alike(asked, way, 0.6) or way in asked or asked in way for way in ways)
    if field == "city":
        return any(alike(bare(place), asked) or bare(place) in asked for place in (person.home.city.name, person.home.city.other, *person.home.city.suburbs))
    if field == "school":
        return any(alike(bare(name), asked) or bare(name) in asked for name in person.school)
    if field == "birth_date":
        return asked[:4] == person.birth[:4] or asked[4:] == bare(person.birth)[4:]
    return bool(set(re.findall(r"\w{4,}", asked)) & set(re.findall(r"\w{4,}", bare(person.home.street)))) and bool(
        set(re.findall(r"\d+", asked)) & set(re.findall(r"\d+", person.home.street)))


@functools.cache
def bare(text):
    return re.sub(r"[^\w ]", "", without_marks(latin(text))).lower().strip()


@functools.cache
def alike(one, other, least=0.8):
    return one == other or difflib.SequenceMatcher(None, one, other).ratio() >= least if abs(len(one) - len(other)) < 6 else False


def city(text):
    name, other, state, suburbs = re.fullmatch("(.*)=(.*)@(.*):(.*)", text).groups()
    return City(name, other, state, suburbs.split(","))


def tidy_title(title):
    """Faker's `Engineer, mining` as one would write it."""
    head, _, rest = re.sub(r" \(.*\)", "", title).partition(", ")
    words = f"{rest} {head.lower()}" if rest and " " not in head else title
    return words[0].upper() + words[1:]


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
