import ChilCore
import ChilDatabase
import ChilPrint
import ChilStore

extension PrinterFraming {
    /// What is kept with the printer's row. A note that is lost costs another question that changes nothing.
    static func kept(for printer: PrinterID, in tenant: TenantID, _ database: DatabaseClient) async throws
        -> PrinterFraming
    {
        let known = try await PrinterUpload(of: printer, in: tenant).first(from: database) ?? nil
        return PrinterFraming(known.flatMap { Manner(rawValue: $0) } ?? .untried) { manner in
            _ = try? await PrinterUploadNote(manner.rawValue, of: printer, in: tenant).touched(on: database)
        }
    }
}
