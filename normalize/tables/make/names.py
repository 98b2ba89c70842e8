#!/usr/bin/env python3
"""Makes legal_forms.txt from cleanco and nicknames.tsv from nicknames (both PyPI): names.py --out DIR."""
import argparse
import collections
import csv
import pathlib

import cleanco.termdata
import nicknames

# Forms that cleanco has not: with other spacing, or more often something else. Those of legal_forms_by_country.tsv go off a name;
# the others stay in it and do not count in its key.
# Written for this project.
MORE = '''co ltd|co limited|company limited|company ltd|pte ltd|pte limited|pty ltd|pty limited|pvt ltd|pvt limited|private limited|proprietary limited
public limited company|limited liability company|limited liability partnership|limited partnership|general partnership
incorporated|corporation|corp|inc|ltd|limited|llc|llp|lp|lllp|plc|pllc|pc|pbc|ulc|cic
gmbh|mbh|ggmbh|gmbh and co kg|gmbh co kg|gmbh & co kg|gmbh & co kgaa|ag & co kg|ag & co kgaa|se & co kgaa|se & co kg|ag|kg|kgaa|ohg|ug|ug haftungsbeschränkt|ev|eg|ek|gbr|aktiengesellschaft|gesellschaft mbh
sa|s a|sas|sasu|sarl|eurl|snc|sca|scs|sprl|bvba|srl|bv|nv|cv|vof|spa|sapa|srls|scarl|scpa
sa de cv|sapi de cv|sab de cv|s de rl de cv|sab|sapi|s de rl|sl|slu|slne|sau|scl|ltda|limitada|lda|eireli|sociedad anónima|sociedad anonima|s a s
ab|publ|ab publ|asa|as|aps|a/s|k/s|i/s|oy|oyj|abp|ky|hf|ehf
sp z oo|sp z o o|spółka z oo|spółka akcyjna|sp k|sp j|sro|s r o|as|a s|spol s r o|spol sro|vos|ks|doo|d o o|dd|d d|ad|ead|eood|ood|et|kft|zrt|nyrt|bt|rt|kkt
ооо|оао|зао|пао|ао|ип|тов|ат|прат|пат
kk|kabushiki kaisha|kabushiki gaisha|godo kaisha|gk|yk|yugen kaisha|株式会社|有限会社|合同会社|有限公司|股份有限公司|有限责任公司|주식회사|㈜
tbk|pt|sdn bhd|bhd|sdn|berhad|jsc|pjsc|ojsc|cjsc|llp|fze|fzc|fzco|fz llc|dmcc|wll|w l l|saog|saoc|qsc|qpsc|ksc|kscp|psc|bsc|sae|sal|sak
nl|rf|na|national association|societas europaea|se|sce|eeig|oü|as|uab|sia|a/s|ab|mb|tov|vat|anonim şirketi|aş|a ş|ltd şti|ltd sti|san ve tic|ve tic as'''
# Abbreviated forms that cleanco has not, or of which it would leave a half (`s. de r.l. de`). They go off a name like
# cleanco's own. Written for this project.
ABBREVIATED = '''ek|slu|sau|s/a|eireli|wll|fze|fzc|fzco|fz llc|fz-llc|dmcc|dac|clg|ulc|sàrl|srls|scarl|ab publ|publ|aş|ltd şti|ltd sti|ug haftungsbeschränkt
ggmbh|mbh|pbc|s de rl de cv|sab de cv|sapi de cv|sab|soc coop|proprietary limited|company limited|public company limited|co limited|eood|veř obch spol
s à rl|sci|kscp|san ve tic aş|san ve tic ltd şti|san tic ltd şti'''
# Forms of scripts that put no space between them and the name. Written for this project.
ATTACHED = '''株式会社|有限会社|合同会社|股份有限公司|有限责任公司|有限責任公司|有限公司|주식회사|유한회사|(주)|㈜|(株)|㈱
(มหาชน)|จำกัด|ห้างหุ้นส่วนจำกัด|บริษัท|(有)|㈲|(유)|合資会社|合名会社|유한책임회사|บจก.|บมจ.|หจก.'''
# Short forms outside English and other spellings of one name. Written for this project from public knowledge.
MORE_NAMES = '''alejandro alex|alejandra alex sandra|francisco paco pancho fran cisco|francisca paca fran|jose pepe joe|ignacio nacho|guadalupe lupe
dolores lola|rosario charo|concepcion concha conchita|enrique quique kike|eduardo lalo edu eddie|jesus chuy chucho|roberto beto rob
rafael rafa|manuel manolo manu manny|antonio toni tono tony|fernando nando|isabel isa chabela|luis lucho|mercedes merche|pilar pili
johannes hannes hans jan johan|friedrich fritz fred|wilhelm willi willy|katharina kathi katja|elisabeth lisa elli elisa lisbeth liz beth
maximilian max|alexander sascha sasha alex aleksandr alexandr alexandre oleksandr alessandro|dmitri dima dmitry dmitriy dimitri
mikhail misha mike michael|vladimir vova volodya vlad|ekaterina katya kate yekaterina catherine|anastasia nastya|nikolai kolya nikolay nick nicholas
yevgeny zhenya evgeny eugene evgenii|sergey sergei serhiy serge|yuri iurii yury|andrey andrei andriy andrew|aleksey alexey alexei alex
giuseppe beppe peppe pino joe|francesco franco frank|giovanni gianni john|luigi gigi|stanislaw staszek stan|malgorzata gosia|katarzyna kasia
mohammed muhammad mohamed mohammad mohamad md mo|ahmed ahmad|yusuf youssef yousef|hussein hussain husayn|catherine katherine kathryn catharine katharine
jon john jonathan|steven stephen stefan|geoffrey jeffrey jeff geoff|michele michelle|robb rob robert|timm tim|sara sarah|ann anne anna|eric erik
mark marc marcus|philip phillip|allan alan allen|brian bryan|carl karl|christian kristian|kristen kristin|jose josef|joao john|pedro peter|pablo paul
juan john|miguel michael mike|jorge george|carlos charles charlie|guillermo william memo bill|enzo vincenzo lorenzo|theresa teresa|isabelle isabel isabella'''
# What the package calls a short form and is the name of another person: mostly the same name of the other gender, and `polly` of
# `paul`. Written for this project.
NOT_SHORT = {tuple(pair.split()) for pair in '''aaron erin|aron erin|andrea andrew|alexandria alexander|anselm selma|clarence clare|clementine clement
earnest ernestine|edwina edwin|emil emily|ernestine ernest|evangeline evan|felicia felix|franklin fran|frederica frederick|georgine george
june junius|junior june|junior junie|justin justina|laurinda lawrence|louis louise|lucia lucius|martha mat|paul polly
selma anselm|vic vicki|vic vickie|vic vicky|william bell|wilma william'''.replace('\n', '|').split('|')}
# Words of cleanco's lists that are more often part of the name.
NOT_FORMS = {'company', 'group', 'association', 'the', 'trust', 'foundation', 'society', 'union', 'bank', 'int', 'intl', 'mtu', 'veå obch spol'}


def bare(term):
    return ' '.join(''.join(c for c in term.lower() if c not in '.,()').split())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--out', type=pathlib.Path, required=True)
    out = parser.parse_args().out
    forms = set()
    for table in (cleanco.termdata.terms_by_type, cleanco.termdata.terms_by_country):
        forms |= {bare(term) for terms in table.values() for term in terms}
    forms |= {bare(term) for line in ABBREVIATED.splitlines() for term in line.split('|')}
    more = {bare(term) for line in MORE.splitlines() for term in line.split('|')}
    by_country = pathlib.Path(__file__).parent.parent / 'legal_forms_by_country.tsv'
    more -= {line.split('\t')[0] for line in by_country.read_text(encoding='utf-8').splitlines()}
    head = '# Legal forms without dots and commas. Made by make/names.py.\n'
    for name, terms in (('legal_forms.txt', forms), ('legal_forms_more.txt', more - forms)):
        lines = sorted(form for form in terms - NOT_FORMS if form)
        (out / name).write_text(head + '\n'.join(lines) + '\n', encoding='utf-8')
    head = '# Legal forms written without a space before or behind the name. Made by make/names.py.\n'
    (out / 'legal_forms_attached.txt').write_text(head + '\n'.join(ATTACHED.replace('\n', '|').split('|')) + '\n', encoding='utf-8')
    names = collections.defaultdict(list)
    path = pathlib.Path(nicknames.__file__).with_name('names.csv')
    for row in csv.DictReader(open(path, encoding='utf-8')):
        if row['relationship'] == 'has_nickname' and (row['name1'], row['name2']) not in NOT_SHORT:
            names[row['name1']].append(row['name2'])
    for line in MORE_NAMES.splitlines():
        for group in line.split('|'):
            name, *short = group.split()
            names[name] += short
    head = '# A given name and its short forms. Made by make/names.py.\n'
    lines = [' '.join([name, *sorted(set(short))]) for name, short in sorted(names.items())]
    (out / 'nicknames.tsv').write_text(head + '\n'.join(lines) + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
