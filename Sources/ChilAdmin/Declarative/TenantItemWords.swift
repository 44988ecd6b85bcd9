/// The command lines by which an item of a file is made, changed and removed. Values are one word each, behind `=` or `--`: none is a flag.
struct TenantItemWords {
    let slug: String
    let section: String
    let item: FileValue
    /// What it is so far.
    var known: FileValue?
    /// By which commands know it.
    let number: String
    /// Where the files with secrets are.
    var folder = ""

    private func word(_ name: String) -> String { item[name]?.word ?? "" }

    /// `--flag=value`; nothing where there is no value.
    private func flag(_ flag: String, _ name: String) -> [String] {
        guard let value = item[name], value != .none else { return [] }
        return ["\(flag)=\(value.word)"]
    }

    /// Whether a member differs, and a file can say so.
    func says(_ name: String, isKept: Bool) -> Bool {
        guard let value = item[name], let known else { return false }
        switch name {
        // Said by the key itself.
        case "hasKey": return false
        case "keyFile": return value != .none && !isKept
        case "credentials":
            guard value != .none else { return false }
            let isSame = value["teamId"] == known[name]?["teamId"] && value["keyId"] == known[name]?["keyId"]
            return value["keyFile"] == FileValue.none ? !isSame : !isSame || !isKept
        // Where nothing is said, they are as the provider's record has them.
        case "authorizeUrl", "tokenUrl", "revokeUrl", "migrationUrl": return value != .none && value != known[name]
        default: return value != known[name]
        }
    }

    /// A file with a secret, beside the tenant's; `-` is standard input.
    private func secret(_ flag: String, _ name: FileValue?) -> [String] {
        guard let name, name != .none else { return [] }
        return ["\(flag)=\(Self.path(of: name.word, in: folder))"]
    }

    static func path(of name: String, in folder: String) -> String {
        name == "-" ? name : folder.isEmpty ? "./\(name)" : folder + name
    }

    func adding() -> [String] {
        switch section {
        case "quotas": return setting()
        case "limits": return setting()
        case "clients":
            let issuers = (item["issuers"]?.items ?? []).map { "--issuer=\($0.word)" }
            let development = item["development"] == .flag(true) ? ["--development"] : []
            return ["client", "add", "--client-id=\(word("clientId"))"] + issuers + development
                + flag("--jwks-url", "jwksUrl") + flag("--algorithms", "algorithms")
                + flag("--nonce-policy", "noncePolicy")
                + flag("--allow-private", "allowPrivate") + ["--", slug]
        case "printers":
            return ["printer", "add", "--name=\(word("name"))", "--uri=\(word("uri"))"]
                + (item["default"] == .flag(true) ? ["--default"] : []) + flag("--discloses-to", "disclosesTo") + [
                    "--", slug,
                ]
        case "generators":
            return ["generator", "add", "--kind=\(word("kind"))"] + flag("--url", "url") + flag("--model", "model")
                + flag("--options", "options") + service + party + ["--", slug]
        case "motion":
            return ["motion", "add"] + flag("--url", "url") + flag("--form-field", "field") + service + party + [
                "--", slug,
            ]
        default:
            return ["webhook", "add", "--url=\(word("url"))"] + flag("--events", "events")
                + flag("--allow-private", "allowPrivate") + ["--", slug]
        }
    }

    private var service: [String] {
        flag("--position", "position") + secret("--key-file", item["keyFile"]) + [
            "--timeout=\(word("timeoutSeconds"))s"
        ]
            + flag("--allow-private", "allowPrivate")
    }

    /// Said in any case: what is usual goes by the kind.
    private var party: [String] {
        ["--discloses-to=\(item["disclosesTo"] == FileValue.none ? "nobody" : word("disclosesTo"))"]
    }

    /// - Parameter names: the members that differ.
    func changing(_ names: [String], at path: String) throws(FileFault) -> [[String]] {
        if section == "quotas" || section == "limits" { return [setting()] }
        var lines: [[String]] = []
        var flags: [String] = []
        for name in names {
            switch (section, name) {
            case ("generators", "keyFile"), ("motion", "keyFile"): flags += secret("--key-file", item[name])
            case ("clients", "credentials"):
                let said = item[name]
                // Of another tenant's file, say: whoever applies it is told that the key is missing.
                if said?["keyFile"] == FileValue.none {
                    guard known?[name] == FileValue.none else {
                        throw FileFault("\(path).credentials.keyFile", "is missing: another key is in another file")
                    }
                    continue
                }
                flags += ["--team=\(said?["teamId"]?.word ?? "")", "--key-id=\(said?["keyId"]?.word ?? "")"]
                flags += secret("--p8-file", said?["keyFile"])
            case ("clients", "use"), ("clients", "redirectUri"), ("clients", "returnUrl"):
                guard !flags.contains(where: { $0.hasPrefix("--use=") }) else { continue }
                flags +=
                    ["--use=\(word("use"))"] + flag("--redirect-uri", "redirectUri") + flag("--return-url", "returnUrl")
            case ("printers", "state"):
                let verb = ["enabled": "enable", "disabled": "disable", "draining": "drain"][word("state")]
                guard let verb else { throw FileFault("\(path).state", "is not one of enabled, draining, disabled") }
                lines.append(["printer", verb, "--", slug, word("name")])
            case ("printers", "default") where item["default"] == .flag(true):
                lines.append(["printer", "default", "--", slug, word("name")])
            // Another one becomes the default, or nothing does.
            case ("printers", "default"): continue
            case ("webhooks", "state"):
                let verb = ["enabled": "enable", "disabled": "disable"][word("state")]
                guard let verb else { throw FileFault("\(path).state", "is not one of enabled, disabled") }
                lines.append(["webhook", verb, "--", slug, number])
            default:
                guard let known = Self.flags[section]?[name] else {
                    throw FileFault("\(path).\(name)", "cannot be changed: remove it, and add it anew")
                }
                if name == "issuers" {
                    flags += (item["issuers"]?.items ?? []).map { "\(known)=\($0.word)" }
                } else if section == "clients", name == "allowPrivate", item[name] == FileValue.none {
                    flags.append("--no-allow-private")
                } else {
                    let none = name == "disclosesTo" ? "nobody" : ""
                    let value = item[name] == FileValue.none ? none : word(name) + (name == "timeoutSeconds" ? "s" : "")
                    flags.append("\(known)=\(value)")
                }
            }
        }
        guard !flags.isEmpty else { return lines }
        switch section {
        case "clients": return lines + [clientSet + flags + ["--", slug]]
        case "generators": return lines + [["generator", "update"] + flags + ["--", slug, number]]
        default: return lines + [["motion", "update"] + flags + ["--", slug, number]]
        }
    }

    /// Of the record that it is in so far.
    private var clientSet: [String] {
        let issuer = known?["issuers"]?.items?.first.map { ["--for-issuer=\($0.word)"] } ?? []
        return ["client", "set", "--client-id=\(word("clientId"))"] + issuer
    }

    func forgetting() -> [String] { clientSet + ["--no-credentials", "--", slug] }

    func removing() -> [String] {
        switch section {
        case "quotas":
            ["quota", "unset", "--scope=\(word("scope"))", "--window=\(word("window"))", "--", slug, word("metric")]
        case "limits": ["limit", "unset", "--", slug, word("scope"), word("class")]
        case "clients": ["client", "remove", "--client-id=\(word("clientId"))", "--", slug]
        case "printers": ["printer", "remove", "--", slug, word("name")]
        case "generators": ["generator", "remove", "--", slug, number]
        case "motion": ["motion", "remove", "--", slug, number]
        default: ["webhook", "remove", "--", slug, number]
        }
    }

    private func setting() -> [String] {
        guard section == "quotas" else {
            return [
                "limit", "set", "--per=\(word("seconds"))", "--", slug, word("scope"), word("class"), word("count"),
            ]
        }
        return ["quota", "set", "--scope=\(word("scope"))", "--window=\(word("window"))", "--action=\(word("action"))"]
            + flag("--soft", "soft") + ["--", slug, word("metric"), word("limit")]
    }

    private static let services = [
        "url": "--url", "model": "--model", "options": "--options", "position": "--position",
        "timeoutSeconds": "--timeout",
        "state": "--state", "allowPrivate": "--allow-private", "disclosesTo": "--discloses-to", "field": "--form-field",
    ]
    private static let flags = [
        "generators": services, "motion": services,
        "clients": [
            "issuers": "--issuer", "jwksUrl": "--jwks-url", "algorithms": "--algorithms",
            "noncePolicy": "--nonce-policy",
            "tokenAgeMax": "--token-age-max", "allowPrivate": "--allow-private",
            "authorizeUrl": "--authorize-url", "tokenUrl": "--token-url", "revokeUrl": "--revoke-url",
            "migrationUrl": "--migration-url",
        ],
    ]
}
