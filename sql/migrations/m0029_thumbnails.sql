-- Small pictures of images, made by whichever service is asked first. They are made of what is there, so they cost no quota, are in no
-- export, and go with their image.

create table image_thumbnail (
    tenant_id  bigint        not null,
    owner_id   bigint        not null,
    hash       sha256_digest not null,  -- of the image
    media_type text          not null collate "C",
    bytes      image_bytes   not null,
    constraint image_thumbnail_pkey primary key (tenant_id, owner_id, hash)
);
alter table image_thumbnail alter column bytes set storage external;
alter table image_thumbnail add constraint image_thumbnail_image_fkey
    foreign key (tenant_id, owner_id, hash) references image (tenant_id, owner_id, hash) on delete cascade;

alter table image_thumbnail enable row level security;
create policy own_rows on image_thumbnail to chil_service
    using (tenant_id = nullif(current_setting('chil.tenant', true), '')::bigint)
    with check (tenant_id = nullif(current_setting('chil.tenant', true), '')::bigint);
create policy operator_rows on image_thumbnail to chil_operator using (true) with check (true);
grant select, insert on image_thumbnail to chil_service;
grant select on image_thumbnail to chil_operator;
