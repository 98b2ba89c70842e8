#!/usr/bin/env python3
"""Makes countries.tsv, country_names.tsv and states.tsv.

places.py --core DIR --subdivisions DIR --names DIR --out DIR

Needs babel and pycountry (PyPI), and the unpacked npm packages cldr-core, cldr-subdivisions-full and i18n-iso-countries. What people write
and no source lists (aliases) stands in aliases.tsv and, of subdivisions in their own language, in states_native.tsv beside this file. Sources and licences: ../README.md."""
import argparse
import collections
import gettext
import json
import pathlib
import unicodedata

import babel
import pycountry

CONTINENT = {'002': 'AF', '142': 'AS', '150': 'EU', '009': 'OC', '021': 'NA', '013': 'NA', '029': 'NA', '005': 'SA'}
# Subdivisions that CLDR's English names wrongly or with a word that nobody uses.
STATES = {'GB-PTE': 'peterborough', 'IN-OD': 'odisha', 'IN-UK': 'uttarakhand'}
# Subdivisions whose codes ISO gave to others after CLDR was written (Morocco's regions, 2018; Uganda): CLDR's names are the old ones'.
RENAMED = {f'MA-{number:02}' for number in range(1, 13)} | {'UG-331'}
# Countries whose codes ISO gave to other places after CLDR was written (Iran, 2020): CLDR's names are the old places'.
RENUMBERED = {'IR'}
# The languages in which a subdivision is looked up besides English.
LANGUAGES = 'en es fr de it pt nl sv da no pl ja ko zh ru uk tr cs hu fi ro el ca eu gl ar he hi'.split()
# The languages in which iso-codes names subdivisions, and of which countries; none: of all.
TRANSLATIONS = {
    'es': (), 'fr': (), 'de': (), 'it': (), 'nl': (), 'ru': (), 'ja': (), 'zh_CN': (), 'zh_TW': (),
    'pl': ('PL', 'DE', 'UA', 'CZ'), 'ko': ('KR', 'US'), 'uk': ('UA',), 'hi': ('IN',), 'tr': ('TR',), 'he': ('IL',),
    'el': ('GR', 'CY'), 'th': ('TH',), 'ka': ('GE',), 'bg': ('BG',), 'sr': ('RS',), 'sv': ('SE', 'FI'), 'hu': ('HU', 'RO'), 'ro': ('RO', 'MD'),
}
# Of i18n-iso-countries: a language whose names stand at wrong codes, and names that another country has.
SLIPS = {
    'dv', 'benign', 'aduniad', 'mkutano', 's.a.', 's.a.m.', 'کانگو', '多米尼加', 'república popular do congo', 'kofia ya kijani', 'sulemani',
    'de korea', 'an chóiré', 'basa indonesia',
}
ANTARCTIC = {'AQ', 'BV', 'HM', 'GS', 'TF'}
# Names that differ from CLDR's English one: without dashes, abbreviations and accents that nobody types.
PREFERRED = {
    'CD': 'democratic republic of the congo', 'CG': 'republic of the congo', 'HK': 'hong kong', 'MO': 'macao',
    'PS': 'palestine', 'MM': 'myanmar', 'CI': "cote d'ivoire", 'TR': 'turkey', 'AX': 'åland islands',
}


def lower(text):
    return ' '.join(unicodedata.normalize('NFC', text).lower().split())


def plain(name):
    """CLDR's short forms written out: `St. Lucia` and `Bosnia & Herzegovina`."""
    name = lower(name).replace('’', "'").replace('&', 'and')
    return 'saint ' + name[4:] if name.startswith('st. ') else name


def aliases_of(path):
    out = collections.defaultdict(list)
    for line in path.read_text(encoding='utf-8').splitlines():
        if line and not line.startswith('#'):
            code, names = line.split('\t')
            out[code] += names.split('|')
    return out


def continents(core):
    tree = json.load(open(core / 'supplemental/territoryContainment.json'))['supplemental']['territoryContainment']
    out = {}

    def walk(node, continent):
        for child in tree.get(node, {}).get('_contains', []):
            here = CONTINENT.get(child, continent)
            if len(child) == 2:
                out.setdefault(child, here)
            else:
                walk(child, here)
    walk('001', None)
    out.update({code: 'AN' for code in ANTARCTIC})
    return out


def countries(core, aliases):
    english = babel.Locale('en').territories
    continent = continents(core)
    lines = []
    taken = {}
    codes = sorted([c.alpha_2 for c in pycountry.countries] + ['XK'])
    for code in codes:
        iso = pycountry.countries.get(alpha_2=code)
        full = PREFERRED.get(code) or plain(english[code])
        names = [english[code], plain(english[code])]
        if iso:
            names += [getattr(iso, field, None) for field in ('name', 'official_name', 'common_name')]
            names += [inverted(name) for name in names if name and ', ' in name]
        names = [lower(name) for name in names if name] + aliases[code]
        names = [name for name in dict.fromkeys(names) if name != full]
        numbers = f'{iso.alpha_3} {iso.numeric}' if iso else 'XKX'
        lines.append('\t'.join([code, numbers, continent.get(code) or '', full, '|'.join(names)]))
        for name in [full, *names]:
            taken[name] = code
    return lines, taken


def inverted(name):
    """`Korea, Republic of` → `Republic of Korea`"""
    head, tail = name.split(', ', 1)
    return f'{tail} {head}'


def other_names(taken, names_folder):
    """Names in other languages; one that several countries have is left to the one most languages mean."""
    votes = collections.defaultdict(lambda: collections.defaultdict(set))
    valid = {c.alpha_2 for c in pycountry.countries} | {'XK'}
    for identifier in babel.localedata.locale_identifiers():
        for code, name in babel.Locale.parse(identifier).territories.items():
            if code in valid:
                votes[lower(name)][code].add(identifier.split('_')[0])
    for language in LANGUAGES[1:]:
        for code, name in translated(language):
            votes[lower(name)][code].add(language)
    for name, codes in listed(names_folder).items():
        if name not in votes and codes.keys() <= valid and not set(name) & set('|\t'):
            votes[name] = codes
    out = collections.defaultdict(list)
    for name, codes in sorted(votes.items()):
        (code, most), *rest = sorted(((code, len(languages)) for code, languages in codes.items()), key=lambda pair: -pair[1])
        clear = not rest or most > 2 * rest[0][1]
        telling = len(name) > 3 or not name.isascii() and (len(name) > 1 or name > '\u2e80')
        if name not in taken and clear and telling:
            out[code].append(name)
    return [f'{code}\t' + '|'.join(names) for code, names in sorted(out.items())]


def listed(folder):
    """Names that i18n-iso-countries has, which holds more slips than CLDR: it is asked where CLDR does not know a name."""
    out = collections.defaultdict(lambda: collections.defaultdict(set))
    for path in sorted(folder.glob('langs/*.json')):
        for code, names in json.load(open(path))['countries'].items():
            for name in [names] if isinstance(names, str) else names:
                if path.stem not in SLIPS and lower(name) not in SLIPS:
                    out[lower(name)][code].add(path.stem)
    # A short word of one language is as often another one's word or abbreviation: `mena`.
    short = {name for name, codes in out.items() if len(name) < 6 and name.isascii() and len(set().union(*codes.values())) < 2}
    return {name: codes for name, codes in out.items() if name not in short}


def translated(language):
    """Short and official names as iso-codes translates them."""
    try:
        catalogue = gettext.translation('iso3166-1', pycountry.LOCALES_DIR, languages=[language])
    except OSError:
        return
    for country in pycountry.countries:
        for field in ('name', 'official_name', 'common_name'):
            name = getattr(country, field, None)
            if name and (there := catalogue.gettext(name)) != name:
                yield country.alpha_2, there
                if ', ' in there:
                    yield country.alpha_2, inverted(there)


def without_macrons(sub):
    """ISO writes names of other scripts with macrons and dots below, which no English text has."""
    if sub.country_code in ('LV', 'NZ'):
        return sub.name
    parts = unicodedata.normalize('NFD', sub.name)
    if sub.country_code in RENUMBERED:
        return ''.join(c for c in parts if not unicodedata.combining(c))
    return unicodedata.normalize('NFC', ''.join(c for c in parts if c not in '\u0304\u0323\u0331'))


def states_translated(taken):
    """Names of subdivisions in other languages, code by code; those that another subdivision has are left out."""
    claims = collections.defaultdict(set)
    for language, countries in TRANSLATIONS.items():
        catalogue = gettext.translation('iso3166-2', pycountry.LOCALES_DIR, languages=[language])
        for sub in pycountry.subdivisions:
            there = catalogue.gettext(sub.name)
            if there != sub.name and (not countries or sub.country_code in countries):
                for name in there.split(';'):
                    claims[lower(name.split('(')[0].split(',')[0])].add(sub.code)
    out = collections.defaultdict(list)
    for name, codes in sorted(claims.items()):
        if len(codes) == 1 and folded(name) not in taken and (len(name) > 3 or not name.isascii()):
            out[codes.pop()].append(name)
    return out


def folded(name):
    parts = unicodedata.normalize('NFD', name.lower())
    return ''.join(c for c in parts if c.isalnum() and not unicodedata.combining(c))


def states(subdivisions, aliases):
    def load(language):
        path = subdivisions / f'subdivisions/{language}/{language}.json'
        return json.load(open(path))['subdivisions']['localeDisplayNames']['subdivisions']
    tables = {language: load(language) for language in LANGUAGES}
    found = {}
    for sub in sorted(pycountry.subdivisions, key=lambda s: s.code):
        key = sub.code.replace('-', '').lower()
        english = tables['en'].get(key)
        stale = sub.country_code in RENUMBERED or sub.code in RENAMED
        local = [] if stale else [table.get(key) for table in tables.values()]
        chosen = without_macrons(sub) if stale or not english else english
        chosen = chosen.split(' (')[0] if sub.code in RENAMED else chosen
        full = STATES.get(sub.code) or lower(chosen.replace('’', "'"))
        names = [lower(name) for name in [sub.name, *local] if name]
        names += [name.split(',')[0] for name in names if ',' in name]
        names += [part.strip(' ]') for name in names if '[' in name for part in name.split('[')]
        names += aliases[sub.code]
        found[sub.code] = full, names
    shown = {(code[:2], full) for code, (full, _) in found.items()}
    for code, (full, names) in found.items():
        # ISO's footnote signs are no part of a name, unless nothing else tells two places of a country apart.
        bare = full.rstrip('²†').rstrip()
        if (code[:2], bare) not in shown:
            found[code] = bare, [full, *names]
    taken = {folded(name) for full, names in found.values() for name in [full, *names]}
    taken |= {folded(name) for name in babel.Locale('en').territories.values()} | {''}
    translated = states_translated(taken)
    lines = []
    for code, (full, names) in found.items():
        names = [name for name in dict.fromkeys(names + translated[code]) if name and name != full]
        lines.append('\t'.join([code, full, '|'.join(names)]).rstrip())
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ('core', 'subdivisions', 'names', 'out'):
        parser.add_argument('--' + name, type=pathlib.Path, required=True)
    args = parser.parse_args()
    here = pathlib.Path(__file__)
    aliases = aliases_of(here.with_name('aliases.tsv'))
    for code, names in aliases_of(here.with_name('states_native.tsv')).items():
        aliases[code] += names
    lines, taken = countries(args.core, aliases)
    write(args.out / 'countries.tsv', 'alpha-2, alpha-3 and numeric code, continent, name, other English names', lines)
    write(args.out / 'country_names.tsv', 'alpha-2, names in other languages', other_names(taken, args.names))
    write(args.out / 'states.tsv', 'ISO 3166-2 code, name, other names', states(args.subdivisions, aliases))


def write(path, head, lines):
    path.write_text(f'# {head}. Made by make/places.py.\n' + '\n'.join(lines) + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
