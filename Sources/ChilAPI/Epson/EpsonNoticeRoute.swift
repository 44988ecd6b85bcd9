import ChilCore
import ChilHTTP
import ChilOpenAPI
import ChilStore

extension APIService {
    /// More than Epson's service sends by far.
    private static let noticeBytesMax = 16 << 10

    /// `POST epson/{token}`: Epson's service says that a job has changed. It does not sign that, so nothing of it is believed: the printer's
    /// job is asked for at Epson at once, instead of a little later.
    ///
    /// An address that is wrong looks like none at all, before a byte of the body is read; one that is right is answered alike, whatever the
    /// printer has to do.
    func takeEpsonNotice(_ call: Call) async throws -> Response {
        // Made like a scanner's address: as long, and as hard to guess.
        guard let token = call.captures.text(1, of: call.head).flatMap({ ScanToken(text: $0) }) else {
            throw Problem.notFound
        }
        let take = EpsonNoticeTake(token.digest, of: call.tenant.id, at: call.now)
        guard try await take.answer(from: database) else { throw Problem.notFound }
        work.workWasQueued()
        try await call.admission.admitTenant(call.tenant.id, limiter)
        do {
            _ = try await call.exchange.body(atMost: Self.noticeBytesMax)
        } catch {
            throw Problem.rejected(error, bytesMax: Self.noticeBytesMax)
        }
        return Response(.ok)
    }
}

extension RouteDescription {
    static let epsonNotice = RouteDescription(
        "takeEpsonNotice",
        .printing,
        "Takes Epson's word that a print has changed",
        """
        Registered at Epson Connect by the service itself. Nothing of the body is believed: the print is asked for at Epson at once. Who has the \
        address needs no more; a wrong one is answered 404.
        """,
        body: .other([.json(Component("EpsonNotice", .object([], isOpen: true)))]),
        answers: [.empty(.ok, "The print is looked at, if there is one.")],
        security: ChilOpenAPI.Operation.Security.none
    )
}
