"""What Faker does not have: real cities with their suburbs and other spellings, legal forms, lines of trade, schools, business titles, nicknames.

Those who write in another script have their lines of trade in English, too (`own=English`). A city is `name=other spelling@state:suburb,suburb`; `{}` stands for the city, or for what an employer is called by. A school is written as
`full=English=short`. A locale of `given` and `family` is taken from elsewhere where Faker's own has only borrowed names.
"""

import collections

Country = collections.namedtuple("Country", "name persons customs given family cities legal trades public schools")


def country(name, persons, customs, locale, cities, legal, trades, public, schools):
    given, _, family = locale.partition("+")
    return Country(name, persons, customs.split(), given, family or given, cities.split("; "), legal.split("; "), trades.split("; "), public.split("; "),
                   schools.split("; "))


ENGLISH_TRADES = "{} Logistics; {} Software; {} Manufacturing; {} Insurance; {} Health; {} Engineering; {} Foods; {} Consulting Group; {} & Sons; {} Technologies"
ENGLISH_SCHOOLS = "University of {}=University of {}=Univ. {}; {} Business School={} Business School={} B-School; {} College={} College={} Coll."
SPANISH_SCHOOLS = "Universidad de {}=University of {}=Univ. {}; Universidad Politécnica de {}=Technical University of {}=UP {}; Instituto Tecnológico de {}={} Institute of Technology=IT {}"
SPANISH_TRADES = "Transportes {}; Construcciones {}; {} Ingeniería; Industrias {}; {} Seguros; Laboratorios {}; Alimentos {}; {} Consultores; Grupo {}"

COUNTRIES = {
    "en_US": country("United States", 13, "middle", "en_US", "New York=NYC@New York:Brooklyn,Queens,Yonkers; Los Angeles=L.A.@California:Pasadena,Burbank,Glendale; Chicago=Chicagoland@Illinois:Evanston,Naperville,Oak Park; San Francisco=SF Bay Area@California:Oakland,San Mateo,Berkeley; Dallas=Dallas-Fort Worth@Texas:Plano,Irving,Frisco; Saint Paul=St. Paul@Minnesota:Minneapolis,Roseville; Atlanta=Greater Atlanta@Georgia:Marietta,Decatur; Boston=Greater Boston@Massachusetts:Cambridge,Quincy,Newton",
        "{}, Inc.; {} LLC; {} Corp.; {} Company", ENGLISH_TRADES, "City of {}; {} General Hospital; {} Public Schools", ENGLISH_SCHOOLS + "; {} State University={} State University={} State"),
    "en_GB": country("United Kingdom", 9, "middle", "en_GB", "London=Greater London@England:Croydon,Ealing,Bromley; Manchester=Greater Manchester@England:Salford,Stockport; Birmingham=B'ham@England:Solihull,Dudley; Glasgow=Greater Glasgow@Scotland:Paisley,Clydebank; Leeds=Leeds@England:Bradford,Wakefield; Bristol=Bristol@England:Bath,Keynsham; Newcastle upon Tyne=Newcastle@England:Gateshead",
        "{} Ltd; {} Limited; {} plc; {} LLP", ENGLISH_TRADES, "{} City Council; {} University Hospitals NHS Trust", ENGLISH_SCHOOLS),
    "en_AU": country("Australia", 4, "middle", "en_GB", "Sydney=Greater Sydney@New South Wales:Parramatta,Manly; Melbourne=Melbourne CBD@Victoria:St Kilda,Footscray; Brisbane=Brisbane@Queensland:Ipswich,Logan; Perth=Perth@Western Australia:Fremantle; Adelaide=Adelaide@South Australia:Glenelg",
        "{} Pty Ltd; {} Limited", ENGLISH_TRADES, "City of {}; {} Hospital", ENGLISH_SCHOOLS),
    "en_IN": country("India", 6, "", "en_IN", "Bengaluru=Bangalore@Karnataka:Whitefield,Yelahanka; Mumbai=Bombay@Maharashtra:Thane,Navi Mumbai; Chennai=Madras@Tamil Nadu:Tambaram; Kolkata=Calcutta@West Bengal:Howrah; Gurugram=Gurgaon@Haryana:Manesar; Pune=Poona@Maharashtra:Pimpri; Hyderabad=Hyd@Telangana:Secunderabad",
        "{} Pvt. Ltd.; {} Private Limited; {} Limited", ENGLISH_TRADES + "; {} Infotech; {} Textiles", "{} Municipal Corporation; {} Medical College", "{} University={} University=Univ. of {}; Indian Institute of Technology {}=IIT {}=IIT-{}; {} Engineering College={} Engineering College={} Engg. College"),
    "fil_PH": country("Philippines", 3, "maiden", "en_US+es_ES", "Manila=Metro Manila@Metro Manila:Quezon City,Makati,Pasig; Cebu City=Cebu@Cebu:Mandaue,Lapu-Lapu; Davao City=Davao@Davao del Sur:Tagum",
        "{} Inc.; {} Corporation; {} Corp.", ENGLISH_TRADES, "{} City Hall; {} Doctors Hospital", ENGLISH_SCHOOLS),
    "de_DE": country("Germany", 9, "hyphen", "de_DE", "München=Munich@Bayern:Garching,Dachau,Unterhaching; Köln=Cologne@Nordrhein-Westfalen:Hürth,Leverkusen; Nürnberg=Nuremberg@Bayern:Fürth,Erlangen; Frankfurt am Main=Frankfurt@Hessen:Offenbach am Main,Eschborn; Düsseldorf=Duesseldorf@Nordrhein-Westfalen:Neuss,Ratingen; Hamburg=Hamburg@Hamburg:Altona,Harburg; Berlin=Berlin@Berlin:Spandau,Charlottenburg; Hannover=Hanover@Niedersachsen:Garbsen",
        "{} GmbH; {} AG; {} GmbH & Co. KG; {} KG", "{} Logistik; {} Maschinenbau; {} Bau; {} Versicherungen; {} Medizintechnik; {} Software; Bäckerei {}; {} & Söhne; {} Unternehmensberatung", "Stadt {}; Klinikum {}; Stadtwerke {}",
        "Universität {}=University of {}=Uni {}; Technische Universität {}=Technical University of {}=TU {}; Hochschule {}={} University of Applied Sciences=HS {}"),
    "fr_FR": country("France", 7, "hyphen", "fr_FR", "Paris=Paris@Île-de-France:Boulogne-Billancourt,Courbevoie,Montreuil; Lyon=Lyons@Auvergne-Rhône-Alpes:Villeurbanne,Bron; Marseille=Marseilles@Provence-Alpes-Côte d'Azur:Aubagne; Toulouse=Toulouse@Occitanie:Blagnac,Colomiers; Lille=Lille@Hauts-de-France:Roubaix,Villeneuve-d'Ascq; Saint-Étienne=St Etienne@Auvergne-Rhône-Alpes:Firminy; Nîmes=Nimes@Occitanie:Beaucaire",
        "{} SA; {} SARL; {} SAS; {} S.A.S.", "Transports {}; {} Ingénierie; Établissements {}; {} Assurances; Laboratoires {}; {} Conseil; Boulangerie {}; {} et Fils; Groupe {}", "Mairie de {}; CHU de {}",
        "Université de {}=University of {}=Univ. {}; École de Commerce de {}={} School of Management=EC {}; INSA {}=National Institute of Applied Sciences {}=Institut National des Sciences Appliquées {}"),
    "es_ES": country("Spain", 7, "two", "es_ES", "Madrid=Madrid@Madrid:Alcobendas,Getafe,Pozuelo de Alarcón; Barcelona=Barcelona@Cataluña:Badalona,Sant Cugat del Vallès; Sevilla=Seville@Andalucía:Dos Hermanas; Zaragoza=Saragossa@Aragón:Utebo; Bilbao=Bilbao@País Vasco:Barakaldo,Getxo; A Coruña=La Coruña@Galicia:Oleiros; Málaga=Malaga@Andalucía:Torremolinos",
        "{} S.A.; {} S.L.; {} S.L.U.", SPANISH_TRADES, "Ayuntamiento de {}; Hospital Universitario de {}", SPANISH_SCHOOLS),
    "es_MX": country("Mexico", 6, "two", "es_MX", "Ciudad de México=CDMX@Ciudad de México:Coyoacán,Tlalpan; Guadalajara=GDL@Jalisco:Zapopan,Tlaquepaque; Monterrey=Mty@Nuevo León:San Pedro Garza García,Apodaca; Puebla=Puebla de Zaragoza@Puebla:Cholula; Querétaro=Santiago de Querétaro@Querétaro:Corregidora; Mérida=Merida@Yucatán:Umán",
        "{} S.A. de C.V.; {} S. de R.L. de C.V.; {} S.C.", SPANISH_TRADES, "Municipio de {}; Hospital General de {}", SPANISH_SCHOOLS),
    "pt_BR": country("Brazil", 7, "last", "pt_BR", "São Paulo=SP Capital@São Paulo:Osasco,Guarulhos,Barueri; Rio de Janeiro=Rio@Rio de Janeiro:Niterói,Duque de Caxias; Belo Horizonte=BH@Minas Gerais:Contagem,Betim; Brasília=Brasilia@Distrito Federal:Taguatinga; Curitiba=Curitiba@Paraná:São José dos Pinhais; Porto Alegre=POA@Rio Grande do Sul:Canoas",
        "{} Ltda.; {} S.A.; {} S/A; {} - ME", "Transportes {}; Construtora {}; {} Engenharia; {} Seguros; Indústrias {}; {} Alimentos; Laboratório {}; {} Consultoria; Grupo {}", "Prefeitura de {}; Hospital Municipal de {}",
        "Universidade Federal de {}=Federal University of {}=UF {}; Pontifícia Universidade Católica de {}=Catholic University of {}=PUC {}; Faculdade de {}={} College=Fac. {}"),
    "it_IT": country("Italy", 6, "", "it_IT", "Milano=Milan@Lombardia:Monza,Sesto San Giovanni,Rho; Roma=Rome@Lazio:Fiumicino,Pomezia; Torino=Turin@Piemonte:Moncalieri,Rivoli; Firenze=Florence@Toscana:Scandicci,Prato; Napoli=Naples@Campania:Pozzuoli; Genova=Genoa@Liguria:Rapallo; Venezia=Venice@Veneto:Mestre",
        "{} S.p.A.; {} S.r.l.; {} SRL; {} & C. S.n.c.", "{} Trasporti; Costruzioni {}; {} Ingegneria; {} Assicurazioni; Officine {}; Alimentari {}; {} Informatica; Fratelli {}; Gruppo {}", "Comune di {}; Ospedale di {}",
        "Università degli Studi di {}=University of {}=Univ. {}; Politecnico di {}=Polytechnic University of {}=Poli {}"),
    "nl_NL": country("Netherlands", 5, "hyphen", "nl_NL", "Amsterdam=A'dam@Noord-Holland:Amstelveen,Zaandam,Hoofddorp; Rotterdam=R'dam@Zuid-Holland:Schiedam,Capelle aan den IJssel; 's-Gravenhage=Den Haag@Zuid-Holland:Rijswijk,Voorburg; Utrecht=Utrecht@Utrecht:Nieuwegein,Zeist; 's-Hertogenbosch=Den Bosch@Noord-Brabant:Vught; Eindhoven=Eindhoven@Noord-Brabant:Veldhoven",
        "{} B.V.; {} BV; {} N.V.; {} VOF", "{} Logistiek; Bouwbedrijf {}; {} Techniek; {} Verzekeringen; Bakkerij {}; {} Advies; {} & Zonen; {} Groep; {} Software", "Gemeente {}; Ziekenhuis {}",
        "Universiteit van {}=University of {}=Univ. {}; Hogeschool {}={} University of Applied Sciences=HS {}"),
    "pl_PL": country("Poland", 5, "", "pl_PL", "Warszawa=Warsaw@Mazowieckie:Piaseczno,Pruszków; Kraków=Cracow@Małopolskie:Wieliczka,Skawina; Łódź=Lodz@Łódzkie:Pabianice,Zgierz; Wrocław=Wroclaw@Dolnośląskie:Oleśnica; Poznań=Poznan@Wielkopolskie:Luboń,Swarzędz; Gdańsk=Gdansk@Pomorskie:Gdynia,Sopot",
        "{} Sp. z o.o.; {} S.A.; {} Sp.j.", "{} Transport; {} Budownictwo; PPHU {}; {} Ubezpieczenia; Zakłady {}; {} Doradztwo; Piekarnia {}; Grupa {}; {} Informatyka", "Urząd Miasta {}; Szpital Miejski {}",
        "Uniwersytet {}=University of {}=Uniw. {}; Politechnika {}={} University of Technology=Polit. {}"),
    "cs_CZ": country("Czechia", 3, "", "cs_CZ", "Praha=Prague@Hlavní město Praha:Karlín,Smíchov; Brno=Brno@Jihomoravský kraj:Kuřim,Šlapanice; Plzeň=Pilsen@Plzeňský kraj:Rokycany; Ostrava=Ostrava@Moravskoslezský kraj:Havířov",
        "{} s.r.o.; {} a.s.; {} spol. s r.o.", "{} Doprava; {} Stavby; {} Strojírny; {} Pojišťovna; Pekárna {}; {} Poradenství; Skupina {}; {} a syn; {} Software", "Magistrát města {}; Nemocnice {}",
        "Univerzita {}=University of {}=Univ. {}; Vysoké učení technické {}={} University of Technology=VUT {}"),
    "sv_SE": country("Sweden", 4, "middle", "sv_SE", "Stockholm=Stockholm@Stockholms län:Solna,Nacka,Sundbyberg; Göteborg=Gothenburg@Västra Götalands län:Mölndal,Kungsbacka; Malmö=Malmo@Skåne län:Lund,Burlöv; Linköping=Linkoping@Östergötlands län:Mjölby; Örebro=Orebro@Örebro län:Kumla",
        "{} AB; {} HB; {} Aktiebolag", "{} Transport; {} Bygg; {} Teknik; {} Försäkring; {} Livsmedel; {} Konsult; {} & Söner; {}gruppen; {} Data", "{} kommun; {} sjukhus", "{}s universitet={} University=Univ. {}; Högskolan i {}={} University College=HS {}"),
    "fi_FI": country("Finland", 3, "middle", "fi_FI", "Helsinki=Helsingfors@Uusimaa:Espoo,Vantaa; Turku=Åbo@Varsinais-Suomi:Raisio,Kaarina; Tampere=Tammerfors@Pirkanmaa:Nokia,Ylöjärvi; Oulu=Uleåborg@Pohjois-Pohjanmaa:Kempele",
        "{} Oy; {} Oyj; {} Ky; Oy {} Ab", "{} Kuljetus; {} Rakennus; {} Tekniikka; {} Vakuutus; Leipomo {}; {} Konsultointi; {}-yhtiöt; {} Data", "{} kaupunki; {} sairaala", "{} yliopisto=University of {}={} yo; {} ammattikorkeakoulu={} University of Applied Sciences={} AMK"),
    "tr_TR": country("Turkey", 4, "", "tr_TR", "İstanbul=Istanbul@İstanbul:Kadıköy,Üsküdar,Beşiktaş; Ankara=Ankara@Ankara:Çankaya,Gölbaşı; İzmir=Izmir@İzmir:Bornova,Karşıyaka; Kocaeli=İzmit@Kocaeli:Gebze; Eskişehir=Eskisehir@Eskişehir:Odunpazarı",
        "{} A.Ş.; {} Ltd. Şti.; {} San. ve Tic. A.Ş.", "{} Lojistik; {} İnşaat; {} Tekstil; {} Sigorta; {} Gıda; {} Danışmanlık; {} Holding; {} Yazılım; {} Otomotiv", "{} Belediyesi; {} Devlet Hastanesi", "{} Üniversitesi={} University={} Üniv.; {} Teknik Üniversitesi={} Technical University={} TÜ"),
    "hu_HU": country("Hungary", 3, "familyfirst", "hu_HU", "Budapest=Bp.@Pest:Budaörs,Érd; Debrecen=Debrecen@Hajdú-Bihar:Hajdúszoboszló; Győr=Gyor@Győr-Moson-Sopron:Pannonhalma; Pécs=Pecs@Baranya:Komló",
        "{} Kft.; {} Zrt.; {} Bt.; {} Nyrt.", "{} Szállítás; {} Építő; {} Gépgyár; {} Biztosító; {} Pékség; {} Tanácsadó; {} és Fiai; {} Csoport; {} Szoftver", "{} Önkormányzata; {} Kórház", "{} Egyetem=University of {}={} Egy.; {} Műszaki Főiskola={} Technical College={} MF"),
    "ro_RO": country("Romania", 3, "", "ro_RO", "București=Bucharest@București:Băneasa,Militari; Cluj-Napoca=Cluj@Cluj:Florești; Iași=Iasi@Iași:Pașcani; Timișoara=Timisoara@Timiș:Giroc; Brașov=Brasov@Brașov:Săcele",
        "{} SRL; {} S.R.L.; {} SA", "{} Transport; {} Construct; {} Asigurări; Panificație {}; {} Consulting; {} & Fiii; Grupul {}; {} Soft; {} Impex", "Primăria {}; Spitalul Județean {}", "Universitatea din {}=University of {}=Univ. {}; Universitatea Politehnica {}=Polytechnic University of {}=UP {}"),
    "id_ID": country("Indonesia", 4, "", "id_ID", "Jakarta=DKI Jakarta@DKI Jakarta:Kebayoran Baru,Tebet,Cilandak; Surabaya=Sby@Jawa Timur:Sidoarjo,Gresik; Bandung=Bdg@Jawa Barat:Cimahi; Yogyakarta=Jogja@DI Yogyakarta:Sleman,Bantul; Medan=Medan@Sumatera Utara:Binjai",
        "PT {}; PT {} Tbk; CV {}", "{} Logistik; {} Jaya; {} Makmur; {} Asuransi; {} Teknologi; {} Sejahtera; {} Konsultan; {} Tekstil; {} Mandiri", "Pemerintah Kota {}; RSUD {}", "Universitas {}=University of {}=Univ. {}; Institut Teknologi {}={} Institute of Technology=IT {}"),
    "vi_VN": country("Vietnam", 4, "familyfirst vietnamese", "vi_VN", "Hà Nội=Hanoi@Hà Nội:Gia Lâm,Hà Đông; Thành phố Hồ Chí Minh=Saigon@Thành phố Hồ Chí Minh:Thủ Đức,Bình Chánh; Đà Nẵng=Da Nang@Đà Nẵng:Sơn Trà; Hải Phòng=Haiphong@Hải Phòng:Kiến An",
        "Công ty TNHH {}; Công ty Cổ phần {}; {} JSC", "Vận tải {}; Xây dựng {}; Bảo hiểm {}; {} Logistics; Thực phẩm {}; Công nghệ {}; Dệt may {}; Tập đoàn {}", "UBND {}; Bệnh viện {}", "Đại học {}=University of {}=ĐH {}; Đại học Bách khoa {}={} University of Technology=ĐHBK {}"),
    "ja_JP": country("Japan", 5, "romanized", "ja_JP", "Tokyo=Tōkyō@Tokyo:Machida,Mitaka,Hachioji; Osaka=Ōsaka@Osaka:Sakai,Suita; Nagoya=Nagoya@Aichi:Toyota,Kasugai; Kyoto=Kyōto@Kyoto:Uji; Fukuoka=Hakata@Fukuoka:Kasuga",
        "{} Co., Ltd.; {} K.K.; {} Corporation; {} Inc.", "{} Seisakusho; {} Kogyo; {} Shoji; {} Denki; {} Holdings; {} Systems; {} Shokuhin; {} Unyu; {} Kensetsu", "{} City Office; {} Municipal Hospital", "{} University=University of {}={} Univ.; {} Institute of Technology={} Institute of Technology={} Tech"),
    "zh_CN": country("China", 6, "romanized", "zh_CN", "Beijing=Peking@Beijing:Tongzhou,Daxing; Shanghai=Shanghai Pudong@Shanghai:Songjiang,Minhang; Guangzhou=Canton@Guangdong:Foshan,Panyu; Shenzhen=SZ@Guangdong:Dongguan,Longgang; Xi'an=Xian@Shaanxi:Xianyang; Hangzhou=Hangchow@Zhejiang:Xiaoshan",
        "{} Co., Ltd.; {} Co. Ltd; {} Group Co., Ltd.", "{} Technology; {} Trading; {} Electronics; {} Pharmaceutical; {} Textile; {} Machinery; {} Network Technology; {} Logistics; {} Import & Export", "{} Municipal Government; {} People's Hospital", "{} University={} University={} Univ.; {} University of Technology={} University of Technology={} Tech"),
    "ru_RU": country("Russia", 4, "patronymic native", "ru_RU", "Москва=Moscow@Москва:Зеленоград,Троицк; Санкт-Петербург=Saint Petersburg@Санкт-Петербург:Пушкин,Колпино; Казань=Kazan@Татарстан:Зеленодольск; Екатеринбург=Ekaterinburg@Свердловская область:Берёзовский; Нижний Новгород=Nizhny Novgorod@Нижегородская область:Бор",
        "ООО «{}»; АО «{}»; ПАО «{}»", "{} Логистика={} Logistics; {} Строй={} Stroy; Завод {}={} Plant; {} Страхование={} Insurance; {} Консалтинг={} Consulting; Группа {}={} Group; {} Софт={} Soft; {} и партнёры={} & Partners; Торговый дом {}={} Trading House", "Администрация {}=City of {}; Больница {}={} Hospital", "{} государственный университет={} State University={} ГУ; {} политехнический институт={} Polytechnic Institute={} ПИ"),
    "uk_UA": country("Ukraine", 3, "patronymic native", "uk_UA", "Київ=Kyiv@Київська область:Бровари,Ірпінь; Львів=Lviv@Львівська область:Винники; Харків=Kharkiv@Харківська область:Мерефа; Одеса=Odesa@Одеська область:Чорноморськ",
        "ТОВ «{}»; АТ «{}»; ПрАТ «{}»", "{} Логістика={} Logistics; {} Буд={} Bud; Завод {}={} Plant; {} Страхування; {} Консалтинг={} Consulting; Група {}={} Group; {} Софт={} Soft; {} і партнери={} & Partners; Торговий дім {}={} Trading House", "Міська рада {}={} City Council; Лікарня {}={} Hospital", "Університет {}=University of {}=Унів. {}; Політехніка {}={} Polytechnic=Політех {}"),
    "el_GR": country("Greece", 3, "native", "el_GR", "Αθήνα=Athens@Αττική:Μαρούσι,Περιστέρι,Χαλάνδρι; Θεσσαλονίκη=Thessaloniki@Κεντρική Μακεδονία:Καλαμαριά; Πάτρα=Patras@Δυτική Ελλάδα:Ρίο; Ηράκλειο=Heraklion@Κρήτη:Γάζι",
        "{} Α.Ε.; {} Ε.Π.Ε.; {} Ο.Ε.", "{} Μεταφορές={} Transport; {} Κατασκευές={} Constructions; {} Ασφάλειες={} Insurance; {} Τρόφιμα={} Foods; {} Σύμβουλοι={} Consultants; Όμιλος {}={} Group; {} Πληροφορική={} Informatics; {} και Υιοί={} & Sons", "Δήμος {}=Municipality of {}; Νοσοκομείο {}={} Hospital", "Πανεπιστήμιο {}=University of {}=Παν. {}; Πολυτεχνείο {}=Technical University of {}=Πολυτ. {}"),
    "ko_KR": country("South Korea", 4, "familyfirst native", "ko_KR", "서울=Seoul@서울:강남구,마포구,송파구; 부산=Busan@부산:해운대구,사하구; 대구=Daegu@대구:수성구; 인천=Incheon@인천:부평구,연수구; 대전=Daejeon@대전:유성구",
        "주식회사 {}; (주){}; {} 주식회사", "{}물류={} Logistics; {}건설={} Construction; {}전자={} Electronics; {}보험={} Insurance; {}식품={} Foods; {}컨설팅={} Consulting; {}소프트={} Soft; {}산업={} Industries; {}제약={} Pharma", "{}시청={} City Hall; {}병원={} Hospital", "{}대학교={} University={}대; {}공과대학교={} Institute of Technology={}공대"),
}

# English | short | reworded | language:word. Whoever has one of them may be asked for by another.
TITLES = [row.split("|") for row in """\
Sales Manager|Sales Mgr|Head of Sales|de:Vertriebsleiter|fr:Responsable commercial|es:Jefe de ventas|it:Responsabile vendite|pt:Gerente de vendas|nl:Verkoopmanager|pl:Kierownik sprzedaży|ru:Менеджер по продажам
Account Executive|AE|Account Manager|de:Kundenbetreuer|fr:Chargé de clientèle|es:Ejecutivo de cuentas|pt:Executivo de contas
Software Engineer|SW Engineer|Software Developer|de:Softwareentwickler|fr:Ingénieur logiciel|es:Ingeniero de software|it:Sviluppatore software|pt:Engenheiro de software|pl:Programista|ru:Программист
Senior Software Engineer|Sr. Software Eng.|Senior Developer
Project Manager|PM|Project Lead|de:Projektleiter|fr:Chef de projet|es:Jefe de proyecto|pt:Gerente de projetos|nl:Projectleider|ru:Руководитель проекта
Managing Director|MD|General Manager|de:Geschäftsführer|fr:Directeur général|es:Director general|it:Direttore generale|pt:Diretor geral|nl:Directeur|pl:Dyrektor|ru:Генеральный директор
Chief Financial Officer|CFO|Finance Director|de:Leiter Finanzen|fr:Directeur financier|es:Director financiero|it:Direttore finanziario|pt:Diretor financeiro
Human Resources Manager|HR Manager|People Manager|de:Personalleiter|fr:Responsable RH|es:Jefe de recursos humanos|pt:Gerente de RH|pl:Kierownik HR
Accountant|Acct.|Bookkeeper|de:Buchhalter|fr:Comptable|es:Contador|it:Contabile|pt:Contador|pl:Księgowy|ru:Бухгалтер
Vice President Operations|VP Operations|VP Ops
Purchasing Manager|Purch. Mgr|Head of Procurement|de:Einkaufsleiter|fr:Responsable achats|es:Jefe de compras
Marketing Assistant|Mktg Asst|Marketing Coordinator|de:Marketingassistent|fr:Assistant marketing|es:Asistente de marketing
Registered Nurse|RN|Staff Nurse|de:Krankenpfleger|fr:Infirmier|es:Enfermero|pt:Enfermeiro|pl:Pielęgniarka
Teacher|Tchr|School Teacher|de:Lehrer|fr:Professeur|es:Profesor|it:Insegnante|pt:Professor|pl:Nauczyciel|ru:Учитель""".splitlines()]

NICKNAMES = {
    "en": "robert:bob,rob,bobby william:bill,will richard:rick,dick james:jim,jimmy john:jack,johnny michael:mike david:dave joseph:joe thomas:tom christopher:chris daniel:dan matthew:matt anthony:tony steven:steve andrew:andy joshua:josh kenneth:ken timothy:tim jeffrey:jeff nicholas:nick jonathan:jon benjamin:ben samuel:sam gregory:greg alexander:alex edward:ed,ted elizabeth:liz,beth jennifer:jen,jenny margaret:maggie,peggy patricia:pat,trish katherine:kate,kathy barbara:barb susan:sue jessica:jess deborah:deb,debbie rebecca:becky kimberly:kim christine:chris,tina victoria:vicky amanda:mandy samantha:sam pamela:pam",
    "de": "johannes:hannes,hans michael:micha friedrich:fritz wilhelm:willi josef:sepp maximilian:max elisabeth:lisa,elli katharina:kathi alexander:alex stefan:steffen,steff andreas:andi thomas:tom margarete:grete christian:chris ulrich:uli wolfgang:wolf susanne:susi",
    "fr": "frédéric:fred alexandre:alex christophe:chris philippe:phil dominique:dom élisabeth:babette catherine:cathy stéphanie:steph thomas:tom benjamin:ben patrick:pat nicolas:nico",
    "es": "francisco:paco,pancho josé:pepe ignacio:nacho manuel:manolo,manu antonio:toño,toni guadalupe:lupita dolores:lola rosario:charo enrique:quique jesús:chuy concepción:concha,conchita eduardo:lalo,edu alejandro:alex rafael:rafa isabel:chabela",
    "pt": "josé:zé francisco:chico antônio:toninho fernanda:nanda eduardo:edu,dudu gabriel:biel rafael:rafa leonardo:léo isabela:isa gabriela:gabi",
    "it": "giuseppe:beppe,pino francesco:checco giovanni:gianni luigi:gigi antonio:tonino alessandro:sandro salvatore:totò elisabetta:betta domenico:mimmo federica:fede",
    "nl": "johannes:jan,hans cornelis:kees wilhelmus:wim elisabeth:els,liesbeth hendrik:henk thomas:tom pieter:piet gerrit:ger willem:wim",
    "pl": "katarzyna:kasia małgorzata:gosia aleksandra:ola aleksander:olek jan:janek stanisław:staszek anna:ania agnieszka:aga piotr:piotrek tomasz:tomek krzysztof:krzysiek jakub:kuba",
    "cs": "josef:pepa jan:honza jiří:jirka karel:kája františek:franta alžběta:běta kateřina:katka",
    "hu": "istván:pista józsef:jóska lászló:laci katalin:kati erzsébet:erzsi zsuzsanna:zsuzsa sándor:sanyi jános:jani ferenc:feri györgy:gyuri",
    "ru": "александр:саша владимир:володя,вова дмитрий:дима екатерина:катя мария:маша иван:ваня михаил:миша евгений:женя наталья:наташа анастасия:настя алексей:лёша",
    "el": "κωνσταντίνος:κώστας γεώργιος:γιώργος ιωάννης:γιάννης δημήτριος:δημήτρης,μήτσος αικατερίνη:κατερίνα βασίλειος:βασίλης ελένη:λένα",
    "fi": "johannes:jussi juhani:jussi katariina:kati elisabet:liisa", "sv": "lars:lasse karl:kalle per:pelle bengt:benke jan:janne margareta:greta johan:jojje fredrik:fredde",
}

# Long and short form of the words of an address; `-` before the end of a word.
STREETS = "-straße:-str. -Straße:-Str. Street:St Avenue:Ave Road:Rd Drive:Dr Lane:Ln Boulevard:Blvd Court:Ct Apt.:# Suite:Ste avenue:av. boulevard:bd rue:r. Calle:C/ Avenida:Av. Plaza:Pl. Rua:R. Travessa:Tv. Viale:V.le Via:V. Piazza:P.zza ulica:ul. aleja:al. Strada:Str. Bulevardul:Bd. Jalan:Jl. Gang:Gg. Sokak:Sk. Caddesi:Cd. utca:u. -straat:-str. -gatan:-g. улица:ул. проспект:пр-т набережная:наб. Flat:Fl Studio:St. Edif.:Ed. Piso:P. Đường:Đ."
# Long and short form of the words of an employer's name.
EMPLOYERS = "Manufacturing:Mfg Engineering:Engg. Technologies:Tech Technology:Tech. Consulting:Cons. Hospital:Hosp. General:Gen. University:Univ. Group:Grp International:Intl and:& Insurance:Ins. Maschinenbau:MB Versicherungen:Vers. Transportes:Transp. Construcciones:Constr. Laboratorios:Lab. Établissements:Ets Laboratoires:Labo. Société:Sté Industrias:Ind. Ingegneria:Ing. Bouwbedrijf:Bouwb. Ayuntamiento:Ayto. Prefeitura:Pref. Universitario:Univ. Municipal:Mun."
LETTERS = {"native": "а:a б:b в:v г:g д:d е:e ё:yo ж:zh з:z и:i й:y к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ч:ch ш:sh щ:shch ъ: ы:y ь: э:e ю:yu я:ya і:i ї:yi є:ye ґ:g ʼ: α:a β:v γ:g δ:d ε:e ζ:z η:i θ:th ι:i κ:k λ:l μ:m ν:n ξ:x ο:o π:p ρ:r σ:s ς:s τ:t υ:y φ:f χ:ch ψ:ps ω:o",
           "german": "ä:ae ö:oe ü:ue å:aa ø:oe", "plain": "ß:ss ł:l ø:o ı:i đ:d"}
KOREAN_FAMILIES = dict(pair.split(":") for pair in "김:Kim 이:Lee 박:Park 최:Choi 정:Jung 강:Kang 조:Cho 윤:Yoon 장:Jang 임:Lim 오:Oh 신:Shin 유:Yoo 권:Kwon 문:Moon 구:Koo 우:Woo 노:Noh".split())
