import ChilCore
import ChilStore

/// Writes drawings as the contract shows them, straight from the rows' bytes.
struct DrawingJSON {
    let signedURL: SignedURL
    /// `https://host/tenant/drawings/`.
    let base: String
    let tenant: TenantID
    let expiry: Int64

    func append(_ drawing: DrawingView, to json: inout ByteWriter) {
        json.append("{\"drawingId\":")
        json.append(decimal: drawing.id.rawValue)
        json.append(",\"type\":\"")
        json.append(raw: drawing.typeBytes)
        json.append("\",\"status\":\"")
        json.append(raw: drawing.statusBytes)
        json.append("\"")
        if let title = drawing.titleBytes {
            json.append(",\"title\":")
            json.append(jsonUTF8: title)
        }
        if let prompt = drawing.promptBytes {
            json.append(",\"prompt\":")
            json.append(jsonUTF8: prompt)
        }
        if let hash = drawing.imageHashBytes {
            json.append(",\"url\":\"")
            appendURL(of: drawing.id, hash: hash, to: &json)
            json.append("\",\"width\":")
            json.append(decimal: Int64(drawing.width))
            json.append(",\"height\":")
            json.append(decimal: Int64(drawing.height))
            json.append(",\"mediaType\":\"")
            json.append(raw: drawing.mediaTypeBytes)
            json.append("\",\"byteCount\":")
            json.append(decimal: drawing.byteCount)
        }
        json.append(",\"createdAt\":")
        json.append(json: drawing.createdAt)
        json.append(",\"updatedAt\":")
        json.append(json: drawing.updatedAt)
        json.append("}")
    }

    func appendURL(of drawing: DrawingID, hash: UnsafeRawBufferPointer, to json: inout ByteWriter) {
        json.append(unescaped: base)
        json.append(decimal: drawing.rawValue)
        json.append("/image")
        signedURL.appendQuery(to: &json, tenant: tenant, drawing: drawing, hash: hash, expiry: expiry)
    }
}
