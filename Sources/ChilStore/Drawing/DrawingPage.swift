package import ChilCore
package import ChilDatabase

/// One page of an owner's drawings, newest first, read in place. Those that came to nothing are not among them: they have no picture, and who
/// waited for one asks for it by its number.
package struct DrawingPage: Sendable {
    private let set: ResultSet?
    package let count: Int
    package let hasMore: Bool

    /// - Parameter set: one row more than the page shows, if there are more.
    init(_ set: ResultSet, countMax: Int) {
        self.set = set
        count = min(set.rowCount, countMax)
        hasMore = set.rowCount > countMax
    }

    /// A page past the end.
    init() {
        set = nil
        count = 0
        hasMore = false
    }

    /// Tells each drawing's number, in the page's order.
    package func forEachID(_ body: (DrawingID) -> Void) throws(DatabaseError) {
        guard let set else { return }
        for index in 0..<count { body(DrawingID(rawValue: try set.int64(index, DrawingView.idColumn))) }
    }

    package func drawing(_ index: Int) throws(DatabaseError) -> DrawingView {
        guard let row = set?.row(index) else { throw .noRow(of: DrawingsBefore.self) }
        return try DrawingView(row)
    }

    package var drawings: [DrawingView] {
        get throws(DatabaseError) {
            var drawings: [DrawingView] = []
            for index in 0..<count { drawings.append(try drawing(index)) }
            return drawings
        }
    }
}

/// Which page. Ids are ordered by time, so an id is the keyset.
package struct DrawingPageRequest: Sendable {
    package enum Place: Sendable {
        case newest
        /// Older than this drawing.
        case before(DrawingID)
        /// The page of that number, from 1, as the first app counts. Its cost grows with the number.
        case page(Int)
    }

    package static let countMax = 200

    let tenant: TenantID
    let owner: UserID
    let type: DrawingType?
    let place: Place
    let count: Int

    /// - Parameters:
    ///   - type: `nil` for all.
    ///   - count: drawings in a page; more than `countMax` is `countMax`.
    package init(of owner: UserID, in tenant: TenantID, type: DrawingType?, place: Place, count: Int) {
        self.tenant = tenant
        self.owner = owner
        self.type = type
        self.place = place
        self.count = min(max(count, 1), Self.countMax)
    }

    package func run(on database: some Database) async throws(DatabaseError) -> DrawingPage {
        var before = DrawingID(rawValue: .max)
        switch place {
        case .newest: break
        case .before(let drawing): before = drawing
        case .page(let number):
            guard number <= Self.pageMax else { return DrawingPage() }
            if number > 1 {
                let skipped = Int64((number - 1) * count)
                if let type {
                    return page(
                        try await TypedDrawingsFrom(request: self, type: type, skipped: skipped).set(from: database)
                    )
                }
                return page(try await DrawingsFrom(request: self, skipped: skipped).set(from: database))
            }
        }
        if let type {
            return page(try await TypedDrawingsBefore(request: self, type: type, before: before).set(from: database))
        }
        return page(try await DrawingsBefore(request: self, before: before).set(from: database))
    }

    /// Past it every page is empty: no owner has so many.
    static let pageMax = 1_000_000

    private func page(_ set: ResultSet) -> DrawingPage {
        DrawingPage(set, countMax: count)
    }
}

/// Four statements rather than one with optional conditions: each is one range of one index.
struct DrawingsBefore: TenantStatement {
    static let access = Batch.Access.read
    static let sql = SQL(
        """
        select \(DrawingView.columns) from drawing
         where tenant_id = $1 and owner_id = $2 and drawing_id < $3 and status <> 'FAILED'
         order by drawing_id desc limit $4
        """
    )
    static let gathered: SQL? = SQL(gathering: sql, parameters: 4)

    let request: DrawingPageRequest
    let before: DrawingID
    var tenant: TenantID { request.tenant }

    func bind(_ values: inout BoundValues) {
        values.append(request.tenant)
        values.append(request.owner)
        values.append(before)
        values.append(Int64(request.count + 1))
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> DrawingView { try DrawingView(row) }
}

struct TypedDrawingsBefore: TenantStatement {
    static let access = Batch.Access.read
    static let sql = SQL(
        """
        select \(DrawingView.columns) from drawing
         where tenant_id = $1 and owner_id = $2 and kind = $3 and drawing_id < $4 and status <> 'FAILED'
         order by drawing_id desc limit $5
        """
    )

    let request: DrawingPageRequest
    let type: DrawingType
    let before: DrawingID
    var tenant: TenantID { request.tenant }

    func bind(_ values: inout BoundValues) {
        values.append(request.tenant)
        values.append(request.owner)
        values.append(type.rawValue)
        values.append(before)
        values.append(Int64(request.count + 1))
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> DrawingView { try DrawingView(row) }
}

struct DrawingsFrom: TenantStatement {
    static let access = Batch.Access.read
    static let sql = SQL(
        """
        select \(DrawingView.columns) from drawing
         where tenant_id = $1 and owner_id = $2 and status <> 'FAILED'
         order by drawing_id desc offset $3 limit $4
        """
    )

    let request: DrawingPageRequest
    let skipped: Int64
    var tenant: TenantID { request.tenant }

    func bind(_ values: inout BoundValues) {
        values.append(request.tenant)
        values.append(request.owner)
        values.append(skipped)
        values.append(Int64(request.count + 1))
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> DrawingView { try DrawingView(row) }
}

struct TypedDrawingsFrom: TenantStatement {
    static let access = Batch.Access.read
    static let sql = SQL(
        """
        select \(DrawingView.columns) from drawing
         where tenant_id = $1 and owner_id = $2 and kind = $3 and status <> 'FAILED'
         order by drawing_id desc offset $4 limit $5
        """
    )

    let request: DrawingPageRequest
    let type: DrawingType
    let skipped: Int64
    var tenant: TenantID { request.tenant }

    func bind(_ values: inout BoundValues) {
        values.append(request.tenant)
        values.append(request.owner)
        values.append(type.rawValue)
        values.append(skipped)
        values.append(Int64(request.count + 1))
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> DrawingView { try DrawingView(row) }
}
