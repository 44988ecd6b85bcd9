import ChilHTTP

/// Every place that answers, as the contract lists them.
enum Route: Sendable, CaseIterable {
    case health, ready, openAPI
    case nonce, signInWithApple, token, authorize, callback, refresh, logout, listSessions, endSession, keys
    case me, changeMe, deleteMe, accountDeletion, exportMe
    case notification, sharedNotification
    case generateDrawing, uploadDrawing, listDrawings, drawing, drawingImage, changeDrawing, deleteDrawing
    case print, printJob, listPrintJobs, cancelPrintJob, retryPrintJob, listPrinters
    case quota, consents, sayConsent, retention
    case scan, scanSession, epsonNotice, events, moveDrawing

    var pattern: StaticString {
        switch self {
        case .health: "GET /healthz"
        case .ready: "GET /readyz"
        case .openAPI: "GET /openapi.json"
        case .nonce: "POST /{tenant}/auth/nonce"
        case .signInWithApple: "POST /{tenant}/auth/apple"
        case .token: "POST /{tenant}/auth/oauth2/token"
        case .authorize: "GET /{tenant}/auth/apple/authorize"
        case .callback: "POST /{tenant}/auth/apple/callback"
        case .refresh: "POST /{tenant}/auth/refresh"
        case .logout: "POST /{tenant}/auth/logout"
        case .listSessions: "GET /{tenant}/auth/sessions"
        case .endSession: "DELETE /{tenant}/auth/sessions/{id}"
        case .keys: "GET /{tenant}/.well-known/jwks.json"
        case .me: "GET /{tenant}/me"
        case .changeMe: "PATCH /{tenant}/me"
        case .deleteMe: "DELETE /{tenant}/me"
        case .exportMe: "GET /{tenant}/me/export"
        case .accountDeletion: "GET /{tenant}/account-deletions/{receipt}"
        case .notification: "POST /{tenant}/auth/apple/notifications"
        case .sharedNotification: "POST /apple/notifications"
        case .generateDrawing: "POST /{tenant}/drawings/gen"
        case .uploadDrawing: "POST /{tenant}/drawings"
        case .listDrawings: "GET /{tenant}/drawings"
        case .drawing: "GET /{tenant}/drawings/{id}"
        case .drawingImage: "GET /{tenant}/drawings/{id}/image"
        case .changeDrawing: "PATCH /{tenant}/drawings/{id}"
        case .deleteDrawing: "DELETE /{tenant}/drawings/{id}"
        case .print: "POST /{tenant}/drawings/print"
        case .printJob: "GET /{tenant}/print-jobs/{id}"
        case .listPrintJobs: "GET /{tenant}/print-jobs"
        case .cancelPrintJob: "DELETE /{tenant}/print-jobs/{id}"
        case .retryPrintJob: "POST /{tenant}/print-jobs/{id}/retry"
        case .listPrinters: "GET /{tenant}/printers"
        case .quota: "GET /{tenant}/quota"
        case .consents: "GET /{tenant}/consents"
        case .sayConsent: "POST /{tenant}/consents"
        case .retention: "GET /{tenant}/retention"
        case .scan: "POST /{tenant}/scan/{token}"
        case .scanSession: "POST /{tenant}/drawings/{id}/scan-session"
        case .epsonNotice: "POST /{tenant}/epson/{token}"
        case .events: "GET /{tenant}/events"
        case .moveDrawing: "POST /{tenant}/motion/{id}"
        }
    }

    /// Whether a suspended tenant has it: what a provider tells of people is heard whatever the tenant may do.
    var servesSuspended: Bool { self == .notification }

    static let router = Router(allCases.map(\.pattern))
    /// By the router's numbers.
    static let numbered = allCases
}
