-- Who may see and do what: row level security, and grants by column.
--
-- Why both: the tenant named as a parameter in every statement is the first lock, the policy the second, the role the wall. Policies
-- are not forced on the owner: the owner is no service's role, and forced policies keep Citus from moving shards online.

-- A function is for nobody until it is granted.
alter default privileges revoke execute on functions from public;

-- A tenant's batch begins with this. The setting ends with the transaction and then reads back as '', hence nullif below.
create function chil_enter(tenant bigint) returns text
    language sql volatile
    as $$ select set_config('chil.tenant', tenant::text, true) $$;

-- The tenant that was entered; null: none. A function with the owner's rights, whom no policy binds, asks for it first.
create function chil_entered() returns bigint
    language sql stable
    as $$ select nullif(current_setting('chil.tenant', true), '')::bigint $$;

grant execute on function chil_enter(bigint) to chil_service, chil_operator;

do $walls$
declare
    owned text;
begin
    foreach owned in array array[
        'provider', 'provider_issuer', 'tenant_key', 'app_user', 'identity', 'session', 'nonce', 'spent_token', 'quota',
        'quota_use', 'image', 'image_chunk', 'drawing', 'printer', 'print_job', 'print_job_event', 'audit'
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

-- The service: reads what the operator sets, writes what requests make, adds to the audit and never reads it back.
grant select on tenant, provider_client, provider, provider_issuer, tenant_key, printer, schema_migration to chil_service;
grant select, update (holder, fence, expires_at) on loop_slot to chil_service;
grant select, insert, delete, update (run_at, attempts, leased_by, fence) on work to chil_service;
grant select, insert, update (given_name, family_name, email, email_verified, is_private_email, updated_at) on app_user to chil_service;
grant select, insert on identity to chil_service;
grant select, insert, delete,
      update (generation, child_used_at, rotated_at, last_used_at, idle_expires_at, ended_at, end_reason) on session to chil_service;
grant select, insert, delete on nonce, spent_token to chil_service;
grant select, update (used, resets_at, told, told_at, quiet_below) on quota to chil_service;
grant select, insert, delete, update (used, resets_at, told, told_at) on quota_use to chil_service, chil_operator;
grant select, insert, delete, update (staged_until, bytes, chunk_count) on image to chil_service;
grant select, insert on image_chunk to chil_service;
grant select, insert, delete, update (title, version, updated_at) on drawing to chil_service;
grant select, insert,
      update (state, reason, remote_job_id, remote_job_uri, machine, event_count, updated_at) on print_job to chil_service;
grant select, insert on print_job_event to chil_service;
grant insert on audit to chil_service;

-- The operator: settings of tenants, and what the lists of chiladmin show. No tokens, nonces or image bytes.
grant select on schema_migration, loop_slot, work, app_user, identity, drawing, print_job, print_job_event to chil_operator;
grant select (tenant_id, owner_id, hash, byte_count, media_type, width, height, chunk_count, staged_until) on image to chil_operator;
grant select, insert, update (name, state, time_zone, guest_user_id, serves_guest, guest_prints_per_day, updated_at) on tenant to chil_operator;
grant select, insert, delete on provider_client, provider_issuer to chil_operator;
grant select, insert, delete,
      update (jwks_url, algorithms, nonce_policy, iat_age_max_s, allowed_private_endpoint) on provider to chil_operator;
grant select, insert, update (state) on tenant_key to chil_operator;
grant insert on app_user to chil_operator;
grant select, insert, delete,
      update (hard_limit, soft_limit, action, source, used, resets_at, told, told_at, quiet_below, updated_at) on quota to chil_operator;
grant select, insert, update (is_default, state, updated_at) on printer to chil_operator;
grant select, insert on audit to chil_operator;
