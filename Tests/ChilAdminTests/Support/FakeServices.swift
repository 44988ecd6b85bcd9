import ChilCore
import ChilStore

@testable import ChilAdmin

/// Services that remember what they were asked and answer with what the test put in.
final class FakeServices: AdminServices {
    var asked: [String] = []
    var fault: AdminFault?
    var tenantRows = [Sample.tenant]
    var clientRows = [Sample.client]
    var quotaRows = [Sample.quota]
    var quotaDrafts: [QuotaDraft] = []
    var unsetOutcome = ChilStore.QuotaUnset.Outcome.removed
    var countDifferences: [ChilAdmin.QuotaRecount.Row] = []
    var printerRows = [Sample.printer]
    var steps = [MigrationStep(name: "m0001_core", outcome: .applied)]
    var auditRows = [Sample.auditEntry]
    var auditReport = AuditReportRow(tenant: "chillin", rows: 3, head: "3:00", findingCount: 0, findings: [])
    var drafts: [TenantDraft] = []
    var sessionDrafts: [SessionLifeDraft] = []
    var rotationStep = KeyRotation.Step.activated
    var wasRevokedBefore = false
    var endedCount = 1
    var unreadable: Int64 = 0
    var shortLived: Int64 = 0
    var providerDrafts: [ProviderDraft] = []
    var providerChanges: [ProviderChange] = []
    var transferExport = TransferExportRow(written: 5, present: 1, refused: 0)
    var transferImport = TransferImportRow(imported: 5, moved: 4, gone: 1)
    var issuerDrafts: [IssuerDraft] = []
    var files: [String: FakeFile] = [:]
    var erasureRows = [Sample.erasure]
    var isSaid = true
    var strangeLines: Int64 = 0
    var time = Timestamp(seconds: 1_796_000_000)

    func note(_ question: String) throws(AdminFault) {
        asked.append(question)
        if let fault { throw fault }
    }

    func migrate() async throws(AdminFault) -> [MigrationStep] {
        try note("migrate")
        return steps
    }

    func distribution(shards: ShardCount) async throws(AdminFault) -> [DistributionRow] {
        try note("distribution \(shards.count)")
        return [DistributionRow(what: "select create_reference_table('tenant');", subject: "tenant")]
    }

    func distribute(shards: ShardCount) async throws(AdminFault) -> [DistributionRow] {
        try note("distribute \(shards.count)")
        return [DistributionRow(what: "distributed", subject: "tenant")]
    }

    func checkDistribution() async throws(AdminFault) -> [DistributionRow] {
        try note("check distribution")
        return [DistributionRow(what: "reference", subject: "tenant")]
    }

    func deleteTenant(_ slug: Slug) async throws(AdminFault) -> TenantEndRow {
        try note("delete \(slug)")
        return TenantEndRow(slug: slug.description, rowCount: 12)
    }

    func createTenant(_ draft: TenantDraft) async throws(AdminFault) -> TenantRow {
        try note("create \(draft.slug)")
        drafts.append(draft)
        return Sample.tenant(named: draft.name.text, slug: draft.slug.description)
    }

    func tenants() async throws(AdminFault) -> [TenantRow] {
        try note("tenants")
        return tenantRows
    }

    func tenant(_ slug: Slug) async throws(AdminFault) -> TenantRow {
        try note("tenant \(slug)")
        guard let row = tenantRows.first(where: { $0.slug == slug.description }) else {
            throw .noSuchTenant(slug.description)
        }
        return row
    }

    func setTenant(_ slug: Slug, to state: TenantRecord.State) async throws(AdminFault) -> TenantRow {
        try note("\(state) \(slug)")
        return try await tenant(slug)
    }

    func setSessions(_ draft: SessionLifeDraft, of slug: Slug) async throws(AdminFault) -> TenantRow {
        try note("sessions of \(slug)")
        sessionDrafts.append(draft)
        return try await tenant(slug)
    }

    func keys(of slug: Slug) async throws(AdminFault) -> [KeyRow] {
        try note("keys of \(slug)")
        return [Sample.key]
    }

    func rotateKey(of slug: Slug, waiting wait: KeyRotation.Wait) async throws(AdminFault) -> KeyRotation {
        try note("rotate \(slug) waiting \(wait)")
        return KeyRotation(keyID: Sample.key.keyID, step: rotationStep)
    }

    func revokeKey(_ keyID: KeyID, of slug: Slug) async throws(AdminFault) -> KeyRevocation {
        try note("revoke \(keyID.text) of \(slug)")
        return KeyRevocation(row: Sample.key, wasRevokedBefore: wasRevokedBefore, activeKeyID: "key-2")
    }

    func reseal(_ slug: Slug?) async throws(AdminFault) -> [ResealRow] {
        try note("reseal \(slug?.description ?? "all")")
        return [ResealRow(tenant: "chillin", resealed: 2, unreadable: unreadable, shortLived: shortLived)]
    }

    func sessions(of slug: Slug, _ query: SessionQuery) async throws(AdminFault) -> [SessionRow] {
        try note(
            "sessions of \(slug) user \(query.user?.id.rawValue ?? 0) ended \(query.includesEnded) at most \(query.countMax)"
        )
        return [Sample.session]
    }

    func endSessions(_ choice: SessionChoice, of slug: Slug) async throws(AdminFault) -> Int {
        switch choice {
        case .one(let session): try note("end session \(session.id.rawValue) of \(slug)")
        case .allOf(let user): try note("end sessions of user \(user.id.rawValue) of \(slug)")
        }
        return endedCount
    }

    func addClients(_ draft: ProviderDraft, to slug: Slug) async throws(AdminFault) -> [ClientRow] {
        try note("add clients to \(slug)")
        providerDrafts.append(draft)
        return clientRows
    }

    func clients(of slug: Slug) async throws(AdminFault) -> [ClientRow] {
        try note("clients of \(slug)")
        return clientRows
    }

    func setProvider(_ change: ProviderChange, of slug: Slug) async throws(AdminFault) -> [ClientRow] {
        try note("set provider of \(slug)")
        providerChanges.append(change)
        return clientRows
    }

    func checkClients(_ choice: ProviderChoice, of slug: Slug) async throws(AdminFault) -> [ClientCheckRow] {
        try note("check \(choice.clientID?.text ?? "all") of \(slug)")
        return [
            ClientCheckRow(
                clientID: "com.example.chilhada",
                teamID: "A1B2C3D4E5",
                keyID: "F6G7H8I9J0",
                tokenURL: "https://appleid.apple.com/auth/token"
            )
        ]
    }

    func exportTransfer(_ draft: TransferExportDraft, of slug: Slug) async throws(AdminFault) -> TransferExportRow {
        try note("export \(draft.choice.clientID?.text ?? "-") of \(slug) to \(draft.target)")
        return transferExport
    }

    func importTransfer(_ draft: TransferImportDraft, of slug: Slug) async throws(AdminFault) -> TransferImportRow {
        try note("import \(draft.path ?? "nothing") to \(slug)\(draft.movesNow ? " now" : "")")
        return transferImport
    }

    func removeClient(_ clientID: ClientID, from slug: Slug) async throws(AdminFault) -> [ClientRow] {
        try note("remove \(clientID.text) from \(slug)")
        return [Sample.client]
    }

    func users(_ query: UserQuery, of slug: Slug) async throws(AdminFault) -> [UserRow] {
        try note("users of \(slug), \(query.countMax)")
        return [Sample.user]
    }

    func user(_ user: UserNumber, of slug: Slug) async throws(AdminFault) -> UserDetailRow {
        try note("user \(user.id.rawValue) of \(slug)")
        return Sample.userDetail
    }

    func setUser(_ user: UserNumber, of slug: Slug, to state: UserRecord.State) async throws(AdminFault)
        -> UserDetailRow
    {
        try note("\(state) user \(user.id.rawValue) of \(slug)")
        return Sample.userDetail
    }

    func deleteUser(_ user: UserNumber, of slug: Slug) async throws(AdminFault) -> UserDeletionRow {
        try note("delete user \(user.id.rawValue) of \(slug)")
        return Sample.deletion
    }

    func exportUser(_ user: UserNumber, of slug: Slug, to path: String) async throws(AdminFault) -> UserExportRow {
        try note("export user \(user.id.rawValue) of \(slug) to \(path)")
        return UserExportRow(path: path, bytes: 1_234, entries: 7)
    }

    func audit(_ query: AuditQuery, before: AuditCursor?, countMax: Int, of slug: Slug) async throws(AdminFault)
        -> [AuditEntryRow]
    {
        try note("audit of \(slug) \(query.action ?? "all") at most \(countMax)")
        return auditRows
    }

    func followAudit(
        _ query: AuditQuery,
        for length: Lifetime?,
        of slug: Slug,
        _ output: (AuditEntryRow) throws(AdminFault) -> Bool
    ) async throws(AdminFault) {
        try note("follow \(slug) for \(length?.seconds ?? 0)")
        for row in auditRows { guard try output(row) else { return } }
    }

    func verifyAudit(of slug: Slug?, keeping kept: KeptHead?) async throws(AdminFault) -> [AuditReportRow] {
        try note("verify \(slug?.description ?? "all") \(kept?.head.sequence ?? -1)")
        return [auditReport]
    }

    func verifyAuditFile(_ path: String, keeping kept: KeptHead?) throws(AdminFault) -> AuditReportRow {
        try note("verify file \(path)")
        return auditReport
    }

    func exportAudit(of slug: Slug, after sequence: Int64?, to path: String) async throws(AdminFault) -> AuditExportRow
    {
        try note("export audit of \(slug) after \(sequence ?? 0)")
        return AuditExportRow(path: path, rows: 3, head: auditReport.head)
    }

    func addWebhook(_ draft: WebhookDraft, to slug: Slug) async throws(AdminFault) -> (
        WebhookSecretRow, notes: [String]
    ) {
        try note("webhook \(draft.url) to \(slug): \(draft.types.types.map(\.rawValue).joined(separator: " "))")
        return (WebhookSecretRow(id: 9, secret: "whsec_c2VjcmV0"), [])
    }

    func webhooks(of slug: Slug) async throws(AdminFault) -> [WebhookRow] {
        try note("webhooks of \(slug)")
        return [Sample.webhook]
    }

    func webhook(_ number: WebhookNumber, of slug: Slug) async throws(AdminFault) -> WebhookRow {
        try note("webhook \(number.id.rawValue) of \(slug)")
        return Sample.webhook
    }

    func testWebhook(_ number: WebhookNumber, of slug: Slug) async throws(AdminFault) -> WebhookTestRow {
        try note("test webhook \(number.id.rawValue) of \(slug)")
        return WebhookTestRow(id: 9, url: Sample.webhook.url, status: 204)
    }

    func rotateWebhook(_ number: WebhookNumber, of slug: Slug, overlap: Lifetime) async throws(AdminFault)
        -> WebhookSecretRow
    {
        try note("rotate webhook \(number.id.rawValue) of \(slug) over \(overlap.seconds)")
        return WebhookSecretRow(id: 9, secret: "whsec_c2VjcmV0")
    }

    func setWebhook(_ number: WebhookNumber, of slug: Slug, to state: WebhookEndpoint.State) async throws(AdminFault)
        -> WebhookRow
    {
        try note("\(state) webhook \(number.id.rawValue) of \(slug)")
        return Sample.webhook
    }

    func removeWebhook(_ number: WebhookNumber, of slug: Slug) async throws(AdminFault) -> WebhookRow {
        try note("remove webhook \(number.id.rawValue) of \(slug)")
        return Sample.webhook
    }

    func webhookDeliveries(
        to number: WebhookNumber?,
        state: WebhookDelivery.State?,
        countMax: Int,
        of slug: Slug
    ) async throws(AdminFault) -> [WebhookDeliveryRow] {
        try note("deliveries of \(slug) \(state?.rawValue ?? "all") at most \(countMax)")
        return [Sample.delivery]
    }

    func replayWebhooks(
        _ event: WebhookEventNumber?,
        to number: WebhookNumber?,
        of slug: Slug
    ) async throws(AdminFault) -> Int64 {
        try note("replay \(event?.id.rawValue ?? 0) of \(slug)")
        return 2
    }

    func setQuota(_ draft: QuotaDraft, of slug: Slug) async throws(AdminFault) -> QuotaRow {
        try note("set \(draft.key) \(draft.terms.limit) of \(slug)")
        quotaDrafts.append(draft)
        return Sample.quota
    }

    func unsetQuota(_ key: QuotaKey, of slug: Slug) async throws(AdminFault) -> ChilStore.QuotaUnset.Outcome {
        try note("unset \(key) of \(slug)")
        return unsetOutcome
    }

    func recountQuotas(of slug: Slug?, isCheck: Bool) async throws(AdminFault) -> [ChilAdmin.QuotaRecount.Row] {
        try note("recount \(slug?.description ?? "all")\(isCheck ? " only" : "")")
        return countDifferences
    }

    func createPlan(_ name: PlanName) async throws(AdminFault) -> PlanRow {
        try note("create plan \(name.text)")
        return Sample.plan
    }

    func plans() async throws(AdminFault) -> [PlanRow] {
        try note("plans")
        return [Sample.plan]
    }

    func limits(of name: PlanName) async throws(AdminFault) -> [PlanQuotaRow] {
        try note("limits of \(name.text)")
        return [Sample.planQuota]
    }

    func setLimit(_ draft: QuotaDraft, of name: PlanName) async throws(AdminFault) -> PlanChangeAnswer {
        try note("set \(draft.key) \(draft.terms.limit) of plan \(name.text)")
        return PlanChangeAnswer(limits: [Sample.planQuota], tenantsChanged: 3)
    }

    func unsetLimit(_ key: QuotaKey, of name: PlanName) async throws(AdminFault) -> PlanChangeAnswer {
        try note("unset \(key) of plan \(name.text)")
        return PlanChangeAnswer(limits: [], tenantsChanged: 1)
    }

    func assignPlan(_ choice: PlanChoice, to slug: Slug) async throws(AdminFault) -> [QuotaRow] {
        switch choice {
        case .none: try note("no plan for \(slug)")
        case .plan(let name): try note("plan \(name.text) for \(slug)")
        }
        return quotaRows
    }

    func removePlan(_ name: PlanName) async throws(AdminFault) {
        try note("remove plan \(name.text)")
    }

    func quotas(of slug: Slug) async throws(AdminFault) -> [QuotaRow] {
        try note("quotas of \(slug)")
        return quotaRows
    }

    func setLimits(_ choice: LimitChoice, to rule: RateRule, of slug: Slug) async throws(AdminFault) -> [LimitRow] {
        try note("limit \(choice.scopes) \(choice.classes) \(rule.quota) in \(rule.window) s of \(slug)")
        return LimitRow.all(choice.places.map { RateLimitRecord($0.scope, $0.kind, rule) })
    }

    func unsetLimits(_ choice: LimitChoice, of slug: Slug) async throws(AdminFault) -> [LimitRow] {
        try note("no limit \(choice.scopes) \(choice.classes) of \(slug)")
        return LimitRow.all([])
    }

    func limits(of slug: Slug) async throws(AdminFault) -> [LimitRow] {
        try note("limits of \(slug)")
        return LimitRow.all([])
    }

    func addPrinter(_ draft: PrinterDraft, to slug: Slug) async throws(AdminFault) -> PrinterRow {
        try note("add printer \(draft.name.text) to \(slug)")
        return Sample.printer
    }

    func printers(of slug: Slug) async throws(AdminFault) -> [PrinterRow] {
        try note("printers of \(slug)")
        return printerRows
    }

    func testPrinter(named name: String, of slug: Slug) async throws(AdminFault) -> PrinterReport {
        try note("test \(name) of \(slug)")
        return Sample.report
    }

    func removePrinter(named name: String, from slug: Slug) async throws(AdminFault) -> PrinterRow {
        try note("remove printer \(name) from \(slug)")
        return Sample.printer
    }

    private(set) var isClosed = false

    func close() async { isClosed = true }

    func now() -> Timestamp { time }

    func serveIssuer(_ draft: IssuerDraft) async throws(AdminFault) {
        try note("issue as \(draft.issuerText)")
        issuerDrafts.append(draft)
    }

    func tokenSigner(keys folder: String, algorithm: TokenAlgorithm) throws(AdminFault) -> any TokenSigner {
        try note("sign with \(folder) \(algorithm.rawValue)")
        return FakeSigner()
    }

    func makeFile(at path: String) throws(AdminFault) -> any LineFile {
        try note("make \(path)")
        let file = FakeFile()
        files[path] = file
        return file
    }
}

/// A token that is its claims, to be looked at.
struct FakeSigner: TokenSigner {
    func signedToken(claims: [UInt8]) throws(AdminFault) -> [UInt8] { claims }
}

final class FakeFile: LineFile {
    private(set) var text = ""

    func append(_ bytes: [UInt8]) throws(AdminFault) { text += String(decoding: bytes, as: UTF8.self) }
}
