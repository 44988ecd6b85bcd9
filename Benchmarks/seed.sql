-- What the measurements read: 1,000 users in the 50 tenants bench-01 to bench-50, `drawings` drawings among them in turn, one tiny
-- image for each user that most of their drawings show, and 200 images of 200,000 bytes for the first drawing of 200 users.
--
-- Run by the administrator, once, after the tenants and their provider records were made with chiladmin:
--   psql -v drawings=100000 -f seed.sql
-- Everything follows from numbers, so requests can be made without asking: user n (from 1) is the subject u-((n-1)/50+1) of the
-- tenant (n-1)%50+1; drawing g is that of user (g-1)%1000+1. Ids are 42 bits of milliseconds since 2024, then 11 bits (ids.py).

\set ON_ERROR_STOP on
set synchronous_commit = off;

create temp table place as
    select row_number() over (order by t.slug) - 1 as place, t.tenant_id, p.provider_id
      from tenant t
      join provider p on p.tenant_id = t.tenant_id
     where t.slug like 'bench-__';

create temp table person as
    select n, tenant_id, provider_id, 'u-' || (n - 1) / 50 + 1 as subject,
           (10000000000 + n::bigint * 1000) << 11 as user_id,
           timestamptz '2024-01-01 00:00:00Z' + (10000000000 + n::bigint * 1000) * interval '1 millisecond' as at
      from generate_series(1, 1000) n
      join place on place = (n - 1) % 50;

insert into app_user (tenant_id, user_id, given_name, email, email_verified, is_private_email, created_at, updated_at)
    select tenant_id, user_id, 'User ' || n, 'u' || n || '@example.org', true, false, at, at from person;
insert into identity (tenant_id, provider_id, subject, user_id, created_at)
    select tenant_id, provider_id, subject, user_id, at from person;

-- One white pixel.
create temp table pixel as
    select '\x89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55'
           '0000000a49444154789c63f80f0001010100b138f6140000000049454e44ae426082'::bytea as bytes;

create temp table picture as
    select n, tenant_id, user_id, at, 1 as side, bytes, sha256(bytes) as hash from person, pixel
    union all
    select n, tenant_id, user_id, at, 512, bytes, sha256(bytes)
      from (
        select n, tenant_id, user_id, at, overlay(
                (select string_agg(sha512(convert_to(n || ':' || k, 'UTF8')), ''::bytea order by k) from generate_series(1, 3125) k)
                placing '\x89504e470d0a1a0a'::bytea from 1
            ) as bytes
          from person
         where n <= 200
    ) as large;

insert into image (tenant_id, owner_id, hash, byte_count, media_type, width, height, chunk_count, bytes)
    select tenant_id, user_id, hash, octet_length(bytes), 'image/png', side, side, 0, bytes from picture;

insert into drawing (
    tenant_id, drawing_id, owner_id, byte_count, created_at, updated_at, width, height, kind, status, media_type, image_hash, title,
    prompt
)
    select tenant_id, (31622400000 + g::bigint * 20000) << 11, user_id, octet_length(bytes), moment, moment, side, side,
           (array['UPLOADED', 'SCANNED', 'UPLOADED'])[g % 3 + 1], 'READY', 'image/png', hash, 'Drawing number ' || g,
           'a cat riding a bicycle in the rain, line art, number ' || g
      from generate_series(1, :drawings) g
      join picture on n = (g - 1) % 1000 + 1 and (side = 1) = (g > 200)
     cross join lateral (
        select timestamptz '2024-01-01 00:00:00Z' + (31622400000 + g::bigint * 20000) * interval '1 millisecond' as moment
     ) as time;

-- Every tenant has the limits that a real one has, wide enough never to refuse.
select count(chil_set_quota(place.tenant_id, word, 'tenant', 'none', hard_limit, null, 'deny', 'tenant', now()))
  from place
 cross join (values ('drawings', 1000000000), ('storage_bytes', 1000000000000000)) as quota (word, hard_limit);

vacuum (analyze) tenant, provider, provider_issuer, provider_client, app_user, identity, image, drawing, quota;
checkpoint;
