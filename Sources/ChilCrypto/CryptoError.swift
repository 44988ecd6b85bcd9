package import ChilCore

/// A cryptographic operation that could not be done. A wrong signature or tag is an answer, not one of these.
package struct CryptoError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// A key has the wrong form, size, curve or values.
        case badKey
        /// A parameter has a size that the algorithm does not take.
        case badParameter
        /// OpenSSL failed where only memory or its installation can be the cause.
        case library
    }

    package let code: Code
    /// For the log: what to do next, and OpenSSL's own words. Never has key material.
    package let detail: String
    package let location: CodeLocation

    init(_ code: Code, _ detail: String, location: CodeLocation = .here()) {
        self.code = code
        let openSSL = ErrorQueue.drain()
        self.detail = openSSL.isEmpty ? detail : "\(detail) [\(openSSL)]"
        self.location = location
    }

    /// Safe to print anywhere.
    package var description: String { "crypto: \(code.rawValue): \(detail)" }
}
