"""What CRMs, event lists, spreadsheets and HR exports do to a person on the way into a request: a function a habit, its first line says which.

A noise changes the `Ask` it gets and says whether it could. `spoil` picks one to three of them, at most one a field and two for the name.
"""

import dataclasses
import re
import unicodedata

from lists import EMPLOYERS, KOREAN_FAMILIES, LETTERS, NICKNAMES, STREETS, TITLES

NOISES = {}
# These leave so little that neither the name nor the date nor the employer may be wrong as well.
ALONE = {"married_name", "only_the_year", "first_of_january"}
KEYS = "qwertyuiop asdfghjkl zxcvbnm"


@dataclasses.dataclass
class Ask:
    """Who is asked for: the words of the name, and the other fields of the request."""

    person: object
    given: list
    middle: list
    families: list
    fields: dict
    family_first: bool = False
    comma: bool = False
    prefix: str = ""
    suffix: str = ""
    in_parts: bool = False
    columns_swapped: bool = False

    changes: list = dataclasses.field(default_factory=list)

    def request(self):
        body = {**self.name(), **self.fields}
        return {field: value if field in ("birth_date", "postal_code", "country") else self.changed(value) for field, value in body.items()}

    def name(self):
        given = self.middle + self.given if "vietnamese" in self.person.customs else self.given + self.middle
        halves = [" ".join(given), " ".join(self.families)]
        if self.in_parts:
            return dict(zip(("first_name", "last_name"), halves[::-1] if self.columns_swapped else halves))
        if self.family_first or self.comma:
            halves.reverse()
        glue = ", " if self.comma else "" if is_hangul(halves[0]) else " "
        return {"full_name": " ".join(filter(None, [self.prefix, glue.join(halves)])) + self.suffix}

    def changed(self, text):
        for change in self.changes:
            text = change(text)
        return text

    def change_text(self, change):
        """Every text of the request will be changed; whether that makes a difference."""
        before = self.request()
        self.changes.append(change)
        return self.request() != before


def noise(field, weight):
    def register(function):
        NOISES[function.__name__] = (function, field, weight)
        return function
    return register


def spoil(ask, rng):
    """One to three noises; their names."""
    wanted, done, fields = rng.choices((1, 2, 3), (50, 35, 15))[0], [], []
    left = {name: weight for name, (_, field, weight) in NOISES.items() if field in ("name", "text") or field in ask.fields}
    while left and len(done) < wanted:
        name = rng.choices(list(left), list(left.values()))[0]
        function, field, _ = NOISES[name]
        del left[name]
        if name in ALONE and done:
            continue
        if fields.count(field) < (2 if field == "name" else 1) and field in (*ask.fields, "name", "text") and function(ask, rng):
            done.append(name)
            fields += ["name", "name", "birth_date", "company"] if name in ALONE else [field]
    return done


# The whole text.

@noise("text", 10)
def marks_dropped(ask, rng):
    """An export that knows only ASCII: Müller is Muller, Łódź is Lodz."""
    return ask.change_text(without_marks)


@noise("text", 10)
def umlauts_written_out(ask, rng):
    """Müller is Mueller, Åberg is Aaberg; French and Spanish have no such habit."""
    if ask.person.code not in ("de_DE", "sv_SE", "fi_FI"):
        return False
    return ask.change_text(lambda text: spell(text, LETTERS["german"]))


@noise("text", 1)
def read_in_another_encoding(ask, rng):
    """UTF-8 read as Latin-1: Müller is MÃ¼ller."""
    return not ask.person.native and ask.change_text(lambda text: "".join(
        letter.encode().decode("latin-1") if "\xa0" <= letter <= "ÿ" and letter.encode()[1] > 0xA0 else letter for letter in text))


@noise("text", 16)
def in_latin_letters(ask, rng):
    """Cyrillic, Greek and Korean as a passport or a colleague abroad writes them, with the English names of employer, school and city."""
    person, fields = ask.person, ask.fields
    titles = [row[0] for row in TITLES if fields.get("job_title") in [way.split(":")[-1] for way in row]]
    if not person.native or "job_title" in fields and not titles:
        return False
    english = {"company": person.english.get(fields.get("company")), "school": person.school[1], "job_title": titles and titles[0],
               "city": person.home.city.other if fields.get("city") == person.home.city.name else None}
    fields.pop("state", None)
    fields.update({field: english.get(field) or latin(value) for field, value in fields.items()})
    ask.families[0] = KOREAN_FAMILIES.get(ask.families[0], ask.families[0])
    for words in (ask.given, ask.middle, ask.families):
        words[:] = map(latin, words)
    ask.family_first = False
    return True


@noise("text", 4)
def all_upper_case(ask, rng):
    """A mainframe's capitals."""
    return ask.change_text(str.upper)


@noise("text", 4)
def all_lower_case(ask, rng):
    """Typed on a phone."""
    return ask.change_text(str.lower)


# Names.

@noise("name", 60)
def nickname(ask, rng):
    """Robert is Bob, Aleksandra is Ola."""
    known = nicknames(ask.person.code).get(ask.given[0].lower())
    if known:
        ask.given[:1] = [rng.choice(known).title()]
    return bool(known)


@noise("name", 4)
def given_initial(ask, rng):
    """J. Smith."""
    if is_hangul(ask.given[0]) or not ask.fields.keys() & {"job_title", "city", "address", "birth_date", "postal_code"} or "school" in ask.fields:
        return False
    ask.given[:], ask.middle[:] = [ask.given[0][0] + "."], [word[0] + "." for word in ask.middle if rng.random() < 0.5]
    return True


@noise("name", 14)
def middle_dropped(ask, rng):
    """No middle name, second given name or patronymic."""
    had = bool(ask.middle) or " " in ask.given[0]
    ask.middle[:], ask.given[0] = [], ask.given[0].split()[0]
    return had


@noise("name", 5)
def middle_initial(ask, rng):
    """John Q. Smith for John Quentin Smith."""
    if not ask.middle or len(ask.middle[0]) < 3 or ask.person.native and rng.random() < 0.5:
        return False
    ask.middle[:] = [word[0] + "." * rng.randint(0, 1) for word in ask.middle]
    return True


@noise("name", 3)
def middle_added(ask, rng):
    """A middle initial of which the record does not know."""
    if ask.middle or "middle" not in ask.person.customs:
        return False
    ask.middle[:] = [rng.choice("ABCDEFGHJKLMNPRSTW") + "."]
    return True


@noise("name", 20)
def one_family_name(ask, rng):
    """One of two family names: in Spanish the first stays, in Portuguese the last."""
    if len(ask.families) < 2:
        return False
    ask.families[:] = [ask.families[-1 if "last" in ask.person.customs else 0]]
    return True


@noise("name", 5)
def families_hyphenated(ask, rng):
    """García-López: the two family names for a system that takes one."""
    if len(ask.families) < 2:
        return False
    ask.families[:] = ["-".join(ask.families)]
    return True


@noise("name", 20)
def particle_written_otherwise(ask, rng):
    """van der Berg is Vd Berg, VanderBerg or Berg, da Silva is Silva."""
    found = re.match(r"((?:van|der|den|de|het|ten|ter|'t|da|dos|das|do|di|del|la)\s)+", ask.families[0], re.IGNORECASE)
    if not found:
        return False
    particles, rest = found.group().split(), ask.families[0][found.end():]
    ways = [rest, "".join(particles).title() + rest, found.group().title() + rest, "".join(word[0] for word in particles) + " " + rest][:len(particles) + 2]
    ask.families[0] = rng.choice(ways)
    return True


@noise("name", 4)
def married_hyphen(ask, rng):
    """A second family name by marriage."""
    if ask.person.sex != "female" or len(ask.families) > 1 or ask.person.native or ask.person.family_first or "romanized" in ask.person.customs:
        return False
    halves = [ask.families[0], ask.person.spouse_family]
    ask.families[0] = "-".join(halves if rng.random() < 0.6 else halves[::-1])
    return True


@noise("name", 20)
def married_name(ask, rng):
    """Another family name by marriage; the birth date, the employer and the city have to suffice."""
    if ask.person.sex != "female" or len(ask.families) > 1 or ask.person.family_first or "birth_date" not in ask.fields:
        return False
    ask.families[:] = [ask.person.spouse_family]
    ask.fields["company"], ask.fields["city"] = ask.person.jobs[0].employer.name, ask.person.home.city.name
    return True


@noise("name", 4)
def other_order(ask, rng):
    """Smith John, or the two columns mixed up; Nagy Éva abroad is Éva Nagy."""
    ask.family_first, ask.columns_swapped = not ask.family_first, not ask.columns_swapped
    return not is_hangul(ask.families[0])


@noise("name", 5)
def comma_order(ask, rng):
    """Smith, John."""
    ask.comma, ask.in_parts = not is_hangul(ask.families[0]), False
    return ask.comma


@noise("name", 6)
def name_slip(ask, rng):
    """A slip of typing in one word of the name."""
    words = rng.choice((ask.given, ask.families))
    words[0], before = slip(words[0], rng), words[0]
    return words[0] != before


@noise("name", 3)
def academic_or_other_title(ask, rng):
    """Dr. before, or PhD, MBA, Jr. after the name."""
    if ask.in_parts or ask.person.native:
        return False
    if ask.comma or rng.random() < 0.5:
        ask.prefix = rng.choice({"de_DE": ("Dr.", "Prof. Dr.", "Herr" if ask.person.sex == "male" else "Frau", "Dipl.-Ing."), "it_IT": ("Dott.", "Ing."),
                                 "es_MX": ("Lic.", "Ing."), "pl_PL": ("dr", "mgr"), "cs_CZ": ("Ing.", "Mgr.")}.get(ask.person.code, ("Dr.", "Prof.", "Dr")))
    else:
        ask.suffix = rng.choice((", PhD", ", MBA", " MBA", ", PMP", " (she/her)" if ask.person.sex == "female" else " (he/him)"))
    return True


@noise("name", 18)
def hyphen_or_space(ask, rng):
    """Hans-Peter is Hans Peter or Hanspeter, O'Neill is ONeill or O Neill."""
    for words, own in ((ask.given, ask.person.given), (ask.families, ask.person.families)):
        if re.search("[-'’]", own[0]):
            words[0] = words[0].replace("-", " ") if rng.random() < 0.5 else re.sub(r"-(\w)", lambda found: found[1].lower(), words[0])
            words[0] = re.sub("['’]", rng.choice(("", " ")), words[0])
            return words[0] != own[0]
    return False


# Employers.

@noise("company", 16)
def legal_form_dropped(ask, rng):
    """Koch Logistik for Koch Logistik GmbH."""
    return replace(ask, "company", ask.person.core_of(ask.fields["company"]))


@noise("company", 5)
def another_legal_form(ask, rng):
    """Guessed by whoever typed it."""
    core = ask.person.core_of(ask.fields["company"])
    return replace(ask, "company", rng.choice(ask.person.country.legal).format(core)) if core != ask.fields["company"] and not ask.person.native else False


@noise("company", 12)
def employer_words_shortened(ask, rng):
    """Mfg, Ind., Transp., & for and."""
    return replace(ask, "company", exchange(ask.fields["company"], EMPLOYERS, rng, 1))


@noise("company", 4)
def employer_in_short(ask, rng):
    """Its first letters, or its first word if that is long."""
    words = re.findall(r"[\w'’]+", ask.person.core_of(ask.fields["company"]))
    if len(first_letters(words)) >= 3:
        return replace(ask, "company", first_letters(words))
    is_trade = any(words[0] in trade for trade in ask.person.country.trades + ask.person.country.public)
    return replace(ask, "company", words[0]) if len(words) == 2 and len(words[0]) > 4 and not is_trade else False


@noise("company", 7)
def place_or_department_added(ask, rng):
    """Acme (Germany), Acme - Sales."""
    country, city = ask.person.country.name, ask.person.jobs[0].employer.city.name
    more = rng.choice((f" ({country})", f" {country}", f" - {city}", " - Sales", ", IT Department", " HQ", " / HR"))
    return replace(ask, "company", ask.person.core_of(ask.fields["company"]) + more)


@noise("company", 5)
def previous_employer(ask, rng):
    """The list is old; the city or the title is there, too."""
    if len(ask.person.jobs) < 2 or not ask.fields.keys() & {"city", "job_title"} or ask.fields["company"] != ask.person.jobs[0].employer.name:
        return False
    return replace(ask, "company", ask.person.jobs[1].employer.name)


# Titles.

@noise("job_title", 16)
def title_of_same_meaning(ask, rng):
    """Abbreviated, reworded or translated: Sales Mgr, Head of Sales, Vertriebsleiter for Sales Manager."""
    ways = same_titles(ask.fields["job_title"], ask.person.code[:2])
    return replace(ask, "job_title", rng.choice(ways)) if ways else False


@noise("job_title", 5)
def title_longer(ask, rng):
    """A rank before or a department after it."""
    title, city = ask.fields["job_title"], ask.person.jobs[0].employer.city.name
    return replace(ask, "job_title", rng.choice((f"Senior {title}", f"{title} II", f"{title} - EMEA", f"{title}, {city}", f"{title} / Consultant")))


@noise("job_title", 4)
def title_cut(ask, rng):
    """The first word, or as many letters as the column takes."""
    title = ask.fields["job_title"]
    return replace(ask, "job_title", title[:20].strip() if len(title) > 20 else re.split(r"\W", title)[0]) if len(title) > 8 else False


@noise("job_title", 3)
def previous_title(ask, rng):
    """The title of the job before."""
    return replace(ask, "job_title", ask.person.jobs[1].title) if len(ask.person.jobs) > 1 else False


# Places.

@noise("city", 8)
def suburb_or_metropolis(ask, rng):
    """The large city for its suburb, a suburb for the large city; where one works for where one lives."""
    home = ask.person.home
    return replace(ask, "city", home.city.name if home.suburb else rng.choice(home.city.suburbs))


@noise("city", 8)
def city_spelt_otherwise(ask, rng):
    """München is Munich, Saint Paul is St. Paul, 's-Gravenhage is Den Haag."""
    return replace(ask, "city", ask.person.home.city.other) if ask.fields["city"] == ask.person.home.city.name else False


@noise("city", 5)
def city_with_more(ask, rng):
    """The state or the country in the same column."""
    city = ask.person.home.city
    return replace(ask, "city", f"{ask.fields['city']}, {rng.choice((city.state, ask.person.country.name, ask.person.code[-2:]))}")


# Schools.

@noise("school", 8)
def school_in_english(ask, rng):
    """The school's English name."""
    return replace(ask, "school", ask.person.school[1])


@noise("school", 8)
def school_in_short(ask, rng):
    """TU München, IIT Bengaluru."""
    return replace(ask, "school", ask.person.school[2]) if ask.fields["school"] == ask.person.school[0] else False


@noise("school", 5)
def faculty_added(ask, rng):
    """A faculty or a degree with the school."""
    return replace(ask, "school", rng.choice(("{}, Faculty of Economics", "{} (MBA)", "{} - Law", "BSc, {}", "{} Alumni")).format(ask.fields["school"]))


# Dates of birth, always YYYY[-MM[-DD]].

@noise("birth_date", 12)
def day_and_month_swapped(ask, rng):
    """3 April for 4 March."""
    year, month, day = ask.person.birth.split("-")
    return replace(ask, "birth_date", f"{year}-{day}-{month}") if int(day) <= 12 else False


@noise("birth_date", 8)
def only_the_year(ask, rng):
    """The year, or the year and the month."""
    return replace(ask, "birth_date", ask.person.birth[:rng.choice((4, 4, 7))])


@noise("birth_date", 5)
def digit_slip(ask, rng):
    """One digit of the year or the day is another."""
    year, month, day = ask.person.birth.split("-")
    if rng.random() < 0.5:
        return replace(ask, "birth_date", f"{int(year) + rng.choice((-10, -1, 1, 10))}-{month}-{day}")
    return replace(ask, "birth_date", f"{year}-{month}-{(int(day) + rng.choice((1, 2, 10))) % 28 + 1:02}")


@noise("birth_date", 4)
def first_of_january(ask, rng):
    """Only the year was known, the form wanted a day."""
    return replace(ask, "birth_date", ask.person.birth[:4] + "-01-01")


# Addresses.

@noise("address", 25)
def street_words_exchanged(ask, rng):
    """Street is St, ul. is ulica."""
    return replace(ask, "address", exchange(ask.fields["address"], STREETS, rng, 0.5))


@noise("address", 14)
def unit_dropped(ask, rng):
    """No flat, floor or suite."""
    unit = r"[, ]+(Apt\.?|Suite|Piso|Puerta|Edif\.?|Interior|Bl\.|D:|кв\.|Appartamento|Piano) .*$|(?<=\d)/\d+$|^(Flat|Studio) \d+\w?, "
    return replace(ask, "address", re.sub(unit, "", ask.fields["address"]))


@noise("address", 24)
def unit_written_otherwise(ask, rng):
    """#12, Unit 12, 12/34."""
    return replace(ask, "address", re.sub(r"(?:Apt\.|Suite|Flat|Studio) (\d+\w?)", rng.choice((r"#\1", r"Unit \1", r"No. \1")), ask.fields["address"]))


@noise("address", 5)
def address_on_one_line(ask, rng):
    """The postal code and the city stand with the street."""
    home = ask.person.home
    ask.fields.pop("postal_code", None)
    return replace(ask, "address", f"{ask.fields['address']}, {home.postal_code} {home.town}")


@noise("address", 16)
def moved(ask, rng):
    """The address before the last move; the birth date and the employer have to suffice."""
    if not ask.person.old_address:
        return False
    ask.fields.pop("postal_code", None)
    ask.fields.update(birth_date=ask.person.birth, company=ask.person.jobs[0].employer.name)
    return replace(ask, "address", ask.person.old_address)


# Slips of typing in what is not the name: company_slip, city_slip, school_slip, address_slip.

def slip_in(field):
    def function(ask, rng):
        return replace(ask, field, slip(ask.fields[field], rng))
    function.__name__ = f"{field}_slip"
    return function


for of, often in {"company": 5, "city": 3, "school": 3, "address": 5}.items():
    noise(of, often)(slip_in(of))


# What the above are made of.

def replace(ask, field, value):
    changed = bool(value) and value != ask.fields[field]
    if changed:
        ask.fields[field] = value
    return changed


def slip(text, rng):
    """Two letters exchanged, one left out, doubled, or its neighbour on the keyboard; never the first letter, never a digit."""
    places = [at for at in range(1, len(text) - 1) if text[at].isalpha() and text[at + 1].isalpha() and text[at - 1].isalpha()]
    if len(text) < 4 or not places or is_hangul(text[0]):
        return text
    at, way = rng.choice(places), rng.randrange(4)
    letter = text[at]
    if way == 0:
        return text[:at] + text[at + 1] + letter + text[at + 2:]
    near = KEYS.find(letter.lower())
    if way == 1 and near > 0 and KEYS[near - 1] != " ":
        return text[:at] + KEYS[near - 1] + text[at + 1:]
    return text[:at] + (letter * 2 if way == 2 else "") + text[at + 1:]


def first_letters(words):
    return "".join(word[0] for word in words if word not in "de of and et y e und en och ja ve és și i a и і και".split()).upper()


def pairs(table):
    return [tuple(pair.split(":")) for pair in table.split(" ")]


def spell(text, table):
    """Letter for letter by a table of lists.py."""
    spelt = dict(pairs(table))
    return "".join(match_case(spelt[letter.lower()], letter) if letter.lower() in spelt else letter for letter in text)


def match_case(new, old):
    return new.capitalize() if old.isupper() else new


def without_marks(text):
    if re.search("[\u0370-\u04ff\uac00-\ud7a3]", text):
        return text
    bare = unicodedata.normalize("NFD", spell(text.replace("İ", "I"), LETTERS["plain"]))
    return "".join(letter for letter in bare if not unicodedata.combining(letter))


def latin(text):
    """Cyrillic, Greek and Korean in Latin letters, as plainly as they can be."""
    if not re.search("[\u0370-\u04ff\uac00-\ud7a3]", text):
        return text
    greek = unicodedata.normalize("NFD", text.replace("ου", "ou").replace("ού", "ou").replace("Ου", "Ou")) if re.search("[α-ω]", text) else text
    text = "".join(letter for letter in greek if not unicodedata.combining(letter))
    text = re.sub("[\uac00-\ud7a3]+", lambda found: "".join(map(syllable, found.group())).capitalize(), text)
    return spell(text, LETTERS["native"]).replace("«", "").replace("»", "")


def syllable(letter):
    """One Korean syllable by the Revised Romanization, without what its neighbours do to it."""
    at = ord(letter) - 0xAC00
    first = "g kk n d tt r m b pp s ss - j jj ch k t p h".split()[at // 588].strip("-")
    middle = "a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i".split()[at % 588 // 28]
    last = "- k k ks n nj nh t l lk lm lp ls lt lp lh m p ps t t ng t t k t p t".split()[at % 28].strip("-")
    return first + middle + last


def is_hangul(text):
    return "\uac00" <= text[0] <= "\ud7a3"


def nicknames(code):
    words = NICKNAMES.get("en" if code == "fil_PH" else code[:2], "")
    return {long: short.split(",") for long, short in pairs(words)} if words else {}


def same_titles(title, language):
    """The others of its row: the English ones and that of the language."""
    rows = [[way.removeprefix(language + ":") for way in row] for row in TITLES]
    return [way for row in rows if title in row for way in row if way != title and ":" not in way]


def exchange(text, table, rng, short_share):
    """The long words of a table for its short ones, or the other way round."""
    shorten = rng.random() < short_share
    for long, short in pairs(table):
        old, new = (long, short) if shorten else (short, long)
        edge = r"(?<=\w)" if old[0] == "-" else r"(?<!\w)"
        text = re.sub(rf"{edge}{re.escape(old.strip('-'))}(?!\w)", new.strip("-"), text, count=1)
    return text
