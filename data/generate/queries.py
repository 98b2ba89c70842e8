"""Enrichment requests as customers would send them, each with the record that is meant.

A query is {"id", "entity", "kind", "noise", "request", "truth", "default_region"?}. Of the kinds "none_*" no record has what is asked
for, and `truth` is null. The order of draws is the output: it must stay.
"""
import hashlib

from noise import CASES, email_noise, phone_noise, typo, url_noise
from text import ascii_text, without_accents
from vocabulary import COUNTRY_ALIASES, NAME_PREFIXES, NAME_SUFFIXES

# So many are written as the record has it.
CLEAN_SHARE = .18


def person_query(rng, facts, world, number):
    """A query for the person of these facts."""
    kind = rng.choice(kinds_of_person(rng, facts))
    is_clean = rng.random() < CLEAN_SHARE
    name = facts.full_name if rng.random() < .5 else f'{facts.first_name} {facts.last_name}'
    request, noise, truth, region = {}, [], facts.service_id, None
    if kind in ('email', 'personal_email'):
        address = facts.work_email if kind == 'email' else facts.personal_email
        request['email'], noise = (address, []) if is_clean else email_noise(rng, address)
    elif kind == 'email_hash':
        digest = rng.choice((hashlib.sha256, hashlib.sha1, hashlib.md5))
        request['email_hash'] = digest(facts.work_email.encode()).hexdigest()
    elif kind == 'phone':
        request['phone'] = facts.phone
        if not is_clean:
            code = world.phones[facts.country][0]
            request['phone'], region = phone_noise(rng, facts.phone, facts.country, code)
            noise = ['phone_format']
    elif kind in ('linkedin', 'social'):
        url = facts.linkedin if kind == 'linkedin' else rng.choice(facts.profiles)
        request['social_url'] = url
        if not is_clean:
            request['social_url'] = url_noise(rng, url)
            noise = ['url_variant']
    elif kind.startswith('name_'):
        request, noise = name_and_context(rng, facts, world, kind, name, is_clean)
    else:
        request, truth = look_alike(rng, facts, kind), None
    query = {'id': f'p{number}', 'entity': 'person', 'kind': kind, 'noise': noise, 'request': request, 'truth': truth}
    if region:
        query['default_region'] = region
    return query


def kinds_of_person(rng, facts):
    """What can be asked of this person, the frequent kinds more often."""
    kinds = ['name_company'] * 5 + ['name_company_city'] * 2
    if facts.work_email:
        kinds += ['email'] * 5
    if facts.personal_email:
        kinds += ['personal_email'] * 3
    if facts.phone:
        kinds += ['phone'] * 3
    if facts.linkedin:
        kinds += ['linkedin'] * 4
    if facts.profiles:
        kinds += ['social'] * 2
    if facts.work_email:
        kinds += ['email_hash']
    if facts.school:
        kinds += ['name_school']
    if rng.random() < .35:
        kinds += ['none_email', 'none_name', 'none_url']
    return kinds


def name_and_context(rng, facts, world, kind, name, is_clean):
    """Name and employer, city or school, as request and noise."""
    request, noise = {}, []
    if not is_clean:
        name, noise = name_noise(rng, facts, world.nicknames, name)
    if rng.random() < .3 and ' ' in name.strip() and not noise:
        request['first_name'], request['last_name'] = facts.first_name, facts.last_name
    else:
        request['full_name'] = name
    if kind == 'name_school':
        request['school'] = rng.choice(facts.school)
        return request, noise
    company = facts.company
    request['company'] = company.name
    if not is_clean:
        request['company'], what = rng.choice((
            (company.display, 'legal_form'),
            (company.name.upper(), 'case'),
            (company.domain, 'domain'),
            (f'https://www.{company.domain}/', 'url'),
            (typo(rng, company.name), 'company_typo'),
            (company.name, ''),
        ))
        noise += [what] if what else []
    if kind == 'name_company_city':
        request['city'], request['country'] = facts.city, facts.country
        if not is_clean:
            country = world.country_names[facts.country]
            request['country'] = rng.choice(COUNTRY_ALIASES.get(country, [facts.country]))
    return request, noise


def name_noise(rng, facts, nicknames, name):
    """The name in another form, and the names of what was done."""
    noise = []
    form = rng.randrange(7)
    if form == 0 and facts.first_name in nicknames:
        name = f'{rng.choice(nicknames[facts.first_name])} {facts.last_name}'
        noise.append('nickname')
    elif form == 1:
        name = typo(rng, name)
        noise.append('typo')
    elif form == 2:
        name = rng.choice(NAME_PREFIXES) + name.title()
        noise.append('prefix')
    elif form == 3:
        name = name.title() + rng.choice(NAME_SUFFIXES)
        noise.append('suffix')
    elif form == 4:
        name = without_accents(name)
        if without_accents(facts.full_name) != facts.full_name:
            noise.append('no_accents')
    if rng.random() < .5:
        name = rng.choice(CASES)(name)
        noise.append('case_space')
    return name, noise


def look_alike(rng, facts, kind):
    """A request for somebody who is in no record."""
    first, last = ascii_text(facts.first_name), ascii_text(facts.last_name)
    if kind == 'none_email':
        return {'email': f'zz{first}{rng.randrange(1000, 9999)}@{facts.company.domain}'}
    if kind == 'none_name':
        return {'full_name': f'{facts.first_name} quill{facts.last_name}', 'company': facts.company.name}
    username = f'{first.replace(" ", "")}-{last.replace(" ", "")}-zz{rng.getrandbits(32):x}'
    return {'social_url': f'https://www.linkedin.com/in/{username}'}


def company_query(rng, company, number):
    """A query for this company."""
    kinds = ['domain'] * 3 + ['name'] * 4 + ['linkedin'] * 2
    if company.ticker:
        kinds += ['ticker'] * 3
    if rng.random() < .3:
        kinds += ['none_domain']
    kind = rng.choice(kinds)
    is_clean = rng.random() < CLEAN_SHARE
    noise, truth = [] if is_clean else ['variant'], company.service_id
    if kind == 'domain':
        domain = company.domain
        if not is_clean:
            domain = rng.choice((
                'https://www.%s/', 'www.%s', 'HTTP://%s/about?x=1', '  %s', 'https://%s:443/index.html', '%s.',
            )) % domain
        request = {'domain': domain}
    elif kind == 'name':
        request = {'name': company.name}
        if not is_clean:
            request['name'], what = company_name_noise(rng, company)
            noise = [what] if what else noise
    elif kind == 'linkedin':
        url = f'linkedin.com/company/{company.linkedin_slug}'
        request = {'linkedin_url': url if is_clean else url_noise(rng, url)}
    elif kind == 'ticker':
        ticker = company.ticker
        if not is_clean:
            ticker = rng.choice((ticker.lower(), f' {ticker} ', ticker.lower() + '\n'))
        request = {'ticker_symbol': ticker}
    else:
        request, truth = {'domain': f'zz-{company.domain}'}, None
    return {
        'id': f'c{number}', 'entity': 'company', 'kind': kind, 'noise': noise, 'request': request, 'truth': truth,
    }


def company_name_noise(rng, company):
    """The company's name in another form, and the name of what was done, empty where nothing was."""
    name, plain = company.name, without_accents(company.name)
    return rng.choice((
        (company.display, 'legal_form'),
        (name.upper(), 'case'),
        (typo(rng, name), 'typo'),
        (plain, 'no_accents' if plain != name else ''),
        ('  ' + name.replace(' ', '  '), 'space'),
        (f'{name.title()}, {company.legal_form}', 'legal_form'),
    ))
