import ChilCrypto
import ChilHTTP
import ChilLoop

/// Posts to one printer over HTTP (RFC 8010 §3), on a fresh connection each time. The operator named the printer, so its address may be
/// private.
struct PrinterPost {
    let url: HTTPURL
    let port: UInt16
    let loop: EventLoop
    let patience: Duration
    let identity: PrinterIdentity
    let framing: PrinterFraming

    /// A document that is made while it is sent has so long; each of its pieces as long as any request.
    private static let documentPatience = Duration.seconds(600)

    func exchange(_ head: [UInt8], _ document: PrintBody?) async throws(IPPTransportError) -> [UInt8] {
        switch (framing.manner, document) {
        case (.untried, .none) where Self.changesNothing(head): return try await tried(head)
        case (.untried, _), (.length, _), (.chunked, .none): break
        case (.chunked, .some(let document)):
            if let answer = try await sentInChunks(head, document) { return answer }
        }
        return try Self.body(of: await post(head, document, inChunks: false))
    }

    /// Get-Printer-Attributes may be asked as often as one likes.
    private static func changesNothing(_ head: [UInt8]) -> Bool {
        head.count >= 8 && head[2] == 0 && head[3] == UInt8(IPPPrinter.Operation.getPrinterAttributes.rawValue)
    }

    /// A question in chunks, and with a length if that leads nowhere.
    private func tried(_ head: [UInt8]) async throws(IPPTransportError) -> [UInt8] {
        do {
            let response = try await post(head, nil, inChunks: true)
            if response.statusCode == 200, Self.isUnderstood(response.body, head) {
                await framing.showed(.chunked)
                return response.body
            }
        } catch {
            guard case .answerLost = error else { throw error }
        }
        let answer = try Self.body(of: await post(head, nil, inChunks: false))
        await framing.showed(.length)
        return answer
    }

    /// Some read an empty body where there are chunks, and answer that.
    private static func isUnderstood(_ answer: [UInt8], _ head: [UInt8]) -> Bool {
        answer.count >= 8 && answer[4..<8] == head[4..<8] && (answer[2] < 4 || answer[2] == 5 && answer[3] == 3)
    }

    /// `nil`: HTTP refused chunks, so nothing of it was done, and it may be sent again. What was cut off may have arrived: that is told, and
    /// the next time there is a length.
    private func sentInChunks(_ head: [UInt8], _ document: PrintBody) async throws(IPPTransportError) -> [UInt8]? {
        do {
            let response = try await post(head, document, inChunks: true)
            guard response.statusCode == 411 || response.statusCode == 400 else { return try Self.body(of: response) }
        } catch {
            if case .answerLost = error { await framing.showed(.length) }
            throw error
        }
        await framing.showed(.length)
        return nil
    }

    /// A printer that is met for the first time is asked twice: before its key is kept nothing is sent to it.
    private func post(_ head: [UInt8], _ document: PrintBody?, inChunks: Bool) async throws(IPPTransportError)
        -> ClientResponse
    {
        var request = ClientRequest(.post, url, fields: [("Content-Type", "application/ipp")], body: [head])
        request.responseBytesMax = 1 << 20
        request.patience = patience
        request.bodyPatience = max(patience, Self.documentPatience)
        request.connectPatience = min(patience, .seconds(30))
        var byteCount: Int?
        if !inChunks, let document {
            do { byteCount = try await document.byteCount() } catch {
                throw .notSent(detail: "the pages can't be made: \(error)")
            }
        }
        let client = HTTPClient(on: loop, AddressGuard(allowing: [AddressGuard.Exception(host: url.host, port: port)]))
        for _ in 0..<2 {
            request.trust = .pinned(identity.pin)
            var pieces = document?.begun()
            let body = ClientBody(byteCount: byteCount) { try await pieces?.next() }
            let failure: ClientFailure
            do throws(ClientFailure) {
                let response = try await client.send(request, followedBy: inChunks || document != nil ? body : nil)
                if let certificate = response.certificate { await identity.saw(nil, certificate) }
                return response
            } catch {
                failure = error
            }
            switch (failure.code, failure.certificate) {
            case (.certificateUnknown, .some(let certificate)):
                guard await identity.met(certificate) else {
                    throw .notSent(detail: "its certificate could not be kept")
                }
            case (.certificateChanged, .some(let certificate)):
                await identity.saw(.changed, certificate)
                throw .certificateChanged
            case (.certificateExpired, .some(let certificate)):
                await identity.saw(.expired, certificate)
                throw .certificateExpired
            default:
                throw failure.mayHaveArrived
                    ? .answerLost(detail: failure.description) : .notSent(detail: failure.description)
            }
        }
        throw .notSent(detail: "its certificate is not known")
    }

    private static func body(of response: ClientResponse) throws(IPPTransportError) -> [UInt8] {
        guard response.statusCode == 200 else { throw .httpStatus(status(of: response)) }
        return response.body
    }

    /// Some firmware sends whoever comes in the clear to its TLS address instead of saying 426.
    private static func status(of response: ClientResponse) -> Int {
        let isRedirected = (301...308).contains(response.statusCode)
        let place = response.head.text(.location) ?? ""
        return isRedirected && place.lowercased().hasPrefix("https://") ? 426 : response.statusCode
    }
}
