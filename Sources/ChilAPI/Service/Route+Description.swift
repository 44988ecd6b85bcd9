import ChilHTTP

extension Route {
    /// What it is in `GET /openapi.json`. Each stands in a file `…Descriptions` beside the route's own.
    var description: RouteDescription {
        switch self {
        case .health: .health
        case .ready: .ready
        case .openAPI: .openAPI
        case .nonce: .nonce
        case .signInWithApple: .signInWithApple
        case .token: .token
        case .authorize: .authorize
        case .callback: .callback
        case .refresh: .refresh
        case .logout: .logout
        case .listSessions: .listSessions
        case .endSession: .endSession
        case .keys: .keys
        case .me: .me
        case .changeMe: .changeMe
        case .deleteMe: .deleteMe
        case .accountDeletion: .accountDeletion
        case .exportMe: .exportMe
        case .notification: .notification
        case .sharedNotification: .sharedNotification
        case .generateDrawing: .generateDrawing
        case .uploadDrawing: .uploadDrawing
        case .listDrawings: .listDrawings
        case .drawing: .drawing
        case .drawingImage: .drawingImage
        case .changeDrawing: .changeDrawing
        case .deleteDrawing: .deleteDrawing
        case .moveDrawing: .moveDrawing
        case .events: .events
        case .scan: .scan
        case .scanSession: .scanSession
        case .epsonNotice: .epsonNotice
        case .print: .print
        case .printJob: .printJob
        case .listPrintJobs: .listPrintJobs
        case .cancelPrintJob: .cancelPrintJob
        case .retryPrintJob: .retryPrintJob
        case .listPrinters: .listPrinters
        case .quota: .quota
        case .consents: .consents
        case .sayConsent: .sayConsent
        case .retention: .retention
        }
    }
}
