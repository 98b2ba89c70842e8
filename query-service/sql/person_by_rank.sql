-- Records of a person build by their places in its default order, for a page of a search. Primary key.
select rank, service_id, doc from person where rank = any($1::int[])
