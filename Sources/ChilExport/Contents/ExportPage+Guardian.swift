import ChilCore
import ChilDatabase

/// `consents.json`: what guardians agreed to and took back.
struct ConsentPage: ExportPage {
    static let sql = SQL(
        """
        select c.consent_id, json_strip_nulls(json_build_object(
                   'consentId', c.consent_id, 'scopes', json_agg(c.scope order by c.scope), 'given', bool_and(c.is_given),
                   'method', min(c.method::text), 'notice', min(c.notice),
                   'guardian', (select g.guardian from consent_guardian g where g.tenant_id = $1 and g.consent_id = c.consent_id),
                   'sequences', json_agg(c.sequence order by c.scope), 'at', \(exported("min(c.at)"))
               ))::text
          from consent c
         where c.tenant_id = $1 and c.user_id = $2 and c.consent_id < $3
         group by c.consent_id
         order by c.consent_id desc limit \(countMax)
        """
    )

    let place: ExportPlace

    init(of user: UserID, in tenant: TenantID, before: Int64) {
        place = ExportPlace(user: user, tenant: tenant, before: before)
    }

    func bind(_ values: inout BoundValues) { place.bind(&values) }
}

/// `erasure-requests.json`: what guardians asked to be erased, while it is open or was refused.
struct ErasureRequestPage: ExportPage {
    static let sql = SQL(
        """
        select request_id, json_strip_nulls(json_build_object(
                   'requestId', request_id, 'state', state, 'reference', reference, 'reason', reason,
                   'openedAt', \(exported("opened_at")), 'dueAt', \(exported("due_at")), 'closedAt', \(exported("closed_at"))
               ))::text
          from erasure_request
         where tenant_id = $1 and user_id = $2 and request_id < $3
         order by request_id desc limit \(countMax)
        """
    )

    let place: ExportPlace

    init(of user: UserID, in tenant: TenantID, before: Int64) {
        place = ExportPlace(user: user, tenant: tenant, before: before)
    }

    func bind(_ values: inout BoundValues) { place.bind(&values) }
}
