import ChilCore
import ChilStore

/// Writes drawings as the contract shows them, straight from the bytes of their rows.
struct DrawingJSON {
    /// What is written of one drawing. Pointers are valid for the call only.
    struct Fields {
        let id: DrawingID
        let type: UnsafeRawBufferPointer
        let status: UnsafeRawBufferPointer
        let title: UnsafeRawBufferPointer?
        let prompt: UnsafeRawBufferPointer?
        var source: DrawingID?
        /// `nil` while there is no image.
        let hash: UnsafeRawBufferPointer?
        let width: Int32
        let height: Int32
        let mediaType: UnsafeRawBufferPointer
        let byteCount: Int64
        let createdAt: Timestamp
        let updatedAt: Timestamp
        /// `nil`: nothing is kept that the image was made of.
        var originalHash: UnsafeRawBufferPointer? = nil
    }

    private let signedURL: SignedURL
    private let tenant: TenantID
    private let expiry: Int64
    /// What the URLs of one answer have in common: before the drawing's number, and between it and the signature.
    private let urlStart: [UInt8]
    private let urlMiddle: [UInt8]

    /// - Parameter base: `https://host/tenant/drawings/`.
    init(signedURL: SignedURL, base: String, tenant: TenantID, expiry: Int64) {
        self.signedURL = signedURL
        self.tenant = tenant
        self.expiry = expiry
        urlStart = Array(base.utf8)
        var middle = ByteWriter(capacity: 64)
        middle.append("/image")
        signedURL.appendQueryStart(to: &middle, expiry: expiry)
        urlMiddle = middle.finish()
    }

    /// Room for one drawing with texts of usual length.
    var usualByteCount: Int { Self.fixedBytesMax + urlStart.count + 96 }

    /// Tells that a drawing will be written soon.
    func expect(_ drawing: DrawingID) {
        signedURL.expect(tenant: tenant, drawing: drawing)
    }

    func append(_ drawing: DrawingView, to json: inout ByteWriter) {
        append(
            Fields(
                id: drawing.id,
                type: drawing.typeBytes,
                status: drawing.statusBytes,
                title: drawing.titleBytes,
                prompt: drawing.promptBytes,
                source: drawing.source,
                hash: drawing.imageHashBytes,
                width: drawing.width,
                height: drawing.height,
                mediaType: drawing.mediaTypeBytes,
                byteCount: drawing.byteCount,
                createdAt: drawing.createdAt,
                updatedAt: drawing.updatedAt,
                originalHash: drawing.originalHashBytes
            ),
            to: &json
        )
    }

    func append(_ drawing: Fields, to json: inout ByteWriter) {
        let words = drawing.type.count + drawing.status.count + drawing.mediaType.count
        let title = drawing.title.map(JSONText.byteCount) ?? 0
        let prompt = drawing.prompt.map(JSONText.byteCount) ?? 0
        let original = drawing.originalHash == nil ? 0 : Self.originalBytesMax + urlStart.count + urlMiddle.count
        json.append(atMost: Self.fixedBytesMax + urlStart.count + urlMiddle.count + words + title + prompt + original) {
            out in
            write(drawing, to: &out)
        }
    }

    /// `"https://…"`, the signed URL alone; `null` while there is no image.
    func appendURL(of drawing: DrawingView, to json: inout ByteWriter) {
        guard let hash = drawing.imageHashBytes else { return json.appendNull() }
        let bytesMax = 2 + urlStart.count + urlMiddle.count + ByteCursor.decimalBytesMax + SignedURL.signatureBytes
        json.append(atMost: bytesMax) { out in
            out.append("\"")
            out.append(bytes: urlStart)
            out.append(decimal: drawing.id.rawValue)
            out.append(bytes: urlMiddle)
            signedURL.appendSignature(to: &out, tenant: tenant, drawing: drawing.id, hash: hash, expiry: expiry)
            out.append("\"")
        }
    }

    /// The names, the punctuation, six numbers, a signature and two moments.
    private static let fixedBytesMax =
        206 + 6 * ByteCursor.decimalBytesMax + SignedURL.signatureBytes + 2 * ByteCursor.rfc3339Bytes

    /// Beside the URL's beginning: the name, the number, the signature and the variant.
    private static let originalBytesMax = 64 + ByteCursor.decimalBytesMax + SignedURL.signatureBytes

    private func write(_ drawing: Fields, to json: inout ByteCursor) {
        json.append("{\"drawingId\":")
        let beforeID = json.count
        json.append(decimal: drawing.id.rawValue)
        let id = beforeID..<json.count
        json.append(",\"type\":\"")
        json.append(raw: drawing.type)
        json.append("\",\"status\":\"")
        json.append(raw: drawing.status)
        json.append("\"")
        if let title = drawing.title {
            json.append(",\"title\":")
            json.append(jsonUTF8: title)
        }
        if let prompt = drawing.prompt {
            json.append(",\"prompt\":")
            json.append(jsonUTF8: prompt)
        }
        if let source = drawing.source {
            json.append(",\"sourceId\":")
            json.append(decimal: source.rawValue)
        }
        if let hash = drawing.hash {
            json.append(",\"url\":\"")
            json.append(bytes: urlStart)
            json.append(again: id)
            json.append(bytes: urlMiddle)
            signedURL.appendSignature(to: &json, tenant: tenant, drawing: drawing.id, hash: hash, expiry: expiry)
            json.append("\",\"width\":")
            json.append(decimal: Int64(drawing.width))
            json.append(",\"height\":")
            json.append(decimal: Int64(drawing.height))
            json.append(",\"mediaType\":\"")
            json.append(raw: drawing.mediaType)
            json.append("\",\"byteCount\":")
            json.append(decimal: drawing.byteCount)
            if let original = drawing.originalHash {
                json.append(",\"originalUrl\":\"")
                json.append(bytes: urlStart)
                json.append(again: id)
                json.append(bytes: urlMiddle)
                signedURL.appendOriginalSignature(
                    to: &json,
                    tenant: tenant,
                    drawing: drawing.id,
                    hash: original,
                    expiry: expiry
                )
                json.append("&variant=original\"")
            }
        }
        json.append(",\"createdAt\":\"")
        let beforeMoment = json.count
        json.append(rfc3339: drawing.createdAt)
        let createdAt = beforeMoment..<json.count
        json.append("\",\"updatedAt\":\"")
        if drawing.updatedAt == drawing.createdAt {
            json.append(again: createdAt)
        } else {
            json.append(rfc3339: drawing.updatedAt)
        }
        json.append("\"}")
    }
}
