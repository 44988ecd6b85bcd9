import ChilDatabase

/// Every column of every table that knows of a person: by a foreign key that leads to the user, or by a column that names one.
struct PersonalColumns: Statement {
    static let sql = SQL(
        """
        with recursive personal as (
            select 'app_user'::regclass::oid as oid
            union
            select k.conrelid from pg_constraint k join personal p on k.confrelid = p.oid where k.contype = 'f'
        )
        select c.relname || '.' || a.attname
          from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
           and (c.oid in (select oid from personal)
                or exists (select from pg_attribute n
                            where n.attrelid = c.oid and not n.attisdropped
                              and n.attname in ('user_id', 'owner_id', 'subject', 'session_id'))
                or c.relname = 'quota_use')
           and a.attname <> 'tenant_id'
         order by 1
        """
    )

    func bind(_ values: inout BoundValues) {}

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }

    /// What stands in the archive.
    static let exported: Set = [
        "app_user.user_id", "app_user.given_name", "app_user.family_name", "app_user.email", "app_user.email_verified",
        "app_user.is_private_email", "app_user.state", "app_user.version", "app_user.created_at", "app_user.updated_at",
        "identity.provider_id", "identity.subject", "identity.client_id", "identity.created_at", "identity.token_state",
        "identity.token_client_id", "identity.token_fault", "identity.token_at", "identity.relay_enabled",
        "identity.consent_revoked_at", "identity.transferred_from",
        "session.session_id", "session.client_id", "session.device_name", "session.user_agent", "session.address",
        "session.generation",
        "session.created_at", "session.last_used_at", "session.rotated_at", "session.idle_expires_at",
        "session.expires_at",
        "session.ended_at", "session.end_reason",
        "drawing.drawing_id", "drawing.kind", "drawing.status", "drawing.title", "drawing.prompt", "drawing.width",
        "drawing.height", "drawing.media_type", "drawing.byte_count", "drawing.version", "drawing.created_at",
        "drawing.updated_at", "drawing.image_hash", "drawing.source_id", "drawing.original_hash",
        "image_job.kind", "image_job.state", "image_job.fault", "image_job.parameters", "image_job.revised_prompt",
        "image_job.endpoint_id",
        "image.bytes", "image_chunk.bytes",
        "scan.scan_id", "scan.hash", "scan.page", "scan.byte_count", "scan.media_type", "scan.source_id", "scan.state",
        "scan.received_at",
        "print_job.job_id", "print_job.drawing_id", "print_job.printer_id", "print_job.state", "print_job.reason",
        "print_job.scale", "print_job.copies", "print_job.remote_job_id", "print_job.remote_job_uri",
        "print_job.created_at", "print_job.drawing_ids", "print_job.paper_wanted", "print_job.paper",
        "print_job.paper_substituted", "print_job.page_count",
        "print_job.updated_at",
        "print_job_event.job_id", "print_job_event.sequence", "print_job_event.state", "print_job_event.reason",
        "print_job_event.at",
        "provider_event.event_id", "provider_event.provider_id", "provider_event.kind", "provider_event.subject",
        "provider_event.happened_at", "provider_event.received_at", "provider_event.applied_at",
        "provider_event.outcome",
        "subject_transfer.provider_id", "subject_transfer.transfer_subject", "subject_transfer.subject",
        "consent.consent_id", "consent.scope", "consent.sequence", "consent.is_given", "consent.method",
        "consent.notice",
        "consent.at", "consent_guardian.guardian",
        "erasure_request.request_id", "erasure_request.state", "erasure_request.reference", "erasure_request.reason",
        "erasure_request.opened_at", "erasure_request.due_at", "erasure_request.closed_at",
        "quota_use.metric", "quota_use.window_kind", "quota_use.used", "quota_use.resets_at",
    ]

    /// What does not, and why.
    static let withheld = [
        "app_user.proof_after": "repeats when consent was revoked, or when an account before this one ended",
        "identity.user_id": "the person's own number",
        "identity.sealed_token": "a secret between the provider and the service",
        "session.user_id": "the person's own number",
        "session.salt": "a key of the service's",
        "session.child_used_at": "how tokens are told apart, no more",
        "drawing.owner_id": "the person's own number",
        "image.owner_id": "the person's own number", "image.hash": "the drawing says it",
        "image.byte_count": "the drawing says it", "image.media_type": "the drawing says it",
        "image.width": "the drawing says it", "image.height": "the drawing says it",
        "image.chunk_count": "how bytes are stored",
        "image.staged_until": "an upload under way, gone within the hour",
        "image.object_id": "how bytes are stored", "image.object_stored": "how bytes are stored",
        "image_thumbnail.owner_id": "the person's own number",
        "image_thumbnail.hash": "the drawing says it", "image_thumbnail.media_type": "made of the image",
        "image_thumbnail.bytes": "made of the image",
        "image_chunk.owner_id": "the person's own number", "image_chunk.hash": "the drawing says it",
        "image_chunk.position": "how bytes are stored",
        "image_job.job_id": "the drawing's number", "image_job.owner_id": "the person's own number",
        "image_job.source_id": "the drawing says it", "image_job.machine": "how the work went, for the worker",
        "image_job.created_at": "the drawing says it", "image_job.updated_at": "the drawing says it",
        "print_job.owner_id": "the person's own number", "print_job.machine": "repeats the history for the worker",
        "print_job.event_count": "counts the history", "print_job.run_from": "counts the history",
        "print_job.expires_at": "how long it waits for its printer",
        "print_job.wanted_at": "the history says that it was canceled",
        "provider_event.digest": "tells an event that comes twice",
        "subject_transfer.created_at": "when the operator imported it",
        "consent.user_id": "the person's own number",
        "consent_guardian.consent_id": "the consent says it", "consent_guardian.user_id": "the person's own number",
        "erasure_request.user_id": "the person's own number",
        "erasure_request.deletion_id": "there is no account any more",
        "erasure_request.told_at": "when the service noticed",
        "user_hold.user_id": "a hold is the operator's; what is held is here",
        "user_hold.reason": "a hold is the operator's", "user_hold.held_at": "a hold is the operator's",
        "account_deletion.user_id": "there is no account any more",
        "account_deletion.deletion_id": "there is no account any more",
        "account_deletion.receipt": "there is no account any more",
        "account_deletion.origin": "there is no account any more",
        "account_deletion.deleted_at": "there is no account any more",
        "account_deletion.drawings": "there is no account any more",
        "code_exchange.exchange_id": "gone within minutes", "code_exchange.provider_id": "gone within minutes",
        "code_exchange.subject": "gone within minutes", "code_exchange.client_id": "gone within minutes",
        "code_exchange.sealed_code": "gone within minutes", "code_exchange.expires_at": "gone within minutes",
        "code_exchange.deletion_id": "gone within minutes", "code_exchange.subject_digest": "gone within minutes",
        "code_use.digest": "gone within minutes", "code_use.expires_at": "gone within minutes",
        "code_use.leased_until": "gone within minutes", "code_use.session_id": "gone within minutes",
        "code_use.token_digest": "gone within minutes", "code_use.fault": "gone within minutes",
        "code_use.bound_to": "gone within minutes",
        "idempotency.user_id": "the person's own number", "idempotency.key_digest": "gone within a day",
        "idempotency.body_digest": "gone within a day", "idempotency.subject_id": "gone within a day",
        "idempotency.running_until": "gone within a day", "idempotency.expires_at": "gone within a day",
        "quota_use.subject_id": "the person's own number", "quota_use.scope": "the person's, by its nature",
        "quota_use.told": "what was told the operator", "quota_use.told_at": "what was told the operator",
        "scanner.scanner_id": "the operator's", "scanner.name": "the operator's",
        "scanner.owner_id": "the person's own number",
        "scanner.token_digest": "a secret of the scanner's", "scanner.serial": "the operator's",
        "scanner.last_scan_at": "the drawings say it", "scanner.created_at": "the operator's",
        "scanner.updated_at": "the operator's",
        "scanner.printer_id": "the operator's", "scanner.destination_id": "the operator's",
        "scan_session.token_digest": "gone within the week", "scan_session.owner_id": "gone within the week",
        "scan_session.drawing_id": "gone within the week", "scan_session.push_digest": "gone within the week",
        "scan_session.used_at": "gone within the week",
        "scan_session.created_at": "gone within the week", "scan_session.expires_at": "gone within the week",
        "scan.owner_id": "the person's own number", "scan.scanner_id": "the operator's",
        "scan.fault": "of a page that failed, of which nothing else is kept, for a month",
        "scan.drawing_id": "of a page that became one, and is there as that",
        "scan.ended_at": "of a page that does not wait any more",
        "webhook_event.event_id": "numbers alone, gone within the month",
        "webhook_event.type": "numbers alone, gone within the month",
        "webhook_event.subject": "numbers alone, gone within the month",
        "webhook_event.data": "numbers alone, gone within the month",
        "webhook_event.at": "numbers alone, gone within the month",
        "user_event.user_id": "the person's own number",
        "user_event.event_id": "numbers alone, gone within a day",
        "user_event.type": "numbers alone, gone within a day",
        "user_event.data": "numbers alone, gone within a day",
    ]

    /// Free texts that the tests plant, and that the archive must therefore show.
    static let planted = [
        "app_user.given_name", "app_user.family_name", "app_user.email", "identity.client_id",
        "identity.token_client_id",
        "identity.token_fault", "identity.transferred_from", "session.device_name", "session.user_agent",
        "session.address",
        "drawing.title", "drawing.prompt", "print_job.reason", "print_job.remote_job_uri", "print_job_event.reason",
        "provider_event.kind", "provider_event.outcome", "subject_transfer.transfer_subject",
        "consent_guardian.guardian", "erasure_request.reference",
    ]
}
