import ChilAuth
import ChilCore
import ChilDatabase
import ChilStore

extension LiveServices: LedgerServices {
    func exportLedger(of slug: Slug?, to path: String) async throws(AdminFault) -> LedgerExportRow {
        let tenants: [TenantID]
        if let slug {
            tenants = [try await record(of: slug).id]
        } else {
            tenants = try await ask { database throws(DatabaseError) in
                try await database.run(ChilStore.TenantList(), .read, of: nil)
            }.map(\.id)
        }
        let file = try makeFile(at: path)
        var count: Int64 = 0
        for tenant in tenants {
            var after = AccountDeletionID(rawValue: 0)
            while true {
                let page = DeletionLedgerPage(of: tenant, after: after)
                let entries = try await ask { database throws(DatabaseError) in try await page.rows(from: database) }
                for entry in entries { try file.append(LedgerLine(tenant: tenant, entry: entry).bytes) }
                count += Int64(entries.count)
                guard let last = entries.last, entries.count == DeletionLedgerPage.countMax else { break }
                after = last.deletion
            }
        }
        try file.place()
        return LedgerExportRow(path: path, deletions: count)
    }

    func applyLedger(_ path: String) async throws(AdminFault) -> LedgerApplyRow {
        let lines = try Self.lines(of: path)
        let name = settings.operatorName
        let pepper = SubjectDigests(try keyRing()).pepper
        var tenants: [TenantID: Bool] = [:]
        var row = LedgerApplyRow()
        for line in lines {
            let isKnown: Bool
            if let known = tenants[line.tenant] {
                isKnown = known
            } else {
                let byID = TenantByID(id: line.tenant)
                isKnown =
                    try await ask { database throws(DatabaseError) in
                        try await database.run(byID, .read, of: nil).first
                    } != nil
                tenants[line.tenant] = isKnown
            }
            guard isKnown else {
                row.strange += 1
                continue
            }
            let delete = AccountDelete(
                line.entry.user,
                of: line.tenant,
                as: line.entry.deletion,
                receiptDigest: line.entry.receiptDigest,
                pepper: pepper,
                by: .operator(name: name),
                audit: try fresh(),
                at: line.entry.deletedAt
            )
            // Most are gone: a look before the connection of its own that a large account needs.
            let one = UserOne(line.entry.user, of: line.tenant)
            guard try await ask({ database throws(DatabaseError) in try await one.first(from: database) }) != nil else {
                row.gone += 1
                continue
            }
            let outcome = try await withOwnDatabase({ $0.patient(AccountDelete.patience) }) {
                database throws(DatabaseError) in
                try await delete.run(on: database)
            }
            switch outcome {
            case .deleted: row.deleted += 1
            case .missing, .isGuest: row.gone += 1
            }
        }
        return row
    }

    func ledgerCount(_ path: String) throws(AdminFault) -> Int64 { Int64(try Self.lines(of: path).count) }

    private static func lines(of path: String) throws(AdminFault) -> [LedgerLine] {
        let bytes = try TransferFile.bytes(path)
        var lines: [LedgerLine] = []
        for (number, text) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
            guard let line = LedgerLine(text) else {
                throw AdminFault(
                    .dataRefused,
                    "line \(number + 1) of '\(path)' is none of a ledger",
                    remedy: "Give the file as `chiladmin ledger export` wrote it; nothing was deleted."
                )
            }
            lines.append(line)
        }
        return lines
    }

    func affectedUsers(_ query: AffectedQuery, of slug: Slug) async throws(AdminFault) -> [AffectedUserRow] {
        let tenant = try await record(of: slug)
        var rows: [AffectedUserRow] = []
        var after = UserID(rawValue: 0)
        while true {
            let page = AffectedUsers(
                of: tenant.id,
                since: query.since.time,
                until: query.until.time,
                data: query.data,
                after: after
            )
            let users = try await ask { database throws(DatabaseError) in try await page.rows(from: database) }
            rows += users.map(AffectedUserRow.init)
            guard let last = users.last, users.count == AffectedUsers.countMax else { return rows }
            after = last.id
        }
    }
}
