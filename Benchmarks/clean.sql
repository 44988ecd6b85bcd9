-- Takes back what a measurement wrote, so that the next one meets what was seeded. Sessions go too: access tokens are made anew.
-- psql -v first_new_id=N -f clean.sql: ids from N on were made by the service, later than every seeded one.

\set ON_ERROR_STOP on
set synchronous_commit = off;

delete from drawing where drawing_id >= :first_new_id;
delete from image i
 where not exists (
    select from drawing d where d.tenant_id = i.tenant_id and d.owner_id = i.owner_id and d.image_hash = i.hash
 );
truncate session, spent_token, audit;
update quota q
   set used = (select count(*) from drawing d where d.tenant_id = q.tenant_id)
 where metric = 'drawings' and scope = 'tenant' and window_kind = 'none';

vacuum (analyze) drawing, image, quota, session, spent_token, audit, app_user;
checkpoint;
