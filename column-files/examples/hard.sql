-- Searches that are slow by their kind, beside those of bench/src/search/queries.sql. For examples/scan.rs.
-- Nearly every value is a different one, and the pattern matches many or most
work_email LIKE '%x%'
work_email LIKE '%@%.com'
work_email LIKE '%a%e%i%'
work_email LIKE '%a_e%'
emails.address LIKE '%gmail%'
full_name LIKE '%maria%'
-- Hashes that are computed instead of kept
emails.hash_sha256 = {sha256(work_email)}
-- Long lists of values
city IN ({city#1}, {city#2}, {city#3}, {city#4}, {city#5}, {city#6}, {city#7}, {city#8}, {city#9}, {city#10}, {city#11}, {city#12}) AND job_title IN ({job_title#20}, {job_title#21}, {job_title#22}, {job_title#23}, {job_title#24}, {job_title#25}, {job_title#26}, {job_title#27}, {job_title#28}, {job_title#29})
first_name = 'maria' OR last_name = {last_name#2}
-- Lists
skills = {skills.cleaned#1} AND skills = {skills.cleaned#2}
(skills = {skills.cleaned#1} OR skills = {skills.cleaned#2}) AND is_decision_maker = true
NOT (emails.type = 'personal' AND emails.confidence = 'high')
experience.title LIKE '%engineer%' AND experience.current = false
experience.title LIKE '%engineer%' AND experience.current = false AND company_domain = {company_domain#2}
education.organization.name = {education.organization.name.cleaned#1} AND education.degree_level = 'masters'
-- Order: the first page, a deep one, and one behind a cursor
country_code = 'us' AND seniority_level = 'director' AND is_decision_maker = true ORDER BY avg_tenure_months DESC
country_code = 'us' AND seniority_level = 'director' AND is_decision_maker = true ORDER BY avg_tenure_months DESC | 10000
country_code = 'us' AND seniority_level = 'director' AND is_decision_maker = true ORDER BY avg_tenure_months DESC | cursor
ORDER BY avg_tenure_months DESC
ORDER BY avg_tenure_months DESC | 10000
ORDER BY avg_tenure_months DESC | cursor
country_code = 'us' ORDER BY last_seen DESC, full_name
country_code = 'us' ORDER BY last_seen DESC, full_name | 10000
country_code = 'us' ORDER BY last_seen DESC, full_name | cursor
ORDER BY country
ORDER BY country | cursor
country_code = 'us' ORDER BY seniority_level, full_name DESC
country_code = 'us' ORDER BY seniority_level, full_name DESC | 10000
country_code = 'us' ORDER BY job_title
country_code = 'us' ORDER BY job_title | 10000
ORDER BY work_email
ORDER BY work_email | 10000
country_code = 'us'
country_code = 'us' | 10000
country_code = 'us' | cursor
