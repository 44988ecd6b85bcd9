package import ChilMedia

/// The form that the service takes: `image`, and the motion's name.
package struct MotionForm: Sendable {
    /// What the service calls the motion's field.
    package enum Field: String, Sendable, CaseIterable {
        case motionType
        /// Earlier versions of the service.
        case motion
    }

    package let contentType: String
    package let body: [[UInt8]]

    package init(_ picture: [UInt8], _ mediaType: ChilMedia.MediaType, _ motion: MotionType, field: Field) {
        // Nothing that stands in a picture by chance, and a picture cannot know it: 128 random bits.
        let boundary = "chil-\(UInt64.random(in: .min ... .max))-\(UInt64.random(in: .min ... .max))"
        contentType = "multipart/form-data; boundary=\(boundary)"
        // A name of no meaning: the service may write it to its disk.
        let ending = mediaType == .jpeg ? "jpg" : "png"
        let head = """
            --\(boundary)\r
            Content-Disposition: form-data; name="\(field.rawValue)"\r
            \r
            \(motion.rawValue)\r
            --\(boundary)\r
            Content-Disposition: form-data; name="image"; filename="drawing.\(ending)"\r
            Content-Type: \(mediaType.rawValue)\r
            \r

            """
        body = [Array(head.utf8), picture, Array("\r\n--\(boundary)--\r\n".utf8)]
    }
}
