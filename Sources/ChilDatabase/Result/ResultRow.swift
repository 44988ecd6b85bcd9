internal import CPostgres
package import ChilCore

/// One row of a result, read by column number in PostgreSQL's binary format, without copies.
///
/// A column read as the wrong type or length throws `.malformedResult`: that is a fault of the code, not of a user.
package struct ResultRow: Sendable {
    package let set: ResultSet
    let index: Int32

    package func isNull(_ column: Int) -> Bool {
        PQgetisnull(set.pointer, index, Int32(column)) == 1
    }

    /// The bytes of a `text` or `bytea` column. Valid while `set` lives; empty for NULL.
    package func unsafeBytes(_ column: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(set.pointer, index, Int32(column)),
            count: Int(PQgetlength(set.pointer, index, Int32(column)))
        )
    }

    /// The same, or `nil` for NULL: only what has no bytes is asked whether it is that.
    package func unsafeBytesOrNil(_ column: Int) -> UnsafeRawBufferPointer? {
        let bytes = unsafeBytes(column)
        return bytes.isEmpty && isNull(column) ? nil : bytes
    }

    package func bytes(_ column: Int) -> [UInt8] {
        [UInt8](unsafeBytes(column))
    }

    package func bytesOrNil(_ column: Int) -> [UInt8]? {
        isNull(column) ? nil : bytes(column)
    }

    package func text(_ column: Int) -> String {
        String(decoding: unsafeBytes(column), as: UTF8.self)
    }

    package func textOrNil(_ column: Int) -> String? {
        isNull(column) ? nil : text(column)
    }

    /// A `bigint`.
    package func int64(_ column: Int) throws(DatabaseError) -> Int64 {
        let raw = unsafeBytes(column)
        guard raw.count == 8 else { throw .malformedResult("column \(column) is no bigint") }
        return Int64(bigEndian: raw.loadUnaligned(as: Int64.self))
    }

    package func int64OrNil(_ column: Int) throws(DatabaseError) -> Int64? {
        isNull(column) ? nil : try int64(column)
    }

    /// An `integer`.
    package func int32(_ column: Int) throws(DatabaseError) -> Int32 {
        let raw = unsafeBytes(column)
        guard raw.count == 4 else { throw .malformedResult("column \(column) is no integer") }
        return Int32(bigEndian: raw.loadUnaligned(as: Int32.self))
    }

    package func int32OrNil(_ column: Int) throws(DatabaseError) -> Int32? {
        isNull(column) ? nil : try int32(column)
    }

    package func bool(_ column: Int) throws(DatabaseError) -> Bool {
        let raw = unsafeBytes(column)
        guard raw.count == 1 else { throw .malformedResult("column \(column) is no boolean") }
        return raw[0] != 0
    }

    /// A `timestamptz`.
    package func timestamp(_ column: Int) throws(DatabaseError) -> Timestamp {
        Timestamp(microseconds: try int64(column) + BoundValues.postgresEpochMicroseconds)
    }

    package func timestampOrNil(_ column: Int) throws(DatabaseError) -> Timestamp? {
        isNull(column) ? nil : try timestamp(column)
    }

    package func id<Kind>(_ column: Int, as kind: Identifier<Kind>.Type = Identifier<Kind>.self) throws(DatabaseError)
        -> Identifier<Kind>
    {
        Identifier(rawValue: try int64(column))
    }
}
