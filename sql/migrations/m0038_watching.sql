-- What an operator asks first of printers and of the service's own housekeeping: since when, and when last.
--
-- Why columns: `printer.seen_at` says when a printer was last asked, not since when it stands still; and that a sweep found nothing to
-- remove leaves no trace anywhere else.

-- Since when it is in the state that was last seen.
alter table printer add column seen_since timestamptz;
grant update (seen_since) on printer to chil_service;

-- When this service last looked through every tenant that was due for what has had its time.
alter table service_beat add column swept_at timestamptz;
grant update (swept_at) on service_beat to chil_service;
