package import ChilMedia

/// Makes of a stored drawing what the service reads: upright, on white paper, small.
///
/// A cut-out drawing is transparent, and the service, which takes three channels alone, would see it black; a large one it would shrink
/// itself.
package protocol MotionPicture: Sendable {
    /// - Returns: a PNG or JPEG of at most `MotionPictureLimit.sideMax` pixels a side.
    func prepared(_ drawing: [UInt8], _ mediaType: MediaType) async throws(MotionFault) -> (
        bytes: [UInt8], mediaType: MediaType
    )
}

package enum MotionPictureLimit {
    /// The longest side that the service does not shrink.
    package static let sideMax = 1_000
}
