import ChilCore
import ChilStore

/// A secret that is kept sealed.
enum KeptSecret: Equatable, Sendable {
    /// Of the provider's record that accepts the issuer for the client id.
    case client(String, issuer: String)
    case service(Int64, ImagePurpose)
}

/// The secrets that a tenant's file names: each is in a file beside it, or on standard input, and never in an export.
struct TenantSecrets {
    let file: TenantFile
    let folder: String
    let path: String

    private static let purposes: [(String, ImagePurpose)] = [("generators", .generation), ("motion", .motion)]

    /// The items whose secret is what the file beside holds already.
    func kept(in snapshot: TenantSnapshot, _ services: any AdminServices) async throws(AdminFault) -> Set<String> {
        guard path != "-" || !names.contains("-") else {
            throw FileFault("", "names standard input, which is the file itself").told(of: path)
        }
        for name in names where name != "-" {
            try services.requireSecretFile(TenantItemWords.path(of: name, in: folder))
        }
        let slug = snapshot.slug
        var kept: Set<String> = []
        for pair in pairs("clients", snapshot) {
            guard let name = pair.item["credentials"]?["keyFile"], name != .none,
                let there = pair.known["credentials"], there != FileValue.none
            else { continue }
            let issuer = pair.known["issuers"]?.items?.first?.word ?? ""
            let secret = KeptSecret.client(pair.item["clientId"]?.word ?? "", issuer: issuer)
            let source = TenantItemWords.path(of: name.word, in: folder)
            if try await services.isKept(secret, as: source, of: slug) { kept.insert(pair.path) }
        }
        for (section, purpose) in Self.purposes {
            for pair in pairs(section, snapshot) {
                guard let name = pair.item["keyFile"], name != .none, pair.known["hasKey"] == .flag(true),
                    let numbers = snapshot.numbers[section], numbers.indices.contains(pair.place)
                else { continue }
                let source = TenantItemWords.path(of: name.word, in: folder)
                let secret = KeptSecret.service(numbers[pair.place], purpose)
                if try await services.isKept(secret, as: source, of: slug) { kept.insert(pair.path) }
            }
        }
        return kept
    }

    /// Sentences about secrets that the file has, and the tenant has not.
    func missing(in snapshot: TenantSnapshot) -> [String] {
        var notes: [String] = []
        let teams = pairs("clients", snapshot).filter {
            $0.item["credentials"]?["keyId"] != nil && $0.known["credentials"] == FileValue.none
        }
        for team in teams {
            notes.append(
                "\(FileFault.short(team.path)): its key is in no file: name it by credentials.keyFile, or by `client set`."
            )
        }
        for (section, _) in Self.purposes {
            for pair in pairs(section, snapshot)
            where pair.item["hasKey"] == .flag(true) && pair.known["hasKey"] == .flag(false) {
                notes.append(
                    "\(FileFault.short(pair.path)): its key is in no file: name it by keyFile, or by `update --key-file`."
                )
            }
        }
        return notes
    }

    /// Of the files that it names.
    private var names: [String] {
        ["clients", "generators", "motion"].flatMap { section in
            (file.sections[section]?.items ?? []).compactMap { item in
                let name = section == "clients" ? item["credentials"]?["keyFile"] : item["keyFile"]
                if case .text(let text)? = name { return text } else { return nil }
            }
        }
    }

    private struct Pair {
        let path: String
        let item: FileValue
        let known: FileValue
        let place: Int
    }

    private func pairs(_ section: String, _ snapshot: TenantSnapshot) -> [Pair] {
        let kind = TenantFile.items(of: section)
        let (items, known) = (file.sections[section]?.items ?? [], snapshot.file.sections[section]?.items ?? [])
        let places = Dictionary(kind.names(known).enumerated().map { (Array($1.utf8), $0) }) { first, _ in first }
        return zip(kind.names(items), items).compactMap { name, item in
            places[Array(name.utf8)].map {
                Pair(path: "\(section)[\(name)]", item: item, known: known[$0], place: $0)
            }
        }
    }
}
