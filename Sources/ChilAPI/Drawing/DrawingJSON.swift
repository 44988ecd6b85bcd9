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
        /// `nil` while there is no image.
        let hash: UnsafeRawBufferPointer?
        let width: Int32
        let height: Int32
        let mediaType: UnsafeRawBufferPointer
        let byteCount: Int64
        let createdAt: Timestamp
        let updatedAt: Timestamp
    }

    let signedURL: SignedURL
    /// `https://host/tenant/drawings/`.
    let base: String
    let tenant: TenantID
    let expiry: Int64

    func append(_ drawing: DrawingView, to json: inout ByteWriter) {
        append(
            Fields(
                id: drawing.id,
                type: drawing.typeBytes,
                status: drawing.statusBytes,
                title: drawing.titleBytes,
                prompt: drawing.promptBytes,
                hash: drawing.imageHashBytes,
                width: drawing.width,
                height: drawing.height,
                mediaType: drawing.mediaTypeBytes,
                byteCount: drawing.byteCount,
                createdAt: drawing.createdAt,
                updatedAt: drawing.updatedAt
            ),
            to: &json
        )
    }

    func append(_ drawing: Fields, to json: inout ByteWriter) {
        json.append("{\"drawingId\":")
        json.append(decimal: drawing.id.rawValue)
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
        if let hash = drawing.hash {
            json.append(",\"url\":\"")
            json.append(unescaped: base)
            json.append(decimal: drawing.id.rawValue)
            json.append("/image")
            signedURL.appendQuery(to: &json, tenant: tenant, drawing: drawing.id, hash: hash, expiry: expiry)
            json.append("\",\"width\":")
            json.append(decimal: Int64(drawing.width))
            json.append(",\"height\":")
            json.append(decimal: Int64(drawing.height))
            json.append(",\"mediaType\":\"")
            json.append(raw: drawing.mediaType)
            json.append("\",\"byteCount\":")
            json.append(decimal: drawing.byteCount)
        }
        json.append(",\"createdAt\":")
        json.append(json: drawing.createdAt)
        json.append(",\"updatedAt\":")
        json.append(json: drawing.updatedAt)
        json.append("}")
    }
}
