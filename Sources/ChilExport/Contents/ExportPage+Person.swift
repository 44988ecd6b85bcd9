import ChilCore
import ChilDatabase

/// How PostgreSQL writes a time here: RFC 3339, UTC.
func exported(_ column: String) -> String {
    "to_char(\(column) at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
}

/// `account.json`
struct AccountPage: ExportPage {
    static let isOne = true
    static let sql = SQL(
        """
        select user_id, json_strip_nulls(json_build_object(
                   'id', user_id, 'givenName', given_name, 'familyName', family_name, 'email', email,
                   'emailVerified', email_verified, 'isPrivateEmail', is_private_email, 'state', state, 'version', version,
                   'createdAt', \(exported("created_at")), 'updatedAt', \(exported("updated_at"))
               ))::text
          from app_user where tenant_id = $1 and user_id = $2 and $3::bigint is not null
        """
    )

    let place: ExportPlace

    init(of user: UserID, in tenant: TenantID, before: Int64) {
        place = ExportPlace(user: user, tenant: tenant, before: before)
    }

    func bind(_ values: inout BoundValues) { place.bind(&values) }
}

/// `identities.json`: who vouches for the person. The provider's token is a secret between the provider and the service.
struct IdentityPage: ExportPage {
    static let sql = SQL(
        """
        select i.provider_id, json_strip_nulls(json_build_object(
                   'providerId', i.provider_id,
                   'issuer', (select p.issuer from provider_issuer p
                               where p.tenant_id = $1 and p.provider_id = i.provider_id order by p.position limit 1),
                   'subject', i.subject, 'clientId', i.client_id, 'createdAt', \(exported("i.created_at")),
                   'providerToken', i.token_state, 'providerTokenClientId', i.token_client_id,
                   'providerTokenFault', i.token_fault, 'providerTokenAt', \(exported("i.token_at")),
                   'relayEnabled', i.relay_enabled, 'consentRevokedAt', \(exported("i.consent_revoked_at")),
                   'transferredFrom', i.transferred_from,
                   'transferSubjects', (select json_agg(s.transfer_subject) from subject_transfer s
                                         where s.tenant_id = $1 and s.provider_id = i.provider_id
                                           and s.subject in (i.subject, i.transferred_from))
               ))::text
          from identity i
         where i.tenant_id = $1 and i.user_id = $2 and i.provider_id < $3
         order by i.provider_id desc limit \(countMax)
        """
    )

    let place: ExportPlace

    init(of user: UserID, in tenant: TenantID, before: Int64) {
        place = ExportPlace(user: user, tenant: tenant, before: before)
    }

    func bind(_ values: inout BoundValues) { place.bind(&values) }
}

/// `sessions.json`, the ended ones too while they are kept.
struct SessionPage: ExportPage {
    static let sql = SQL(
        """
        select session_id, json_strip_nulls(json_build_object(
                   'id', session_id, 'clientId', client_id, 'deviceName', device_name, 'userAgent', user_agent, 'ip', address, 'generation', generation,
                   'createdAt', \(exported("created_at")), 'lastUsedAt', \(exported("last_used_at")),
                   'rotatedAt', \(exported("rotated_at")), 'idleExpiresAt', \(exported("idle_expires_at")),
                   'expiresAt', \(exported("expires_at")), 'endedAt', \(exported("ended_at")), 'endReason', end_reason
               ))::text
          from session
         where tenant_id = $1 and user_id = $2 and session_id < $3
         order by session_id desc limit \(countMax)
        """
    )

    let place: ExportPlace

    init(of user: UserID, in tenant: TenantID, before: Int64) {
        place = ExportPlace(user: user, tenant: tenant, before: before)
    }

    func bind(_ values: inout BoundValues) { place.bind(&values) }
}

/// `provider-events.json`: what an identity provider told of the person.
struct ProviderEventPage: ExportPage {
    static let sql = SQL(
        """
        select e.event_id, json_strip_nulls(json_build_object(
                   'id', e.event_id, 'providerId', e.provider_id, 'kind', e.kind, 'subject', e.subject,
                   'happenedAt', \(exported("e.happened_at")), 'receivedAt', \(exported("e.received_at")),
                   'appliedAt', \(exported("e.applied_at")), 'outcome', e.outcome
               ))::text
          from identity i
          join provider_event e on e.tenant_id = $1 and e.provider_id = i.provider_id and e.subject = i.subject
         where i.tenant_id = $1 and i.user_id = $2 and e.event_id < $3
         order by e.event_id desc limit \(countMax)
        """
    )

    let place: ExportPlace

    init(of user: UserID, in tenant: TenantID, before: Int64) {
        place = ExportPlace(user: user, tenant: tenant, before: before)
    }

    func bind(_ values: inout BoundValues) { place.bind(&values) }
}

/// `$1…$3` of every page: tenant, user, the number that the rows are below.
struct ExportPlace {
    let user: UserID
    let tenant: TenantID
    let before: Int64

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
        values.append(before)
    }
}
