import ChilCore
import ChilMotion
import ChilStore

/// A tenant as it is: what a file would say, and the numbers by which commands know its parts.
struct TenantSnapshot {
    let slug: Slug
    let file: TenantFile
    /// By section, in the order of its items.
    let numbers: [String: [Int64]]
    /// What no file can say, for the operator.
    let notes: [String]

    init(of slug: Slug, _ services: any AdminServices) async throws(AdminFault) {
        self.slug = slug
        let tenant = try await services.tenant(slug)
        var numbers: [String: [Int64]] = [:]
        var notes: [String] = []
        var sections = Self.settings(tenant)
        let quotas = try await services.quotas(of: slug, for: .nobody)
        sections["quotas"] = .list(quotas.compactMap(Self.quota))
        sections["limits"] = .list(
            try await services.limits(of: slug).filter { $0.source == "tenant" }.map(Self.limit)
        )
        var retention: [String: FileValue] = [:]
        for row in try await services.retention(of: slug) where row.isSet {
            retention[row.kind] = .text(row.days.map { "\($0)" } ?? "forever")
        }
        sections["retention"] = .members(retention)
        sections["clients"] = .list(try await services.clients(of: slug).map(Self.client))
        let printers = try await services.printers(of: slug)
        sections["printers"] = .list(
            printers.filter { $0.kind == .ipp && $0.lentBy == nil }.map(Self.printer)
        )
        if printers.contains(where: { $0.kind != .ipp || $0.lentBy != nil }) {
            notes.append(
                "Printers by Epson's service, and borrowed ones, are not in a file: they need secrets, or their lender."
            )
        }
        let settings = try await services.generationSettings(GenerationDraft(), of: slug)
        sections["generation"] = .members([
            "level": .text(settings.level), "recipe": .text(settings.recipe),
            "words": .list(settings.words.map { .text($0) }),
        ])
        for (section, purpose) in [("generators", ImagePurpose.generation), ("motion", .motion)] {
            let rows = try await services.imageEndpoints(for: purpose, of: slug)
            let values = rows.map { Self.service($0, hasKind: purpose == .generation) }
            numbers[section] = TenantFile.items(of: section).order(values).map { rows[$0].id }
            sections[section] = .list(values)
        }
        let webhooks = try await services.webhooks(of: slug)
        let hooks = webhooks.map(Self.webhook)
        numbers["webhooks"] = TenantFile.items(of: "webhooks").order(hooks).map { webhooks[$0].id }
        sections["webhooks"] = .list(hooks)
        do throws(FileFault) {
            file = try TenantFile(.members(sections))
        } catch {
            throw AdminFault(
                .failed,
                "tenant '\(slug)' cannot be said in a file: \(error.path) \(error.what)",
                remedy: "Make what is there twice different, or remove one."
            )
        }
        self.numbers = numbers
        self.notes = notes
    }

    private static func settings(_ tenant: TenantRow) -> [String: FileValue] {
        [
            "slug": .text(tenant.slug), "name": .text(tenant.name), "timeZone": .text(tenant.timeZone),
            "plan": .optional(tenant.plan),
            "guest": .members([
                "served": .flag(tenant.isGuestServed), "printsPerDay": .optional(tenant.guestPrintsPerDay),
            ]),
            "sessions": .members([
                "idle": .text(tenant.sessionIdle.text), "absolute": .text(tenant.sessionAbsolute.text),
                "max": .optional(tenant.sessionsMax),
            ]),
            "printing": .members([
                "scale": .text(tenant.printScale), "paper": .text(tenant.paper ?? "any"),
                "jobMark": .flag(tenant.hasJobMark),
            ]),
            "consent": .members([
                "scopes": .list(tenant.consent.sorted().map { .text($0) }), "notice": .number(tenant.consentNotice),
            ]),
        ]
    }

    /// What a plan sets is the plan's, and sessions are said with the sessions.
    private static func quota(_ row: QuotaRow) -> FileValue? {
        guard row.source == "tenant", row.metric != "sessions_per_user" else { return nil }
        return .members([
            "metric": .text(row.metric), "scope": .text(row.scope), "window": .text(row.window),
            "limit": .number(row.limit), "soft": .optional(row.softLimit), "action": .text(row.action),
        ])
    }

    private static func limit(_ row: LimitRow) -> FileValue {
        .members([
            "scope": .text(row.scope), "class": .text(row.kind), "count": .number(row.limit),
            "seconds": .number(row.seconds),
        ])
    }

    private static func client(_ row: ClientRow) -> FileValue {
        .members([
            "clientId": .text(row.clientID), "issuers": .list(row.issuers.map { .text($0) }),
            "jwksUrl": .text(row.keysURL),
            "algorithms": .list(row.algorithms.map { .text($0) }), "noncePolicy": .text(row.noncePolicy),
            "tokenAgeMax": .number(row.tokenAgeMax), "development": .flag(row.isDevelopment),
            "allowPrivate": .optional(row.privateEndpoint), "use": .text(row.use),
            "redirectUri": .optional(row.redirectURI), "returnUrl": .optional(row.returnURL),
            "authorizeUrl": .optional(row.rest.authorizeURL), "tokenUrl": .optional(row.rest.tokenURL),
            "revokeUrl": .optional(row.rest.revokeURL), "migrationUrl": .optional(row.rest.migrationURL),
            "credentials": row.rest.credentials.map {
                .members(["teamId": .text($0.teamID), "keyId": .text($0.keyID), "keyFile": .none])
            } ?? .none,
        ])
    }

    private static func printer(_ row: PrinterRow) -> FileValue {
        .members([
            "name": .text(row.name), "uri": .text(row.uri), "default": .flag(row.isDefault),
            "disclosesTo": .optional(row.disclosedTo), "state": .text(row.state),
        ])
    }

    private static func service(_ row: ImageEndpointRow, hasKind: Bool) -> FileValue {
        var members: [String: FileValue] = [
            "url": .optional(row.url),
            "position": .number(row.position), "timeoutSeconds": .number(row.timeoutSeconds), "state": .text(row.state),
            "allowPrivate": .optional(row.privateEndpoint), "disclosesTo": .optional(row.disclosedTo),
            "hasKey": .flag(row.hasKey), "keyFile": .none,
        ]
        if hasKind {
            members["kind"] = .text(row.kind)
            members["model"] = .optional(row.model)
            members["options"] = .text(row.options)
        } else {
            members["field"] = .optional(MotionOptions(parsing: row.options)?.field.rawValue)
        }
        return .members(members)
    }

    private static func webhook(_ row: WebhookRow) -> FileValue {
        .members([
            "url": .text(row.url), "events": .list(row.events.sorted().map { .text($0) }), "state": .text(row.state),
            "allowPrivate": .optional(row.privateEndpoint),
        ])
    }
}
