-- What came with an authorization code must come again with it: whoever has only the code gets no session by sending it a second time.

alter table code_use add column bound_to bytea;  -- SHA-256 of what the first request sent besides (verifier, nonce)
grant update (bound_to) on code_use to chil_service;

-- As chil_take_code, but: a fault is of the request that had it. One that brings the code with something else asks the provider itself.
create function chil_take_code_2(
    p_tenant bigint, p_code bytea, p_bound_to bytea, p_now timestamptz, p_leased_until timestamptz, p_expires timestamptz
) returns boolean
    language plpgsql volatile
    as $$
    begin
        insert into code_use (tenant_id, digest, bound_to, expires_at, leased_until)
            values (p_tenant, p_code, p_bound_to, p_expires, p_leased_until)
            on conflict do nothing;
        if found then
            return true;
        end if;
        update code_use c set leased_until = p_leased_until, bound_to = p_bound_to, fault = null
         where c.tenant_id = p_tenant and c.digest = p_code and c.session_id is null and c.leased_until <= p_now
           and (c.fault is null or c.bound_to is distinct from p_bound_to);
        return found;
    end
    $$;
grant execute on function chil_take_code_2(bigint, bytea, bytea, timestamptz, timestamptz, timestamptz) to chil_service;
