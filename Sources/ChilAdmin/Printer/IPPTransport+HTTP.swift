import ChilHTTP
import ChilPrint

extension IPPTransport {
    /// IPP over HTTP (RFC 8010 §3), to the printer that the operator named, wherever its address is.
    ///
    /// - Parameter client: one that may reach the printer's address; the call is made on its loop.
    init(over client: HTTPClient, to url: HTTPURL) {
        self.init { head, document throws(IPPTransportError) in
            let request = ClientRequest(
                .post,
                url,
                fields: [("Content-Type", "application/ipp")],
                body: [head] + (document.map { [$0] } ?? [])
            )
            let response: ClientResponse
            do throws(ClientFailure) {
                response = try await client.send(request)
            } catch {
                throw error.mayHaveArrived ? .answerLost(detail: "\(error)") : .notSent(detail: "\(error)")
            }
            guard response.statusCode == 200 else { throw .httpStatus(response.statusCode) }
            return response.body
        }
    }
}
