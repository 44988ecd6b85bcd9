internal import CPostgres

/// Reads an error result of libpq.
enum ServerRefusal {
    static func error(_ result: OpaquePointer) -> DatabaseError {
        let state = field(result, "C") ?? "XX000"
        let code: DatabaseError.Code =
            switch SQLStateRule.rule(for: state).decision {
            case .retry: .contended
            case .reconnect: .unavailable
            case .fail(let code): code
            }
        // The message's text may quote values ("DETAIL"); only the primary line is kept, and that for the log alone.
        return DatabaseError(
            code,
            sqlState: state,
            constraint: field(result, "n").map(withoutShardSuffix),
            detail: field(result, "M") ?? "no message"
        )
    }

    private static func field(_ result: OpaquePointer, _ code: Unicode.Scalar) -> String? {
        PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
    }

    /// Citus adds `_<shard>` to the names of constraints.
    static func withoutShardSuffix(_ name: String) -> String {
        guard let underscore = name.lastIndex(of: "_") else { return name }
        let suffix = name[name.index(after: underscore)...]
        let isShard = suffix.count >= 5 && suffix.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isShard ? String(name[..<underscore]) : name
    }
}
