package import ChilCore
package import ChilDatabase

/// One step of a key's rotation: publishes a new key, or lets one that has been published for long enough sign.
package struct TenantKeyRotate: TenantStatement {
    package enum Outcome: Sendable, Equatable {
        /// The key can be seen now, and waits.
        case published(String)
        /// One is waiting already, for not long enough; since when it can be seen.
        case waiting(String, since: Timestamp)
        /// The key signs now; the one before verifies until its last token is over.
        case activated(String)
    }

    package static let access = Batch.Access.write
    package static let sql = SQL("select * from chil_rotate_key($1, $2, $3, $4, $5, $6, $7, $8, $9)")

    package let tenant: TenantID
    let key: TenantKeyRecord
    let publishedBefore: Timestamp
    let note: OperatorNote

    /// - Parameters:
    ///   - key: a fresh one, used if none waits.
    ///   - publishedBefore: a key that was published then or earlier becomes active; now: at once.
    package init(_ key: TenantKeyRecord, of tenant: TenantID, publishedBefore: Timestamp, note: OperatorNote) {
        self.tenant = tenant
        self.key = key
        self.publishedBefore = publishedBefore
        self.note = note
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(key.keyID)
        values.append(key.publicX)
        values.append(key.publicY)
        values.append(key.sealedPrivate)
        values.append(publishedBefore)
        values.append(note.audit)
        values.append(note.operatorName)
        values.append(note.now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Outcome {
        switch row.text(0) {
        case "published": .published(row.text(1))
        case "waiting": .waiting(row.text(1), since: try row.timestamp(2))
        case "activated": .activated(row.text(1))
        case let word: throw .unknownWord(word)
        }
    }
}

/// Takes a key out of use at once: every token that it signed is void within a second.
package struct TenantKeyRevoke: TenantStatement {
    package enum Outcome: Sendable, Equatable {
        /// The key that signs now.
        case revoked(active: String)
        case wasRevoked(active: String)
        case missing
    }

    package static let access = Batch.Access.write
    package static let sql = SQL("select * from chil_revoke_key($1, $2, $3, $4, $5, $6, $7, $8, $9)")

    package let tenant: TenantID
    let keyID: String
    let replacement: TenantKeyRecord
    let note: OperatorNote

    /// - Parameter replacement: a fresh key, used if the revoked one is active and none waits.
    package init(_ keyID: String, of tenant: TenantID, replacement: TenantKeyRecord, note: OperatorNote) {
        self.tenant = tenant
        self.keyID = keyID
        self.replacement = replacement
        self.note = note
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(keyID)
        values.append(replacement.keyID)
        values.append(replacement.publicX)
        values.append(replacement.publicY)
        values.append(replacement.sealedPrivate)
        values.append(note.audit)
        values.append(note.operatorName)
        values.append(note.now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Outcome {
        switch row.text(0) {
        case "revoked": .revoked(active: row.text(1))
        case "already": .wasRevoked(active: row.text(1))
        case "missing": .missing
        case let word: throw .unknownWord(word)
        }
    }
}
