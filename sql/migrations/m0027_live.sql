-- What happened to a person's drawings and prints, for the apps that listen (`GET events`), for a day.
--
-- Why rows: an app that was away asks for what came after the last it saw, at whichever service. They are written in the transaction of
-- what happened, or not at all, by m0003_decisions and m0004_printing. Numbers and words of the service alone, nothing of persons.

-- event_id: as all numbers 42 bits of milliseconds since 2024, by the writer's clock; then 11 bits by chance. So it is the moment as well,
-- and numbers of one person are about in the order of time: readers look ten seconds back, for what was committed late.
create table user_event (
    tenant_id bigint not null,
    user_id   bigint not null,
    event_id  bigint not null,
    type      text   not null collate "C",
    data      text   not null,  -- members of a JSON object
    constraint user_event_type_check check (type ~ '^[a-z]+(-[a-z]+)*\.[a-z]+$')
);
create index user_event_age on user_event (tenant_id, event_id);
alter table user_event add constraint user_event_pkey primary key (tenant_id, user_id, event_id);

alter table user_event enable row level security;
create policy own_rows on user_event to chil_service
    using (tenant_id = nullif(current_setting('chil.tenant', true), '')::bigint)
    with check (tenant_id = nullif(current_setting('chil.tenant', true), '')::bigint);
create policy operator_rows on user_event to chil_operator using (true) with check (true);
grant select, insert, delete on user_event to chil_service;
grant select, delete on user_event to chil_operator;

-- Tells a person's apps. p_data: as chil_emit has it.
create function chil_tell_user(p_tenant bigint, p_user bigint, p_type text, p_data text, p_now timestamptz) returns void
    language plpgsql volatile
    as $$
    declare
        number bigint := ((extract(epoch from p_now) * 1000)::bigint - 1704067200000) << 11 | (random() * 1023)::bigint;
    begin
        loop
            insert into user_event (tenant_id, user_id, event_id, type, data)
                values (p_tenant, p_user, number, p_type, p_data)
                on conflict do nothing;
            exit when found;
            number := number + 1;
        end loop;
    end
    $$;

grant execute on function chil_tell_user(bigint, bigint, text, text, timestamptz) to chil_service;
