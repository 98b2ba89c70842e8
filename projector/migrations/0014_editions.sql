-- Why: requests are read by the canon and keys of today, records as their build was loaded. Which build is behind must be known.

alter table build_chunk add column edition int not null default 0;
comment on column build_chunk.edition is 'By which edition of canon and keys (normalize::EDITION) its lines were read, once it is loaded; 0: by a version that did not say.';

alter table build_load add column edition int not null default 0;
comment on column build_load.edition is 'The lowest edition of its chunks, once it is ranked.';
