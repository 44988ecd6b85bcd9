import ChilCore
import ChilDatabase
import ChilStore

/// Key sets in PostgreSQL. It keeps no sign-in waiting for long, and fails none: without it the issuer is asked.
struct StoredKeySets: KeySetShelf {
    let database: DatabaseClient
    let log: ServiceLog

    func load(_ name: KeySetName) async -> (body: [UInt8], fetchedAt: Timestamp)? {
        do {
            let load = KeySetLoad(url: name.url, isException: name.isException)
            return try await load.run(on: database).map { ($0.body, $0.fetchedAt) }
        } catch {
            log.write(.warning, "kept key set not read", [("url", name.url), ("error", String(reason: error))])
            return nil
        }
    }

    func keep(_ body: [UInt8], of name: KeySetName, fetchedAt: Timestamp) async {
        do {
            let keep = KeySetKeep(body, url: name.url, isException: name.isException, fetchedAt: fetchedAt)
            try await keep.run(on: database)
        } catch {
            log.write(.warning, "key set not kept", [("url", name.url), ("error", String(reason: error))])
        }
    }
}
