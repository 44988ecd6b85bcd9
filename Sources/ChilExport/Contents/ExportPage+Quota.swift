import ChilCore
import ChilDatabase

/// `quota-use.json`: what is counted of the person by itself, where there is a limit on it. At most one row for each metric and window.
struct QuotaUsePage: ExportPage {
    static let sql = SQL(
        """
        select row_number() over (order by u.metric desc, u.window_kind desc), json_strip_nulls(json_build_object(
                   'metric', u.metric, 'window', u.window_kind, 'used', u.used,
                   'resetsAt', \(exported("nullif(u.resets_at, 'infinity')"))
               ))::text
          from quota_use u
         where u.tenant_id = $1 and u.subject_id = $2 and u.scope = 'user' and $3::bigint is not null
         order by 1 desc limit \(countMax)
        """
    )

    let place: ExportPlace

    init(of user: UserID, in tenant: TenantID, before: Int64) {
        place = ExportPlace(user: user, tenant: tenant, before: before)
    }

    func bind(_ values: inout BoundValues) { place.bind(&values) }
}
