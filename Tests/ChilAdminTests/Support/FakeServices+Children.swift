import ChilCore
import ChilStore

@testable import ChilAdmin

extension FakeServices {
    func moveImages(to target: ImageMover.Target, of slug: Slug?) async throws(AdminFault) -> [ImageMoveRow] {
        try note("images of \(slug?.text ?? "all") to \(target.rawValue)")
        return [ImageMoveRow(slug: "chillin", images: 12, bytes: 3_400_000, gone: 0, damaged: 0)]
    }

    func consents(of user: UserNumber, in slug: Slug) async throws(AdminFault) -> [ConsentRow] {
        try note("consents of \(user.id.rawValue) of \(slug)")
        return [Sample.consent]
    }

    func say(_ draft: ConsentDraft, of user: UserNumber, in slug: Slug) async throws(AdminFault) -> Bool {
        let scopes = draft.scopes.scopes.map(\.description).joined(separator: " ")
        let how = [draft.method?.rawValue, draft.guardian?.text, draft.notice.map { "\($0.number)" }].compactMap { $0 }
        try note(
            "\(draft.isGiven ? "give" : "withdraw") \(scopes) of \(user.id.rawValue) of \(slug) \(how.joined(separator: " "))"
        )
        return isSaid
    }

    func setConsent(_ draft: ConsentPolicyDraft, of slug: Slug) async throws(AdminFault) -> TenantRow {
        let scopes = draft.required?.scopes.map(\.description).joined(separator: " ")
        try note(
            "\(slug) requires \(scopes ?? "as before") under \(draft.notice.map { "\($0.number)" } ?? "as before")"
        )
        return try await tenant(slug)
    }

    func retention(of slug: Slug) async throws(AdminFault) -> [RetentionRow] {
        try note("retention of \(slug)")
        return Sample.retention
    }

    func setRetention(_ kind: RetentionClass, to limit: RetentionLimit?, of slug: Slug) async throws(AdminFault)
        -> [RetentionRow]
    {
        try note(
            "keep \(kind.rawValue) of \(slug) \(limit.map { $0.days.map { "\($0) days" } ?? "forever" } ?? "by default")"
        )
        return Sample.retention
    }

    func hold(_ user: UserNumber, of slug: Slug, because reason: Remark?) async throws(AdminFault) -> UserDetailRow {
        try note("\(reason.map { "hold for \($0.text)" } ?? "release") \(user.id.rawValue) of \(slug)")
        return Sample.userDetail
    }

    func openErasure(of user: UserNumber, in slug: Slug, reference: Remark?) async throws(AdminFault) -> ErasureRow {
        try note("erase \(user.id.rawValue) of \(slug) by \(reference?.text ?? "nobody")")
        return Sample.erasure
    }

    func erasures(of slug: Slug, includingClosed: Bool) async throws(AdminFault) -> [ErasureRow] {
        try note("erasures of \(slug)\(includingClosed ? ", all" : "")")
        return erasureRows
    }

    func doErasure(_ request: ErasureNumber, of slug: Slug) async throws(AdminFault) -> ErasureRow {
        try note("do \(request.id.rawValue) of \(slug)")
        return Sample.erasure
    }

    func refuseErasure(_ request: ErasureNumber, of slug: Slug, because reason: Remark) async throws(AdminFault)
        -> ErasureRow
    {
        try note("refuse \(request.id.rawValue) of \(slug): \(reason.text)")
        return Sample.erasure
    }

    func exportLedger(of slug: Slug?, to path: String) async throws(AdminFault) -> LedgerExportRow {
        try note("ledger of \(slug?.description ?? "all") to \(path)")
        return LedgerExportRow(path: path, deletions: 3)
    }

    func applyLedger(_ path: String) async throws(AdminFault) -> LedgerApplyRow {
        try note("apply \(path)")
        return LedgerApplyRow(deleted: 1, gone: 2, strange: strangeLines)
    }

    func affectedUsers(_ query: AffectedQuery, of slug: Slug) async throws(AdminFault) -> [AffectedUserRow] {
        try note("affected of \(slug) \(query.data.rawValue) \(query.since.time) \(query.until.time)")
        return [AffectedUserRow(id: 7, email: "ann@example.org", createdAt: "2026-11-30T06:00:00Z", deletedAt: nil)]
    }
}
