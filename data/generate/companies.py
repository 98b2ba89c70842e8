"""Companies: made with the world, all at once, the largest first."""
import math
import random
from typing import NamedTuple, Optional

from text import ascii_text, slots, slug, uuid_text
from vocabulary import EXCHANGES, INDUSTRIES, LEGAL_FORMS, NAME_BEGINNINGS, NAME_ENDINGS, SIZES, TOP_LEVEL_DOMAINS

CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
# How work addresses are made (persons.work_mailbox), the frequent ways more often.
ADDRESS_PATTERNS = (0, 0, 0, 1, 1, 2, 3, 4, 5, 6)


class Company(NamedTuple):
    service_id: str
    name: str
    display: str
    legal_form: str
    domain: str
    industry: str
    # What its people do: a key of FUNCTIONS_OF_PROFILE.
    profile: str
    size: str
    type: str
    ticker: Optional[str]
    country: str
    city: 'City'  # of world.py
    employee_count: int
    founded: int
    # What follows linkedin.com/company/.
    linkedin_slug: str
    linkedin_id: str
    average_tenure: float
    # In 1, 3, 6 and 12 months.
    growth: tuple
    num_sources: int
    last_seen: str
    address_pattern: int

    def fields_of_person(self):
        """What a person has of the company at work, as JSON without braces."""
        return (
            f'"company_service_id":"{self.service_id}","company_name":"{self.name}",'
            f'"company_domain":"{self.domain}","company_linkedin_url":"linkedin.com/company/{self.linkedin_slug}",'
            f'"company_industry":"{self.industry}","company_size":"{self.size}"'
        )

    def record(self):
        """Its record as JSON."""
        tickers = ''
        if self.ticker:
            exchanges = EXCHANGES.get(self.country, ['otc'])
            exchange = exchanges[len(self.name) % len(exchanges)]
            tickers = f'{{"symbol":"{self.ticker}","exchange":"{exchange}"}}'
        growth_1m, growth_3m, growth_6m, growth_12m = self.growth
        linkedin_url = f'linkedin.com/company/{self.linkedin_slug}'
        return (
            f'{{"service_id":"{self.service_id}",'
            f'"name":{{"cleaned":"{self.name}","display":"{self.display}","raw":["{self.display}","{self.name}"]}},'
            f'"domain":"{self.domain}","industry":"{self.industry}","type":"{self.type}","size":"{self.size}",'
            f'"founded":{self.founded},"linkedin_url":"{linkedin_url}","linkedin_id":"{self.linkedin_id}",'
            f'"service_employee_count":{self.employee_count},"service_average_tenure":{self.average_tenure},'
            f'"service_employee_growth_rate":{{"1m":{growth_1m},"3m":{growth_3m},"6m":{growth_6m},"12m":{growth_12m}}},'
            f'"last_seen":"{self.last_seen}","num_sources":{self.num_sources},"tickers":[{tickers}],'
            f'"domains":[{{"domain":"{self.domain}"}}],'
            f'"socials":[{{"network":"linkedin","url":"{linkedin_url}"}}],"locations":[{{{self.city.fields}}}]}}'
        )


def make_companies(world, count):
    """`count` companies. They depend on the world's seed and on `count`."""
    maker = _Maker(world, count)
    return [maker.company(rank) for rank in range(count)]


class _Maker:
    """What has been given away already, and the draws. The order of draws is the output: it must stay."""

    def __init__(self, world, count):
        self.world = world
        self.count = count
        self.rng = random.Random(f'c{world.seed}')
        self.industries = slots([(industry, industry[1]) for industry in INDUSTRIES], 4096)
        self.names, self.domains, self.slugs, self.tickers = set(), set(), set(), set()
        # Beginnings of tickers to which no letter can be added any more.
        self.full_tickers = set()
        # Sizes follow Zipf's law: from `largest` employees down to about six.
        largest = min(400_000, 60 * count + 200)
        self.size_exponent = math.log(largest / 6.0) / math.log((count + 21) / 21.0)
        self.size_scale = largest * 21 ** self.size_exponent

    def company(self, rank):
        rng = self.rng
        country = self.world.countries[rng.randrange(4096)]
        industry, _, profile, nouns = self.industries[rng.randrange(4096)]
        name = self.name(country, rng.choice(nouns))
        domain = self.domain(name, country)
        scale = self.size_scale / (rank + 21) ** self.size_exponent
        employee_count = max(1, min(900_000, int(scale * rng.lognormvariate(0, .5))))
        city = self.city(country)
        legal_form = rng.choice(LEGAL_FORMS.get(country, ['ltd']))
        kind = self.type(rank, industry, profile)
        ticker = self.ticker(name) if kind == 'public' else None
        linkedin_id = str(1000 + rank * 37 + rng.randrange(37))
        linkedin_slug = self.linkedin_slug(name, linkedin_id)
        service_id = uuid_text(rng.getrandbits(128).to_bytes(16, 'big').hex(), 'a')
        growth = tuple(
            round(rng.gauss(mean, deviation), 4)
            for mean, deviation in ((.002, .01), (.008, .03), (.02, .06), (.04, .12))
        )
        years_to_grow = 0 if employee_count < 5000 else 15
        founded = int(2024 - min(160, rng.expovariate(1 / 22.0)) - years_to_grow)
        average_tenure = max(.3, round(rng.gauss(3.6, 1.5), 1))
        num_sources = 1 + min(40, int(employee_count ** .5 / 6)) + rng.randrange(3)
        year, months = (2026, (4, 10)) if rng.random() < .8 else (2025, (1, 13))
        last_seen = f'{year}-{rng.randrange(*months):02d}'
        title = name.title().replace("'S", "'s")
        display_form = legal_form.upper() if len(legal_form) < 4 else legal_form.title()
        address_pattern = rng.choice(ADDRESS_PATTERNS)
        return Company(
            service_id=service_id,
            name=name,
            display=f'{title} {display_form}',
            legal_form=legal_form,
            domain=domain,
            industry=industry,
            profile=profile,
            size=next(size for largest, size in SIZES if employee_count <= largest),
            type=kind,
            ticker=ticker,
            country=country,
            city=city,
            employee_count=employee_count,
            founded=founded,
            linkedin_slug=linkedin_slug,
            linkedin_id=linkedin_id,
            average_tenure=average_tenure,
            growth=growth,
            num_sources=num_sources,
            last_seen=last_seen,
            address_pattern=address_pattern,
        )

    def city(self, country):
        return self.world.cities[country][self.rng.randrange(4096)]

    def name(self, country, noun):
        rng = self.rng
        stem_draw = rng.random()
        stem = self.stem(country, stem_draw)
        is_bare = rng.random() < .22 and stem_draw < .5
        name = stem if is_bare else f'{stem} {noun}'
        if name in self.names and rng.random() < .8:
            additions = ('group', 'international', 'global', rng.choice(NAME_BEGINNINGS), self.city(country).name)
            name = f'{name} {rng.choice(additions)}'
        self.names.add(name)
        return name

    def stem(self, country, draw):
        """An invented word, one family name, two of them, two words, or a city."""
        rng = self.rng
        last_names = self.world.last_names[self.world.locales[country][0]]
        if draw < .5:
            return rng.choice(NAME_BEGINNINGS) + rng.choice(NAME_ENDINGS)
        if draw < .68:
            return last_names[rng.randrange(8192)][0]
        if draw < .8:
            return last_names[rng.randrange(8192)][0] + ' & ' + last_names[rng.randrange(8192)][0]
        if draw < .9:
            return rng.choice(NAME_BEGINNINGS) + ' ' + rng.choice(NAME_BEGINNINGS)
        return self.city(country).name

    def domain(self, name, country):
        separator = self.rng.choice(('', '', '', '-'))
        words = ascii_text(name).replace('-', ' ').split()
        base = separator.join(words).strip('-')[:40] or 'company'
        top_level = self.rng.choice(TOP_LEVEL_DOMAINS.get(country, [country.lower(), 'com']))
        domain = f'{base}.{top_level}'
        number = 2
        while domain in self.domains:
            domain = f'{base}{number}.{top_level}'
            number += 1
        self.domains.add(domain)
        return domain

    def type(self, rank, industry, profile):
        rng = self.rng
        if (rank < self.count * .02 and rng.random() < .6) or rng.random() < .004:
            return 'public'
        if profile == 'education':
            return 'educational'
        if profile == 'government':
            return 'government' if 'gov' in industry else 'nonprofit'
        return 'private' if rng.random() < .93 else 'nonprofit'

    def ticker(self, name):
        """Letters of the name, made unique. A company of a large world may get none: its three letters may have no free one."""
        rng, tickers = self.rng, self.tickers
        letters = ''.join(c for c in ascii_text(name).upper() if c.isalpha())
        ticker = letters[:rng.randrange(2, 5)]
        tries = 0
        while (ticker in tickers or not ticker) and ticker[:3] not in self.full_tickers:
            tries += 1
            if tries > 9999:
                self.full_tickers.add(ticker[:3])
            ticker = (ticker or 'X')[:3] + rng.choice(CAPITALS)
            if len(tickers) > 3000:
                ticker += rng.choice(CAPITALS)
        if ticker in tickers:
            return None
        tickers.add(ticker)
        return ticker

    def linkedin_slug(self, name, linkedin_id):
        rng = self.rng
        found = slug(name)
        if rng.random() >= .8:
            found = f'{found}-{rng.randrange(2, 99)}'
        if found in self.slugs:
            found = f'{found}-{linkedin_id}'
        self.slugs.add(found)
        return found
