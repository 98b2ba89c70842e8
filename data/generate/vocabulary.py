"""The words and weights that the generated world is made of. Names, cities, schools and phone prefixes are in pools.json."""

# Employees up to and including the first number, and the name of that size.
SIZES = [
    (10, '1-10'),
    (50, '11-50'),
    (200, '51-200'),
    (500, '201-500'),
    (1_000, '501-1000'),
    (5_000, '1001-5000'),
    (10_000, '5001-10000'),
    (50_000, '10001-50000'),
    (100_000, '50001-100000'),
    (500_000, '100001-500000'),
    (1_000_000_000, '500001-5000000'),
]

# Industry, its share, the profile of what its people do (FUNCTIONS_OF_PROFILE), and words that end names of its companies.
INDUSTRIES = [
    ('software development', 95, 'technology', [
        'software', 'systems', 'labs', 'cloud', 'apps', 'logic', 'code', 'stack',
    ]),
    ('it services and it consulting', 80, 'technology', ['tech', 'it services', 'solutions', 'digital', 'networks']),
    ('hospitals and health care', 70, 'health', ['health', 'clinics', 'medical center', 'care']),
    ('financial services', 62, 'finance', ['capital', 'finance', 'partners', 'advisors']),
    ('retail', 60, 'retail', ['stores', 'market', 'retail', 'outlet']),
    ('construction', 55, 'operations', ['construction', 'builders', 'contractors', 'bau']),
    ('higher education', 35, 'education', ['learning institute', 'academy', 'college']),
    ('banking', 40, 'finance', ['bank', 'savings', 'trust']),
    ('real estate', 42, 'retail', ['properties', 'realty', 'estates', 'homes']),
    ('manufacturing', 55, 'operations', ['manufacturing', 'industries', 'works', 'fabrication']),
    ('advertising services', 34, 'media', ['media', 'creative', 'agency', 'marketing']),
    ('hospitality', 36, 'retail', ['hotels', 'resorts', 'hospitality']),
    ('restaurants', 34, 'retail', ['kitchen', 'foods', 'grill', 'bistro']),
    ('insurance', 34, 'finance', ['insurance', 'assurance', 'underwriters']),
    ('transportation, logistics, supply chain and storage', 36, 'operations', [
        'logistics', 'freight', 'shipping', 'cargo',
    ]),
    ('telecommunications', 24, 'technology', ['telecom', 'wireless', 'networks']),
    ('biotechnology research', 18, 'science', ['biotech', 'therapeutics', 'genomics', 'biosciences']),
    ('pharmaceutical manufacturing', 17, 'science', ['pharma', 'pharmaceuticals', 'laboratories']),
    ('motor vehicle manufacturing', 17, 'operations', ['motors', 'automotive', 'mobility']),
    ('oil and gas', 17, 'operations', ['energy', 'petroleum', 'oil & gas']),
    ('renewable energy', 14, 'operations', ['solar', 'wind', 'renewables']),
    ('law practice', 22, 'law', ['law', 'legal', 'attorneys']),
    ('accounting', 20, 'finance', ['accounting', 'audit', 'tax advisors']),
    ('business consulting and services', 34, 'media', ['consulting', 'advisory', 'group']),
    ('staffing and recruiting', 22, 'media', ['staffing', 'talent', 'recruiting']),
    ('food and beverage manufacturing', 22, 'operations', ['foods', 'beverages', 'dairy', 'brewery']),
    ('apparel and fashion', 18, 'retail', ['apparel', 'fashion', 'textiles']),
    ('government administration', 26, 'government', ['county services', 'public works', 'district council']),
    ('non-profit organizations', 24, 'government', ['foundation', 'relief', 'trust']),
    ('entertainment', 16, 'media', ['studios', 'pictures', 'games', 'entertainment']),
    ('computer and network security', 12, 'technology', ['security', 'cyber', 'shield']),
    ('semiconductors', 9, 'technology', ['semiconductors', 'devices', 'photonics']),
    ('aviation and aerospace', 10, 'operations', ['aerospace', 'airways', 'aviation']),
    ('medical equipment manufacturing', 13, 'science', ['medical devices', 'diagnostics', 'instruments']),
    ('utilities', 10, 'operations', ['power', 'water', 'electric']),
    ('agriculture', 12, 'operations', ['farms', 'agro', 'seeds']),
    ('e-learning providers', 8, 'education', ['learning', 'education', 'tutoring']),
    ('internet publishing', 12, 'media', ['media', 'online', 'press']),
    ('venture capital and private equity', 7, 'finance', ['ventures', 'equity partners', 'capital']),
    ('mining', 7, 'operations', ['mining', 'minerals', 'resources']),
    ('travel arrangements', 9, 'retail', ['travel', 'tours', 'voyages']),
    ('sports', 8, 'media', ['sports', 'fitness', 'athletics']),
]

# Legal forms by country.
LEGAL_FORMS = {
    'US': ['inc', 'llc', 'corp', 'co', 'lp'],
    'GB': ['ltd', 'plc', 'llp', 'limited'],
    'DE': ['gmbh', 'ag', 'gmbh & co. kg', 'se'],
    'FR': ['sas', 'sa', 'sarl'],
    'IN': ['pvt ltd', 'ltd', 'llp'],
    'CA': ['inc', 'ltd', 'corp'],
    'AU': ['pty ltd', 'ltd'],
    'BR': ['ltda', 's.a.'],
    'NL': ['b.v.', 'n.v.'],
    'ES': ['s.l.', 's.a.'],
    'IT': ['s.r.l.', 's.p.a.'],
    'MX': ['s.a. de c.v.', 's. de r.l. de c.v.'],
    'JP': ['co., ltd.', 'k.k.'],
    'CN': ['co., ltd.'],
    'PL': ['sp. z o.o.', 's.a.'],
    'TR': ['a.ş.', 'ltd. şti.'],
    'SE': ['ab'],
    'CH': ['ag', 'gmbh', 'sa'],
    'IE': ['ltd', 'dac'],
    'SG': ['pte ltd'],
    'ZA': ['(pty) ltd'],
    'AE': ['llc', 'fze'],
    'KR': ['co., ltd.'],
    'AR': ['s.a.', 's.r.l.'],
    'CO': ['s.a.s.'],
    'PT': ['lda', 's.a.'],
    'BE': ['nv', 'bv'],
    'DK': ['a/s', 'aps'],
    'NO': ['as', 'asa'],
    'FI': ['oy', 'oyj'],
    'NG': ['ltd', 'plc'],
    'PH': ['inc.'],
    'ID': ['tbk'],
    'VN': ['jsc', 'co., ltd.'],
}

# Ends of domains by country; one that stands several times is that much likelier.
TOP_LEVEL_DOMAINS = {
    'US': ['com', 'com', 'com', 'com', 'io', 'net', 'org', 'co', 'ai'],
    'GB': ['co.uk', 'com', 'co.uk', 'org.uk'],
    'IN': ['in', 'com', 'co.in'],
    'DE': ['de', 'de', 'com'],
    'BR': ['com.br'],
    'AU': ['com.au', 'com'],
    'MX': ['com.mx', 'mx'],
    'JP': ['co.jp', 'jp', 'com'],
    'CN': ['cn', 'com.cn', 'com'],
    'TR': ['com.tr', 'com'],
    'SG': ['com.sg', 'sg'],
    'ZA': ['co.za'],
    'KR': ['co.kr', 'kr', 'com'],
    'AR': ['com.ar'],
    'CO': ['com.co', 'co'],
    'NG': ['ng', 'com.ng', 'com'],
    'PH': ['ph', 'com.ph'],
    'ID': ['co.id', 'id'],
    'VN': ['vn', 'com.vn'],
    'AE': ['ae', 'com'],
}

# Stock exchanges by country.
EXCHANGES = {
    'US': ['nasdaq', 'nyse'],
    'GB': ['lse'],
    'DE': ['xetra'],
    'IN': ['nse', 'bse'],
    'CA': ['tsx'],
    'FR': ['euronext paris'],
    'JP': ['tse'],
    'AU': ['asx'],
    'BR': ['b3'],
}

# Invented names of companies begin with one of these,
NAME_BEGINNINGS = [
    'nor', 'vel', 'tri', 'zen', 'alta', 'blue', 'red', 'green', 'silver', 'north', 'south', 'east', 'west', 'bright',
    'clear', 'core', 'delta', 'echo', 'ever', 'first', 'flex', 'fusion', 'giga', 'grand', 'harbor', 'helio', 'hyper',
    'inno', 'iron', 'jade', 'key', 'lake', 'lumen', 'luna', 'macro', 'meta', 'metro', 'mono', 'nano', 'neo', 'next',
    'nova', 'oak', 'ocean', 'omni', 'open', 'optima', 'orbit', 'pacific', 'path', 'peak', 'pine', 'pioneer', 'prime',
    'pro', 'quantum', 'rapid', 'river', 'rock', 'royal', 'sage', 'sky', 'smart', 'solar', 'sonic', 'spark', 'star',
    'stone', 'summit', 'sun', 'swift', 'terra', 'titan', 'true', 'ultra', 'uni', 'urban', 'valley', 'vector', 'venta',
    'verde', 'vista', 'vita', 'wave', 'wild', 'wise', 'xeno', 'zephyr', 'apex', 'atlas', 'aurora', 'beacon', 'cedar',
    'cobalt', 'copper', 'crest', 'ember', 'falcon', 'forge', 'granite', 'horizon', 'juniper', 'kestrel', 'maple',
    'meridian', 'onyx', 'osprey', 'raven', 'sierra', 'willow',
]
# and end with one of those.
NAME_ENDINGS = [
    'tech', 'soft', 'ware', 'net', 'works', 'link', 'point', 'bridge', 'gate', 'field', 'ridge', 'view', 'wood',
    'land', 'ford', 'line', 'mark', 'path', 'port', 'scape', 'side', 'spring', 'stream', 'ton', 'vale', 'way', 'well',
    'wise', 'worth', 'zone', 'ex', 'ion', 'ium', 'ora', 'ista', 'ico', 'iva', 'ent', 'ant', 'ia', 'os', 'um', 'ly',
    'ify', 'hub', 'lab', 'base', 'box', 'craft', 'dyne', 'flow', 'gen', 'grid', 'loop', 'mind', 'nest', 'pulse',
    'sense', 'shift', 'source', 'space', 'sync', 'trak', 'verse', 'works',
]

# Job titles by function and level, the most frequent first.
TITLES = {
    'engineering': {
        'entry': ['junior software engineer', 'associate engineer', 'qa engineer', 'engineering trainee'],
        'senior': [
            'software engineer', 'senior software engineer', 'staff engineer', 'backend engineer',
            'frontend developer', 'full stack developer', 'devops engineer', 'mechanical engineer',
            'electrical engineer', 'data engineer', 'machine learning engineer', 'site reliability engineer',
        ],
        'manager': ['engineering manager', 'software development manager', 'qa manager'],
        'director': ['director of engineering', 'senior director of engineering'],
        'vp': ['vp of engineering', 'vice president engineering'],
        'cxo': ['chief technology officer', 'cto'],
    },
    'information technology': {
        'entry': ['it support technician', 'help desk analyst'],
        'senior': [
            'systems administrator', 'network engineer', 'business analyst', 'solutions architect',
            'database administrator', 'security analyst',
        ],
        'manager': ['it manager', 'infrastructure manager'],
        'director': ['director of it', 'it director'],
        'vp': ['vp information technology'],
        'cxo': ['chief information officer', 'chief information security officer'],
    },
    'sales': {
        'entry': ['sales development representative', 'inside sales representative', 'sales associate'],
        'senior': [
            'account executive', 'senior account executive', 'sales consultant', 'key account manager',
            'sales representative',
        ],
        'manager': ['sales manager', 'regional sales manager', 'account manager'],
        'director': ['director of sales', 'regional director'],
        'vp': ['vp of sales', 'vice president of sales'],
        'cxo': ['chief revenue officer'],
    },
    'marketing': {
        'entry': ['marketing assistant', 'marketing coordinator', 'social media specialist'],
        'senior': [
            'content strategist', 'growth marketer', 'seo specialist', 'copywriter', 'brand strategist',
            'graphic designer',
        ],
        'manager': ['marketing manager', 'product marketing manager', 'brand manager', 'communications manager'],
        'director': ['director of marketing', 'marketing director'],
        'vp': ['vp marketing'],
        'cxo': ['chief marketing officer'],
    },
    'finance': {
        'entry': ['accounts payable clerk', 'junior accountant', 'finance intern'],
        'senior': [
            'accountant', 'senior accountant', 'financial analyst', 'auditor', 'tax consultant', 'investment analyst',
            'credit analyst', 'underwriter',
        ],
        'manager': ['finance manager', 'accounting manager', 'branch manager'],
        'director': ['finance director', 'controller'],
        'vp': ['vp finance', 'vice president'],
        'cxo': ['chief financial officer', 'cfo'],
    },
    'human resources': {
        'entry': ['hr assistant', 'recruiting coordinator'],
        'senior': ['recruiter', 'hr business partner', 'talent acquisition specialist'],
        'manager': ['hr manager', 'talent manager'],
        'director': ['director of human resources'],
        'vp': ['vp people'],
        'cxo': ['chief people officer'],
    },
    'operations': {
        'entry': ['warehouse associate', 'machine operator', 'operations assistant', 'driver'],
        'senior': [
            'operations analyst', 'project manager', 'supply chain analyst', 'process engineer', 'electrician',
            'technician', 'buyer',
        ],
        'manager': ['operations manager', 'plant manager', 'logistics manager', 'store manager', 'site manager'],
        'director': ['director of operations', 'operations director'],
        'vp': ['vp operations'],
        'cxo': ['chief operating officer'],
    },
    'product': {
        'entry': ['associate product manager'],
        'senior': ['product manager', 'senior product manager', 'product owner', 'ux designer', 'product designer'],
        'manager': ['group product manager', 'design manager'],
        'director': ['director of product', 'head of product'],
        'vp': ['vp of product'],
        'cxo': ['chief product officer'],
    },
    'health': {
        'entry': ['medical assistant', 'nursing assistant'],
        'senior': [
            'registered nurse', 'physician', 'pharmacist', 'physical therapist', 'dentist', 'radiologic technologist',
        ],
        'manager': ['nurse manager', 'practice manager'],
        'director': ['director of nursing', 'medical director'],
        'vp': ['vp clinical services'],
        'cxo': ['chief medical officer'],
    },
    'education': {
        'entry': ['teaching assistant', 'tutor'],
        'senior': ['teacher', 'lecturer', 'assistant professor', 'research fellow', 'professor'],
        'manager': ['program manager', 'department head'],
        'director': ['dean', 'principal'],
        'vp': ['vice provost'],
        'cxo': ['president', 'provost'],
    },
    'legal': {
        'entry': ['paralegal', 'legal assistant'],
        'senior': ['attorney', 'associate', 'counsel', 'solicitor'],
        'manager': ['legal manager', 'compliance manager'],
        'director': ['legal director', 'senior counsel'],
        'vp': ['deputy general counsel'],
        'cxo': ['general counsel', 'chief legal officer'],
    },
    'research': {
        'entry': ['research assistant', 'lab technician'],
        'senior': ['research scientist', 'data scientist', 'chemist', 'biologist', 'clinical research associate'],
        'manager': ['research manager', 'laboratory manager'],
        'director': ['director of research'],
        'vp': ['vp research and development'],
        'cxo': ['chief scientific officer'],
    },
    'customer service': {
        'entry': ['customer service representative', 'cashier', 'receptionist', 'waiter', 'barista'],
        'senior': ['customer success manager', 'support engineer', 'chef', 'team lead'],
        'manager': ['customer service manager', 'restaurant manager', 'hotel manager'],
        'director': ['director of customer success'],
        'vp': ['vp customer experience'],
        'cxo': ['chief customer officer'],
    },
    'executive': {
        'senior': ['consultant', 'senior consultant'],
        'entry': ['executive assistant', 'administrative assistant'],
        'manager': ['general manager', 'office manager'],
        'director': ['managing director', 'executive director'],
        'vp': ['senior vice president'],
        'cxo': ['chief executive officer', 'ceo', 'founder', 'co-founder and ceo'],
        'owner': ['owner', 'founder', 'self-employed', 'freelance consultant'],
    },
}

# What the people of an industry do, by its profile, with shares.
FUNCTIONS_OF_PROFILE = {
    'technology': {
        'engineering': 34, 'information technology': 18, 'sales': 14, 'product': 9, 'marketing': 7,
        'customer service': 6, 'finance': 4, 'human resources': 4, 'executive': 4,
    },
    'health': {
        'health': 58, 'executive': 12, 'operations': 9, 'information technology': 5, 'customer service': 8,
        'finance': 4, 'human resources': 4,
    },
    'finance': {
        'finance': 46, 'sales': 16, 'customer service': 12, 'information technology': 10, 'legal': 5, 'marketing': 4,
        'executive': 7,
    },
    'retail': {
        'customer service': 34, 'sales': 24, 'operations': 20, 'marketing': 7, 'finance': 5, 'human resources': 4,
        'executive': 6,
    },
    'operations': {
        'operations': 48, 'engineering': 16, 'sales': 11, 'finance': 6, 'information technology': 5,
        'human resources': 5, 'executive': 7, 'research': 2,
    },
    'education': {
        'education': 60, 'research': 12, 'executive': 12, 'information technology': 6, 'human resources': 4,
        'finance': 6,
    },
    'media': {
        'marketing': 34, 'sales': 16, 'executive': 16, 'product': 9, 'human resources': 9, 'engineering': 8,
        'finance': 8,
    },
    'science': {
        'research': 34, 'operations': 18, 'sales': 15, 'health': 8, 'engineering': 8, 'marketing': 6, 'legal': 4,
        'executive': 7,
    },
    'law': {'legal': 66, 'executive': 16, 'finance': 5, 'human resources': 5, 'information technology': 8},
    'government': {
        'executive': 26, 'operations': 22, 'education': 10, 'health': 8, 'finance': 10, 'legal': 8,
        'information technology': 10, 'human resources': 6,
    },
}

SKILLS = {
    'engineering': ['python', 'java', 'kubernetes', 'sql', 'git', 'rust', 'aws'],
    'information technology': ['linux', 'networking', 'azure', 'sql', 'active directory'],
    'sales': ['salesforce', 'negotiation', 'crm', 'lead generation'],
    'marketing': ['seo', 'content marketing', 'google analytics', 'branding'],
    'finance': ['excel', 'ifrs', 'financial modeling', 'sap'],
    'human resources': ['recruiting', 'workday', 'employee relations'],
    'operations': ['lean', 'six sigma', 'supply chain', 'scheduling'],
    'product': ['roadmapping', 'figma', 'agile', 'user research'],
    'health': ['patient care', 'acls', 'emr'],
    'education': ['curriculum design', 'teaching', 'mentoring'],
    'legal': ['contracts', 'litigation', 'compliance'],
    'research': ['statistics', 'r', 'experimental design'],
    'customer service': ['communication', 'zendesk', 'conflict resolution'],
    'executive': ['leadership', 'strategy', 'budgeting'],
}

# Seniority levels with their shares, and the least and most years of experience at each.
LEVELS = [('entry', 26), ('senior', 44), ('manager', 15), ('director', 7), ('vp', 4), ('cxo', 3), ('owner', 1)]
YEARS_OF_EXPERIENCE = {
    'entry': (0, 4),
    'senior': (2, 18),
    'manager': (6, 24),
    'director': (9, 28),
    'vp': (12, 32),
    'cxo': (10, 38),
    'owner': (1, 35),
}
DECISION_MAKERS = ['director', 'vp', 'cxo', 'owner']

DEGREES = {
    'bachelor': ['bachelor of science', 'bachelor of arts', 'bachelor of engineering', 'bachelor of commerce'],
    'master': ['master of science', 'master of business administration', 'master of arts'],
    'doctorate': ['doctor of philosophy'],
    'associate': ['associate of arts'],
}
# What people of a function have studied.
FIELDS_OF_STUDY = {
    'engineering': 'computer science',
    'information technology': 'information systems',
    'sales': 'business administration',
    'marketing': 'marketing',
    'finance': 'accounting',
    'human resources': 'psychology',
    'operations': 'industrial engineering',
    'product': 'design',
    'health': 'nursing',
    'education': 'education',
    'legal': 'law',
    'research': 'biology',
    'customer service': 'communication',
    'executive': 'economics',
}

# Sixteen each, drawn by four bits.
FREE_MAIL = ['gmail.com'] * 9 + [
    'outlook.com', 'hotmail.com', 'yahoo.com', 'icloud.com', 'proton.me', 'aol.com', 'live.com',
]
CONFIDENCES = ['high'] * 9 + ['moderate'] * 5 + ['low'] * 2

# Other names of countries, by the name that records have.
COUNTRY_ALIASES = {
    'united states': ['USA', 'U.S.', 'United States of America', 'us'],
    'united kingdom': ['UK', 'Great Britain', 'gb'],
    'germany': ['Deutschland', 'DE'],
    'netherlands': ['The Netherlands', 'NL'],
    'brazil': ['Brasil'],
    'spain': ['España'],
    'south korea': ['Republic of Korea', 'KR'],
    'turkey': ['Türkiye'],
}
NAME_PREFIXES = ['Dr. ', 'Mr. ', 'Ms. ', 'Mrs. ', 'Prof. ', 'Dr ']
NAME_SUFFIXES = [', PhD', ', MBA', ' Jr.', ', CPA', ' III', ', PMP', ' M.D.', ', Esq.']
