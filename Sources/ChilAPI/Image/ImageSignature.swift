import ChilCore
import ChilHTTP

/// The query of a signed URL.
struct ImageSignature {
    private let expiry: Int64
    private let keyVersion: UInt8
    private let code: [UInt8]

    static func query(of head: RequestHead) throws(Problem) -> QueryItems? {
        guard head.query != nil else { return nil }
        do {
            return try head.queryItems()
        } catch {
            throw .malformedRequest("\(error.remedy)")
        }
    }

    /// `nil` without a query, or with one that says nothing but what is wanted: then a bearer token is asked for.
    ///
    /// - Throws: `Problem.notFound` for a query that is no signature.
    init?(_ query: QueryItems?) throws(Problem) {
        guard let query else { return nil }
        if query["variant"] != nil || query["size"] != nil, query["e"] == nil, query["k"] == nil, query["s"] == nil {
            return nil
        }
        guard let expiry = query["e"].flatMap({ Int64($0) }), let version = query["k"].flatMap({ UInt8($0) }),
            let code = query["s"].flatMap({ Base64URL.decode($0) })
        else { throw .notFound }
        self.expiry = expiry
        keyVersion = version
        self.code = code
    }

    func isRight(
        _ signedURL: SignedURL,
        for drawing: DrawingID,
        _ variant: ImageVariant,
        _ hash: [UInt8],
        of tenant: TenantID,
        at now: Timestamp
    ) -> Bool {
        signedURL.accepts(
            code,
            keyVersion: keyVersion,
            expiry: expiry,
            tenant: tenant,
            drawing: drawing,
            variant: variant,
            hash: hash,
            at: now
        )
    }
}
