import ChilCore
import ChilDatabase
import ChilStore

/// Fills every table that knows of a person, as the administrator.
struct Belongings {
    let tenant: TestTenant
    let user: UserID
    let subject: String
    let drawing: DrawingID
    let job: PrintJobID

    /// - Parameter mark: stands in every free text.
    init(of subject: String, in tenant: TestTenant, mark: String = "m") async throws {
        self.tenant = tenant
        self.subject = subject
        user = try await tenant.user(subject)
        let shared = freshDigest()
        drawing = try await tenant.drawing(by: user, hash: shared)
        _ = try await tenant.drawing(by: user, hash: shared)
        _ = try await tenant.drawing(by: user)
        job = fresh()
        let create = PrintJobCreate(
            job,
            of: drawing,
            by: user,
            in: tenant.id,
            on: try await tenant.printer("printer of \(subject)"),
            scale: .large,
            copies: 2,
            caller: testCaller,
            at: noon,
            isLimited: false
        )
        guard case .created = try await create.answer(from: tenant.store.service) else {
            throw DatabaseError(.broken, detail: "print job refused")
        }
        let plant = Plant(of: self, mark: mark, number: fresh(AuditID.self).rawValue)
        _ = try await tenant.store.administrator.run(plant, .write, of: tenant.id)
    }

    /// Tables that still have a row of this person: by a column of the user's number, or by the subject.
    func places() async throws -> [String] {
        try await tenant.store.administrator.run(
            PersonPlaces(tenant: tenant.id, user: user, subject: subject),
            .read,
            of: nil
        )
    }
}

/// Every free text says where it stands: `<mark>:<table>.<column>`.
private struct Plant: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        with a as (
            update app_user
               set given_name = $4 || ':app_user.given_name', family_name = $4 || ':app_user.family_name',
                   email = $4 || ':app_user.email', email_verified = true, is_private_email = true
             where tenant_id = $1 and user_id = $2
        ), b as (
            update identity
               set client_id = $4 || ':identity.client_id', sealed_token = convert_to($4 || ':identity.sealed_token', 'UTF8'),
                   token_client_id = $4 || ':identity.token_client_id', token_state = 'held',
                   token_fault = $4 || ':identity.token_fault', token_at = now(), relay_enabled = true,
                   consent_revoked_at = now(), transferred_from = $4 || ':identity.transferred_from'
             where tenant_id = $1 and user_id = $2
        ), c as (
            update session
               set device_name = $4 || ':session.device_name', user_agent = $4 || ':session.user_agent',
                   address = $4 || ':session.address'
             where tenant_id = $1 and user_id = $2
        ), d as (
            update drawing
               set title = $4 || ':drawing.title "quoted" 그림', prompt = $4 || ':drawing.prompt'
             where tenant_id = $1 and drawing_id = $5
        ), e as (
            update print_job
               set reason = $4 || ':print_job.reason', remote_job_uri = $4 || ':print_job.remote_job_uri', remote_job_id = $4 || ':print_job.remote_job_id', state = 'sent',
                   machine = $4 || ':print_job.machine'
             where tenant_id = $1 and job_id = $6
        ), f as (
            update print_job_event set reason = $4 || ':print_job_event.reason' where tenant_id = $1 and job_id = $6
        ), g as (
            insert into provider_event (tenant_id, event_id, provider_id, digest, kind, subject, happened_at, received_at, outcome)
            values ($1, $8, $7, int8send($8), $4 || ':provider_event.kind', $3, now(), now(), $4 || ':provider_event.outcome')
        ), h as (
            insert into subject_transfer (tenant_id, provider_id, transfer_subject, subject, created_at)
            values ($1, $7, $4 || ':subject_transfer.transfer_subject', $3, now())
        ), i as (
            insert into code_exchange (tenant_id, exchange_id, provider_id, subject, client_id, sealed_code, expires_at)
            values ($1, $8, $7, $3, $4 || ':code_exchange.client_id', convert_to($4, 'UTF8'), now())
        ), j as (
            insert into image (tenant_id, owner_id, hash, byte_count, media_type, width, height, chunk_count, staged_until)
            values ($1, $2, sha256(int8send($8)), 9, 'image/png', 1, 1, 1, now())
        ), k as (
            insert into image_chunk (tenant_id, owner_id, hash, position, bytes)
            values ($1, $2, sha256(int8send($8)), 0, convert_to($4, 'UTF8'))
        ), k2 as (
            insert into image_thumbnail (tenant_id, owner_id, hash, media_type, bytes)
            values ($1, $2, sha256(int8send($8)), 'image/png', convert_to($4, 'UTF8'))
        ), l as (
            insert into idempotency (tenant_id, user_id, key_digest, body_digest, subject_id, expires_at)
            values ($1, $2, sha256(int8send($8)), sha256('body'), $5, now())
        ), m as (
            insert into consent (tenant_id, user_id, scope, sequence, consent_id, is_given, method, notice, at)
            values ($1, $2, 'collect', 1, $8, true, 'sms', 1, now())
        ), n as (
            insert into consent_guardian (tenant_id, consent_id, user_id, guardian) values ($1, $8, $2, $4 || ':consent_guardian.guardian')
        ), o as (
            insert into erasure_request (tenant_id, request_id, user_id, reference, opened_at, due_at)
            values ($1, $8, $2, $4 || ':erasure_request.reference', now(), now())
        ), p as (
            insert into user_hold (tenant_id, user_id, reason, held_at) values ($1, $2, $4 || ':user_hold.reason', now())
        )
        select 1
        """
    )

    let belongings: Belongings
    let mark: String
    let number: Int64

    init(of belongings: Belongings, mark: String, number: Int64) {
        self.belongings = belongings
        self.mark = mark
        self.number = number
    }

    func bind(_ values: inout BoundValues) {
        values.append(belongings.tenant.id)
        values.append(belongings.user)
        values.append(belongings.subject)
        values.append(mark)
        values.append(belongings.drawing)
        values.append(belongings.job)
        values.append(belongings.tenant.provider)
        values.append(number)
    }
}

private struct PersonPlaces: Statement {
    static let sql = SQL(
        """
        select c.relname || '.' || a.attname
          from pg_class c
          join pg_attribute a on a.attrelid = c.oid and a.attname in ('user_id', 'owner_id', 'subject') and not a.attisdropped
         where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
           and (xpath('/row/n/text()', query_to_xml(
                    format('select count(*) as n from %I where tenant_id = %s and %I::text = %L',
                           c.relname, $1::bigint, a.attname, case a.attname when 'subject' then $3::text else $2::bigint::text end),
                    false, true, '')))[1]::text::bigint > 0
         order by 1
        """
    )

    let tenant: TenantID
    let user: UserID
    let subject: String

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
        values.append(subject)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}
