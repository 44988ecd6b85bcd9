import ChilCore
import ChilPrint
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
    var tenantDrafts: [TenantSettingsDraft] = []
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
    var contextFile = Sample.contexts
    var statusRow = Sample.status()
    var time = Timestamp(seconds: 1_796_000_000)

    var fileText = #"{"slug": "chillin"}"#

    func bytes(ofFile path: String, countMax: Int) throws(AdminFault) -> [UInt8] {
        if let fault { throw fault }
        return Array(fileText.utf8)
    }

    func requireSecretFile(_ path: String) throws(AdminFault) {
        asked.append("secret \(path)")
    }

    func isKept(_ secret: KeptSecret, as path: String, of slug: Slug) async throws(AdminFault) -> Bool { true }

    func examine(_ checks: [DoctorCheck]) async -> [DoctorRow] {
        asked.append("examine \(checks.count)")
        return checks.map { DoctorRow(check: $0, state: fault == nil ? .ok : .fail, finding: "seen") }
    }

    func hand(_ secret: [UInt8], for flag: String) {
        asked.append("secret \(flag) \(String(decoding: secret, as: UTF8.self))")
    }

    /// What became of the transaction.
    var holds: [String] = []

    func hold(isDryRun: Bool) async throws(AdminFault) { holds.append(isDryRun ? "tried" : "held") }

    func keep() async throws(AdminFault) { holds.append("kept") }

    func weigh(_ subject: SevereSubject) async throws(AdminFault) -> SevereAct {
        if let fault { throw fault }
        return SevereAct(does: "does it", losses: [Loss("drawings", 1_234)], place: "chil", operatorName: "ann")
    }

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

    func scheduleEnd(of slug: Slug) async throws(AdminFault) -> TenantEndRow {
        try note("end \(slug)")
        return TenantEndRow(slug: slug.description, rowCount: nil, purgeAt: "2026-12-08T00:00:00Z")
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

    func changeTenant(_ draft: TenantSettingsDraft, of slug: Slug) async throws(AdminFault) -> TenantRow {
        try note("settings of \(slug)")
        tenantDrafts.append(draft)
        return try await tenant(slug)
    }

    func setGuest(_ draft: GuestDraft, of slug: Slug) async throws(AdminFault) -> TenantRow {
        try note("guest \(draft.isServed?.rawValue ?? "as is") \(draft.printsPerDay?.count ?? 0) of \(slug)")
        return try await tenant(slug)
    }

    func setPrinting(_ draft: PrintingDraft, of slug: Slug) async throws(AdminFault) -> TenantRow {
        let scale = draft.scale?.rawValue ?? "as they are"
        try note("pages \(scale) \(draft.paper?.name?.rawValue ?? "any") \(draft.mark?.rawValue ?? "-") of \(slug)")
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

    func printTestPage(onPrinterNamed name: String, of slug: Slug) async throws(AdminFault) -> String {
        try note("print a page on \(name) of \(slug)")
        return "The test page was printed."
    }

    func trustPrinter(named name: String, of slug: Slug, key: PrinterKey?) async throws(AdminFault) -> PrinterKeyRow {
        try note("trust \(name) of \(slug) \(key?.text ?? "as it is")")
        return Sample.printerKey
    }

    func discoverPrinters() async throws(AdminFault) -> [FoundPrinterRow] {
        try note("discover printers")
        return Sample.foundPrinters
    }

    func removePrinter(named name: String, from slug: Slug, _ removal: PrinterRemoval) async throws(AdminFault)
        -> PrinterRow
    {
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

    func serveMotion(_ draft: MotionDraft) async throws(AdminFault) {
        try note(
            "simulate motion at \(draft.listen.text) by \(draft.field) \(draft.quirk.map { "\($0)" } ?? "well")"
                + (draft.isInContainer ? " in a container" : "")
        )
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
    private(set) var isPlaced = false

    func append(_ bytes: [UInt8]) throws(AdminFault) { text += String(decoding: bytes, as: UTF8.self) }

    func place() throws(AdminFault) { isPlaced = true }
}
