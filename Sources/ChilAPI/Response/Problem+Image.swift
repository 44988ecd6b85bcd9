import ChilHTTP

extension Problem {
    static let imageStoreAway = Problem(
        status: .serviceUnavailable,
        code: .imageStoreAway,
        title: "Image store away",
        detail: "The service cannot reach its images now: try again shortly.",
        retryAfter: 5
    )
}
