/// The head of one part of a form (RFC 7578 §4).
package struct MultipartPartHead: Equatable, Sendable {
    /// The form field's name.
    package let name: String
    /// As the sender named the file: for show only, never a path.
    package let fileName: String?
    package let mediaType: MediaType?

    /// Nil without a `Content-Disposition: form-data` with a name, with a repeated field, or with a transfer encoding that would
    /// have to be undone (§4.7).
    init?(_ bytes: [UInt8], _ lines: ContiguousArray<FieldLine>) {
        let section = FieldSection(lines: lines, seen: ~0)
        let types = section.ranges(of: .contentType)
        let dispositions = lines.filter { line in FoldedName.isWord(bytes[line.name.range], "content-disposition") }
        guard dispositions.count == 1, types.count <= 1 else { return nil }

        var reader = FieldWordReader(bytes[dispositions[0].value.range])
        guard reader.token() == "form-data", let parameters = FieldParameters(&reader), let name = parameters["name"],
            let name = String(validating: name, as: UTF8.self)
        else { return nil }
        self.name = name
        fileName = parameters["filename"].map { String(decoding: $0, as: UTF8.self) }

        if let coding = section.range(named: "content-transfer-encoding", in: bytes) {
            let harmless: [StaticString] = ["binary", "8bit", "7bit"]
            guard harmless.contains(where: { FoldedName.isWord(bytes[coding], $0) }) else { return nil }
        }
        guard let type = types.first else {
            mediaType = nil
            return
        }
        guard let mediaType = MediaType(bytes[type]) else { return nil }
        self.mediaType = mediaType
    }
}
