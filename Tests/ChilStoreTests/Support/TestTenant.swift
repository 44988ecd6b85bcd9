import ChilCore
import ChilCrypto
import ChilDatabase
import ChilStore
import ChilTestSupport
import Synchronization

/// Fresh numbers for a test run: later than those of runs before.
private let numbers = Atomic<Int64>(1_000_000)

func fresh<Kind>(_ kind: Identifier<Kind>.Type = Identifier<Kind>.self) -> Identifier<Kind> {
    Identifier(rawValue: numbers.wrappingAdd(1, ordering: .relaxed).newValue)
}

/// A digest of 32 bytes that no other call gives.
func freshDigest() -> [UInt8] {
    let number: Identifier<AuditKind> = fresh()
    return digest(of: number.rawValue)
}

func digest(of number: Int64) -> [UInt8] {
    [UInt8](repeating: 7, count: 24) + withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) }
}

/// 2026-06-01T12:00:00Z: time is a parameter, also here.
let noon = Timestamp(seconds: 1_780_315_200)

let testCaller = Caller(requestID: "request-1", address: "192.0.2.1", userAgent: "Test/1")

/// What a user does, for the audit.
func userNote() -> UserNote { UserNote(audit: fresh(), requestID: "request-3", at: noon) }

/// A tenant made by the operator's own operations, with one provider.
struct TestTenant: Sendable {
    static let issuer = "https://issuer.example"

    let id: TenantID
    let slug: String
    let provider: ProviderID
    let store: TestStore

    init(_ store: TestStore) async throws {
        self.store = store
        id = fresh()
        slug = "tenant-\(id.rawValue)"
        provider = fresh()
        _ = try await TenantCreate(
            id,
            slug: slug,
            name: "Tenant",
            timeZone: "Asia/Seoul",
            guest: nil,
            key: TenantKeyRecord(
                keyID: "key-1",
                state: .active,
                publicX: digest(of: 1),
                publicY: digest(of: 2),
                sealedPrivate: [1, 2, 3],
                createdAt: noon,
                activatedAt: noon
            ),
            note: note()
        ).run(on: store.operatorRole)
        try await ClientsAdd(
            ["app.\(slug)"],
            to: id,
            under: .new(Self.providerRecord(provider)),
            by: "tester",
            at: noon,
            nextAudit: { fresh() }
        ).run(on: store.operatorRole)
    }

    /// One that is there already.
    init(id: TenantID, in store: TestStore) {
        self.id = id
        self.store = store
        slug = "tenant-\(id.rawValue)"
        provider = ProviderID(rawValue: 0)
    }

    static func providerRecord(_ id: ProviderID, issuers: [String] = [issuer], isDevelopment: Bool = false)
        -> ProviderRecord
    {
        ProviderRecord(
            id: id,
            issuers: issuers,
            jwksURL: issuer + "/keys",
            algorithms: ["ES256", "RS256"],
            noncePolicy: .server,
            iatAgeMax: .seconds(600),
            allowedPrivateEndpoint: nil,
            isDevelopment: isDevelopment
        )
    }

    func note(at now: Timestamp = noon) -> OperatorNote { OperatorNote(by: "tester", audit: fresh(), at: now) }

    func limit(_ metric: QuotaMetric, to limit: Int64, per window: QuotaWindow = .none) async throws {
        try await self.limit(QuotaKey(metric, nil, window), to: limit)
    }

    func limit(
        _ key: QuotaKey,
        to limit: Int64,
        softLimit: Int64? = nil,
        action: QuotaAction = .deny,
        at now: Timestamp = noon
    ) async throws {
        let terms = try QuotaTerms(of: key, limit: limit, softLimit: softLimit, action: action)
        _ = try await QuotaSet(key, to: terms, of: id, note: note(at: now)).run(on: store.operatorRole)
    }

    func used(_ metric: QuotaMetric) async throws -> Int64? {
        try await quotas().first { $0.key.metric == metric }?.used
    }

    func quotas(at now: Timestamp = noon) async throws -> [QuotaRecord] {
        try await QuotaList(of: id, at: now).rows(from: store.service)
    }

    /// Counters that are not what there is.
    func differences() async throws -> [QuotaDifference] {
        try await QuotaCheck(of: id).rows(from: store.operatorRole)
    }

    func signIn(
        _ subject: String,
        nonce: [UInt8]? = nil,
        token: [UInt8] = freshDigest(),
        code: SpentCode? = nil,
        transferSubject: String? = nil,
        email: SignIn.Email? = nil,
        givenName: String? = nil,
        session: SessionID = fresh(),
        sessionsMax: Int32? = nil,
        issued: Timestamp? = nil,
        keys: [Int] = [1],
        at now: Timestamp = noon
    ) -> SignIn {
        SignIn(
            to: id,
            with: SignIn.Proof(
                provider: provider,
                clientID: "app.\(slug)",
                subject: subject,
                transferSubject: transferSubject,
                nonceDigest: nonce,
                tokenDigest: token,
                tokenIssued: issued ?? now,
                tokenExpires: noon + .seconds(600),
                email: email
            ),
            subjectDigests: testDigests(of: subject, from: provider, in: id, keys),
            code: code,
            givenName: givenName,
            familyName: nil,
            newUser: fresh(),
            session: SignIn.NewSession(
                id: session,
                salt: Array(repeating: 9, count: 16),
                deviceName: "Phone",
                idleExpires: now + .seconds(1_000),
                expires: now + .seconds(10_000),
                limit: sessionsMax.map { SignIn.NewSession.Limit(countMax: $0, audit: fresh()) }
            ),
            caller: testCaller,
            at: now
        )
    }

    /// A user, signed in.
    func user(
        _ subject: String = "person",
        session: SessionID = fresh(),
        issued: Timestamp = noon
    ) async throws -> UserID {
        let signIn = signIn(subject, session: session, issued: issued)
        guard case .accepted(let user, _) = try await signIn.answer(from: store.service) else {
            throw DatabaseError(.broken, detail: "sign-in refused")
        }
        return user.id
    }

    /// Deletes a user for herself.
    func delete(_ user: UserID, receipt: [UInt8] = freshDigest(), at now: Timestamp = noon) -> AccountDelete {
        AccountDelete(
            user,
            of: id,
            as: fresh(),
            receiptDigest: receipt,
            pepper: testPepper,
            by: .user(requestID: "request-9"),
            audit: fresh(),
            at: now
        )
    }

    func create(
        by owner: UserID,
        id drawing: DrawingID = fresh(),
        type: DrawingType = .uploaded,
        hash: [UInt8] = freshDigest(),
        bytes: [UInt8] = [1, 2, 3, 4],
        title: String? = nil,
        isLimited: Bool = true,
        at now: Timestamp = noon
    ) -> DrawingCreate {
        DrawingCreate(
            DrawingCreate.Draft(id: drawing, type: type, title: title, prompt: nil),
            of: owner,
            in: id,
            showing: ImageFacts(
                hash: hash,
                byteCount: Int64(bytes.count),
                mediaType: "image/png",
                width: 10,
                height: 20
            ),
            bytes: bytes,
            requestID: "request-2",
            at: now,
            isLimited: isLimited
        )
    }

    func drawing(by owner: UserID, type: DrawingType = .uploaded, hash: [UInt8] = freshDigest()) async throws
        -> DrawingID
    {
        let drawing: DrawingID = fresh()
        guard try await create(by: owner, id: drawing, type: type, hash: hash).answer(from: store.service) == .created
        else {
            throw DatabaseError(.broken, detail: "drawing refused")
        }
        return drawing
    }

    func printer(_ name: String = "desk", isDefault: Bool = false) async throws -> PrinterID {
        let outcome = try await printerAdd(name, isDefault: isDefault).run(on: store.operatorRole)
        guard case .added(let printer) = outcome else { throw DatabaseError(.broken, detail: "printer refused") }
        return printer.id
    }

    func printerAdd(_ name: String, isDefault: Bool = false) -> PrinterAdd {
        PrinterAdd(
            fresh(),
            to: id,
            name: name,
            uri: "ipp://192.0.2.9/print",
            isDefault: isDefault,
            note: note()
        )
    }

    func auditedActions() async throws -> [String] {
        try await AuditTrail(of: id, countMax: 1_000).rows(from: store.operatorRole).map {
            "\($0.action) \($0.detail ?? "")"
        }
    }
}

extension QuotaRefusal {
    static let drawings = QuotaRefusal(QuotaKey(stored: .drawings, .tenant, .none))
    static let storageBytes = QuotaRefusal(QuotaKey(stored: .storageBytes, .tenant, .none))
}
