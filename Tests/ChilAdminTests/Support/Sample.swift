import ChilStore

@testable import ChilAdmin

/// Rows with fixed values.
enum Sample {
    static let tenant = tenant(named: "Chillin", slug: "chillin")

    static func tenant(named name: String, slug: String) -> TenantRow {
        TenantRow(
            id: 391_234_567_890_123,
            slug: slug,
            name: name,
            state: .active,
            isGuestServed: false,
            timeZone: "Asia/Seoul",
            createdAt: "2026-11-30T06:00:00Z",
            sessionIdle: Lifetime(seconds: 30 * 86_400),
            sessionAbsolute: Lifetime(seconds: 90 * 86_400),
            sessionsMax: nil,
            plan: nil
        )
    }

    static let key = KeyRow(
        keyID: "key-1",
        state: "retired",
        createdAt: "2026-11-30T06:00:00Z",
        activatedAt: "2026-11-30T06:05:00Z",
        retiredAt: "2026-11-30T07:00:00Z"
    )

    static let session = SessionRow(
        id: 401_234_567_890_123,
        user: 401_234_567_890_000,
        device: "지우의 아이폰",
        createdAt: "2026-11-30T06:00:00Z",
        lastUsedAt: "2026-11-30T06:10:00Z",
        expiresAt: "2026-12-30T06:10:00Z",
        endedAt: nil,
        endReason: nil,
        address: "192.0.2.1",
        userAgent: "Chilhada/1"
    )

    static let client = ClientRow(
        clientID: "com.example.chilhada",
        use: "native",
        issuers: ProviderDraft.appleIssuers,
        keysURL: ProviderDraft.appleKeysURL,
        algorithms: ["ES256", "RS256"],
        noncePolicy: "server",
        privateEndpoint: nil,
        isDevelopment: false,
        providerID: 7
    )

    static let user = UserRow(
        id: 7,
        state: .active,
        givenName: "Ann",
        familyName: nil,
        email: "ann@example.org",
        createdAt: "2026-11-30T06:00:00Z"
    )

    static let userDetail = UserDetailRow(
        user: user,
        identities: ["https://appleid.apple.com 001234.ab12cd34.0815"],
        providerTokens: ["held"],
        sessions: 2,
        drawings: 41,
        imageBytes: 8_234_567,
        printJobs: 3
    )

    static let deletion = UserDeletionRow(
        receipt: "chl_dr_AAECAwQFBgcICQoLDA0OD-Xpnxo",
        drawings: 41,
        deletedAt: "2026-11-30T06:00:00Z"
    )

    static let auditEntry = AuditEntryRow(
        at: "2026-11-30T06:00:00.000Z",
        actor: "user 7",
        action: "session.create",
        target: "8",
        detail: "accepted",
        requestID: "abc",
        address: nil,
        id: 8,
        sequence: 3,
        recordedAt: "2026-11-30T06:00:00.100Z",
        cursor: "1796018400100000.8"
    )

    static let webhook = WebhookRow(
        id: 9,
        url: "https://hooks.example/chil",
        state: "enabled",
        events: ["drawing.created", "print.failed"],
        failures: 0,
        lastDeliveredAt: "2026-11-30T06:00:00Z",
        lastFault: nil,
        disabledBecause: nil,
        pausedUntil: nil,
        privateEndpoint: nil,
        oldSecretUntil: nil,
        createdAt: "2026-11-30T06:00:00Z"
    )

    static let delivery = WebhookDeliveryRow(
        event: "evt_5_drawing-created",
        endpoint: 9,
        type: "drawing.created",
        subject: "5",
        state: "dead",
        attempts: 10,
        status: 500,
        fault: "it answered 500",
        at: "2026-11-30T06:00:00Z",
        nextAt: nil,
        endedAt: "2026-12-03T18:00:00Z"
    )

    static let quota = QuotaRow(
        metric: "drawings",
        scope: "tenant",
        window: "none",
        used: 42,
        limit: 100_000,
        softLimit: nil,
        action: "deny",
        source: "tenant",
        resetsAt: nil
    )
    static let plan = PlanRow(name: "basic", tenants: 3, limits: 1, createdAt: "2026-11-30T06:00:00Z")
    static let planQuota = PlanQuotaRow(
        metric: "drawings",
        scope: "tenant",
        window: "none",
        limit: 1_000,
        softLimit: 900,
        action: "deny"
    )
    static let consent = ConsentRow(
        id: 391_234_567_890_124,
        scope: "disclose:epson",
        isGiven: true,
        method: "signed-paper",
        notice: 2,
        guardian: "folder-17",
        at: "2026-11-30T06:00:00Z"
    )

    static let erasure = erasure(isOverdue: false)

    static func erasure(isOverdue: Bool) -> ErasureRow {
        ErasureRow(
            id: 9,
            user: 7,
            state: "open",
            isOverdue: isOverdue,
            openedAt: "2026-11-30T06:00:00Z",
            dueAt: "2026-12-10T06:00:00Z",
            closedAt: nil,
            reference: "letter-17",
            reason: nil
        )
    }

    static let retention = [
        RetentionRow(kind: "audit", days: 1_095, isSet: false),
        RetentionRow(kind: "drawings.scanned", days: nil, isSet: true),
    ]
    static let scanner = ScannerRow(
        id: 11,
        name: "hall",
        user: 5,
        serial: "X5YZ012345",
        lastScanAt: nil,
        createdAt: "2026-11-30T06:00:00Z"
    )
    static let scannerAddress = ScannerAddressRow(id: 11, name: "hall", url: "https://api.example/chillin/scan/abc")
    static let printer = printer(named: "office")

    static func printer(named name: String) -> PrinterRow {
        PrinterRow(id: 9, name: name, uri: "ipp://127.0.0.1:8631/ipp/print", isDefault: true)
    }

    static let printerKey = PrinterKeyRow(
        name: "office",
        uri: "ipps://127.0.0.1:8631/ipp/print",
        key: "sha256:" + String(repeating: "5a", count: 32),
        former: nil
    )

    static let foundPrinters = [
        FoundPrinterRow(
            name: "EPSON ET-2850",
            uri: "ipp://192.168.1.20/ipp/print",
            model: "EPSON ET-2850 Series",
            host: "EPSON0A1B2C.local",
            formats: ["image/jpeg", "image/pwg-raster"],
            isColor: true,
            uuid: "cfe92100-67c4-11d4-a45f-381a520a1b2c"
        )
    ]

    static let report = PrinterReport(
        name: "office",
        uri: "ipp://127.0.0.1:8631/ipp/print",
        model: "Example Printer",
        state: "idle",
        stateReasons: ["none"],
        isAcceptingJobs: true,
        formats: ["application/pdf", "image/jpeg"],
        media: ["iso_a4_210x297mm"]
    )
}

extension Sample {
    /// Two databases by name.
    static var contexts: ContextFile {
        let text = "current = production\n\n[production]\ndatabase = service=chil\nread-only = yes\ncolor = red\n"
        return (try? ContextFile(parsing: text)) ?? ContextFile()
    }
}
