-- Sixty searches of persons, one a line: count and first 100 rows each. {column} stands for the value of one record in the
-- middle of the build. What follows a `|` is the offset. Lines of comment are passed over.
-- One value
work_email = {work_email}
emails.address = {work_email}
linkedin_url = {linkedin_url}
mobile_phone = {mobile_phone}
service_id = {service_id}
last_name = {last_name}
company_name = {company_name}
company_domain = {company_domain}
country = 'united states'
seniority_level = 'director'
job_title = 'software engineer'
is_decision_maker = true
-- Several columns
country = 'united states' AND seniority_level = 'director' AND job_function = 'engineering'
country = 'united states' AND seniority_level = 'senior' AND job_function = 'sales' AND company_size = '1001-5000' AND is_decision_maker = false
city = 'chicago' AND job_title = 'software engineer'
company_industry = 'banking' AND state = 'california'
seniority_level = 'vp' OR company_industry = 'construction'
country = 'france' OR job_function = 'sales' OR company_size = '51-200'
(country = 'germany' AND seniority_level = 'manager') OR (country = 'france' AND seniority_level = 'director')
-- Lists of values
city IN ('london', 'chicago', 'berlin', 'philadelphia', 'rennes', 'manchester', 'paris', 'mumbai', 'madrid', 'toronto', 'sydney', 'austin', 'seattle', 'boston', 'denver', 'lyon', 'hamburg', 'munich', 'leeds', 'dublin')
job_title IN ('software engineer', 'account executive', 'consultant', 'project manager', 'operations analyst', 'help desk analyst')
country NOT IN ('united states', 'france', 'germany')
-- Negation and unknown values
NOT country = 'united states'
company_industry <> 'software development'
NOT (seniority_level = 'senior' OR state = 'california')
mobile_phone IS NULL
work_email IS NULL
work_email IS NOT NULL AND is_decision_maker = true
-- Ranges
years_of_experience BETWEEN 5 AND 10
NOT years_of_experience BETWEEN 5 AND 10
years_of_experience > 30
num_sources >= 8 AND years_of_experience < 3
last_seen BETWEEN '2026-06-01' AND '2026-06-30'
last_seen >= '2026-01'
-- Patterns
job_title LIKE 'vp%'
job_title ILIKE '%engineer%'
NOT job_title LIKE '%engineer%'
company_name LIKE '%bank%'
full_name LIKE 'maria%'
full_name LIKE '%son'
work_email LIKE '%smith%'
work_email LIKE 'smi%'
work_email LIKE '%@gmail.com'
linkedin_url LIKE '%garcia%'
job_title LIKE '%engineer%' AND country = 'united states' AND job_function = 'engineering'
-- Lists: one element for which all holds
emails.type = 'work' AND emails.current = true
emails.type = 'personal' AND emails.confidence = 'high' AND country = 'united states'
NOT (emails.type = 'work' AND emails.current = true)
emails.address LIKE '%garcia%'
phones IS NULL AND emails IS NOT NULL
experience.title LIKE '%engineer%' AND experience.current = false
experience.organization.name = {company_name} AND experience.current = false
experience.start_date >= '2024' AND experience.seniority_level = 'director'
skills = 'python' AND skills = 'sql' AND city = 'chicago'
NOT skills = 'lean'
education.organization.name LIKE '%stanford%' OR education.degree_level = 'doctorate'
-- Order and depth
country = 'united states' | 10000
country = 'united states' AND is_decision_maker = true ORDER BY years_of_experience DESC, last_name
ORDER BY years_of_experience DESC | 10000
country = 'united states' ORDER BY work_email | 10000
