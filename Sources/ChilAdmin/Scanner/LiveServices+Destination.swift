import ChilCore
import ChilDatabase
import ChilEpson
import ChilStore

/// What became of a scanner's address at Epson Connect.
enum DestinationOutcome: Equatable, Sendable {
    /// By which name it is chosen at the printer.
    case registered(alias: String)
    /// Why it is not; the address is good all the same.
    case failed(String)
}

extension LiveServices {
    /// Registers an address as a destination of the printer's, or puts it in the place of the one that is registered.
    func register(_ url: String, of scanner: ScannerRecord, at printer: PrinterID, in tenant: TenantID)
        async throws(AdminFault)
        -> DestinationOutcome
    {
        if isDryRun { return .failed("A dry run asks nothing of Epson Connect.") }
        let (name, known) = (scanner.name, scanner.printer == printer ? scanner.destinationID : nil)
        let answer = try await atEpson(printer, of: tenant) { client throws(EpsonFault) in
            let alias = Self.alias(name, client.site.generation)
            if let known {
                do throws(EpsonFault) {
                    try await client.setDestination(known, alias, url)
                    return (id: known, alias: alias)
                } catch {
                    // It was removed at the printer.
                    guard case .refused(404, _) = error else { throw error }
                }
            }
            return (id: try await client.addDestination(alias, url), alias: alias)
        }
        switch answer {
        case .success(let made):
            let change = ScannerSetDestination(named: name, of: tenant, at: printer, as: made.id, note: try note())
            _ = try await ask { database throws(DatabaseError) in try await change.first(from: database) }
            return .registered(alias: made.alias)
        case .failure(let fault): return .failed(fault.sentence)
        }
    }

    /// `nil`: it was never registered.
    func unregister(_ scanner: ScannerRecord, in tenant: TenantID) async throws(AdminFault) -> DestinationOutcome? {
        guard let printer = scanner.printer, let destination = scanner.destinationID else { return nil }
        if isDryRun { return .failed("A dry run asks nothing of Epson Connect.") }
        let answer = try await atEpson(printer, of: tenant) { client throws(EpsonFault) in
            do throws(EpsonFault) {
                try await client.removeDestination(destination)
            } catch {
                guard case .refused(404, _) = error else { throw error }
            }
        }
        switch answer {
        case .success: return .registered(alias: scanner.name)
        case .failure(let fault): return .failed(fault.sentence)
        }
    }

    /// As many characters as the service takes.
    static func alias(_ name: String, _ generation: EpsonGeneration) -> String {
        String(name.prefix(EpsonClient.aliasMax(generation)))
    }
}
