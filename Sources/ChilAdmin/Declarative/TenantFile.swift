import ChilCore

/// What a file says of a tenant. A section that is missing is left as it is.
struct TenantFile: Equatable, Sendable {
    static let bytesMax = 1 << 20

    /// Sections by name, with what is usual filled in.
    let sections: [String: FileValue]

    var slug: String { sections["slug"]?.word ?? "" }

    var text: String { FileValue.members(sections).json() + "\n" }

    /// - Throws: what is wrong, with its place.
    init(_ bytes: [UInt8]) throws(FileFault) {
        let json: JSONValue
        do throws(JSONFault) {
            json = try StrictJSON.parse(
                bytes,
                limits: JSONLimits(bytesMax: Self.bytesMax, depthMax: 8, valuesMax: 100_000)
            )
        } catch {
            throw FileFault("", "is no JSON: \(error)")
        }
        try self.init(try FileValue(json, at: ""))
    }

    init(_ value: FileValue) throws(FileFault) {
        guard case .members(let sections) = try Self.shape.checked(value, at: "") else {
            throw FileFault("", "is no object")
        }
        guard let slug = sections["slug"], ChilCore.Slug(slug.word) != nil else {
            throw FileFault("slug", sections["slug"] == nil ? "is missing" : "is not a tenant's slug")
        }
        self.sections = try Self.settled(sections)
    }

    /// Names of items, and how they are known again.
    static let items: [String: FileItems] = [
        "quotas": FileItems(key: ["metric", "scope", "window"]), "limits": FileItems(key: ["scope", "class"]),
        "clients": FileItems(key: ["clientId", "jwksUrl"]), "printers": FileItems(key: ["name"]),
        "generators": FileItems(key: ["kind", "url", "model"], mayRepeat: true),
        "motion": FileItems(key: ["url"], mayRepeat: true), "webhooks": FileItems(key: ["url"], mayRepeat: true),
    ]

    static func items(of section: String) -> FileItems { items[section] ?? FileItems(key: []) }

    /// Words as they are kept, and services that have a key where a file names it.
    private static func settled(_ sections: [String: FileValue]) throws(FileFault) -> [String: FileValue] {
        var settled = sections
        if case .members(var generation)? = sections["generation"], let words = generation["words"]?.items {
            var kept: [String] = []
            for (index, word) in words.enumerated() {
                guard let clean = ForbiddenWord(word.word)?.text else {
                    throw FileFault("generation.words[\(index)]", "is not \(ForbiddenWord.expectation)")
                }
                if !kept.contains(where: { $0.isExactly(clean) }) { kept.append(clean) }
            }
            generation["words"] = .list(kept.map { .text($0) })
            settled["generation"] = .members(generation)
        }
        for section in ["generators", "motion"] {
            guard let items = sections[section]?.items else { continue }
            settled[section] = .list(
                items.map { item in
                    guard case .members(var members) = item, members["keyFile"] != FileValue.none else { return item }
                    members["hasKey"] = .flag(true)
                    return .members(members)
                }
            )
        }
        return settled
    }

    static let shape = FileShape.members(
        [
            "slug": .needed(.text), "name": .needed(.text), "timeZone": .needed(.text),
            "plan": .needed(.optional(.text)),
            "guest": .needed(.members(guest)), "sessions": .needed(.members(sessionMembers)),
            "printing": .needed(.members(printing)), "consent": .needed(.members(consent)),
            "generation": .needed(.members(generation)), "retention": .needed(.dictionary(.text)),
            "quotas": items("quotas", quota), "limits": items("limits", limit), "clients": items("clients", client),
            "printers": items("printers", printer), "generators": items("generators", generator),
            "motion": items("motion", motion), "webhooks": items("webhooks", webhook),
        ]
    )

    private typealias Members = [String: FileMember]

    private static let guest: Members = ["served": .needed(.flag), "printsPerDay": .optional(.number)]
    private static let sessionMembers: Members = [
        "idle": .needed(.text), "absolute": .needed(.text), "max": .optional(.number),
    ]
    private static let printing: Members = [
        "scale": .needed(.text), "paper": .usually(.text("any"), .text), "jobMark": .usually(.flag(false), .flag),
    ]
    private static let consent: Members = ["scopes": .needed(.texts), "notice": .usually(.number(1), .number)]
    private static let generation: Members = [
        "level": .needed(.text), "recipe": .needed(.text), "words": .optional(.texts),
    ]
    private static let quota: Members = [
        "metric": .needed(.text), "scope": .usually(.text("tenant"), .text), "window": .usually(.text("none"), .text),
        "limit": .needed(.number), "soft": .optional(.number), "action": .usually(.text("deny"), .text),
    ]
    private static let limit: Members = [
        "scope": .needed(.text), "class": .needed(.text), "count": .needed(.number),
        "seconds": .usually(.number(60), .number),
    ]
    private static let client: Members = [
        "clientId": .needed(.text), "issuers": .needed(.texts), "jwksUrl": .needed(.text),
        "algorithms": .needed(.texts),
        "noncePolicy": .needed(.text), "tokenAgeMax": .usually(.number(600), .number),
        "development": .usually(.flag(false), .flag), "allowPrivate": .optional(.text),
        "use": .usually(.text("native"), .text), "redirectUri": .optional(.text), "returnUrl": .optional(.text),
        "authorizeUrl": .optional(.text), "tokenUrl": .optional(.text), "revokeUrl": .optional(.text),
        "migrationUrl": .optional(.text), "credentials": .optional(.members(credentials)),
    ]
    private static let credentials: Members = [
        "teamId": .needed(.text), "keyId": .needed(.text), "keyFile": .optional(.fileName),
    ]
    private static let printer: Members = [
        "name": .needed(.text), "uri": .needed(.text), "default": .usually(.flag(false), .flag),
        "disclosesTo": .optional(.text), "state": .usually(.text("enabled"), .text),
    ]
    private static let service: Members = [
        "url": .optional(.text), "position": .needed(.number), "timeoutSeconds": .usually(.number(120), .number),
        "state": .usually(.text("enabled"), .text), "allowPrivate": .optional(.text), "disclosesTo": .optional(.text),
        "hasKey": .usually(.flag(false), .flag), "keyFile": .optional(.fileName),
    ]
    private static let generator = service.merging(
        ["kind": .needed(.text), "model": .optional(.text), "options": .usually(.text("{}"), .text)]
    ) { first, _ in first }
    private static let motion = service.merging(["field": .needed(.text)]) { first, _ in first }
    private static let webhook: Members = [
        "url": .needed(.text), "events": .needed(.texts), "state": .usually(.text("enabled"), .text),
        "allowPrivate": .optional(.text),
    ]

    private static func items(_ section: String, _ members: Members) -> FileMember {
        .needed(.items(items(of: section), members))
    }
}
