import ChilCore
import ChilExport
import ChilHTTP
import ChilS3
import ChilStore

extension APIService {
    /// `GET me/export`: a ZIP of all that is kept of the caller, made as it is taken.
    func exportMe(_ call: Call) async throws -> Response {
        let session = try await session(call)
        guard try await UserOne(session.user, of: session.tenant).first(from: database) != nil else {
            throw Problem.unauthorized
        }
        let isHead = call.head.method == .head
        guard let place = isHead ? ExportRoom.Place() : exports.place(for: session) else {
            throw exports.isFull(for: session.tenant) ? Problem.overloaded : Problem.exportRunning
        }
        if !isHead {
            let user = session.user
            try await AuditAdd(
                "account.export",
                on: "\(user.rawValue)",
                in: session.tenant,
                by: .user(user, requestID: call.id.text),
                audit: try ids.next(at: call.now),
                at: call.now
            ).touched(on: database)
        }
        let archive = AccountArchive(
            of: session.user,
            in: session.tenant,
            service: "\(shared.configuration.publicURL)/\(call.tenant.slug.text)",
            at: call.now,
            from: database,
            objects: shared.configuration.s3.map { S3Client($0, on: loop) }
        )
        // HEAD's answer has the same head, and nobody asks for the body.
        var response = Response(
            .ok,
            "application/zip",
            .stream(
                ExportSource(
                    archive,
                    in: place,
                    while: SessionWatch(session, database, on: loop),
                    shared.log,
                    call.id.text
                )
            )
        )
        response.add(
            "Content-Disposition",
            "attachment; filename=\"\(call.tenant.slug.text)-\(session.user.rawValue).zip\""
        )
        response.add("Cache-Control", "no-store")
        return response
    }
}
