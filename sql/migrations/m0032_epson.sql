-- Epson Connect: what it takes to print on a printer by Epson's service, and to be pushed its scans.
--
-- Why a table of its own: its secrets are of few printers, and its token changes every hour. Where a refresh token is good for one use
-- alone (generation 2), it has to be stored before it is used and must not be used by two at once: whoever refreshes has the lease of the
-- row, by PostgreSQL's clock, and token_no tells who came too late that there is a newer token.

-- address: the printer's own at Epson, for generation 1. api_url, auth_url and upload_url: where the service is; is_private: they may be
-- at addresses that are not public (a simulator). epson_device: what the service calls the printer, for generation 1. sealed_access: good
-- until access_until, and made anew whenever it does not open. fault: why there is no token; a person has to do something.
create table epson_account (
    tenant_id      bigint      not null,
    printer_id     bigint      not null,
    address        text,
    client_id      text        not null,
    sealed_secret  bytea       not null,
    sealed_api_key bytea,
    api_url        text        not null,
    auth_url       text        not null,
    upload_url     text        not null,
    is_private     boolean     not null,
    epson_device   text,
    sealed_refresh bytea,
    sealed_access  bytea,
    access_until   timestamptz,
    token_no       bigint      not null default 0,
    lease_no       bigint      not null default 0,
    leased_until   timestamptz,
    fault          text        collate "C",
    fault_at       timestamptz,
    created_at     timestamptz not null,
    updated_at     timestamptz not null,
    constraint epson_account_pkey primary key (tenant_id, printer_id)
);
alter table epson_account add constraint epson_account_printer_fkey
    foreign key (tenant_id, printer_id) references printer (tenant_id, printer_id);

alter table epson_account enable row level security;
create policy own_rows on epson_account to chil_service
    using (tenant_id = nullif(current_setting('chil.tenant', true), '')::bigint)
    with check (tenant_id = nullif(current_setting('chil.tenant', true), '')::bigint);
create policy operator_rows on epson_account to chil_operator using (true) with check (true);

grant select,
      update (epson_device, sealed_refresh, sealed_access, access_until, token_no, lease_no, leased_until, fault, fault_at, updated_at)
      on epson_account to chil_service;
grant select, insert, delete,
      update (sealed_secret, sealed_api_key, epson_device, sealed_refresh, sealed_access, access_until, token_no, lease_no, leased_until,
              fault, fault_at, updated_at)
      on epson_account to chil_operator;
grant update (kind) on printer to chil_operator;

-- A printer by Epson's service, as chil_add_printer adds one.
create function chil_add_epson_printer(
    p_tenant bigint, p_printer bigint, p_name text, p_kind text, p_is_default boolean, p_disclosed_to text, p_address text,
    p_client_id text, p_sealed_secret bytea, p_sealed_api_key bytea, p_api_url text, p_auth_url text, p_upload_url text,
    p_is_private boolean, p_now timestamptz
) returns text
    language plpgsql volatile
    as $$
    declare
        refusal text;
    begin
        refusal := chil_add_printer(p_tenant, p_printer, p_name, p_api_url, p_is_default, p_disclosed_to, p_now);
        if refusal is not null then
            return refusal;
        end if;
        update printer r set kind = p_kind where r.tenant_id = p_tenant and r.printer_id = p_printer;
        insert into epson_account (
            tenant_id, printer_id, address, client_id, sealed_secret, sealed_api_key, api_url, auth_url, upload_url, is_private,
            created_at, updated_at
        ) values (
            p_tenant, p_printer, p_address, p_client_id, p_sealed_secret, p_sealed_api_key, p_api_url, p_auth_url, p_upload_url,
            p_is_private, p_now, p_now
        );
        return null;
    end
    $$;

grant execute on function
    chil_add_epson_printer(
        bigint, bigint, text, text, boolean, text, text, text, bytea, bytea, text, text, text, boolean, timestamptz
    )
    to chil_operator;

-- Where a scanner's address is registered at Epson Connect: by which printer's account, and what it is called there.
alter table scanner
    add column printer_id     bigint,
    add column destination_id text;
alter table scanner add constraint scanner_printer_fkey
    foreign key (tenant_id, printer_id) references printer (tenant_id, printer_id);
grant update (printer_id, destination_id) on scanner to chil_operator;
