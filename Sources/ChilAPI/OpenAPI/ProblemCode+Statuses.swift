extension Problem.Code {
    /// What it comes with.
    var statuses: [Int] {
        switch self {
        // What is wrong with a head, or with how a body is framed, has its own (`Rejection.status`).
        case .malformedRequest: [400, 414, 417, 431, 501, 505]
        case .malformedJSON, .invalidNotification, .invalidIdempotencyKey: [400]
        case .unauthorized, .invalidIdentityToken, .invalidRefreshToken, .invalidAuthorizationCode: [401]
        case .userBanned, .tenantSuspended, .consentRequired, .quotaExceeded: [403]
        case .notFound: [404]
        case .methodNotAllowed: [405]
        case .idempotencyKeyRunning, .printJobOver, .printJobRunning: [409]
        case .preconditionFailed: [412]
        case .contentTooLarge: [413]
        case .unsupportedMediaType: [415]
        case .rangeNotSatisfiable: [416]
        case .invalidFields, .idempotencyKeyReused, .invalidImage, .noPrinter, .wishRefused, .pictureUnusable,
            .noCharacter,
            .ambiguousCharacter, .unsupportedImage:
            [422]
        case .preconditionRequired: [428]
        case .exportRunning, .tooManyListeners, .rateLimited, .quotaWindowExceeded: [429]
        case .internalError: [500]
        case .tenantUnavailable, .noIdentityProvider, .identityProviderMisconfigured, .identityProviderAway,
            .noPictureService, .pictureServicesAway, .backendUnavailable, .motionTimeout, .imageStoreAway,
            .databaseAway, .overloaded, .outcomeUnknown:
            [503]
        }
    }
}
