/// The two versions spoken here. 1.2 to 1.9, which nobody has defined, are refused like 2.0 (505), though RFC 9110 §2.5 would
/// let a server read them as 1.1.
package enum ProtocolVersion: UInt8, Sendable {
    case http10, http11
}
