-- What each service says of itself every quarter of a minute, so that an operator sees which run, their release and their load.
--
-- Why a table: nothing else knows. Slots for ids (`loop_slot`) are leased by loops, not by processes, and say nothing of requests. It is of
-- no tenant and of no person; rows of services that are gone are removed by those that are there. PostgreSQL's clock, as for leases.

create table service_beat (
    replica      text        not null collate "C",  -- host, process and a random part: one life of one process
    release      text        not null,
    roles        text        not null collate "C",
    loops        integer     not null,
    started_at   timestamptz not null,
    seen_at      timestamptz not null,
    requests     bigint      not null,  -- since it started
    rate_milli   integer     not null,  -- of late: requests in a thousand seconds
    load_milli   integer     not null,  -- of late: thousandths of one core
    memory_bytes bigint      not null,
    minutes      integer[]   not null,  -- requests by the minute, the oldest first, at most 60
    busy_tenants bigint[]    not null,  -- those with the most requests of late, and how many in a thousand seconds
    busy_milli   integer[]   not null,
    constraint service_beat_pkey primary key (replica)
) with (fillfactor = 50);
grant select, insert, delete,
      update (release, roles, loops, started_at, seen_at, requests, rate_milli, load_milli, memory_bytes, minutes, busy_tenants, busy_milli)
   on service_beat to chil_service;
grant select on service_beat to chil_operator;
