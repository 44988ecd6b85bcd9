-- Consent: what a child's guardian has agreed to, and the acts that wait for it.
--
-- Why two tables: that consent was given is evidence, kept for a while after the account (retention class `consents`), and has nothing of
-- a person but a number that nobody has any more. Who gave it is the app's own reference for a guardian, never read here; it goes with
-- the account. Rows are only added: taking consent back is a row too, and the newest row of a scope is what holds.

-- What is agreed to: that the child's drawings are kept, or that they are handed to a party.
create domain consent_scope as text collate "C"
    constraint consent_scope_check check (value ~ '^(collect|disclose:[a-z0-9][a-z0-9-]{0,39})$');
-- How it was made sure that a guardian agrees (16 CFR 312.5(b); PIPA Enforcement Decree Art. 17-2).
create domain consent_method as text collate "C"
    constraint consent_method_check check (value in ('sms', 'card', 'phone-identity', 'signed-paper', 'email', 'phone-call', 'video',
                                                     'knowledge', 'government-id', 'face-match', 'other'));

-- What the tenant asks for: scopes, one a line, and the version of the notice that is in force. No scope: nothing is asked for.
alter table tenant
    add column consent_scopes text    not null default '' collate "C",
    add column consent_notice integer not null default 1,
    add constraint tenant_consent_check check (consent_notice >= 1);

-- The party that a printer hands pages to, if it is a service of somebody else's.
alter table printer
    add column disclosed_to text collate "C",
    add constraint printer_disclosed_to_check check (disclosed_to ~ '^[a-z0-9][a-z0-9-]{0,39}$');

-- sequence: of this user's rows of this scope, from 1. method and notice are null where consent was taken back without them.
-- No foreign key to the user: it outlives the account.
create table consent (
    tenant_id  bigint         not null,
    user_id    bigint         not null,
    scope      consent_scope  not null,
    sequence   integer        not null,
    consent_id bigint         not null,  -- the same of all scopes that were said at once
    is_given   boolean        not null,
    method     consent_method,
    notice     integer,
    at         timestamptz    not null
);
create index consent_time on consent (tenant_id, at);
alter table consent add constraint consent_pkey primary key (tenant_id, user_id, scope, sequence);

-- Whoever the app says has said it: opaque.
create table consent_guardian (
    tenant_id  bigint not null,
    consent_id bigint not null,
    user_id    bigint not null,
    guardian   text   not null,
    constraint consent_guardian_pkey primary key (tenant_id, consent_id)
);
create index consent_guardian_of_user on consent_guardian (tenant_id, user_id);

alter table consent add constraint consent_tenant_fkey foreign key (tenant_id) references tenant (tenant_id);
alter table consent_guardian add constraint consent_guardian_user_fkey
    foreign key (tenant_id, user_id) references app_user (tenant_id, user_id) on delete cascade;

do $walls$
declare
    owned text;
begin
    foreach owned in array array['consent', 'consent_guardian'] loop
        execute format('alter table %I enable row level security', owned);
        execute format(
            $policy$
                create policy own_rows on %I to chil_service
                    using (tenant_id = nullif(current_setting('chil.tenant', true), '')::bigint)
                    with check (tenant_id = nullif(current_setting('chil.tenant', true), '')::bigint)
            $policy$,
            owned
        );
        execute format('create policy operator_rows on %I to chil_operator using (true) with check (true)', owned);
    end loop;
end
$walls$;
grant select, insert on consent, consent_guardian to chil_service, chil_operator;
grant update (consent_scopes, consent_notice) on tenant to chil_operator;
grant update (run_at, fence) on work to chil_operator;

-- The notice that consent to this scope is wanted under, if the tenant asks for that scope and the user's guardian has not given it, or
-- has given it under an older notice, or has taken it back. Null: nothing is missing.
create function chil_missing_consent(p_tenant bigint, p_user bigint, p_scope text) returns integer
    language plpgsql volatile
    as $$
    declare
        wanted integer;
        is_given boolean;
    begin
        select t.consent_notice into wanted
          from tenant t
         where t.tenant_id = p_tenant and p_scope = any (string_to_array(t.consent_scopes, E'\n'));
        if wanted is not null then
            select c.is_given and c.notice >= wanted into is_given
              from consent c
             where c.tenant_id = p_tenant and c.user_id = p_user and c.scope = p_scope
             order by c.sequence desc limit 1;
        end if;
        return case when is_given is not true then wanted end;
    end
    $$;

-- Writes down what a guardian said: one row for each scope (one a line) that it changes, and who said it. The user is held, so that what is
-- said of a user has an order.
--   verdict: recorded | unchanged (all of it holds already) | missing (no such user) | notice (there is no such version yet)
create function chil_record_consent(
    p_tenant bigint, p_user bigint, p_consent bigint, p_scopes text, p_is_given boolean, p_guardian text, p_method text, p_notice integer,
    p_actor_kind text, p_actor text, p_audit bigint, p_request text, p_now timestamptz
) returns text
    language plpgsql volatile
    as $$
    declare
        changed text;
        waiting bigint[];
    begin
        perform from app_user u where u.tenant_id = p_tenant and u.user_id = p_user for no key update;
        if not found then
            return 'missing';
        end if;
        if p_notice > (select t.consent_notice from tenant t where t.tenant_id = p_tenant) then
            return 'notice';
        end if;
        with added as (
            insert into consent (tenant_id, user_id, scope, sequence, consent_id, is_given, method, notice, at)
            select p_tenant, p_user, s.scope, coalesce(l.sequence, 0) + 1, p_consent, p_is_given, p_method, p_notice, p_now
              from unnest(string_to_array(p_scopes, E'\n')) as s (scope)
              left join lateral (
                    select c.sequence, c.is_given, c.method, c.notice, g.guardian
                      from consent c
                      left join consent_guardian g on g.tenant_id = p_tenant and g.consent_id = c.consent_id
                     where c.tenant_id = p_tenant and c.user_id = p_user and c.scope = s.scope
                     order by c.sequence desc limit 1
                   ) as l on true
             where case when p_is_given
                        then (l.is_given, l.method::text, l.notice, l.guardian) is distinct from (true, p_method, p_notice, p_guardian)
                        else coalesce(l.is_given, false) end
            returning scope
        )
        select string_agg(a.scope, ' ' order by a.scope) into changed from added a;
        if changed is null then
            return 'unchanged';
        end if;
        if p_guardian is not null then
            insert into consent_guardian (tenant_id, consent_id, user_id, guardian) values (p_tenant, p_consent, p_user, p_guardian);
        end if;
        if not p_is_given then
            -- Jobs that would hand a page over are looked at at once. Whoever works on one loses it, and writes nothing more.
            select array_agg(j.job_id) into waiting
              from print_job j
              join printer r on r.tenant_id = p_tenant and r.printer_id = j.printer_id
             where j.tenant_id = p_tenant and j.owner_id = p_user
               and j.state not in ('completed', 'failed', 'canceled', 'expired', 'outcomeUnknown')
               and 'disclose:' || r.disclosed_to = any (string_to_array(changed, ' '));
            update work w set run_at = now(), fence = w.fence + 1
             where w.tenant_id = p_tenant and w.work_id = any (waiting) and w.kind = 'print';
        end if;
        insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail, request_id)
            values (
                p_tenant, p_audit, p_now, p_actor_kind, p_actor, case when p_is_given then 'consent.give' else 'consent.withdraw' end,
                p_user::text, concat_ws(', ', changed, p_method, 'notice ' || p_notice), p_request
            );
        return 'recorded';
    end
    $$;

grant execute on function
    chil_missing_consent(bigint, bigint, text),
    chil_record_consent(bigint, bigint, bigint, text, boolean, text, text, integer, text, text, bigint, text, timestamptz)
    to chil_service, chil_operator;
