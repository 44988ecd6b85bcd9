package import ChilCore

/// The files of an archive.
package enum ExportName: ZIPName, Equatable {
    case about, account, identities, sessions, scans, drawings, printJobs, providerEvents, consents, erasureRequests,
        quotaUse
    case image(DrawingID, ExportImageKind)
    case page(ScanID, ExportImageKind)

    package var text: String {
        switch self {
        case .about: "export.json"
        case .account: "account.json"
        case .identities: "identities.json"
        case .sessions: "sessions.json"
        case .scans: "scans.json"
        case .drawings: "drawings.json"
        case .printJobs: "print-jobs.json"
        case .providerEvents: "provider-events.json"
        case .consents: "consents.json"
        case .erasureRequests: "erasure-requests.json"
        case .quotaUse: "quota-use.json"
        case .image(let drawing, let kind): "images/\(drawing.rawValue)\(kind.ending)"
        case .page(let scan, let kind): "images/scan-\(scan.rawValue)\(kind.ending)"
        }
    }
}

/// What tells the files of one drawing apart.
package struct ExportImageKind: Equatable, Sendable {
    let mediaType: String
    /// What the shown image was made of.
    let isOriginal: Bool

    fileprivate var ending: String {
        let dot =
            switch mediaType {
            case "image/jpeg": ".jpg"
            case "image/gif": ".gif"
            case "application/pdf": ".pdf"
            default: ".png"
            }
        return (isOriginal ? "-original" : "") + dot
    }
}
