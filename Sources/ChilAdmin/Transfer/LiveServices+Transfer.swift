import ChilCore
import ChilDatabase
import ChilProvider
import ChilStore

extension LiveServices: TransferServices {
    /// Users of one page.
    private static var pageLength: Int { 512 }

    func exportTransfer(_ draft: TransferExportDraft, of slug: Slug) async throws(AdminFault) -> TransferExportRow {
        let (tenant, provider) = try await provider(draft.choice, of: slug)
        let calls = try calls(provider, of: tenant, draft.choice)
        let (file, bytes) = try TransferFile.open(draft.path)
        try await audit("transfer.export", on: "\(provider.id.rawValue)", in: tenant.id, "to team \(draft.target)")
        let present = Set(try Self.transfers(in: bytes, of: draft.path).map { ExactText($0.subject) })
        if bytes.isEmpty { try file.append(Array(TransferTable.header.utf8)) }
        var row = TransferExportRow()
        let progress = progress("apple transfer export", of: nil, "users")
        defer { progress.end() }
        var after = ""
        while true {
            let page = SubjectPage(of: provider.id, in: tenant.id, after: after, countMax: Self.pageLength)
            let subjects = try await ask { database throws(DatabaseError) in try await page.rows(from: database) }
            guard let last = subjects.last else { return row }
            let missing = subjects.filter { !present.contains(ExactText($0)) }
            row.present += Int64(subjects.count - missing.count)
            for start in stride(from: 0, to: missing.count, by: TransferCalls.width) {
                let asked = Array(missing[start..<min(start + TransferCalls.width, missing.count)])
                let answers = try await calls.transferSubjects(of: asked, toTeam: draft.target)
                for (subject, answer) in zip(asked, answers) {
                    switch answer {
                    case .known(let transferSubject):
                        try file.append(
                            TransferTable.line(SubjectTransfer(subject: subject, transferSubject: transferSubject))
                        )
                        row.written += 1
                    case .refused(let said):
                        row.refused += 1
                        row.refusal = said
                    }
                }
            }
            progress.reached(row.written + row.present)
            after = last
        }
    }

    func importTransfer(_ draft: TransferImportDraft, of slug: Slug) async throws(AdminFault) -> TransferImportRow {
        let (tenant, provider) = try await provider(draft.choice, of: slug)
        // Before anything is stored: without credentials nobody could be moved now.
        let calls = draft.movesNow ? try calls(provider, of: tenant, draft.choice) : nil
        var row = TransferImportRow()
        let progress = progress("apple transfer import", of: nil, "users")
        defer { progress.end() }
        if let path = draft.path {
            let lines = try Self.transfers(in: try TransferFile.bytes(path), of: path)
            for start in stride(from: 0, to: lines.count, by: SubjectTransfersAdd.countMax) {
                let batch = Array(lines[start..<min(start + SubjectTransfersAdd.countMax, lines.count)])
                let add = SubjectTransfersAdd(batch, to: provider.id, in: tenant.id, note: try note())
                row.imported += Int64(
                    try await ask { database throws(DatabaseError) in try await add.answer(from: database) }
                )
            }
        }
        try await visit(provider, of: tenant) { (page: [SubjectTransfer]) async throws(AdminFault) in
            guard let calls else {
                row.waiting += Int64(page.count)
                return
            }
            try await move(page, by: calls, provider, tenant, &row)
            progress.reached(row.moved)
        }
        return row
    }

    private func move(
        _ page: [SubjectTransfer],
        by calls: TransferCalls,
        _ provider: ProviderRecord,
        _ tenant: TenantRecord,
        _ row: inout TransferImportRow
    ) async throws(AdminFault) {
        for start in stride(from: 0, to: page.count, by: TransferCalls.width) {
            let asked = page[start..<min(start + TransferCalls.width, page.count)].map(\.transferSubject)
            for (transferSubject, answer) in zip(asked, try await calls.users(of: asked)) {
                guard case .known(let user) = answer else {
                    row.refused += 1
                    if case .refused(let said) = answer { row.refusal = said }
                    continue
                }
                let change = SubjectMove(
                    byTransferSubject: transferSubject,
                    to: user.subject,
                    email: user.email,
                    of: provider.id,
                    in: tenant.id,
                    note: try note()
                )
                switch try await ask({ database throws(DatabaseError) in try await change.answer(from: database) }) {
                case .moved: row.moved += 1
                case .taken: row.taken += 1
                case .nobody: row.gone += 1
                case .missing: break
                }
            }
        }
    }

    /// All stored lines, a page at a time; the visitor may remove them.
    private func visit(
        _ provider: ProviderRecord,
        of tenant: TenantRecord,
        _ body: ([SubjectTransfer]) async throws(AdminFault) -> Void
    ) async throws(AdminFault) {
        var after = ""
        while true {
            let page = SubjectTransferPage(of: provider.id, in: tenant.id, after: after, countMax: Self.pageLength)
            let lines = try await ask { database throws(DatabaseError) in try await page.rows(from: database) }
            guard let last = lines.last else { return }
            try await body(lines)
            after = last.transferSubject
        }
    }

    private func provider(
        _ choice: ProviderChoice,
        of slug: Slug
    ) async throws(AdminFault) -> (TenantRecord, ProviderRecord) {
        let tenant = try await record(of: slug)
        return (tenant, try choice.pick(try await providers(of: tenant), of: slug.text))
    }

    private func calls(
        _ provider: ProviderRecord,
        of tenant: TenantRecord,
        _ choice: ProviderChoice
    ) throws(AdminFault) -> TransferCalls {
        let sealer = try sealer()
        let remote = try RemoteProvider(provider, of: tenant.id, sealer: sealer)
        guard remote.endpoints.migrationURL != nil, let clientID = choice.clientID?.text else {
            throw AdminFault(
                .configuration,
                "the provider record has no migration URL",
                remedy: "`chiladmin client set TENANT --migration-url URL` sets it."
            )
        }
        return TransferCalls(remote, clientID: clientID, on: try loop(), now: now)
    }

    private static func transfers(in bytes: [UInt8], of path: String) throws(AdminFault) -> [SubjectTransfer] {
        do throws(TransferTable.Fault) {
            return try TransferTable.read(bytes)
        } catch {
            throw AdminFault(
                .dataRefused,
                "'\(path)', line \(error.line): \(error.reason)",
                remedy: "Nothing was done. The file has lines sub,transfer_sub (RFC 4180)."
            )
        }
    }
}
