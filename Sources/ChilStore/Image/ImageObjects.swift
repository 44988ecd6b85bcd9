package import ChilCore

/// Where bytes of images lie that PostgreSQL does not have: an object store.
///
/// An object is written once and whole, before any row leads to it, and never changed: its number is used for nothing else. What
/// stops half way leaves an object that no row leads to, and work in the queue, or a lease, that removes it.
package protocol ImageObjects {
    /// Writes an object. The same again, with the same bytes, changes nothing.
    ///
    /// - Parameter hash: SHA-256 of the bytes.
    func put(
        _ bytes: [UInt8],
        as object: ImageObjectID,
        of tenant: TenantID,
        hash: [UInt8],
        mediaType: String
    ) async throws(ImageObjectFault)

    /// Exactly these bytes of an object.
    func bytes(_ range: Range<Int>, of object: ImageObjectID, in tenant: TenantID) async throws(ImageObjectFault)
        -> [UInt8]

    /// Where a client gets the object itself, for a minute; `nil`: through the service alone.
    ///
    /// - Parameter mediaType: what the store shall call it.
    func address(of object: ImageObjectID, in tenant: TenantID, mediaType: String) -> String?

    /// Afterwards nothing of it is there, nor anything unfinished. Nothing there before is no error.
    func remove(_ object: ImageObjectID, of tenant: TenantID) async throws(ImageObjectFault)
}

/// Why an object store did not do what it was asked.
package struct ImageObjectFault: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// It does not answer, or says that it cannot now.
        case away
        /// It will not, today and tomorrow: the operator has to act.
        case refused
        /// There is no such object.
        case missing
        /// An image lies in an object store, and none is set.
        case notSet
    }

    package let code: Code
    /// For the log: says what to do where somebody can.
    package let detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { "image store: \(code.rawValue): \(detail)" }
}
