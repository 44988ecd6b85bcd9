-- The certificate of a printer that is spoken with by TLS. Printers make their own: the key that a printer is first met with is kept, and
-- a printer with another key, or past its certificate's time, gets nothing until an operator trusts it (PeerPin).

-- tls_key: SHA-256 of the public key that is trusted, since tls_key_at; null: none was met yet.
-- tls_fault: what was wrong when it was spoken with last, and tls_seen the key that it showed then.
alter table printer
    add column tls_key    bytea,
    add column tls_key_at timestamptz,
    add column tls_fault  text collate "C",
    add column tls_seen   bytea,
    add constraint printer_tls_key_check check (length(tls_key) = 32 and (tls_key is null) = (tls_key_at is null)),
    add constraint printer_tls_fault_check check (tls_fault in ('changed', 'expired') and length(tls_seen) = 32);

grant update (tls_key, tls_key_at, tls_fault, tls_seen) on printer to chil_service, chil_operator;
