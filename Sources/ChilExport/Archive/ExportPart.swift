import ChilDatabase

/// Some files of an archive, read piece by piece. Not `Sendable`.
protocol ExportPart: AnyObject {
    /// What comes next; `nil` at the part's end.
    func next(from database: any Database) async throws -> ExportStep?
}

enum ExportStep {
    /// A file begins; the one before it has ended.
    case file(ExportName, isLarge: Bool)
    case bytes([UInt8])
}

/// What may come to an end before its time.
package enum ExportFault: Error, CustomStringConvertible {
    /// Deleted while its bytes were read: what was written of it is no image.
    case imageGone
    /// The account ended.
    case accountGone

    package var description: String {
        switch self {
        case .imageGone: "a drawing was deleted while it was exported: export again"
        case .accountGone: "the account was deleted while it was exported: there is nothing to export any more"
        }
    }
}
