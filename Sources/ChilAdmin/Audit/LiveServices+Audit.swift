import ChilCore
import ChilDatabase
import ChilStore

extension LiveServices: AuditServices {
    func audit(_ query: AuditQuery, before: AuditCursor?, countMax: Int, of slug: Slug) async throws(AdminFault)
        -> [AuditEntryRow]
    {
        let tenant = try await record(of: slug)
        let page = AuditPage(of: tenant.id, query.filter(at: now()), before: before?.place, countMax: countMax)
        return try await ask { database throws(DatabaseError) in try await page.rows(from: database) }
            .map(AuditEntryRow.init)
    }

    func followAudit(
        _ query: AuditQuery,
        for length: Lifetime?,
        of slug: Slug,
        _ output: (AuditEntryRow) throws(AdminFault) -> Bool
    ) async throws(AdminFault) {
        let tenant = try await record(of: slug)
        let isStopped = Locked(false)
        let signals = StopSignals { isStopped.withLock { $0 = true } }
        defer { withExtendedLifetime(signals) {} }
        let end = length.map { now() + .seconds($0.seconds) }
        var filter = query.filter(at: now())
        var newest = filter.since ?? now()
        filter.since = newest
        var seen: [Int64: Timestamp] = [:]
        while true {
            // What is committed late has an earlier time than what was seen already.
            var place: AuditPlace? = AuditPlace(recordedAt: newest - Self.lateness)
            while let from = place {
                let page = AuditFollowing(of: tenant.id, filter, after: from, countMax: Self.pageMax)
                let rows = try await ask { database throws(DatabaseError) in try await page.rows(from: database) }
                for row in rows where seen[row.row.id] == nil {
                    seen[row.row.id] = row.place.recordedAt
                    newest = max(newest, row.place.recordedAt)
                    guard try output(AuditEntryRow(row)) else { return }
                }
                place = rows.count == Self.pageMax ? rows.last?.place : nil
            }
            let oldest = newest - Self.lateness
            seen = seen.filter { $0.value >= oldest }
            for _ in 0..<10 {
                if isStopped.withLock({ $0 }) || end.map({ now() >= $0 }) ?? false { return }
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    func verifyAudit(of slug: Slug?, keeping kept: KeptHead?) async throws(AdminFault) -> [AuditReportRow] {
        let tenants: [TenantRecord]
        if let slug {
            tenants = [try await record(of: slug)]
        } else {
            tenants = try await ask { database throws(DatabaseError) in
                try await database.run(ChilStore.TenantList(), .read, of: nil)
            }
        }
        var reports: [AuditReportRow] = []
        let progress = progress("audit verify", of: tenants.count, "tenants")
        defer { progress.end() }
        for tenant in tenants {
            reports.append(try await verify(tenant, kept))
            progress.reached(Int64(reports.count))
        }
        return reports
    }

    private func verify(_ tenant: TenantRecord, _ kept: KeptHead?) async throws(AdminFault) -> AuditReportRow {
        while true {
            let chain = try await chain(of: tenant)
            var verifier = AuditVerifier(of: tenant.id, from: chain.base, keeping: kept?.head, slug: tenant.slug)
            let isWhole = try await forEachLink(of: tenant, from: chain.base.sequence, through: chain.head.sequence) {
                page in
                verifier.add(page.link, page.row, at: page.place)
            }
            // Anew, from where the chain begins now.
            if !isWhole { continue }
            var waits = false
            if verifier.lacksBeginning {
                let beginning = AuditBeginning(of: tenant.id, slug: tenant.slug)
                waits = try await ask { database throws(DatabaseError) in try await beginning.answer(from: database) }
            }
            verifier.finish(stored: chain.head, whileBeginningWaits: waits)
            try await findOutside(of: tenant, &verifier)
            return AuditReportRow(tenant.slug, verifier)
        }
    }

    /// Rows that are in no link: those that wait for too long, and those that only say they are sealed.
    private func findOutside(of tenant: TenantRecord, _ verifier: inout AuditVerifier) async throws(AdminFault) {
        let before = now() - Self.sealedWithin
        var place: AuditPlace?
        repeat {
            let page = AuditUnsealedPage(of: tenant.id, after: place, before: before, countMax: Self.pageMax)
            let rows = try await ask { database throws(DatabaseError) in try await page.rows(from: database) }
            for row in rows { verifier.add(unsealed: row.audit) }
            place = rows.count == Self.pageMax ? rows.last : nil
        } while place != nil
        let count = AuditCount(of: tenant.id)
        let counted = try await ask { database throws(DatabaseError) in try await count.first(from: database) }
        guard let counted, counted.sealed != counted.links else { return }
        defer { if verifier.findingCount == 0 { verifier.add(sealedRows: counted.sealed, links: counted.links) } }
        var after: Int64? = .min
        while let last = after {
            let page = AuditStrayPage(of: tenant.id, after: last, countMax: Self.pageMax)
            let rows = try await ask { database throws(DatabaseError) in try await page.rows(from: database) }
            for row in rows { verifier.add(stray: row) }
            after = rows.count == Self.pageMax ? rows.last : nil
        }
    }

    func verifyAuditFile(_ path: String, keeping kept: KeptHead?) throws(AdminFault) -> AuditReportRow {
        let reader = try LineReader(path, lineBytesMax: AuditFile.lineBytesMax)
        func fault(_ what: String) -> AdminFault {
            AdminFault(.dataRefused, "'\(path)' \(what)", remedy: "Export it anew: `chiladmin audit export`.")
        }
        guard let first = try reader.next(), case .beginning(let tenant, let slug, let base)? = AuditFile.read(first)
        else { throw fault("is no export of an audit") }
        var verifier = AuditVerifier(of: tenant, from: base, keeping: kept?.head, slug: slug)
        var lineNumber = 1
        while let line = try reader.next() {
            lineNumber += 1
            switch AuditFile.read(line) {
            case .link(let link, let row, let place): verifier.add(link, row, at: place)
            case .end(let head):
                guard try reader.next() == nil else { throw fault("goes on behind its end") }
                verifier.finish(stored: head)
                return AuditReportRow(slug, verifier)
            case .beginning, nil: throw fault("has a line \(lineNumber) that is none of an export")
            }
        }
        throw fault("ends early")
    }

    func exportAudit(of slug: Slug, after sequence: Int64?, to path: String) async throws(AdminFault) -> AuditExportRow
    {
        let tenant = try await record(of: slug)
        let chain = try await chain(of: tenant)
        var base = chain.base
        if let sequence, sequence > base.sequence {
            guard sequence <= chain.head.sequence, let link = try await link(sequence, of: tenant) else {
                throw AdminFault(
                    .dataRefused,
                    "the chain ends at \(chain.head.sequence)",
                    remedy: "Give --after a place that is in it, or leave it out."
                )
            }
            base = AuditHead(sequence: sequence, digest: link.chainDigest)
        }
        let file = try makeFile(at: path)
        try file.append(AuditFile.beginning(of: tenant, from: base, at: now()))
        var rows: Int64 = 0
        let progress = progress("audit export", of: Int(chain.head.sequence - base.sequence), "rows")
        defer { progress.end() }
        let isWhole = try await forEachLink(of: tenant, from: base.sequence, through: chain.head.sequence) {
            page throws(AdminFault) in
            rows += 1
            if rows % 100 == 0 { progress.reached(rows) }
            try file.append(AuditFile.line(page))
        }
        guard isWhole else {
            throw AdminFault(.dataRefused, "rows had their time while they were read", remedy: "Export again.")
        }
        try file.append(AuditFile.end(at: chain.head, rows: rows))
        try file.place()
        return AuditExportRow(path: path, rows: rows, head: KeptHead(chain.head).text)
    }

    private func chain(of tenant: TenantRecord) async throws(AdminFault) -> AuditChainOne.Row {
        let one = AuditChainOne(of: tenant.id)
        return try await ask { database throws(DatabaseError) in try await one.first(from: database) }
            ?? AuditChainOne.Row(base: .empty, head: .empty)
    }

    private func link(_ sequence: Int64, of tenant: TenantRecord) async throws(AdminFault) -> AuditLink? {
        let page = AuditLinkPage(of: tenant.id, after: sequence - 1, countMax: 1)
        let row = try await ask { database throws(DatabaseError) in try await page.first(from: database) }
        return row.flatMap { $0.link.sequence == sequence ? $0.link : nil }
    }

    /// A page in memory at a time. What is sealed meanwhile is behind `last`. False: links that were to be read next have had their time
    /// meanwhile, so that the chain begins behind them.
    private func forEachLink(
        of tenant: TenantRecord,
        from first: Int64,
        through last: Int64,
        _ body: (AuditLinkPage.Row) throws(AdminFault) -> Void
    ) async throws(AdminFault) -> Bool {
        var after: Int64? = first
        while let from = after {
            let page = AuditLinkPage(of: tenant.id, after: from, countMax: Self.pageMax)
            let rows = try await ask { database throws(DatabaseError) in try await page.rows(from: database) }
            // A page is of one moment: what went by itself is missing in front of it.
            if from < last, rows.first?.link.sequence != from + 1, try await chain(of: tenant).base.sequence > from {
                return false
            }
            for row in rows where row.link.sequence <= last { try body(row) }
            guard rows.count == Self.pageMax, let end = rows.last?.link.sequence, end < last else { return true }
            after = end
        }
        return true
    }

    private static let pageMax = 1_000
    private static let lateness = Duration.seconds(15)
    private static let sealedWithin = Duration.seconds(60)
}

extension AuditReportRow {
    init(_ tenant: String, _ verifier: AuditVerifier) {
        self.init(
            tenant: tenant,
            rows: verifier.rowCount,
            head: KeptHead(verifier.head).text,
            findingCount: verifier.findingCount,
            findings: verifier.findings.map(\.description)
        )
    }
}
