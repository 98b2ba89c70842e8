-- Records of a company build by their ids. Index: the unique one of service_id.
select rank, service_id, doc from company where service_id = any($1::uuid[])
