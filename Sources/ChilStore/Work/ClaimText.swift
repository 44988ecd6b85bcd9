package import ChilCore

/// The text of a statement that leases due work of all tenants, in turns: of a lane and of a tenant only some at once, however much there
/// is of it, and whoever is left out costs nothing.
///
/// It looks at the oldest due rows, of whomever. Are there more than it looks at, somebody's backlog may hide the others': then it goes by
/// another index from lane to lane, a probe for each, whatever lies within, and takes some of each. (It compares rows there: of a tenant
/// that has nearly all rows PostgreSQL would think that any index will do.)
///
/// Parameters: $1 how many, $2 the lease in milliseconds, $3 the holder, $4 what is left out (`ClaimExclusion`), with spaces between,
/// $5 how many of one tenant's share.
struct ClaimText {
    private let kinds: String
    private let wanted: String
    private let lane: String
    private let share: (_ lane: String) -> String
    private let countPerLane: (_ lane: String) -> String
    /// How far along the queue one look goes, and how far along a lane. Written out, so that a generic plan knows that it is not far.
    private let windowMax = 256
    private let laneMax = 16

    /// - Parameters:
    ///   - kinds: which rows, as the predicate of the indexes has it; `w` is the row.
    ///   - wanted: a condition more, for a row `w` of those.
    ///   - lane: the column that a lane is.
    ///   - share: whose share of a tenant's, by the lane; an expression.
    ///   - countPerLane: most of one lane; an expression.
    static func text(
        of kinds: String,
        wanted: String = "true",
        lane: String = "lane",
        share: @escaping (_ lane: String) -> String = { _ in "'all'" },
        countPerLane: @escaping (_ lane: String) -> String = { _ in "$5::bigint" }
    ) -> String {
        ClaimText(kinds: kinds, wanted: wanted, lane: lane, share: share, countPerLane: countPerLane).text
    }

    private var text: String {
        """
        with recursive oldest as materialized (
            select w.tenant_id, w.\(lane) as lane, w.work_id, w.kind, w.run_at
              from work w
             where \(kinds) and w.run_at <= now()
             order by w.run_at limit \(windowMax)
        ), turn (tenant_id, lane, run_at) as (
            (
            select w.tenant_id, w.\(lane), w.run_at
              from work w
             where \(kinds) and (select count(*) from oldest) = \(windowMax)
             order by w.tenant_id, w.\(lane), w.run_at limit 1
            )
            union all
            select n.tenant_id, n.lane, n.run_at
              from turn t
             cross join lateral (
                   select w.tenant_id, w.\(lane) as lane, w.run_at
                     from work w
                    where \(kinds) and (w.tenant_id, w.\(lane)) > (t.tenant_id, t.lane)
                    order by w.tenant_id, w.\(lane), w.run_at limit 1
                   ) as n
        ), found as (
            select w.tenant_id, w.lane, w.work_id, w.run_at from oldest w where \(isOpen("w")) and \(wanted)
            union
            select d.tenant_id, d.lane, d.work_id, d.run_at
              from turn t
             cross join lateral (
                   select w.tenant_id, w.\(lane) as lane, w.work_id, w.run_at
                     from work w
                    where \(kinds) and \(wanted)
                      and (w.tenant_id, w.\(lane), w.run_at) >= (t.tenant_id, t.lane, '-infinity'::timestamptz)
                      and (w.tenant_id, w.\(lane), w.run_at) <= (t.tenant_id, t.lane, now())
                    order by w.tenant_id, w.\(lane), w.run_at limit \(laneMax)
                   ) as d
             where t.run_at <= now() and \(isOpen("t"))
        ), laned as (
            select f.tenant_id, f.lane, f.work_id, f.run_at,
                   row_number() over (partition by f.tenant_id, f.lane order by f.run_at, f.work_id) as place
              from found f
        ), placed as (
            select l.tenant_id, l.work_id, l.run_at,
                   row_number() over (partition by l.tenant_id, \(share("l.lane")) order by l.run_at, l.work_id) as place
              from laned l
             where l.place <= \(countPerLane("l.lane"))
        ), chosen as (
            select p.tenant_id, p.work_id, p.run_at, p.place
              from placed p
             where p.place <= $5::bigint
             order by p.place, p.run_at limit \(windowMax)
        ), held as materialized (
            select w.tenant_id, w.work_id
              from chosen c join work w on w.tenant_id = c.tenant_id and w.work_id = c.work_id
             where w.run_at <= now()
             order by c.place, c.run_at limit $1
               for update of w skip locked
        )
        update work w
           set run_at = now() + $2::bigint * interval '1 millisecond', attempts = w.attempts + 1, fence = w.fence + 1,
               leased_by = $3
          from held
         where w.tenant_id = held.tenant_id and w.work_id = held.work_id
        returning w.tenant_id, w.work_id, w.kind, w.subject_id, w.attempts, w.fence, w.\(lane)
        """
    }

    private func isOpen(_ row: String) -> String {
        let share = share("\(row).lane")
        return """
            not array[\(row).tenant_id || ':' || \(row).lane, \(row).tenant_id || '/' || \(share), '*/' || \(share)]
                && (select string_to_array($4, ' '))::text[]
            """
    }
}

/// What a claim leaves alone: it has all the room that it gets.
package enum ClaimExclusion: Sendable {
    /// A printer, an endpoint.
    case lane(TenantID, Int64)
    /// A tenant's share, or everybody's.
    case share(TenantID?, WorkShare)

    static func text(_ exclusions: [Self]) -> String {
        exclusions.map { exclusion in
            switch exclusion {
            case .lane(let tenant, let lane): "\(tenant.rawValue):\(lane)"
            case .share(let tenant, let share): (tenant.map { "\($0.rawValue)" } ?? "*") + "/\(share.rawValue)"
            }
        }.joined(separator: " ")
    }
}

/// Work that shares its room.
package enum WorkShare: String, Sendable {
    /// Of one kind alone.
    case all
    /// In the common claim: what waits for printers, and what does not.
    case printing, other
}
