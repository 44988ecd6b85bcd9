import ChilAuth
import ChilCore
import ChilDatabase
import ChilHTTP
import ChilLoop
import ChilStore

extension APIService {
    /// `DELETE me`: all of it is gone before the answer; what identity providers gave is revoked after it.
    func deleteMe(_ call: Call) async throws -> Response {
        let session = try await session(call)
        let receipt = try DeletionReceipt()
        let delete = AccountDelete(
            session.user,
            of: session.tenant,
            as: try ids.next(at: call.now),
            receiptDigest: receipt.digest,
            pepper: shared.subjects.pepper,
            by: .user(requestID: call.id.text),
            audit: try ids.next(at: call.now),
            at: call.now
        )
        switch try await outcome(of: delete, session, receipt) {
        case .deleted: break
        case .missing, .isGuest: throw Problem.unauthorized
        }
        sessions.sessionsEnded(of: session.user, in: session.tenant, at: loop.monotonicNow)
        work.workWasQueued()
        var body = ByteWriter(capacity: 128)
        body.append("{\"receipt\":")
        body.append(json: receipt.text)
        body.append(",\"deletedAt\":")
        body.append(json: call.now)
        body.append("}")
        var response = Response.json(.accepted, &body)
        response.add(
            "Location",
            "\(shared.configuration.publicURL)/\(call.tenant.slug.text)/account-deletions/\(receipt.text)"
        )
        return response
    }

    /// `GET account-deletions/{receipt}`: for whoever has the receipt; nobody can sign in to that account any more.
    func accountDeletion(_ call: Call) async throws -> Response {
        guard let text = call.captures.text(1, of: call.head), let receipt = DeletionReceipt(parsing: text) else {
            throw Problem.notFound
        }
        let one = AccountDeletionOne(receiptDigest: receipt.digest, of: call.tenant.id)
        guard let deletion = try await one.first(from: database) else { throw Problem.notFound }
        var body = ByteWriter(capacity: 128)
        body.append("{\"state\":\"deleted\",\"deletedAt\":")
        body.append(json: deletion.deletedAt)
        body.append(",\"providerToken\":")
        body.append(json: deletion.providerToken.rawValue)
        body.append("}")
        return .json(.ok, &body)
    }

    private func outcome(of delete: AccountDelete, _ session: Session, _ receipt: DeletionReceipt) async throws
        -> AccountDelete.Outcome
    {
        let bytes = try await AccountBytes(of: session.user, in: session.tenant).first(from: database) ?? 0
        let isLong = bytes > AccountDelete.ordinaryBytesMax
        if isLong, longDeletions >= Self.longDeletionsMax { throw Problem.overloaded }
        longDeletions += isLong ? 1 : 0
        defer { longDeletions -= isLong ? 1 : 0 }
        let unknown: DatabaseError
        do throws(DatabaseError) {
            guard isLong else { return try await delete.run(on: database) }
            let patient = shared.configuration.database.patient(AccountDelete.patience)
            let client = DatabaseClient(patient, on: loop)
            client.open()
            defer { client.close() }
            return try await delete.run(on: client)
        } catch {
            unknown = error
        }
        // The receipt was made for this deletion alone: its row proves that it happened.
        let done = AccountDeletionOne(receiptDigest: receipt.digest, of: session.tenant)
        guard unknown.code == .outcomeUnknown, try await done.first(from: database) != nil else { throw unknown }
        return .deleted(drawings: 0)
    }

    /// Of one loop at once.
    private static let longDeletionsMax = 4
}
