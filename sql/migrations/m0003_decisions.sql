-- Operations that decide: each is one function and answers one row; a refusal is a row, never an error.
--
-- Why functions: one call is one message each way, and each inner statement keeps its plan. Inside, every statement sees what committed before it began (read committed), so the
-- pattern is always: take the row lock first, then look, then write. Locks go in one order everywhere: user, drawing, image, quota. What
-- takes quotas and gives them back is in m0012_quotas.
-- They run with the caller's rights, so row level security holds inside them. A released function is never changed in a way that
-- its callers would notice: a changed one gets a new name, the old one stays for a release.

-- The audit's number for what a limit refused: one for each person, act and limit in ten minutes, so that whoever goes on asking fills no
-- audit that is kept for years. Negative, and below all that are made of the clock or of other numbers.
create function chil_refusal_number(p_action text, p_user bigint, p_refusal text, p_now timestamptz) returns bigint
    language sql immutable
    as $$
        select -4611686018427387904
             - (hashtextextended(
                    concat_ws(' ', p_action, p_user, floor(extract(epoch from p_now) / 600), p_refusal), 0
                ) & 4611686018427387903)
    $$;

-- Notes what a limit refused, the first time in a while, and answers the verdict. p_drawing: what was not made.
create function chil_refuse_drawing(
    p_tenant bigint, p_owner bigint, p_drawing bigint, p_refusal text, p_request text, p_now timestamptz
) returns text
    language sql volatile
    as $$
        insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, detail, request_id)
            values (
                p_tenant, chil_refusal_number('drawing.create', p_owner, p_refusal, p_now), p_now, 'user', p_owner::text,
                'drawing.create', 'quota ' || p_refusal, p_request
            )
            on conflict do nothing;
        select 'quota ' || p_refusal
    $$;

-- A drawing with its image: p_bytes whole (few enough for its row), or null when its chunks were staged before.
--   verdict: created | quota … (what chil_take says of the limit that refused) | unstaged (chunks missing or their lease over)
--            | consent … (the notice and the scope of what is missing)
--            | owner (there is no such user)
-- p_asks_consent: false where the caller knows that the tenant asks for none: it spares a look.
-- p_bytes_beside: of storage_bytes so many more are taken, for what the caller publishes with it.
-- The same bytes of one owner are kept, and counted, once.
create function chil_create_drawing(
    p_tenant bigint, p_owner bigint, p_drawing bigint, p_kind text, p_title text, p_prompt text,
    p_hash bytea, p_byte_count bigint, p_media_type text, p_width integer, p_height integer, p_bytes bytea,
    p_request text, p_now timestamptz, p_asks_consent boolean default true, p_bytes_beside bigint default 0
) returns text
    language plpgsql volatile
    as $$
    declare
        is_owner boolean;
        missing_notice integer;
        is_published boolean;  -- null: there is no such image
        staged_object bigint;
        is_written boolean;
        refusal text;
    begin
        -- The owner is held first: whoever is being deleted gets nothing more. Then the image, against a delete of its last drawing;
        -- waits for one that is under way. In one statement, for starting one costs more than what it does.
        with owner as materialized (
            select from app_user u where u.tenant_id = p_tenant and u.user_id = p_owner for key share
        ), held as materialized (
            select i.staged_until is null as is_published, i.object_id
              from image i
             where i.tenant_id = p_tenant and i.owner_id = p_owner and i.hash = p_hash
               for key share
        )
        select exists (select from owner), (select h.is_published from held h), (select h.object_id from held h)
          into is_owner, is_published, staged_object;
        if not is_owner then
            return 'owner';
        end if;
        if p_asks_consent then
            missing_notice := chil_missing_consent(p_tenant, p_owner, 'collect');
            if missing_notice is not null then
                return 'consent ' || missing_notice || ' collect';
            end if;
        end if;
        if p_bytes is null and is_published is null then
            return 'unstaged';
        end if;

        -- The gates come before the bytes, so that a refused upload leaves no dead rows.
        refusal := chil_take(p_tenant, 'drawings', p_owner, null, 1, p_now);
        if refusal is not null then
            return chil_refuse_drawing(p_tenant, p_owner, p_drawing, refusal, p_request, p_now);
        end if;
        if is_published is not true or p_bytes_beside > 0 then
            refusal := chil_take(
                p_tenant, 'storage_bytes', p_owner, null, p_bytes_beside + case when is_published then 0 else p_byte_count end, p_now
            );
            if refusal is not null then
                perform chil_untake(p_tenant, 'drawings', p_owner, null, 1);
                return chil_refuse_drawing(p_tenant, p_owner, p_drawing, refusal, p_request, p_now);
            end if;
        end if;
        if is_published is not true then
            if p_bytes is null then
                -- What was staged must be whole. octet_length of external storage reads no bytes.
                update image i set staged_until = null
                 where i.tenant_id = p_tenant and i.owner_id = p_owner and i.hash = p_hash and i.staged_until > p_now
                   and (i.object_stored or (i.chunk_count::bigint, i.byte_count) = (
                        select count(*), coalesce(sum(octet_length(c.bytes)), 0)
                          from image_chunk c
                         where c.tenant_id = p_tenant and c.owner_id = p_owner and c.hash = p_hash
                       ));
                is_written := found;
            else
                insert into image as i (tenant_id, owner_id, hash, byte_count, media_type, width, height, chunk_count, bytes)
                    values (p_tenant, p_owner, p_hash, p_byte_count, p_media_type, p_width, p_height, 0, p_bytes)
                    on conflict (tenant_id, owner_id, hash)
                    do update set staged_until = null, chunk_count = 0, bytes = excluded.bytes, object_id = null,
                                  object_stored = false
                    where i.staged_until is not null;
                is_written := found;
                if is_written and staged_object is not null then
                    perform chil_discard_objects(p_tenant, array[staged_object]);
                end if;
            end if;
            if not is_written then
                -- The same bytes were published by another request meanwhile; or, if staged, they are not whole.
                perform chil_untake(p_tenant, 'storage_bytes', p_owner, null, p_byte_count);
                if not exists (
                    select from image i
                     where i.tenant_id = p_tenant and i.owner_id = p_owner and i.hash = p_hash and i.staged_until is null
                ) then
                    perform chil_untake(p_tenant, 'storage_bytes', p_owner, null, p_bytes_beside);
                    perform chil_untake(p_tenant, 'drawings', p_owner, null, 1);
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
        perform chil_tell_user(
            p_tenant, p_owner, 'drawing.created', '"drawingId":' || p_drawing || ',"type":"' || p_kind || '","status":"READY"', p_now
        );
        return 'created';
    end
    $$;

-- Changes a drawing's title, if the row is still as the caller saw it, and answers the row. None: it is another now, or gone.
-- updated_at only ever grows, so that it tells two states of a row apart whatever the clock does.
create function chil_rename_drawing(
    p_tenant bigint, p_owner bigint, p_drawing bigint, p_title text, p_seen timestamptz, p_now timestamptz
) returns setof drawing
    language plpgsql volatile
    as $$
    declare
        changed drawing;
    begin
        update drawing d
           set title = p_title, version = d.version + 1, updated_at = greatest(p_now, d.updated_at + interval '1 microsecond')
         where d.tenant_id = p_tenant and d.owner_id = p_owner and d.drawing_id = p_drawing and d.updated_at = p_seen
        returning d.* into changed;
        if found then
            perform chil_tell_user(
                p_tenant, p_owner, 'drawing.updated',
                '"drawingId":' || p_drawing || ',"type":"' || changed.kind || '","status":"' || changed.status || '"', p_now
            );
            return next changed;
        end if;
    end
    $$;

-- Deletes those of an owner's images that no drawing shows and none was made of, and answers how many bytes they had. Whoever makes a
-- drawing of one holds it.
create function chil_delete_images(p_tenant bigint, p_owner bigint, p_hashes bytea[]) returns bigint
    language plpgsql volatile
    as $$
    declare
        gone_bytes bigint;
        gone_objects bigint[];
    begin
        perform
           from image i
          where i.tenant_id = p_tenant and i.owner_id = p_owner and i.hash = any (p_hashes)
          order by i.hash
            for update;
        with gone as (
            delete from image i
             where i.tenant_id = p_tenant and i.owner_id = p_owner and i.hash = any (p_hashes)
               and not exists (
                    select from drawing d
                     where d.tenant_id = p_tenant and d.owner_id = p_owner and d.image_hash = i.hash
                   )
               and not exists (
                    select from drawing d
                     where d.tenant_id = p_tenant and d.owner_id = p_owner and d.original_hash = i.hash
                   )
            returning i.byte_count, i.object_id
        )
        select coalesce(sum(g.byte_count), 0), array_agg(g.object_id) into gone_bytes, gone_objects from gone g;
        perform chil_discard_objects(p_tenant, gone_objects);
        return gone_bytes;
    end
    $$;

-- Takes away a drawing of this owner, its image if no other drawing shows it, and gives the quota back. False: there is none.
create function chil_remove_drawing(p_tenant bigint, p_owner bigint, p_drawing bigint) returns boolean
    language plpgsql volatile
    as $$
    declare
        gone_hash bytea;
        gone_original bytea;  -- m0026_scans
        gone_bytes bigint;
        is_counted boolean;
    begin
        delete from drawing d
         where d.tenant_id = p_tenant and d.owner_id = p_owner and d.drawing_id = p_drawing
        returning d.image_hash, d.original_hash, d.status <> 'FAILED' into gone_hash, gone_original, is_counted;
        if not found then
            return false;
        end if;
        if gone_hash is not null then
            gone_bytes := chil_delete_images(p_tenant, p_owner, array[gone_hash, gone_original]);
        end if;
        -- The same order as taking: drawings, then storage_bytes.
        if is_counted then
            perform chil_give_back(p_tenant, 'drawings', p_owner, 1);
        end if;
        if gone_bytes > 0 then
            perform chil_give_back(p_tenant, 'storage_bytes', p_owner, gone_bytes);
        end if;
        return true;
    end
    $$;

-- chil_remove_drawing as its owner wishes it: it is noted. p_is_told: whether the tenant's servers want to know.
create function chil_delete_drawing(
    p_tenant bigint, p_owner bigint, p_drawing bigint, p_audit bigint, p_request text, p_is_told boolean, p_now timestamptz
) returns boolean
    language plpgsql volatile
    as $$
    begin
        if not chil_remove_drawing(p_tenant, p_owner, p_drawing) then
            return false;
        end if;
        insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, request_id)
            values (p_tenant, p_audit, p_now, 'user', p_owner::text, 'drawing.delete', p_drawing::text, p_request);
        perform chil_tell_user(p_tenant, p_owner, 'drawing.deleted', '"drawingId":' || p_drawing, p_now);
        if p_is_told then
            perform chil_emit(
                p_tenant, p_drawing, 'drawing.deleted', p_drawing::text, '"drawingId":' || p_drawing || ',"userId":' || p_owner, p_now
            );
        end if;
        return true;
    end
    $$;

grant execute on function
    chil_refusal_number(text, bigint, text, timestamptz),
    chil_refuse_drawing(bigint, bigint, bigint, text, text, timestamptz),
    chil_create_drawing(
        bigint, bigint, bigint, text, text, text, bytea, bigint, text, integer, integer, bytea, text, timestamptz, boolean,
        bigint
    ),
    chil_rename_drawing(bigint, bigint, bigint, text, timestamptz, timestamptz),
    chil_delete_images(bigint, bigint, bytea[]),
    chil_remove_drawing(bigint, bigint, bigint),
    chil_delete_drawing(bigint, bigint, bigint, bigint, text, boolean, timestamptz)
    to chil_service;
