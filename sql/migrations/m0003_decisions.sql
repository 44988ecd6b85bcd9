-- Operations that decide: each is one function and answers one row; a refusal is a row, never an error.
--
-- Why functions: one call is one message each way, and each inner statement keeps its plan. Inside, every statement sees what committed before it began (read committed), so the
-- pattern is always: take the row lock first, then look, then write. Locks go in one order everywhere: user, drawing, image, quota.
-- They run with the caller's rights, so row level security holds inside them. A released function is never changed in a way that
-- its callers would notice: a changed one gets a new name, the old one stays for a release.

-- The end of the window that `p_now` lies in, by the tenant's own calendar.
create function chil_window_end(p_tenant bigint, p_window text, p_now timestamptz) returns timestamptz
    language sql stable
    as $$
        select (date_trunc(p_window, p_now at time zone t.time_zone) + ('1 ' || p_window)::interval) at time zone t.time_zone
          from tenant t
         where t.tenant_id = p_tenant and p_window <> 'none'
    $$;

-- Takes `p_amount` of a metric, or nothing. A tenant without a row for the metric is unlimited.
create function chil_take(p_tenant bigint, p_metric text, p_amount bigint, p_now timestamptz) returns boolean
    language plpgsql volatile
    as $$
    begin
        update quota q
           set used = case when q.resets_at <= p_now then p_amount else q.used + p_amount end,
               resets_at = case when q.resets_at <= p_now then chil_window_end(p_tenant, q.window_kind, p_now) else q.resets_at end
         where q.tenant_id = p_tenant and q.metric = p_metric
           and case when q.resets_at <= p_now then p_amount else q.used + p_amount end <= q.hard_limit;
        if found then
            return true;
        end if;
        return not exists (select from quota q where q.tenant_id = p_tenant and q.metric = p_metric);
    end
    $$;

-- Gives back what was taken of a static metric.
create function chil_give_back(p_tenant bigint, p_metric text, p_amount bigint) returns void
    language sql volatile
    as $$
        update quota q set used = greatest(q.used - p_amount, 0)
         where q.tenant_id = p_tenant and q.metric = p_metric
    $$;

-- A drawing with its image: p_bytes whole (few enough for its row), or null when its chunks were staged before.
--   verdict: created | drawings | storage_bytes (the quota that refused) | unstaged (chunks missing or their lease over)
--            | owner (there is no such user)
-- The same bytes of one owner are kept, and counted, once.
create function chil_create_drawing(
    p_tenant bigint, p_owner bigint, p_drawing bigint, p_kind text, p_title text, p_prompt text,
    p_hash bytea, p_byte_count bigint, p_media_type text, p_width integer, p_height integer, p_bytes bytea,
    p_request text, p_now timestamptz
) returns text
    language plpgsql volatile
    as $$
    declare
        is_owner boolean;
        is_published boolean;  -- null: there is no such image
    begin
        -- The owner is held first: whoever is being deleted gets nothing more. Then the image, against a delete of its last drawing;
        -- waits for one that is under way. In one statement, for starting one costs more than what it does.
        with owner as materialized (
            select from app_user u where u.tenant_id = p_tenant and u.user_id = p_owner for key share
        ), held as materialized (
            select i.staged_until is null as is_published
              from image i
             where i.tenant_id = p_tenant and i.owner_id = p_owner and i.hash = p_hash
               for key share
        )
        select exists (select from owner), (select h.is_published from held h) into is_owner, is_published;
        if not is_owner then
            return 'owner';
        end if;
        if p_bytes is null and is_published is null then
            return 'unstaged';
        end if;

        -- The gates come before the bytes, so that a refused upload leaves no dead rows.
        if not chil_take(p_tenant, 'drawings', 1, p_now) then
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, detail, request_id)
                values (p_tenant, p_drawing, p_now, 'user', p_owner::text, 'drawing.create', 'quota drawings', p_request);
            return 'drawings';
        end if;
        if is_published is not true then
            if not chil_take(p_tenant, 'storage_bytes', p_byte_count, p_now) then
                perform chil_give_back(p_tenant, 'drawings', 1);
                insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, detail, request_id)
                    values (p_tenant, p_drawing, p_now, 'user', p_owner::text, 'drawing.create', 'quota storage_bytes', p_request);
                return 'storage_bytes';
            end if;
            if p_bytes is null then
                -- What was staged must be whole. octet_length of external storage reads no bytes.
                update image i set staged_until = null
                 where i.tenant_id = p_tenant and i.owner_id = p_owner and i.hash = p_hash and i.staged_until > p_now
                   and (i.chunk_count::bigint, i.byte_count) = (
                        select count(*), coalesce(sum(octet_length(c.bytes)), 0)
                          from image_chunk c
                         where c.tenant_id = p_tenant and c.owner_id = p_owner and c.hash = p_hash
                       );
            else
                insert into image as i (tenant_id, owner_id, hash, byte_count, media_type, width, height, chunk_count, bytes)
                    values (p_tenant, p_owner, p_hash, p_byte_count, p_media_type, p_width, p_height, 0, p_bytes)
                    on conflict (tenant_id, owner_id, hash)
                    do update set staged_until = null, chunk_count = 0, bytes = excluded.bytes
                    where i.staged_until is not null;
            end if;
            if not found then
                -- The same bytes were published by another request meanwhile; or, if staged, they are not whole.
                perform chil_give_back(p_tenant, 'storage_bytes', p_byte_count);
                if not exists (
                    select from image i
                     where i.tenant_id = p_tenant and i.owner_id = p_owner and i.hash = p_hash and i.staged_until is null
                ) then
                    perform chil_give_back(p_tenant, 'drawings', 1);
                    return 'unstaged';
                end if;
            end if;
        end if;

        insert into drawing (
            tenant_id, drawing_id, owner_id, byte_count, created_at, updated_at, width, height, kind, status, media_type,
            image_hash, title, prompt
        ) values (
            p_tenant, p_drawing, p_owner, p_byte_count, p_now, p_now, p_width, p_height, p_kind, 'READY', p_media_type,
            p_hash, p_title, p_prompt
        );
        return 'created';
    end
    $$;

-- Deletes a drawing of this owner, its image if no other drawing shows it, and gives the quota back. False: there is none.
create function chil_delete_drawing(p_tenant bigint, p_owner bigint, p_drawing bigint) returns boolean
    language plpgsql volatile
    as $$
    declare
        gone_hash bytea;
        gone_bytes bigint;
    begin
        delete from drawing d
         where d.tenant_id = p_tenant and d.owner_id = p_owner and d.drawing_id = p_drawing
        returning d.image_hash into gone_hash;
        if not found then
            return false;
        end if;
        if gone_hash is not null then
            perform from image i where i.tenant_id = p_tenant and i.owner_id = p_owner and i.hash = gone_hash for update;
            delete from image i
             where i.tenant_id = p_tenant and i.owner_id = p_owner and i.hash = gone_hash
               and not exists (
                    select from drawing d
                     where d.tenant_id = p_tenant and d.owner_id = p_owner and d.image_hash = gone_hash
                   )
            returning i.byte_count into gone_bytes;
        end if;
        -- The same order as taking: drawings, then storage_bytes.
        perform chil_give_back(p_tenant, 'drawings', 1);
        if gone_bytes is not null then
            perform chil_give_back(p_tenant, 'storage_bytes', gone_bytes);
        end if;
        return true;
    end
    $$;

grant execute on function
    chil_window_end(bigint, text, timestamptz),
    chil_take(bigint, text, bigint, timestamptz),
    chil_give_back(bigint, text, bigint),
    chil_create_drawing(bigint, bigint, bigint, text, text, text, bytea, bigint, text, integer, integer, bytea, text, timestamptz),
    chil_delete_drawing(bigint, bigint, bigint)
    to chil_service;
grant execute on function chil_window_end(bigint, text, timestamptz) to chil_operator;
