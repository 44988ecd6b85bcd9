@testable import ChilHTTP

extension RequestHead {
    /// The method as received.
    var methodBytes: ArraySlice<UInt8> { bytes[methodExtent.range] }
}
