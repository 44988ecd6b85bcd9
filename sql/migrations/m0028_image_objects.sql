-- Bytes of images outside PostgreSQL, in an object store.
--
-- The row of an image says where its bytes are: here (object_id null), or in the object of that number. A number is used for one object,
-- once, so an object can be removed whatever has become of the image meanwhile, and nothing has to be compared. The order:
--   in:  the row is staged with its object, under a lease; the object is written; object_stored; the create publishes the row.
--   out: the row goes and work 'discard' with the object's number comes, in one transaction; a worker removes the object.
-- What stops in between leaves an object that a lease or work leads to, and never a published row without bytes.

alter table image add column object_id bigint;
alter table image add column object_stored boolean not null default false;
grant update (object_id, object_stored) on image to chil_service;

alter table work
    drop constraint work_kind_check,
    add constraint work_kind_check check (kind in ('print', 'exchange', 'revoke', 'event', 'cancel', 'webhook', 'image', 'scan', 'discard'));

-- Objects that no row leads to any more are to be removed, p_pause from now: whoever reads one still has that long. Null is none.
create function chil_discard_objects(p_tenant bigint, p_objects bigint[], p_pause interval default interval '1 minute') returns void
    language sql volatile
    as $$
        insert into work (tenant_id, work_id, kind, subject_id, run_at, lane)
        select p_tenant, one, 'discard', one, now() + p_pause, -1 from unnest(p_objects) as one where one is not null
    $$;

-- Removes images that nobody published while their lease lasted. Chunks go with them; an object may still be on its way for a while.
create function chil_sweep_staged_images(p_tenant bigint, p_now timestamptz, p_max integer) returns bigint
    language plpgsql volatile
    as $$
    declare
        removed bigint;
        objects bigint[];
    begin
        with gone as (
            delete from image i
             using (
                   select s.owner_id, s.hash from image s
                    where s.tenant_id = p_tenant and s.staged_until < p_now order by s.staged_until limit p_max
                      for update skip locked
                   ) as over
             where i.tenant_id = p_tenant and i.owner_id = over.owner_id and i.hash = over.hash and i.staged_until is not null
            returning i.object_id
        )
        select count(*), array_agg(g.object_id) into removed, objects from gone g;
        perform chil_discard_objects(p_tenant, objects, interval '10 minutes');
        return removed;
    end
    $$;

-- Moving: for the operator. -------------------------------------------------------------------------------------------------------

-- An object that is going to be written for an image that is there already: if nothing comes of it, it is removed in an hour.
create function chil_begin_image_move(p_tenant bigint, p_object bigint) returns void
    language sql volatile
    as $$ select chil_discard_objects(p_tenant, array[p_object], interval '1 hour') $$;

-- The bytes lie in that object now. False: the image is gone, or moved already; the object will be removed.
create function chil_move_image_out(p_tenant bigint, p_owner bigint, p_hash bytea, p_object bigint) returns boolean
    language plpgsql volatile
    as $$
    begin
        delete from work w
         where w.tenant_id = p_tenant and w.work_id = p_object and w.kind = 'discard' and w.leased_by is null;
        if not found then
            return false;
        end if;
        update image i set object_id = p_object, object_stored = true, bytes = null, chunk_count = 0
         where i.tenant_id = p_tenant and i.owner_id = p_owner and i.hash = p_hash
           and i.object_id is null and i.staged_until is null;
        if not found then
            perform chil_discard_objects(p_tenant, array[p_object]);
            return false;
        end if;
        delete from image_chunk c where c.tenant_id = p_tenant and c.owner_id = p_owner and c.hash = p_hash;
        return true;
    end
    $$;

-- The bytes lie here now: p_bytes, or p_chunks of them that were put before. False: the image is gone, moved already, or not whole.
create function chil_move_image_in(
    p_tenant bigint, p_owner bigint, p_hash bytea, p_object bigint, p_bytes bytea, p_chunks integer
) returns boolean
    language plpgsql volatile
    as $$
    begin
        update image i set object_id = null, object_stored = false, bytes = p_bytes, chunk_count = p_chunks
         where i.tenant_id = p_tenant and i.owner_id = p_owner and i.hash = p_hash
           and i.object_id = p_object and i.staged_until is null
           and i.byte_count = coalesce(octet_length(p_bytes), 0) + (
                select coalesce(sum(octet_length(c.bytes)), 0)
                  from image_chunk c
                 where c.tenant_id = p_tenant and c.owner_id = p_owner and c.hash = p_hash
               );
        if not found then
            return false;
        end if;
        perform chil_discard_objects(p_tenant, array[p_object]);
        return true;
    end
    $$;

grant execute on function chil_discard_objects(bigint, bigint[], interval) to chil_service, chil_operator;
grant execute on function chil_sweep_staged_images(bigint, timestamptz, integer) to chil_service;
grant execute on function
    chil_begin_image_move(bigint, bigint),
    chil_move_image_out(bigint, bigint, bytea, bigint),
    chil_move_image_in(bigint, bigint, bytea, bigint, bytea, integer)
    to chil_operator;
grant select (object_id, object_stored), update (object_id, object_stored, bytes, chunk_count) on image to chil_operator;
grant insert, delete on image_chunk to chil_operator;
