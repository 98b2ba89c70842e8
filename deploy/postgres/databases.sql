-- Roles and databases of a stack; can be run again at any time. Wants the psql variables events and reads (database names), and in the
-- environment, which no list of processes shows, COMMAND_DB_PASSWORD, PROJECTOR_DB_PASSWORD and QUERY_DB_PASSWORD.
--
-- One role a service, so that each can do its part and no more: command-service owns the event store, projector owns the read models,
-- query-service can only read them.

select format('create role %I login', name)
from unnest(array ['roster_command', 'roster_projector', 'roster_query']) as wanted (name)
where not exists (select from pg_roles where rolname = wanted.name)
\gexec

\getenv command_password COMMAND_DB_PASSWORD
\getenv projector_password PROJECTOR_DB_PASSWORD
\getenv query_password QUERY_DB_PASSWORD
alter role roster_command password :'command_password';
alter role roster_projector password :'projector_password';
alter role roster_query password :'query_password';
-- A fault in the service must not be able to write: this is what stops it, below its own habit of only reading.
alter role roster_query set default_transaction_read_only = on;

select format('create database %I owner %I', name, owner)
from (values (:'events', 'roster_command'), (:'reads', 'roster_projector')) as wanted (name, owner)
where not exists (select from pg_database where datname = wanted.name)
\gexec

revoke connect, temporary on database :"events" from public;
revoke connect, temporary on database :"reads" from public;
grant connect on database :"reads" to roster_query;

\connect :"events"
alter schema public owner to roster_command;

\connect :"reads"
alter schema public owner to roster_projector;
grant usage on schema public to roster_query;
-- Every build gets a schema of its own, made while the stack runs: its tables are readable from the start.
alter default privileges for role roster_projector grant select on tables to roster_query;
alter default privileges for role roster_projector grant usage on schemas to roster_query;
