import ChilCore

/// What a file says of a tenant. A section that is missing is left as it is.
struct TenantFile: Equatable, Sendable {
    /// Sections by name, with what is usual filled in.
    let sections: [String: FileValue]

    var slug: String { sections["slug"]?.word ?? "" }

    var text: String { FileValue.members(sections).json() + "\n" }

    /// - Throws: what is wrong, with its place.
    init(_ bytes: [UInt8]) throws(FileFault) {
        let json: JSONValue
        do throws(JSONFault) {
            json = try StrictJSON.parse(bytes, limits: JSONLimits(bytesMax: 1 << 20, depthMax: 8, valuesMax: 100_000))
        } catch {
            throw FileFault("", "is no JSON: \(error)")
        }
        guard let value = FileValue(json) else { throw FileFault("", "has a number that is no whole one") }
        try self.init(value)
    }

    init(_ value: FileValue) throws(FileFault) {
        guard case .members(let sections) = try Self.shape.checked(value, at: "") else {
            throw FileFault("", "is no object")
        }
        guard let slug = sections["slug"], ChilCore.Slug(slug.word) != nil else {
            throw FileFault("slug", sections["slug"] == nil ? "is missing" : "is not a tenant's slug")
        }
        self.sections = sections
    }

    /// Names of items, and how they are known again.
    static let keys: [String: [String]] = [
        "quotas": ["metric", "scope", "window"], "limits": ["scope", "class"], "clients": ["clientId", "jwksUrl"],
        "printers": ["name"], "generators": ["kind", "url", "model"], "motion": ["url"], "webhooks": ["url"],
    ]

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
    private static let generation: Members = ["level": .needed(.text), "recipe": .needed(.text)]
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
    ]
    private static let printer: Members = [
        "name": .needed(.text), "uri": .needed(.text), "default": .usually(.flag(false), .flag),
        "disclosesTo": .optional(.text), "state": .usually(.text("enabled"), .text),
    ]
    private static let service: Members = [
        "url": .optional(.text), "position": .needed(.number), "timeoutSeconds": .usually(.number(120), .number),
        "state": .usually(.text("enabled"), .text), "allowPrivate": .optional(.text), "disclosesTo": .optional(.text),
        "hasKey": .usually(.flag(false), .flag),
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
        .needed(.items(key: keys[section] ?? [], members))
    }
}
