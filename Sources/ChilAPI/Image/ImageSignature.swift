import ChilCore
import ChilHTTP

/// The query of a signed URL.
struct ImageSignature {
    private let expiry: Int64
    private let keyVersion: UInt8
    private let code: [UInt8]

    /// `nil` without a query: then a bearer token is asked for.
    ///
    /// - Throws: `Problem.notFound` for a query that is no signature.
    init?(_ head: RequestHead) throws(Problem) {
        guard head.query != nil else { return nil }
        let query: QueryItems
        do {
            query = try head.queryItems()
        } catch {
            throw .malformedRequest("\(error.remedy)")
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
            hash: hash,
            at: now
        )
    }
}
