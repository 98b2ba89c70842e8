-- How many rows there are of each kind. Whole tables.
SELECT (SELECT count(*) FROM account) AS accounts,
       (SELECT count(*) FROM api_key) AS api_keys,
       (SELECT count(*) FROM contract) AS contracts,
       (SELECT count(*) FROM report) AS reports,
       (SELECT count(*) FROM data_build) AS builds,
       (SELECT count(*) FROM dead_letter) AS dead_letters
