-- Tables of the core: tenants, identities, sessions, drawings, images, quotas, printing, the work queue, audit.
--
-- Why this shape: every tenant-owned table has tenant_id first in its primary key, unique keys and foreign keys, so that row level
-- security reads as an index condition and the schema can be distributed by tenant. Ids are made by the service (53 bit, ordered
-- by time), so an id is also the keyset of its list. Foreign keys are added by name after the tables: they can be dropped and added
-- again around a distribution. Words (kinds, states) are text with a check, compared bytewise.
--
-- Tables that requests write (quota, image, drawing, session, audit) have no check constraints: PostgreSQL reads and plans the text
-- of each anew in every statement (ExecRelCheck), 6 µs apiece, a fifth of what a create cost. Their words and ranges are domains,
-- whose checks are kept with the plan.

create domain amount as bigint constraint amount_check check (value >= 0);
create domain sha256_digest as bytea constraint sha256_digest_check check (octet_length(value) = 32);
-- Bytes of an image in one row; more are stored in chunks of this size.
create domain image_bytes as bytea constraint image_bytes_check check (octet_length(value) between 1 and 262144);
create domain quota_metric as text collate "C"
    constraint quota_metric_check check (value in ('users', 'drawings', 'storage_bytes', 'generations', 'motions', 'print_jobs',
                                                   'printed_pages', 'printers', 'sessions_per_user', 'requests'));
create domain quota_scope as text collate "C" constraint quota_scope_check check (value in ('tenant', 'user', 'printer'));
create domain quota_window as text collate "C"
    constraint quota_window_check check (value in ('none', 'minute', 'hour', 'day', 'month'));
create domain quota_action as text collate "C" constraint quota_action_check check (value in ('deny', 'warn'));
create domain quota_source as text collate "C" constraint quota_source_check check (value in ('plan', 'tenant'));
-- What was told of a counter: 0 nothing yet, 1 that little is left, 2 that nothing is.
create domain quota_told as smallint constraint quota_told_check check (value between 0 and 2);
create domain drawing_kind as text collate "C"
    constraint drawing_kind_check check (value in ('GENERATED', 'SCANNED', 'UPLOADED', 'ANIMATED'));
create domain drawing_status as text collate "C"
    constraint drawing_status_check check (value in ('PENDING', 'READY', 'FAILED'));
create domain session_end_reason as text collate "C"
    constraint session_end_reason_check check (value in ('logout', 'reused'));
create domain audit_actor_kind as text collate "C"
    constraint audit_actor_kind_check check (value in ('user', 'operator', 'service'));

-- Reference tables: the same for all tenants, without row level security. -------------------------------------------------------

create table tenant (
    tenant_id     bigint      not null,
    slug          text        not null collate "C",
    name          text        not null,
    state         text        not null collate "C" default 'active',
    time_zone     text        not null default 'UTC',
    guest_user_id bigint,     -- who callers without Authorization are, or were; null: nobody yet
    serves_guest  boolean     not null default false,
    guest_prints_per_day integer not null default 30,  -- from one address
    created_at    timestamptz not null,
    updated_at    timestamptz not null,
    constraint tenant_guest_prints_check check (guest_prints_per_day between 1 and 100000),
    constraint tenant_guest_check check (guest_user_id is not null or not serves_guest),
    constraint tenant_pkey primary key (tenant_id),
    constraint tenant_slug_key unique (slug),
    constraint tenant_slug_check check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
    constraint tenant_state_check check (state in ('active', 'suspended'))
);

-- Which audiences a provider record accepts. A production client id belongs to one tenant: `authority` (the record's first issuer)
-- and the client id are unique over all tenants. Development ones are unique within their record only.
create table provider_client (
    tenant_id      bigint      not null,
    provider_id    bigint      not null,
    client_id      text        not null collate "C",
    authority      text        not null collate "C",
    is_development boolean     not null,
    created_at     timestamptz not null,
    constraint provider_client_pkey primary key (tenant_id, provider_id, client_id)
);
create unique index provider_client_production_key on provider_client (authority, client_id) where not is_development;

-- Number ranges of the id makers: one row a slot, leased by a loop. Slot 63 belongs to chiladmin and is never leased.
create table loop_slot (
    slot       integer     not null,
    holder     text        not null default '' collate "C",
    fence      bigint      not null default 0,
    expires_at timestamptz not null default '-infinity',
    constraint loop_slot_pkey primary key (slot),
    constraint loop_slot_check check (slot between 0 and 62)
) with (fillfactor = 50);
insert into loop_slot (slot) select generate_series(0, 62);

-- Work that outlives a request, of all tenants. `run_at` is also the lease: a claim moves it to the lease's end.
-- lane: of one lane only some is taken at once, so that what waits for one does not wait for all: a printer's number for a print, else 0
-- or less (-1: what nobody waits for).
create table work (
    tenant_id  bigint      not null,
    work_id    bigint      not null,
    kind       text        not null collate "C",
    subject_id bigint      not null,
    run_at     timestamptz not null,
    attempts   integer     not null default 0,
    leased_by  text        collate "C",
    fence      bigint      not null default 0,
    lane       bigint      not null default 0,
    constraint work_pkey primary key (tenant_id, work_id),
    constraint work_kind_check check (kind in ('print'))
) with (fillfactor = 70);
create index work_run_at on work (run_at);

-- Tenant-owned tables. ----------------------------------------------------------------------------------------------------------
--
-- The index that a table's hot statements need is made last. While a table is empty all of its indexes cost the planner the same; it
-- then takes the newest (tried on 15.20), and a cached plan keeps that until the next ANALYZE. For the same reason statements about a
-- drawing name its owner where they know it.

create table provider (
    tenant_id                bigint      not null,
    provider_id              bigint      not null,
    jwks_url                 text        not null,
    algorithms               text        not null,  -- one a line
    nonce_policy             text        not null collate "C",
    iat_age_max_s            integer     not null,
    allowed_private_endpoint text,                  -- host:port of keys at a private address; null: public addresses only
    is_development           boolean     not null,
    created_at               timestamptz not null,
    constraint provider_pkey primary key (tenant_id, provider_id),
    constraint provider_nonce_policy_check check (nonce_policy in ('server', 'client', 'optional'))
);

-- `iss` selects exactly one record of a tenant. position 0 is the authority of its client ids.
create table provider_issuer (
    tenant_id   bigint  not null,
    issuer      text    not null collate "C",
    provider_id bigint  not null,
    position    integer not null,
    constraint provider_issuer_pkey primary key (tenant_id, issuer)
);

create table tenant_key (
    tenant_id      bigint      not null,
    key_id         text        not null collate "C",
    state          text        not null collate "C",
    public_x       bytea       not null,
    public_y       bytea       not null,
    sealed_private bytea       not null,
    created_at     timestamptz not null,
    constraint tenant_key_pkey primary key (tenant_id, key_id),
    constraint tenant_key_state_check check (state in ('next', 'active', 'retired'))
);
create unique index tenant_key_active_key on tenant_key (tenant_id) where state = 'active';

create table app_user (
    tenant_id        bigint      not null,
    user_id          bigint      not null,
    given_name       text,
    family_name      text,
    email            text,
    email_verified   boolean,
    is_private_email boolean,
    created_at       timestamptz not null,
    updated_at       timestamptz not null,
    constraint app_user_pkey primary key (tenant_id, user_id)
);

-- A person is (tenant, provider record, sub): all issuers of one record are the same person.
create table identity (
    tenant_id   bigint      not null,
    provider_id bigint      not null,
    subject     text        not null collate "C",
    user_id     bigint      not null,
    created_at  timestamptz not null
);
create index identity_user on identity (tenant_id, user_id);
alter table identity add constraint identity_pkey primary key (tenant_id, provider_id, subject);

-- generation: the refresh counter in force. child_used_at: when a token of that generation was first seen.
create table session (
    tenant_id       bigint      not null,
    session_id      bigint      not null,
    user_id         bigint      not null,
    salt            bytea       not null,
    generation      integer     not null default 1,
    child_used_at   timestamptz,
    rotated_at      timestamptz not null,
    device_name     text,
    user_agent      text,
    address         text,
    created_at      timestamptz not null,
    last_used_at    timestamptz not null,
    idle_expires_at timestamptz not null,
    expires_at      timestamptz not null,
    ended_at        timestamptz,
    end_reason      session_end_reason  -- of those that have ended
) with (fillfactor = 80);
create index session_of_user on session (tenant_id, user_id);
create index session_expiry on session (tenant_id, expires_at);
alter table session add constraint session_pkey primary key (tenant_id, session_id);

-- A nonce is spent by deleting it.
create table nonce (
    tenant_id  bigint      not null,
    digest     bytea       not null,
    expires_at timestamptz not null
);
create index nonce_expiry on nonce (tenant_id, expires_at);
alter table nonce add constraint nonce_pkey primary key (tenant_id, digest);

-- Identity tokens already used. A token's expiry is signed into it, so the same token always has the same key; leading with it
-- keeps inserts at one end of the index and makes it the sweeper's index too.
create table spent_token (
    tenant_id  bigint      not null,
    expires_at timestamptz not null,
    digest     bytea       not null,
    constraint spent_token_pkey primary key (tenant_id, expires_at, digest)
);

-- Limits: for a tenant, for each of its users or for each of its printers, in all or by window. What has no row has no limit. The
-- count of a tenant's own limit is here, that of a user's or printer's in quota_use. resets_at: infinity where nothing
-- resets. What stays below quiet_below is counted by one update and nothing else: no limit reached, nothing to be told, and no other
-- row of the metric; 0 where that is never so.
create table quota (
    tenant_id   bigint       not null,
    metric      quota_metric not null,
    scope       quota_scope  not null default 'tenant',
    window_kind quota_window not null,
    hard_limit  amount       not null,
    soft_limit  amount,      -- null: 80 % of hard_limit
    action      quota_action not null default 'deny',
    source      quota_source not null default 'tenant',
    used        amount       not null default 0,
    resets_at   timestamptz  not null default 'infinity',
    told        quota_told   not null default 0,
    told_at     timestamptz,
    quiet_below bigint       not null default 0,
    updated_at  timestamptz  not null,
    constraint quota_pkey primary key (tenant_id, metric, scope, window_kind)
) with (fillfactor = 50);

-- The counters of limits for a user or a printer, made when first needed. resets_at as in quota.
create table quota_use (
    tenant_id   bigint       not null,
    subject_id  bigint       not null,  -- a user or a printer, as the scope says
    metric      quota_metric not null,
    scope       quota_scope  not null,
    window_kind quota_window not null,
    used        amount       not null,
    resets_at   timestamptz  not null,
    told        quota_told   not null default 0,
    told_at     timestamptz,
    constraint quota_use_pkey primary key (tenant_id, subject_id, metric, scope, window_kind)
) with (fillfactor = 50);
create index quota_use_over on quota_use (tenant_id, resets_at) where resets_at < 'infinity';

-- Bytes are addressed by their SHA-256 within one owner, never shared between owners. Few bytes lie in the row itself; more are staged
-- in chunks first, under a lease (staged_until), and published by the create that takes the quota: staged_until is null then.
-- The owner has no foreign key: a published image has a drawing, whose owner is checked, and staging holds the owner itself.
create table image (
    tenant_id    bigint        not null,
    owner_id     bigint        not null,
    hash         sha256_digest not null,
    byte_count   bigint        not null,
    media_type   text          not null collate "C",
    width        integer       not null,
    height       integer       not null,
    chunk_count  integer       not null,  -- 0: the bytes are here
    staged_until timestamptz,
    bytes        image_bytes,
    constraint image_pkey primary key (tenant_id, owner_id, hash)
);
alter table image alter column bytes set storage external;  -- images are compressed already
create index image_staged on image (tenant_id, staged_until) where staged_until is not null;

create table image_chunk (
    tenant_id bigint        not null,
    owner_id  bigint        not null,
    hash      sha256_digest not null,
    position  integer       not null,
    bytes     image_bytes   not null,
    constraint image_chunk_pkey primary key (tenant_id, owner_id, hash, position)
);
alter table image_chunk alter column bytes set storage external;

create table drawing (
    tenant_id  bigint      not null,
    drawing_id bigint      not null,
    owner_id   bigint      not null,
    byte_count bigint      not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    width      integer     not null,
    height     integer     not null,
    version    integer     not null default 1,
    kind       drawing_kind   not null,
    status     drawing_status not null,
    media_type text        not null collate "C",
    image_hash sha256_digest,
    title      text,
    prompt     text,
    original_hash sha256_digest  -- what the image was made of, where both are kept (m0026_scans)
);
-- Two lists, two indexes: a union over the kinds serves the list of all kinds from one of them too, at twice the cost.
create index drawing_original on drawing (tenant_id, owner_id, original_hash) where original_hash is not null;
create index drawing_image on drawing (tenant_id, owner_id, image_hash);
create index drawing_of_owner_by_kind on drawing (tenant_id, owner_id, kind, drawing_id desc);
alter table drawing add constraint drawing_pkey primary key (tenant_id, drawing_id);
create index drawing_of_owner on drawing (tenant_id, owner_id, drawing_id desc);

create table printer (
    tenant_id  bigint      not null,
    printer_id bigint      not null,
    name       text        not null,
    kind       text        not null collate "C",
    uri        text        not null,
    is_default boolean     not null,
    state      text        not null collate "C",
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint printer_pkey primary key (tenant_id, printer_id),
    constraint printer_kind_check check (kind in ('ipp', 'epson-v1', 'epson-v2')),
    constraint printer_state_check check (state in ('enabled', 'disabled', 'removed'))
);
create unique index printer_name_key on printer (tenant_id, name) where state <> 'removed';
create unique index printer_default_key on printer (tenant_id) where is_default and state <> 'removed';

-- drawing_id has no foreign key: a job's history outlives its drawing.
create table print_job (
    tenant_id      bigint      not null,
    job_id         bigint      not null,
    owner_id       bigint      not null,
    drawing_id     bigint      not null,
    printer_id     bigint      not null,
    state          text        not null collate "C",
    reason         text        collate "C",
    scale          text        not null collate "C",
    copies         integer     not null,
    remote_job_id  text,
    remote_job_uri text,
    machine        text,       -- the job machine as it writes itself; null before its first step
    event_count    integer     not null default 1,
    created_at     timestamptz not null,
    updated_at     timestamptz not null,
    constraint print_job_state_check check (state in ('queued', 'submitting', 'sent', 'printing', 'blocked', 'completed', 'failed',
                                                      'canceling', 'canceled', 'expired', 'outcomeUnknown')),
    constraint print_job_scale_check check (scale in ('LARGE', 'MEDIUM', 'SMALL')),
    constraint print_job_copies_check check (copies between 1 and 99)
) with (fillfactor = 80);
create index print_job_time on print_job (tenant_id, created_at);
create index print_job_of_owner on print_job (tenant_id, owner_id, job_id desc);
alter table print_job add constraint print_job_pkey primary key (tenant_id, job_id);

create table print_job_event (
    tenant_id bigint      not null,
    job_id    bigint      not null,
    sequence  integer     not null,
    state     text        not null collate "C",
    reason    text        collate "C",
    at        timestamptz not null,
    constraint print_job_event_pkey primary key (tenant_id, job_id, sequence)
);

-- Written by all, read by operators. No foreign keys: it outlives what it tells of.
create table audit (
    tenant_id  bigint      not null,
    audit_id   bigint      not null,
    at         timestamptz not null,
    actor_kind audit_actor_kind not null,
    actor      text        not null,
    action     text        not null collate "C",
    target     text,
    detail     text,
    request_id text,
    address    text,
    constraint audit_pkey primary key (tenant_id, audit_id)
);

-- Foreign keys, by name. --------------------------------------------------------------------------------------------------------

alter table provider_client add constraint provider_client_tenant_fkey foreign key (tenant_id) references tenant (tenant_id);
alter table provider add constraint provider_tenant_fkey foreign key (tenant_id) references tenant (tenant_id);
alter table provider_issuer add constraint provider_issuer_provider_fkey
    foreign key (tenant_id, provider_id) references provider (tenant_id, provider_id) on delete cascade;
alter table tenant_key add constraint tenant_key_tenant_fkey foreign key (tenant_id) references tenant (tenant_id);
alter table app_user add constraint app_user_tenant_fkey foreign key (tenant_id) references tenant (tenant_id);
alter table identity add constraint identity_provider_fkey
    foreign key (tenant_id, provider_id) references provider (tenant_id, provider_id);
alter table identity add constraint identity_user_fkey
    foreign key (tenant_id, user_id) references app_user (tenant_id, user_id) on delete cascade;
alter table session add constraint session_user_fkey
    foreign key (tenant_id, user_id) references app_user (tenant_id, user_id) on delete cascade;
alter table quota add constraint quota_tenant_fkey foreign key (tenant_id) references tenant (tenant_id);
alter table quota_use add constraint quota_use_tenant_fkey foreign key (tenant_id) references tenant (tenant_id);
alter table image_chunk add constraint image_chunk_image_fkey
    foreign key (tenant_id, owner_id, hash) references image (tenant_id, owner_id, hash) on delete cascade;
alter table drawing add constraint drawing_owner_fkey
    foreign key (tenant_id, owner_id) references app_user (tenant_id, user_id);
alter table drawing add constraint drawing_image_fkey
    foreign key (tenant_id, owner_id, image_hash) references image (tenant_id, owner_id, hash);
alter table printer add constraint printer_tenant_fkey foreign key (tenant_id) references tenant (tenant_id);
alter table print_job add constraint print_job_owner_fkey
    foreign key (tenant_id, owner_id) references app_user (tenant_id, user_id);
alter table print_job add constraint print_job_printer_fkey
    foreign key (tenant_id, printer_id) references printer (tenant_id, printer_id);
alter table print_job_event add constraint print_job_event_job_fkey
    foreign key (tenant_id, job_id) references print_job (tenant_id, job_id) on delete cascade;
