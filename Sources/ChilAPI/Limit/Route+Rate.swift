import ChilStore

extension Route {
    /// What its requests are counted as; `nil`: never limited.
    var rateClass: RateClass? {
        switch self {
        case .health, .ready, .openAPI: nil
        case .nonce, .signInWithApple, .token, .authorize, .callback, .refresh, .logout, .endSession: .auth
        case .changeMe, .deleteMe, .generateDrawing, .uploadDrawing, .changeDrawing, .deleteDrawing, .notification,
            .sharedNotification, .sayConsent, .scan, .scanSession, .epsonNotice, .moveDrawing,
            .cancelPrintJob:
            .write
        case .print, .retryPrintJob: .print
        case .listSessions, .keys, .me, .exportMe, .accountDeletion, .listDrawings, .drawing, .drawingImage, .printJob,
            .quota, .consents, .retention, .events, .listPrintJobs, .listPrinters:
            .read
        }
    }

    /// Whether it answers anybody, whatever they show: such requests of a tenant are counted together, apart from those of its people. All
    /// others count for the tenant when it is known whose they are.
    var isForAnybody: Bool {
        switch self {
        case .nonce, .authorize, .callback, .keys, .accountDeletion, .retention: true
        case .health, .ready, .openAPI, .signInWithApple, .token, .refresh, .notification, .sharedNotification,
            .drawingImage, .logout, .listSessions, .endSession, .me, .changeMe, .deleteMe, .exportMe,
            .generateDrawing, .uploadDrawing, .listDrawings, .drawing, .changeDrawing, .deleteDrawing, .print,
            .printJob, .quota, .consents, .sayConsent, .scan, .scanSession, .epsonNotice, .events, .moveDrawing,
            .listPrintJobs, .cancelPrintJob, .retryPrintJob, .listPrinters:
            false
        }
    }

    /// Whether only those who are signed in, or have a scanner's address, get anything.
    var needsSession: Bool {
        switch self {
        case .health, .ready, .openAPI, .nonce, .signInWithApple, .token, .authorize, .callback, .refresh, .keys,
            .notification, .sharedNotification, .accountDeletion, .drawingImage, .retention, .epsonNotice:
            false
        case .logout, .listSessions, .endSession, .me, .changeMe, .deleteMe, .exportMe, .generateDrawing,
            .uploadDrawing, .listDrawings,
            .drawing, .changeDrawing, .deleteDrawing, .print, .printJob, .quota, .consents, .sayConsent, .scan,
            .scanSession, .events, .moveDrawing, .listPrintJobs, .cancelPrintJob, .retryPrintJob, .listPrinters:
            true
        }
    }
}
