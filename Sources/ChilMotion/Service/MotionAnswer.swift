/// What the motion service's answer means. It is judged by its bytes first: a failure may come with 200, and a picture says what it is.
package enum MotionAnswer {
    /// A GIF that moves, and nothing behind it.
    package static func gif(status: Int, _ body: [UInt8]) throws(MotionFault) -> MotionGIF {
        guard GIFReader.isGIF(body) else { throw fault(status: status, body) }
        guard (200...299).contains(status) else {
            throw MotionFault(.backendUnavailable, "it sent a GIF with status \(status)")
        }
        do throws(GIFFault) {
            let facts = try GIFReader.facts(of: body)
            return MotionGIF(
                bytes: facts.byteCount == body.count ? body : Array(body[..<facts.byteCount]),
                facts: facts
            )
        } catch {
            throw MotionFault(.backendUnavailable, "it sent \(error)")
        }
    }

    static func fault(status: Int, _ body: [UInt8]) -> MotionFault {
        let text = String(decoding: body.prefix(textBytesMax), as: UTF8.self).lowercased()
        if let known = known(text) { return known }
        switch status {
        case 200...299:
            return MotionFault(
                .backendUnavailable,
                "it sent no GIF with status \(status)\(body.isEmpty ? ": nothing" : "")"
            )
        case 301, 302, 303, 307, 308:
            return MotionFault(.backendUnavailable, "it redirects (\(status)): give the address that it redirects to")
        case 413: return MotionFault(.unsupportedImage, "the picture is too large for it (413)")
        case 415: return MotionFault(.unsupportedImage, "it does not take the picture's kind (415)")
        case 422:
            return MotionFault(
                .backendUnavailable,
                "a field of the form is missing (422): try the other name, --form-field motion or motionType"
            )
        case 404, 405:
            return MotionFault(.backendUnavailable, "it has no POST /motion/ (\(status)): check the address")
        case 408, 504: return MotionFault(.timeout, "it says itself that it took too long (\(status))")
        default: return MotionFault(.backendUnavailable, "it answered \(status)")
        }
    }

    /// The sentences of AnimatedDrawings' assertions and of its example service, by what they cannot leave out.
    private static func known(_ text: String) -> MotionFault? {
        func has(_ words: String...) -> Bool { words.contains { text.contains($0) } }
        if has("torchserve", "bounding box, please check", "connection refused", "max retries exceeded") {
            return MotionFault(
                .backendUnavailable,
                "the service that finds characters behind it is down: start torchserve"
            )
        }
        if has("skeleton") {
            // Both sentences go on with how many it expected.
            return has("any skeleton", "no skeleton", "detected 0")
                ? MotionFault(.noCharacter, "it found no skeleton")
                : MotionFault(.ambiguousCharacter, "it found more than one skeleton")
        }
        if has("humanoid") { return MotionFault(.noCharacter, "it found no humanoid") }
        if has("contour") { return MotionFault(.noCharacter, "it found no outline") }
        if has("channels", "channel count", "cannot identify image", "unsupported image") {
            return MotionFault(.unsupportedImage, "it cannot read the picture")
        }
        // All that its example service says when the program behind it has failed: nearly always at finding somebody.
        if has("gif not found") { return MotionFault(.noCharacter, "it made no GIF and did not say why") }
        return nil
    }

    /// Of an answer that is read for its reason: a traceback says it at its end, and is not longer.
    static let textBytesMax = 64 << 10
}
