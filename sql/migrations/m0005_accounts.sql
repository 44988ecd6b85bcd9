-- What sign-in with a provider leaves behind: its REST credentials, its refresh tokens, its events, and the end of an account.
--
-- Why in one script: these columns and tables are read and written across each other (an event ends sessions and drops a token, a
-- deletion revokes it). The operations on them are functions in the scripts that follow. Everything of a provider's that could be used
-- against a person or the tenant (key, code, refresh token) is sealed; what is deleted with the account hangs on app_user or identity.

-- Settings of the tenant's sessions, in seconds. How many a user may have is a quota: sessions_per_user.
alter table tenant
    add column session_idle_s     integer not null default 2592000,
    add column session_absolute_s integer not null default 7776000,
    add constraint tenant_session_check check (
        session_idle_s between 600 and 31536000 and session_absolute_s between session_idle_s and 157680000
    );

-- The REST side of a provider. token_url and revoke_url null: this provider has none. credential_fault: what the provider said when it
-- refused our credentials, until they work again.
alter table provider
    add column team_id          text collate "C",
    add column key_id           text collate "C",
    add column sealed_key       bytea,  -- the .p8 as PKCS #8 DER
    add column authorize_url    text,
    add column token_url        text,
    add column revoke_url       text,
    add column migration_url    text,
    add column credential_fault text,
    add constraint provider_credentials_check check ((sealed_key is null) = (key_id is null) and (sealed_key is null) = (team_id is null));

-- native: codes are made on the device, exchanged without a redirect URI. web: a Services ID; its codes come by form_post to
-- redirect_uri, and the browser goes on to return_url.
alter table provider_client
    add column client_use   text not null default 'native' collate "C",
    add column redirect_uri text,
    add column return_url   text,
    add constraint provider_client_use_check check (
        client_use = 'native' and redirect_uri is null and return_url is null
        or client_use = 'web' and redirect_uri is not null and return_url is not null
    );

-- Published until retired_at plus the life of an access token; a revoked key is published no more, and signs for nothing.
alter table tenant_key
    add column activated_at timestamptz,
    add column retired_at   timestamptz,
    drop constraint tenant_key_state_check,
    add constraint tenant_key_state_check check (state in ('next', 'active', 'retired', 'revoked'));
update tenant_key set activated_at = created_at where state = 'active';

create domain user_state as text collate "C" constraint user_state_check check (value in ('active', 'banned'));
alter table app_user
    add column state   user_state not null default 'active',
    add column version integer    not null default 1,  -- the ETag of `me`
    -- Identity tokens that were made by then sign nobody in: consent was revoked then, or an account of the same subject ended.
    add column proof_after timestamptz;

-- client_id: the audience of the last accepted token. token_state: none (no code came) | pending (a code waits for its exchange) |
-- held | failed (token_fault says why) | dropped (the provider told us that it is void).
create domain token_state as text collate "C"
    constraint token_state_check check (value in ('none', 'pending', 'held', 'failed', 'dropped'));
alter table identity
    add column client_id          text collate "C",
    add column sealed_token       bytea,  -- the provider's refresh token
    add column token_client_id    text collate "C",
    add column token_state        token_state not null default 'none',
    add column token_fault        text,
    add column token_at           timestamptz,
    add column relay_enabled      boolean,  -- null: the provider has said nothing
    add column consent_revoked_at timestamptz,
    add column transferred_from   text collate "C",  -- the subject before a team transfer
    add constraint identity_token_check check ((sealed_token is null) = (token_client_id is null));

alter domain session_end_reason drop constraint session_end_reason_check;
alter domain session_end_reason add constraint session_end_reason_check
    check (value in ('logout', 'reused', 'revoked', 'limit', 'banned', 'consent-revoked', 'operator'));

-- The audience of the identity token that the session began with.
alter table session add column client_id text collate "C";

-- Authorization codes in use, so that one sent again finds its session. session_id null: its exchange is under way until leased_until,
-- or has failed with `fault`. A code lives five minutes at the provider; the sweeper takes the row after expires_at.
create table code_use (
    tenant_id    bigint      not null,
    digest       bytea       not null,  -- SHA-256 of client id, NUL, code
    expires_at   timestamptz not null,
    leased_until timestamptz not null,
    session_id   bigint,
    token_digest bytea,                 -- of the identity token that came with it, if one did
    fault        text        collate "C",
    constraint code_use_pkey primary key (tenant_id, digest)
) with (fillfactor = 70);
create index code_use_expiry on code_use (tenant_id, expires_at);

-- Codes that came with an identity token: exchanged after the sign-in, by work of kind `exchange`. Gone when that ends. It outlives the
-- account: what the provider gives for the code is revoked then. No foreign key to the identity, whose subject it follows all the same.
create table code_exchange (
    tenant_id      bigint      not null,
    exchange_id    bigint      not null,
    provider_id    bigint      not null,
    subject        text        not null collate "C",  -- empty once the account has ended
    client_id      text        not null collate "C",
    sealed_code    bytea       not null,
    expires_at     timestamptz not null,
    deletion_id    bigint,  -- the account has ended; null while it lives
    subject_digest bytea    -- who the code must be of then, as ended_subject has it
);
create index code_exchange_of_subject on code_exchange (tenant_id, provider_id, subject);
create index code_exchange_of_deletion on code_exchange (tenant_id, deletion_id) where deletion_id is not null;
alter table code_exchange add constraint code_exchange_pkey primary key (tenant_id, exchange_id);

-- What a provider told of its users, as said: verified, stored, answered, then acted on by work of kind `event`.
create table provider_event (
    tenant_id   bigint      not null,
    event_id    bigint      not null,
    provider_id bigint      not null,
    digest      bytea       not null,  -- SHA-256 of jti, or of what was signed where there is none
    kind        text        not null collate "C",
    subject     text        not null collate "C",
    happened_at timestamptz not null,
    received_at timestamptz not null,
    applied_at  timestamptz,
    outcome     text        collate "C",
    constraint provider_event_pkey primary key (tenant_id, event_id),
    constraint provider_event_digest_key unique (tenant_id, provider_id, digest)
);
create index provider_event_received on provider_event (tenant_id, received_at);

-- Subjects whose account has ended, by a digest that has a key of the service's in it: an identity token from before then signs nobody in.
-- The sweeper takes a row once no such token can be good.
create table ended_subject (
    tenant_id bigint      not null,
    digest    bytea       not null,  -- chil_subject_digest
    ended_at  timestamptz not null
);
create index ended_subject_expiry on ended_subject (tenant_id, ended_at);
alter table ended_subject add constraint ended_subject_pkey primary key (tenant_id, digest);

-- An account that was deleted: a receipt to ask by, nothing of the person. The sweeper takes it after 400 days.
create table account_deletion (
    tenant_id   bigint      not null,
    deletion_id bigint      not null,
    receipt     bytea       not null,  -- SHA-256 of the receipt
    origin      text        not null collate "C",
    deleted_at  timestamptz not null,
    drawings    bigint      not null,
    constraint account_deletion_pkey primary key (tenant_id, deletion_id),
    constraint account_deletion_origin_check check (origin in ('user', 'operator', 'provider'))
);
create index account_deletion_expiry on account_deletion (tenant_id, deleted_at);
alter table account_deletion add constraint account_deletion_receipt_key unique (tenant_id, receipt);

-- A provider's token that is to be revoked, by work of kind `revoke`. The token is wiped when that ends, whatever the end.
-- deletion_id null: revoked for another reason than a deletion.
create table token_revocation (
    tenant_id     bigint      not null,
    revocation_id bigint      not null,
    deletion_id   bigint,
    provider_id   bigint      not null,
    client_id     text        not null collate "C",
    sealed_token  bytea,
    state         text        not null default 'pending' collate "C",
    fault         text,
    attempts      integer     not null default 0,
    updated_at    timestamptz not null,
    constraint token_revocation_pkey primary key (tenant_id, revocation_id),
    constraint token_revocation_state_check check (state in ('pending', 'revoked', 'failed')),
    constraint token_revocation_token_check check ((state = 'pending') = (sealed_token is not null))
);
create index token_revocation_expiry on token_revocation (tenant_id, updated_at);
create index token_revocation_of_deletion on token_revocation (tenant_id, deletion_id);

-- A team transfer: the subject a user has with the other team, by the transfer identifier that the provider made for it.
create table subject_transfer (
    tenant_id        bigint      not null,
    provider_id      bigint      not null,
    transfer_subject text        not null collate "C",
    subject          text        not null collate "C",
    created_at       timestamptz not null,
    constraint subject_transfer_pkey primary key (tenant_id, provider_id, transfer_subject)
);

-- The last good key set of a URL, for a start without the issuer. A reference table: keys are public, and the same for all tenants.
-- is_exception: fetched from a private address that an operator allowed; it serves only records that have that exception.
create table key_set (
    url          text        not null collate "C",
    is_exception boolean     not null,
    body         bytea       not null,
    fetched_at   timestamptz not null,
    constraint key_set_pkey primary key (url, is_exception)
);

alter table work
    drop constraint work_kind_check,
    add constraint work_kind_check check (kind in ('print', 'exchange', 'revoke', 'event'));

-- Foreign keys, by name. --------------------------------------------------------------------------------------------------------

alter table code_use add constraint code_use_tenant_fkey foreign key (tenant_id) references tenant (tenant_id);
alter table code_exchange add constraint code_exchange_tenant_fkey foreign key (tenant_id) references tenant (tenant_id);
alter table ended_subject add constraint ended_subject_tenant_fkey foreign key (tenant_id) references tenant (tenant_id);
alter table provider_event add constraint provider_event_tenant_fkey foreign key (tenant_id) references tenant (tenant_id);
alter table account_deletion add constraint account_deletion_tenant_fkey foreign key (tenant_id) references tenant (tenant_id);
alter table token_revocation add constraint token_revocation_tenant_fkey foreign key (tenant_id) references tenant (tenant_id);
alter table subject_transfer add constraint subject_transfer_provider_fkey
    foreign key (tenant_id, provider_id) references provider (tenant_id, provider_id) on delete cascade;

-- Walls, as in m0002_walls. -----------------------------------------------------------------------------------------------------

do $walls$
declare
    owned text;
begin
    foreach owned in array array[
        'code_use', 'code_exchange', 'ended_subject', 'provider_event', 'account_deletion', 'token_revocation', 'subject_transfer'
    ] loop
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

grant select, insert, delete, update (leased_until, session_id, token_digest, fault) on code_use to chil_service;
grant select, insert, delete, update (subject, deletion_id, subject_digest) on code_exchange to chil_service;
grant select, insert, delete, update (ended_at) on ended_subject to chil_service;
grant select, insert, delete, update (applied_at, outcome) on provider_event to chil_service;
grant select, insert, delete on account_deletion to chil_service;
grant select, insert, delete, update (sealed_token, state, fault, attempts, updated_at) on token_revocation to chil_service;
grant select, delete on subject_transfer to chil_service;
grant select, insert, update (body, fetched_at) on key_set to chil_service;
grant update (credential_fault) on provider to chil_service;
grant delete, update (version, proof_after) on app_user to chil_service;
grant delete,
      update (subject, client_id, sealed_token, token_client_id, token_state, token_fault, token_at, relay_enabled,
              consent_revoked_at, transferred_from)
      on identity to chil_service;
grant delete on print_job, print_job_event to chil_service;

grant select on provider_event, account_deletion, token_revocation, key_set to chil_operator;
grant select (tenant_id, session_id, user_id, client_id, generation, rotated_at, device_name, user_agent, address, created_at, last_used_at,
              idle_expires_at, expires_at, ended_at, end_reason),
      update (ended_at, end_reason)
      on session to chil_operator;
grant select, insert, delete on subject_transfer to chil_operator;
grant update (session_idle_s, session_absolute_s) on tenant to chil_operator;
grant update (team_id, key_id, sealed_key, authorize_url, token_url, revoke_url, migration_url, credential_fault) on provider to chil_operator;
grant update (client_use, redirect_uri, return_url) on provider_client to chil_operator;
grant update (state, activated_at, retired_at) on tenant_key to chil_operator;
grant update (state, updated_at), delete on app_user to chil_operator;
-- An operator deletes and exports for a person who asks by letter: the same functions, the same rows.
grant delete on identity, session, drawing, image, print_job, print_job_event, work to chil_operator;
grant select, insert on work to chil_operator;
grant insert on account_deletion, token_revocation to chil_operator;
grant select (tenant_id, provider_id, subject), update (subject, deletion_id, subject_digest) on code_exchange to chil_operator;
grant select, insert, update (ended_at) on ended_subject to chil_operator;
grant select on image_chunk to chil_operator;
grant select (bytes) on image to chil_operator;

-- Changes a user's name, where p_sets_…, if the row is still the version that the caller saw, and notes it. No row: it is another version
-- now, or gone.
create function chil_rename_account(
    p_tenant bigint, p_user bigint, p_version integer, p_sets_given boolean, p_given text, p_sets_family boolean, p_family text,
    p_audit bigint, p_request text, p_now timestamptz
) returns setof app_user
    language plpgsql volatile
    as $$
    begin
        return query
            update app_user u
               set given_name = case when p_sets_given then p_given else u.given_name end,
                   family_name = case when p_sets_family then p_family else u.family_name end,
                   version = u.version + 1, updated_at = p_now
             where u.tenant_id = p_tenant and u.user_id = p_user and u.version = p_version
            returning u.*;
        if found then
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, request_id)
                values (p_tenant, p_audit, p_now, 'user', p_user::text, 'account.change', p_user::text, p_request);
        end if;
    end
    $$;

grant execute on function
    chil_rename_account(bigint, bigint, integer, boolean, text, boolean, text, bigint, text, timestamptz)
    to chil_service;
