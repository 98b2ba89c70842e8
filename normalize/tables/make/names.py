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
(มหาชน)|จำกัด|ห้างหุ้นส่วนจำกัด|บริษัท|(有)|㈲|(유)|合資会社|合名会社|유한책임회사|บจก.|บมจ.|หจก.
一般社団法人|公益社団法人|一般財団法人|公益財団法人|特定非営利活動法人|社会福祉法人|医療法人社団|医療法人財団|医療法人|宗教法人|独立行政法人'''
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
# Short forms and transcriptions of other languages, a language a paragraph. Written for this project from public knowledge.
OF_OTHER_LANGUAGES = '''elzbieta ela elka|aleksandra ola olka alexandra|agnieszka aga agusia|anna ania anka hania|barbara basia baska|beata beatka|bozena bozenka|dorota dorotka|hanna hania hanka
jakub kuba|jerzy jurek|jozef jozek|joanna asia joasia|katarzyna kasia kaska|krzysztof krzysiek krzys|magdalena magda madzia|malgorzata gosia malgosia|maria marysia|mateusz mati|natalia natalka
pawel pawelek|piotr piotrek|rafal rafalek|ryszard rysiek|slawomir slawek|stanislaw staszek stasiek|tadeusz tadek|tomasz tomek|waldemar waldek|wieslaw wiesiek|wladyslaw wladek|wojciech wojtek
zbigniew zbyszek|zofia zosia|andrzej jedrek|jedrzej jedrek|bartosz bartek|bartlomiej bartek|dariusz darek|grzegorz grzesiek grzes|jaroslaw jarek|kazimierz kazik|miroslaw mirek|przemyslaw przemek
radoslaw radek|sebastian seba|lukasz lukaszek|monika monia|justyna justynka|weronika wera|zuzanna zuza|aleksander olek alex|wojciech wojtek|maciej maciek|jan janek jas|mikolaj miki|iwona iwonka
jan honza jenda|jiri jirka|josef pepa|frantisek franta|jaroslav jarda|ladislav lada laco|miroslav mirek miro|vladimir vlada|zdenek zdena|vaclav vasek|stanislav standa|lubomir lubos|karel kaja
michal misa misko|jakub kuba|lukas luky|katerina katka|anna anicka|hana hanka|jana janicka|ludmila lida|marie marenka maruska|alzbeta bety|zuzana zuzka|barbora bara|veronika verca|tereza terka
magdalena magda majda|kristyna tyna|antonin tonda|bohumil bohous|oldrich olda|vojtech vojta|matej mates|jozef jozo|stefan stevo|juraj juro|tomas tomik|martin matko|peter peto
natalia natasha natalya nataliya natalie nataliia|alexander sasha shura|aleksandr sasha shura|alexandra sasha|maria masha marusya mariya marya mariia|anna anya ganna|tatiana tanya tatyana tetiana tetyana
elena lena yelena olena|ekaterina katya kateryna katerina|anastasia nastya anastasiya anastasiia|olga olya olha|irina ira iryna|svetlana sveta svitlana|ludmila lyuda lyudmila liudmila|galina galya halyna
nadezhda nadya nadiia|lyubov lyuba liubov|valentina valya|valeria lera valeriya valeriia|victoria vika viktoria viktoriya viktoriia|yulia yuliya julia yulya iuliia yuliia|ksenia kseniya xenia kseniia
daria dasha dariya darya dariia|evgenia zhenya evgeniya yevgenia yevheniia|dmitry dima dmitri dmitriy dmitrii dmytro mitya|mikhail misha mykhailo|nikolai kolya nikolay mykola|vladimir volodya vova volodymyr
sergei seryozha serhii sergey serhiy sergii|alexei lyosha alyosha aleksei aleksey oleksii oleksiy alexey|andrei andrey andrii andriy|pavel pasha pavlo|ivan vanya|petr petya petro pyotr|grigory grisha hryhorii grigoriy
konstantin kostya kostiantyn kostyantyn|leonid lyonya|boris borya borys|yuri yura yurii iurii yuriy|viktor vitya victor|vasily vasya vasyl vasiliy vasilii|stepan styopa|fyodor fedya fedor fedir|gennady gena gennadiy hennadii
anatoly tolya anatolii anatoliy|valery valera valeriy valerii|vyacheslav slava viacheslav|stanislav stas|yaroslav slava|maxim maks maksim maksym max|artem artyom tyoma artiom|kirill kyrylo|denis denys|igor ihor|oleg oleh
eduard edik|georgy gosha georgiy heorhii georgii|semyon semen|arkady arkadiy arkadii|yevgeny zhenya evgeny yevhen evgeniy evgenii yevgeniy|ilya illia|timofey tymofii|svyatoslav sviatoslav|oksana ksana|nikita mykyta
jose ze zeca|joao jao|francisco chico|antonio toninho tonho|manuel manel|luis luisinho|luiz luizinho|eduardo edu dudu|fernando nando|roberto beto|alberto beto|ricardo rica|rodrigo digo|guilherme gui|gustavo guga
henrique rique|leonardo leo|rafael rafa|gabriel gabi biel|gabriela gabi|isabela isa bela|isabel isa bel|beatriz bia|carolina carol|fernanda nanda|mariana mari|patricia pati paty|camila mila|daniela dani|daniel dani
adriana dri adri|alexandre xande ale alex|carlos carlinhos cadu|claudia clau|cristina cris|cristiane cris|felipe lipe|joaquim quim|sebastiao tiao|teresa tete|vinicius vini|vanessa nessa|filipe lipe
antoine tonio|catherine cathy|caroline caro|charles charlot|christophe chris tof|christine chris|elisabeth babeth lise|emmanuel manu|emmanuelle manue|florence flo|florian flo|frederic fred|frederique fred|genevieve ginette
guillaume guigui|isabelle isa|jacques jacquot|julien juju|marguerite margot|mathieu mat matt|matthieu mat matt|maxime max|nathalie nath|nicolas nico|patrice pat|patricia patou|philippe phil|pierre pierrot
sebastien seb|stephane steph|stephanie steph|theodore theo|thierry titi|veronique vero|vincent vince|benjamin ben benji|alexandre alex|alexandra alex|gregory greg|laurent lolo|valerie val|mohamed momo|dominique dom
alessandro ale sandro|alessandra ale sandra|antonio tonino nino|antonella anto|carlo carletto|caterina rina|daniele dani|domenico mimmo|elisabetta betta|emanuele lele manu|federico fede|federica fede|filippo pippo|francesca fra
francesco fra ciccio|gabriele lele|giovanni nanni vanni|giovanna gianna|giuseppina pina|lorenzo renzo|massimiliano max massi|massimo massi max|matteo teo|michele michi|nicola nico
pasquale lino|raffaele lello|riccardo ricky|salvatore toto salvo|simone simo|stefano ste|stefania ste|tommaso tommy|valentina vale|vincenzo enzo|leonardo leo|roberto robi|pietro piero|giacomo mino|edoardo edo
birgitta gittan|charlotte lotta|christina kicki stina|kristina kicki stina|elisabeth lisa bettan|fredrik fredde|gustav gurra|hans hasse|henrik henke|jan janne|karl kalle|katarina kattis|lars lasse|lennart lelle|magnus mange
margareta maggan greta|maria mia|mikael micke|niklas nicke|olof olle|per pelle|peter peppe petter|richard ricke|robert robban|sebastian sebbe|stefan steffe|sven svenne|tobias tobbe|thomas tompa|ulf uffe|viktor vicke|johan jocke
joakim jocke|bengt bengan|anders ante
abhishek abhi|aditya adi|anirudh ani|ashutosh ashu|siddharth sid siddhartha|vikram vik|rajesh raj raju|rajendra raj|sanjay sanju|venkatesh venkat venky|venkata venkat|subramanian subbu|srinivas srini|sreenivas srini|harpreet harry
gurpreet guri|jaspreet jas|priyanka priya|aishwarya aish|deepika deepu|karthik kartik|kavitha kavita|lakshman laxman|lakshmi laxmi|deepak dipak|sandeep sandip|chandrasekhar chandra shekhar|prashant prashanth|krishnan krish|krishna krish
nikhil nik|rohit ro|akshay akki|anupama anu|anuradha anu|dinesh dinu|mahesh mahi|balasubramanian bala|ramakrishnan ram|muhammad mohd
alberto beto|adriana adri|alejandro ale|antonia toni tona|beatriz bea|carolina caro|catalina cata|daniel dani|daniela dani|fernando fer|fernanda fer|gabriel gabi gabo|gonzalo gonza|isabel isa|javier javi|joaquin quino
lorena lore|miguel migue|montserrat montse|natalia nati|nicolas nico|patricia patri|rodrigo rodri|santiago santi|sebastian seba|sofia sofi|susana susi|valentina vale|veronica vero|victoria vicky|juan juancho|teresa tere|agustin agus
andreas andi|alexandra alex|angelika geli|barbara babs|benedikt bene|bernhard bernd|christoph chris|christian chris|dorothea doro|ferdinand ferdi|franziska franzi|georg schorsch|gerhard gerd|heinrich heiner heinz|johanna hanna hanni
josef sepp|joseph sepp|josephine josi|leonhard leo|magdalena leni lena|manfred manni|margarethe grete gretel|matthias matze|michael michi|nikolaus klaus niko|sebastian basti|siegfried siggi|sabine bine|stefanie steffi|stephanie steffi
susanne susi sanne|therese resi|ulrich uli ulli|ulrike uli ulli|ursula uschi|veronika vroni|wolfgang wolfi|rosemarie rosi|konstantin konsti|tobias tobi|philipp phil|dominik nik|eleonore lore
cornelis kees cor|hendrik henk|willem wim|pieter piet|antonius ton toon|adrianus ad|petrus piet peter|jacobus jaap koos|theodorus theo|wilhelmus wim willem|franciscus frans|maria ria marijke mieke|johanna hanneke
elisabeth bets els|margaretha greet|nicolaas klaas nico|leonardus leo|gerardus gerard|bartholomeus bart|sebastiaan bas|mattheus thijs|matthijs thijs|christiaan chris|daniel daan|lodewijk lode
mehmet memo|mustafa musti|ibrahim ibo|suleyman sulo|abdullah apo|fatma fatos|istvan pista|jozsef joska|laszlo laci|ferenc feri|sandor sanyi|gyorgy gyuri|janos jani|erzsebet erzsi|katalin kati|konstantinos kostas|dimitrios dimitris
georgios giorgos yorgos george|ioannis yannis giannis john|nikolaos nikos nick|panagiotis panos|athanasios thanasis|evangelos vangelis|vasileios vasilis bill|eleni helen|aikaterini katerina
huda hoda|youssef yousef yusuf yousif|khaled khalid|hassan hasan|mahmoud mahmud|mustafa mostafa moustafa|omar umar|osama usama|othman uthman osman|ibrahim ebrahim|ismail ismael esmail|tariq tarek tareq|walid waleed|said saeed saeid
salim saleem|rashid rasheed|karim kareem|hamid hameed|nasser naser|faisal faysal feisal|fatima fatma fatimah|aisha aysha ayesha aicha|khadija khadijah|zainab zaynab zeinab|maryam mariam|layla leila laila|noor nour nur
yasmin yasmine jasmine|abdullah abdallah abdulla|abdulrahman abdelrahman abdurrahman|abdulaziz abdelaziz|jamal gamal|jamil gamil|adel adil|ziad ziyad zeyad|samir sameer|munir mounir|nabil nabeel|yahya yehia|zakaria zakariya|mohsen muhsin
sherif sharif|hussam hossam|husam hossam|amr amro|ayman aiman|mohannad muhannad|yasser yasir yaser|hisham hesham|bashir basheer|jasim jassim|abdelkader abdulkader abdelqader|nadia nadya|amina aminah|rania raniya'''
# What the package calls a short form and is the name of another person: mostly the same name of the other gender, and `polly` of
# `paul`. Written for this project.
NOT_SHORT = {tuple(pair.split()) for pair in '''ian john|john ian|aaron erin|aron erin|andrea andrew|alexandria alexander|anselm selma|clarence clare|clementine clement
earnest ernestine|edwina edwin|emil emily|ernestine ernest|evangeline evan|felicia felix|franklin fran|frederica frederick|georgine george
june junius|junior june|junior junie|justin justina|laurinda lawrence|louis louise|lucia lucius|martha mat|paul polly
selma anselm|vic vicki|vic vickie|vic vicky|william bell|wilma william'''.replace('\n', '|').split('|')}
# Words of cleanco's lists that are more often part of the name.
NOT_FORMS = {'company', 'group', 'association', 'the', 'trust', 'foundation', 'society', 'union', 'bank', 'int', 'intl', 'mtu', 'uk', 'veå obch spol'}


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
    for line in (MORE_NAMES + '\n' + OF_OTHER_LANGUAGES).splitlines():
        for group in line.split('|'):
            name, *short = group.split()
            names[name] += short
    head = '# A given name and its short forms. Made by make/names.py.\n'
    lines = [' '.join([name, *sorted(set(short))]) for name, short in sorted(names.items())]
    (out / 'nicknames.tsv').write_text(head + '\n'.join(lines) + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
