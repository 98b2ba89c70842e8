-- Records of a company build by their places in its default order, for a page of a search. Primary key.
select rank, service_id, doc from company where rank = any($1::int[])
