import ChilCore
import ChilDatabase

/// Rows of one kind, a page at a time: each is JSON already, and has a number that the next page begins after.
protocol ExportPage: Statement where Row == ExportRow {
    /// - Parameter before: only rows with lower numbers.
    init(of user: UserID, in tenant: TenantID, before: Int64)

    /// Whether there is one row by its nature, so that the file is an object rather than an array of them.
    static var isOne: Bool { get }
}

struct ExportRow {
    let number: Int64
    let json: [UInt8]
}

extension ExportPage {
    static var isOne: Bool { false }
    /// Rows in a page.
    static var countMax: Int { 200 }

    static func row(_ row: ResultRow) throws(DatabaseError) -> ExportRow {
        ExportRow(number: try row.int64(0), json: row.bytes(1))
    }
}

/// A file of JSON: all rows of one kind, newest first.
final class ExportList<Page: ExportPage>: ExportPart {
    private enum Stage { case name, opening, rows, done }

    private let name: ExportName
    private let user: UserID
    private let tenant: TenantID
    private var stage = Stage.name
    private var before = Int64.max

    init(_ name: ExportName, of user: UserID, in tenant: TenantID) {
        self.name = name
        self.user = user
        self.tenant = tenant
    }

    func next(from database: any Database) async throws -> ExportStep? {
        switch stage {
        case .name:
            stage = .opening
            return .file(name, isLarge: !Page.isOne)
        case .opening, .rows: return .bytes(try await page(from: database))
        case .done: return nil
        }
    }

    private func page(from database: any Database) async throws -> [UInt8] {
        let page = Page(of: user, in: tenant, before: before)
        let rows = try await database.run(page, .bulkRead, of: tenant)
        if Page.isOne {
            guard let row = rows.first else { throw ExportFault.accountGone }
            stage = .done
            return row.json + [0x0a]
        }
        var bytes: [UInt8] = []
        for row in rows {
            bytes += stage == .opening ? Array("[\n".utf8) : Array(",\n".utf8)
            bytes += row.json
            stage = .rows
            before = row.number
        }
        if rows.count < Page.countMax {
            bytes += stage == .opening ? Array("[]\n".utf8) : Array("\n]\n".utf8)
            stage = .done
        }
        return bytes
    }
}
