"""Values as people and raw feeds write them. The canonical value can be read from each of them.

Every function draws from `rng`, and the order of its draws is the output: it must stay.
"""
import json

from vocabulary import COUNTRY_ALIASES, NAME_PREFIXES, NAME_SUFFIXES

# Countries that write no 0 before a number within the country.
WITHOUT_TRUNK_PREFIX = ('IT', 'ES', 'DK', 'NO', 'SG', 'PT', 'MX', 'PL', 'CO')


def if_undone(change):
    """A change of case, left out where lowercasing does not undo it (the sharp s, the dotted capital I)."""
    def changed(text):
        return change(text) if change(text).lower() == text.lower() else text
    return changed


def with_spaces(text):
    return '  ' + text.replace(' ', '  ') + ' '


CASES = (if_undone(str.upper), if_undone(str.title), str.lower, if_undone(str.swapcase), with_spaces)


def url_noise(rng, url):
    """The URL of a profile, as browsers and apps share it."""
    host, path = url.split('/', 1)
    number = rng.randrange(9)
    if host == 'linkedin.com':
        page = 'details/experience/' if path.startswith('in/') else 'about/'
        return (
            f'https://www.{url}/',
            f'http://{url}',
            f'https://uk.{url}?trk=public_profile',
            f'HTTPS://WWW.LINKEDIN.COM/{path}',
            f'https://www.{url}/?originalSubdomain=de',
            f'www.{url}',
            f'https://m.{url}',
            f'https://www.{url}?utm_source=share&utm_medium=member_desktop',
            f'https://www.{url}/{page}',
        )[number]
    if host == 'twitter.com':
        return (
            f'https://twitter.com/{path}',
            f'https://x.com/{path}',
            f'http://www.twitter.com/@{path}',
            f'https://mobile.twitter.com/{path}',
            f'https://x.com/{path}?s=20',
            f'x.com/{path.upper()}',
            f'https://twitter.com/{path}/status/1450000000000000000',
            f'www.twitter.com/{path}/',
            f'https://twitter.com/{path}?lang=en',
        )[number]
    if host == 'github.com':
        return (
            f'https://github.com/{path}',
            f'http://www.github.com/{path}/',
            f'https://github.com/{path}?tab=repositories',
            f'GITHUB.COM/{path.upper()}',
            f'https://github.com/{path}/dotfiles',
            f'https://github.com/{path}/',
            f'github.com/{path}#',
            f'//github.com/{path}',
            f' https://github.com/{path} ',
        )[number]
    return (
        f'https://www.facebook.com/{path}',
        f'https://m.facebook.com/{path}',
        f'http://facebook.com/{path}/',
        f'https://www.facebook.com/{path}?ref=bookmarks',
        f'https://fb.com/{path}',
        f'https://de-de.facebook.com/{path}',
        f'https://www.facebook.com/{path}/about',
        f'facebook.com/{path}?fbclid=IwAR1',
        f'HTTPS://FACEBOOK.COM/{path}',
    )[number]


def email_noise(rng, address):
    """The address with plus tag, dots, case and spaces, and the names of what was done."""
    mailbox, domain = address.split('@')
    length, noise = len(mailbox), []
    if rng.random() < .4:
        mailbox += '+' + rng.choice(('news', 'promo', '2025', 'a.b'))
        noise.append('plus_tag')
    if domain == 'gmail.com' and rng.random() < .5 and length > 3:
        dot = rng.randrange(1, length - 1)
        mailbox = f'{mailbox[:dot]}.{mailbox[dot:]}'
        noise.append('gmail_dot')
    address = f'{mailbox}@{domain}'
    if rng.random() < .5:
        address = rng.choice((address.upper(), address.title(), address.capitalize()))
        noise.append('case')
    if rng.random() < .3:
        address = f' {address} '
        noise.append('space')
    return address, noise


def phone_noise(rng, phone, country, code):
    """The number in another form, and the region that its reader must know, if any."""
    national = phone[len(code):]
    form = rng.randrange(6)
    if country == 'AR' and form in (2, 3):
        form = 0
    trunk = '' if code == '+1' or country in WITHOUT_TRUNK_PREFIX else '0'

    def grouped(separator):
        return separator.join((national[:3], national[3:6], national[6:]))

    if form == 0:
        return f'{code} {grouped(" ")}', None
    if form == 1:
        return f'{code}-{grouped("-")}', None
    if form == 2:
        return trunk + grouped(' '), country
    if form == 3:
        if code == '+1':
            return f'({national[:3]}) {national[3:6]}-{national[6:]}', country
        return trunk + national, country
    if form == 4:
        if code == '+1':
            return f'1-{grouped("-")}', 'US'
        return f'00{code[1:]} {national}', 'DE'
    return f'tel:{code}-{grouped("-")}' + rng.choice((';ext=12', '')), None


def typo(rng, text):
    """Two letters swapped, one left out, one doubled, or one replaced."""
    if len(text) < 4:
        return text
    at = rng.randrange(1, len(text) - 1)
    kind = rng.randrange(4)
    before, letter, after = text[:at], text[at], text[at + 1:]
    # Drawn whichever is wanted.
    other = rng.choice('aeiorstln')
    return (
        before + after[0] + letter + after[1:],
        before + after,
        before + letter + letter + after,
        before + other + after,
    )[kind]


def dirty_person(rng, record):
    """A record (JSON) as a raw feed would have it: one to three of its parts in another form, or left out."""
    person = json.loads(record)
    parts = ('name', 'email', 'phone', 'url', 'loc', 'company', 'title', 'zdrop')
    for part in sorted(rng.sample(parts, rng.randrange(1, 4))):
        if part == 'name':
            name = person['full_name']
            if rng.random() < .6:
                person['full_name'] = rng.choice(CASES)(name)
            else:
                prefix = rng.choice(NAME_PREFIXES)
                person['full_name'] = prefix + name.title() + rng.choice(NAME_SUFFIXES + ['', ''])
        elif part == 'email' and person['work_email']:
            person['work_email'], _ = email_noise(rng, person['work_email'])
            person['emails'][0]['address'] = person['work_email']
        elif part == 'phone' and person['phones']:
            number = person['phones'][0]['number']
            number = rng.choice((
                f'{number[:3]} {number[3:6]} {number[6:]}',
                f'{number[:3]}-{number[3:]}',
                f' {number}',
            ))
            person['phones'][0]['number'] = person['mobile_phone'] = number
        elif part == 'url' and person['linkedin_url']:
            person['linkedin_url'] = url_noise(rng, person['linkedin_url'])
        elif part == 'loc':
            country, state = person['country'], person['state']
            person['country'] = rng.choice(COUNTRY_ALIASES.get(country, [country.upper(), country.title()]))
            person['state'] = rng.choice((person['state_code'].split('-')[1], state.upper(), state.title()))
            person['city'] = person['city'].title()
        elif part == 'company':
            person['company_name'] = person['company_name'].title() + rng.choice((' Inc.', ', LLC', ' Ltd', ''))
            form = rng.choice(('https://www.%s/', 'www.%s', '%s ', 'HTTP://%s'))
            person['company_domain'] = form % person['company_domain']
        elif part == 'title':
            person['job_title'] = rng.choice(CASES)(person['job_title'])
        elif part == 'zdrop':
            dropped = (
                'city', 'state', 'job_title', 'linkedin_id', 'years_of_experience', 'company_size', 'middle_initial',
            )
            for key in rng.sample(dropped, 2):
                person[key] = None
    return json.dumps(person, ensure_ascii=False, separators=(',', ':'))


def dirty_company(rng, record):
    """As [dirty_person], one or two parts."""
    company = json.loads(record)
    for part in rng.sample(('name', 'domain', 'url', 'ticker', 'drop'), rng.randrange(1, 3)):
        if part == 'name':
            display = company['name']['display']
            company['name']['cleaned'] = rng.choice((display, display.upper(), f'  {display} '))
        elif part == 'domain':
            form = rng.choice(('https://www.%s/', 'www.%s', 'HTTP://%s/index.html', ' %s '))
            company['domain'] = form % company['domain']
        elif part == 'url':
            company['linkedin_url'] = url_noise(rng, company['linkedin_url'])
        elif part == 'ticker' and company['tickers']:
            ticker = company['tickers'][0]
            ticker['symbol'] = ' ' + ticker['symbol'].lower()
        elif part == 'drop':
            company[rng.choice(('founded', 'size', 'industry', 'linkedin_id'))] = None
    return json.dumps(company, ensure_ascii=False, separators=(',', ':'))
