-- Records of a person build by their ids. Index: the unique one of service_id.
select rank, service_id, doc from person where service_id = any($1::uuid[])
