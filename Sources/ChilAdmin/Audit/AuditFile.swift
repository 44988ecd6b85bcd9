import ChilCore
import ChilCrypto
import ChilStore

/// The lines of an export (docs/audit.md): a beginning, a line a link, an end. Each is a JSON object.
enum AuditFile {
    static let format = "chil-audit-1"
    static let lineBytesMax = 1 << 20

    static func beginning(of tenant: TenantRecord, from base: AuditHead, at now: Timestamp) -> [UInt8] {
        var json = ByteWriter(capacity: 256)
        json.append("{\"format\":")
        json.append(json: format)
        json.append(",\"tenant\":")
        json.append(json: tenant.id)
        json.append(",\"slug\":")
        json.append(json: tenant.slug)
        json.append(",\"exportedAt\":")
        json.append(json: now)
        json.append(",\"base\":")
        json.append(base)
        json.append("}\n")
        return json.finish()
    }

    static func line(_ page: AuditLinkPage.Row) -> [UInt8] {
        let link = page.link
        var json = ByteWriter(capacity: 512)
        json.append("{\"sequence\":")
        json.append(decimal: link.sequence)
        json.append(",\"rowDigest\":")
        json.append(json: link.rowDigest.hex)
        json.append(",\"chainDigest\":")
        json.append(json: link.chainDigest.hex)
        json.append(",\"id\":")
        json.append(decimal: link.audit)
        if let row = page.row {
            json.append(",\"rowSequence\":")
            if let place = page.place { json.append(decimal: place) } else { json.append("null") }
            json.append(",\"time\":")
            json.append(json: AuditRow.moment(row.at))
            json.append(",\"at\":")
            json.append(decimal: row.at)
            json.append(",\"recordedAt\":")
            json.append(decimal: row.recordedAt)
            json.append(",\"actorKind\":")
            json.append(json: row.actorKind)
            json.append(",\"actor\":")
            json.append(json: row.actor)
            json.append(",\"action\":")
            json.append(json: row.action)
            json.append(",\"target\":")
            json.append(json: row.target)
            json.append(",\"detail\":")
            json.append(json: row.detail)
            json.append(",\"requestId\":")
            json.append(json: row.requestID)
        }
        json.append("}\n")
        return json.finish()
    }

    static func end(at head: AuditHead, rows: Int64) -> [UInt8] {
        var json = ByteWriter(capacity: 128)
        json.append("{\"rows\":")
        json.append(decimal: rows)
        json.append(",\"end\":")
        json.append(head)
        json.append("}\n")
        return json.finish()
    }

    /// What a line says.
    enum Line {
        case beginning(TenantID, slug: String, base: AuditHead)
        /// - place: where the row itself said that it is in the chain.
        case link(AuditLink, AuditRow?, place: Int64?)
        case end(AuditHead)
    }

    /// `nil`: it is no such line.
    static func read(_ line: [UInt8]) -> Line? {
        let limits = JSONLimits(bytesMax: lineBytesMax, depthMax: 4, valuesMax: 64)
        guard let object = (try? StrictJSON.parse(line, limits: limits))?.object else { return nil }
        if object["format"] != nil {
            guard object["format"]?.string == format, let tenant = object["tenant"]?.int64,
                let slug = object["slug"]?.string, let base = head(object["base"])
            else { return nil }
            return .beginning(TenantID(rawValue: tenant), slug: slug, base: base)
        }
        if object["end"] != nil { return head(object["end"]).map { .end($0) } }
        guard let sequence = object["sequence"]?.int64, let audit = object["id"]?.int64,
            let rowDigest = digest(object["rowDigest"]), let chainDigest = digest(object["chainDigest"])
        else { return nil }
        let link = AuditLink(sequence: sequence, audit: audit, rowDigest: rowDigest, chainDigest: chainDigest)
        guard object["action"] != nil else { return .link(link, nil, place: nil) }
        guard let at = object["at"]?.int64, let recordedAt = object["recordedAt"]?.int64,
            let kind = object["actorKind"]?.string, let actor = object["actor"]?.string,
            let action = object["action"]?.string
        else { return nil }
        let row = AuditRow(
            id: audit,
            at: at,
            recordedAt: recordedAt,
            actorKind: kind,
            actor: actor,
            action: action,
            target: object["target"]?.string,
            detail: object["detail"]?.string,
            requestID: object["requestId"]?.string
        )
        // Files of before do not say it.
        return .link(link, row, place: object["rowSequence"].map(\.int64) ?? sequence)
    }

    private static func head(_ value: JSONValue?) -> AuditHead? {
        guard let object = value?.object, let sequence = object["sequence"]?.int64,
            let digest = digest(object["digest"])
        else { return nil }
        return AuditHead(sequence: sequence, digest: digest)
    }

    private static func digest(_ value: JSONValue?) -> Digest256? {
        value?.string.flatMap { Hex.decode($0) }.flatMap { Digest256($0) }
    }
}

extension ByteWriter {
    fileprivate mutating func append(_ head: AuditHead) {
        append("{\"sequence\":")
        append(decimal: head.sequence)
        append(",\"digest\":")
        append(json: head.digest.hex)
        append("}")
    }
}
