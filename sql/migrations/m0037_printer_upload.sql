-- How a printer takes what it is sent: many old ones take nothing in chunks.

-- upload: as it showed when it was asked something; null: it was not yet. 'length' stays, for the printer's life.
alter table printer
    add column upload text collate "C",
    add constraint printer_upload_check check (upload in ('chunked', 'length'));

grant update (upload) on printer to chil_service;
