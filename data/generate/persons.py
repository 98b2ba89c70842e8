"""Persons: each is made of random bytes of its own, so that a million take half a minute.

A person has DRAWS numbers of 16 bits. What a number decides it is compared with (`< 900` is one in 73) or cut to the bits of an index.
Which number decides what is the output: it must stay.
"""
import random
from struct import Struct
from typing import NamedTuple, Optional

from companies import Company
from text import uuid_text
from vocabulary import CONFIDENCES, DEGREES, FIELDS_OF_STUDY, FREE_MAIL, YEARS_OF_EXPERIENCE
from world import PRESENT_YEAR

DRAWS = 56
# Persons whose random bytes are drawn at a time. The first N persons are the same however many there are.
BLOCK = 2000
MIDDLE_INITIALS = 'abcdefghijklmnoprstw'
TECHNICAL = ('engineering', 'information technology', 'research')
# How far a taken number of a phone, and of an address, moves on.
PHONE_STEP, ADDRESS_STEP = 7919, 97


class Facts(NamedTuple):
    """What a query may ask a person by."""
    service_id: str
    first_name: str
    last_name: str
    full_name: str
    country: str
    city: str
    company: Company
    work_email: Optional[str]
    personal_email: Optional[str]
    phone: Optional[str]
    linkedin: Optional[str]
    # Addresses of other profiles.
    profiles: list
    # Name and domain.
    school: Optional[tuple]


class Position(NamedTuple):
    """What somebody does now."""
    company: Company
    function: str
    level: str
    # The year in which the first job began, which is when education ended.
    beginning: int


def quoted(text):
    """As a JSON string; null without any."""
    return f'"{text}"' if text else 'null'


def work_mailbox(pattern, first, last):
    """What stands before the @ in a company that makes addresses by this pattern."""
    if pattern == 0:
        return f'{first}.{last}'
    if pattern == 1:
        return first[:1] + last
    if pattern == 2:
        return first
    if pattern == 3:
        return f'{first}_{last}'
    if pattern == 4:
        return first + last[:1]
    if pattern == 5:
        return f'{last}.{first}'
    return f'{first[:1]}.{last}'


class Persons:
    """The persons of a world, made one after the other."""

    def __init__(self, world):
        self.world = world
        # Hashes of the addresses, phones and profiles that somebody has: each is somebody's alone.
        self.taken = set()

    def take(self, count, asked):
        """Yields `count` persons: the record as JSON, and its facts where its number is in `asked`, else None."""
        world = self.world
        unpack = Struct(f'<{DRAWS}H').iter_unpack
        for begin in range(0, count, BLOCK):
            rng = random.Random(f'p{world.seed}/{len(world.companies)}/{begin}')
            draws = unpack(rng.randbytes(BLOCK * DRAWS * 2))
            ids = rng.randbytes(BLOCK * 16).hex()
            for number in range(begin, min(begin + BLOCK, count)):
                id_at = (number - begin) * 32
                yield self.person(number, next(draws), ids[id_at:id_at + 32], number in asked)

    def person(self, number, draws, id_digits, is_asked):
        """The record as JSON, and its facts or None."""
        world = self.world
        (
            company_high, company_low, is_abroad, abroad, locale, first, last, is_double, second_last, initial,
            function, level, title, years, is_at_seat, city, confidence, last_seen, sources,
        ) = draws[:19]
        service_id = uuid_text(id_digits, 'b')
        company_index = world.company_index(company_high << 16 | company_low)
        company = world.companies[company_index]
        country = world.countries[abroad & 4095] if is_abroad < 8500 else company.country

        locale = world.locales[country][locale & 63]
        first_name, first_ascii = world.first_names[locale][first & 4095]
        last_name, last_ascii = world.last_names[locale][last & 8191]
        if is_double < 900:
            second_name, second_ascii = world.last_names[locale][second_last & 8191]
            last_name = f'{last_name}-{second_name}'
            last_ascii = f'{last_ascii}-{second_ascii}'
        middle_initial = MIDDLE_INITIALS[initial % 20] if initial < 11000 else ''
        full_name = f'{first_name} {middle_initial}. {last_name}' if middle_initial else f'{first_name} {last_name}'

        function = world.functions[company.profile][function & 255]
        level = world.levels[level & 255]
        if level == 'owner' and company.employee_count > 200:
            level = 'manager'
        title = world.titles[function, level][title & 63]
        least, most = YEARS_OF_EXPERIENCE[level]
        years = least + years % (most - least + 1)
        is_at_seat = is_at_seat < 34000 and country == company.country
        city = company.city if is_at_seat else world.cities[country][city & 4095]
        confidence, last_seen = CONFIDENCES[confidence & 15], world.dates[last_seen & 511]
        num_sources = 1 + (sources & 7)
        position = Position(company, function, level, PRESENT_YEAR - years)
        seen = f'"last_seen":"{last_seen}","num_sources":{num_sources}'

        work_email, work_point = self.work_email(
            draws[19:21], company, first_ascii, last_ascii, f'"confidence":"{confidence}",{seen}')
        personal_email, personal_point = self.personal_email(draws[21:26], first_ascii, last_ascii)
        emails = f'{work_point},{personal_point}' if work_point and personal_point else work_point or personal_point
        phone, phones = self.phone(draws[26:31], country)
        linkedin, linkedin_id, linkedin_point = self.linkedin(
            draws[31:33], first_ascii, last_ascii, number, id_digits, seen)
        profiles, profile_points = self.profiles(draws[33:39], function, first_ascii, last_ascii, id_digits)
        socials = ','.join([linkedin_point] + profile_points if linkedin_point else profile_points)
        school, education = self.education(draws[39:43], country, position)
        experience = self.experience(draws[43:51], position, title, years)
        is_platform_worker, location_confidence, location_seen, skills = draws[52:]

        record = (
            f'{{"service_id":"{service_id}","full_name":"{full_name}","first_name":"{first_name}",'
            f'"middle_initial":{quoted(middle_initial)},"last_name":"{last_name}",{city.fields},'
            f'{title.title_field},{title.level_fields},{world.company_fields[company_index]},'
            f'"is_platform_worker":{"true" if is_platform_worker < 900 else "false"},'
            f'"work_email":{quoted(work_email)},"mobile_phone":{quoted(phone)},'
            f'"linkedin_url":{quoted(linkedin)},"linkedin_id":{quoted(linkedin_id)},'
            f'"years_of_experience":{years},{seen},"confidence":"{confidence}",'
            f'"emails":[{emails}],"phones":[{phones}],"socials":[{socials}],'
            f'"locations":[{{{city.fields},"current":true,"confidence":"{CONFIDENCES[location_confidence & 15]}",'
            f'"last_seen":"{world.dates[location_seen & 511]}"}}],'
            f'"education":[{education}],"experience":[{experience}],"skills":{world.skills[function][skills & 15]}}}'
        )
        if not is_asked:
            return record, None
        facts = Facts(
            service_id, first_name, last_name, full_name, country, city.name, company, work_email, personal_email,
            phone, linkedin, profiles, school)
        return record, facts

    def work_email(self, draws, company, first, last, seen):
        """Address and data point; None and nothing without one."""
        has_one, detail = draws
        if has_one >= 56000:
            return None, ''
        mailbox = work_mailbox(company.address_pattern, first, last)
        address = f'{mailbox}@{company.domain}'
        number = 1
        while (key := hash(address)) in self.taken:
            number += 1 + (detail % 97 if number > 3 else 0)
            address = f'{mailbox}{number}@{company.domain}'
        self.taken.add(key)
        is_validated = 'true' if detail & 3 else 'false'
        return address, f'{{"address":"{address}","type":"work","current":true,"validated":{is_validated},{seen}}}'

    def personal_email(self, draws, first, last):
        """Address and data point; None and nothing without one."""
        has_one, form, number, confidence, seen = draws
        if has_one >= 27000:
            return None, ''
        domain = FREE_MAIL[form & 15]
        separator = '' if domain == 'gmail.com' else ('', '.', '_', '')[form >> 4 & 3]
        mailbox = first + separator + last if form & 64 else last + separator + first[:1]
        number = number % 90 + 10
        address = f'{mailbox}{number}@{domain}'
        while (key := hash(address)) in self.taken:
            number += ADDRESS_STEP
            address = f'{mailbox}{number}@{domain}'
        self.taken.add(key)
        return address, (
            f'{{"address":"{address}","type":"personal","current":true,"validated":false,'
            f'"confidence":"{CONFIDENCES[confidence & 15]}","last_seen":"{self.world.dates[seen & 511]}",'
            f'"num_sources":{1 + (seen >> 12)}}}'
        )

    def phone(self, draws, country):
        """Number and data point; None and nothing without one."""
        has_one, prefix, high, low, detail = draws
        if has_one >= 40000:
            return None, ''
        code, free_digits, prefixes = self.world.phones[country]
        fixed = f'{code}{prefixes[prefix % len(prefixes)]}'
        limit = 10 ** free_digits
        free = (high << 16 | low) % limit
        phone = f'{fixed}{free:0{free_digits}d}'
        while (key := hash(phone)) in self.taken:
            free = (free + PHONE_STEP) % limit
            phone = f'{fixed}{free:0{free_digits}d}'
        self.taken.add(key)
        return phone, (
            f'{{"type":"mobile","number":"{phone}","current":true,"confidence":"{CONFIDENCES[detail & 15]}",'
            f'"last_seen":"{self.world.dates[detail >> 7]}","num_sources":{1 + (detail & 3)}}}'
        )

    def linkedin(self, draws, first, last, number, id_digits, seen):
        """Address, id and data point; None, None and nothing without a profile."""
        has_one, detail = draws
        if has_one >= 56000:
            return None, None, ''
        username = f'{first}-{last}'
        if detail < 30000 or hash(username) in self.taken:
            username = f'{username}-{id_digits[:8]}'
        self.taken.add(hash(username))
        linkedin_id = str(10_000_000 + number * 7 + detail % 7)
        url = f'linkedin.com/in/{username}'
        return url, linkedin_id, (
            f'{{"network":"linkedin","url":"{url}","username":"{username}","id":"{linkedin_id}",'
            f'"confidence":"high",{seen}}}'
        )

    def profiles(self, draws, function, first, last, id_digits):
        """Addresses of other profiles, and their data points."""
        has_twitter, twitter_detail, has_github, github_detail, has_facebook, facebook_number = draws
        found = []
        if has_twitter < 15000:
            username = f'{(first[:9] + last[:5] + id_digits[20:23])[:12]}{id_digits[:3]}'
            found.append(('twitter', username, twitter_detail))
        if has_github < (30000 if function in TECHNICAL else 2500):
            found.append(('github', first[:1] + last[:12] + id_digits[3:6], github_detail))
        if has_facebook < 12000:
            found.append(('facebook', f'{first}.{last}.{facebook_number}', facebook_number))
        urls = [f'{network}.com/{username}' for network, username, _ in found]
        points = [
            f'{{"network":"{network}","url":"{network}.com/{username}","username":"{username}",'
            f'"confidence":"{CONFIDENCES[detail & 15]}"}}'
            for network, username, detail in found
        ]
        return urls, points

    def education(self, draws, country, position):
        """School and data point; None and nothing without one."""
        has_one, school, level, degree = draws
        if has_one >= 47000:
            return None, ''
        school = self.world.schools[country][school & 255]
        level = (
            'bachelor' if level < 40000 else
            'master' if level < 58000 else
            'doctorate' if level < 61000 else
            'associate'
        )
        degrees = DEGREES[level]
        name, domain = school
        return school, (
            f'{{"school":"{name}","school_domain":"{domain}","degree":"{degrees[degree % len(degrees)]}",'
            f'"degree_level":"{level}","field_of_study":"{FIELDS_OF_STUDY[position.function]}",'
            f'"start_date":"{position.beginning - 4}","end_date":"{position.beginning}"}}'
        )

    def experience(self, draws, position, title, years):
        """The position now, and up to three before it, back to the first job."""
        world = self.world
        company, function, level, beginning = position
        started, month = PRESENT_YEAR - min(years, draws[0] % 6), 1 + draws[1] % 8
        jobs = (
            f'{{"title":"{title.name}","company_service_id":"{company.service_id}","company_name":"{company.name}",'
            f'"company_domain":"{company.domain}","start_date":"{started}-{month:02d}","end_date":null,'
            f'"current":true,"seniority_level":"{level}","job_function":"{function}"}}'
        )
        titles_before = world.titles[function, 'entry' if level == 'entry' else 'senior']
        ended = started
        for one, other in (draws[2:4], draws[4:6], draws[6:8]):
            if ended <= beginning or one >= 42000:
                break
            company = world.companies[world.company_index(other << 16 | one)]
            started = max(beginning, ended - 1 - one % 4)
            jobs += (
                f',{{"title":"{titles_before[other & 63].name}","company_service_id":"{company.service_id}",'
                f'"company_name":"{company.name}","company_domain":"{company.domain}",'
                f'"start_date":"{started}-{1 + one % 12:02d}","end_date":"{ended}-{1 + other % 12:02d}",'
                f'"current":false}}'
            )
            ended = started
        return jobs
