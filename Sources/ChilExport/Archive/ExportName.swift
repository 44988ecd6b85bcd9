package import ChilCore

/// The files of an archive.
package enum ExportName: ZIPName, Equatable {
    case about, account, identities, sessions, drawings, printJobs, providerEvents, consents, erasureRequests, quotaUse
    case image(DrawingID, isJPEG: Bool)

    package var text: String {
        switch self {
        case .about: "export.json"
        case .account: "account.json"
        case .identities: "identities.json"
        case .sessions: "sessions.json"
        case .drawings: "drawings.json"
        case .printJobs: "print-jobs.json"
        case .providerEvents: "provider-events.json"
        case .consents: "consents.json"
        case .erasureRequests: "erasure-requests.json"
        case .quotaUse: "quota-use.json"
        case .image(let drawing, let isJPEG): "images/\(drawing.rawValue).\(isJPEG ? "jpg" : "png")"
        }
    }
}
