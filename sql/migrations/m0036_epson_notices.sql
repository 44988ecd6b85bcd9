-- Epson Connect calls an address when a job has changed. What it says is not signed, so nothing of it is believed: the address alone says
-- whose printer it is, and the job that this printer has is asked for at once.
--
-- Why a printer's address wakes all printers of the same client: generation 2 keeps one address for a client, however many printers it has.

-- notice_digest: SHA-256 of what stands in the address. notice_base: where it leads. notice_is_set: Epson has taken it. notice_asked_at: when
-- it was told to Epson last. noticed_at: when it was called last.
alter table epson_account
    add column notice_digest   bytea,
    add column notice_base     text,
    add column notice_is_set   boolean not null default false,
    add column notice_asked_at timestamptz,
    add column noticed_at      timestamptz;
create unique index epson_account_notice on epson_account (tenant_id, notice_digest) where notice_digest is not null;

-- Since when it is said that something about the print has changed, and nobody has looked.
alter table work add column hinted_at timestamptz;

grant update (notice_digest, notice_base, notice_is_set, notice_asked_at, noticed_at) on epson_account to chil_service;
grant update (hinted_at) on work to chil_service, chil_operator;

-- Has the prints looked at that printers of the address's client have just now. Called again within a second, they wait for the rest of it.
-- False: it is no such address, or that of a printer that was removed.
create function chil_hint_prints(p_tenant bigint, p_digest bytea, p_now timestamptz) returns boolean
    language plpgsql volatile
    as $$
    declare
        account record;
        due timestamptz;
        place record;
    begin
        select a.printer_id, a.client_id, a.api_url, a.noticed_at into account
          from epson_account a join printer p on p.tenant_id = p_tenant and p.printer_id = a.printer_id
         where a.tenant_id = p_tenant and a.notice_digest = p_digest and p.state <> 'removed'
           for update of a;
        if not found then
            return false;
        end if;
        update epson_account a set noticed_at = p_now where a.tenant_id = p_tenant and a.printer_id = account.printer_id;
        due := now() + case when account.noticed_at > p_now - interval '1 second' then interval '1 second' else interval '0' end;
        for place in
            select b.printer_id from epson_account b
             where b.tenant_id = p_tenant and b.client_id = account.client_id and b.api_url = account.api_url
             order by b.printer_id
        loop
            -- One job of a printer's has its turn.
            -- A worker that holds it is asking, or reads of it when it puts it off.
            update work w
               set hinted_at = now(), run_at = case when w.leased_by is null then least(w.run_at, due) else w.run_at end
             where w.place_tenant_id = p_tenant and w.place_id = place.printer_id and w.turn_until > now();
        end loop;
        return true;
    end
    $$;

grant execute on function chil_hint_prints(bigint, bytea, timestamptz) to chil_service;
