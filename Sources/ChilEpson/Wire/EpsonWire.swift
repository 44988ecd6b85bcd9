import ChilCore
import ChilHTTP
import ChilLoop

/// Sends requests to Epson Connect and reads what comes back. Not `Sendable`: it works on its loop.
struct EpsonWire {
    private static let connectPatience = Duration.seconds(8)
    private static let bytesMax = 1 << 20
    private static let limits = JSONLimits(bytesMax: bytesMax, depthMax: 12, valuesMax: 20_000)
    private static let codeBytesMax = 80

    private let loop: EventLoop

    init(on loop: EventLoop) {
        self.loop = loop
    }

    /// The answer, if it is one of success.
    func send(_ request: ClientRequest, _ guarding: AddressGuard, patience: Duration)
        async throws(EpsonFault) -> ClientResponse
    {
        var request = request
        request.patience = patience
        request.connectPatience = min(patience, Self.connectPatience)
        request.responseBytesMax = Self.bytesMax
        let response: ClientResponse
        do throws(ClientFailure) {
            response = try await HTTPClient(on: loop, guarding).send(request)
        } catch {
            throw error.mayHaveArrived ? .answerLost(error.description) : .unreachable(error.description)
        }
        guard 200...299 ~= response.statusCode else { throw Self.refusal(response) }
        // A page is from something that stands in between: nothing was done.
        if let type = response.head.field("Content-Type"),
            String(decoding: type, as: UTF8.self).lowercased().hasPrefix("text/html")
        {
            throw .answerLost("a page of something else")
        }
        return response
    }

    /// The members of an answer.
    static func members(_ response: ClientResponse) throws(EpsonFault) -> JSONObject {
        guard let members = try? StrictJSON.parse(response.body, limits: limits).object else {
            throw .answerLost("its answer is no JSON object")
        }
        return members
    }

    /// Only the code is taken over: what a message says may be anything.
    private static func refusal(_ response: ClientResponse) -> EpsonFault {
        let status = response.statusCode
        let members = try? StrictJSON.parse(response.body, limits: limits).object
        let said = members.flatMap { $0["code"]?.string ?? $0["error"]?.string } ?? ""
        let code = String(
            said.unicodeScalars.filter { $0.value > 0x20 && $0.value < 0x7F }.prefix(codeBytesMax).map(Character.init)
        )
        // What answers without the service's words may be a box in between, which has passed the request on or has not.
        if code.isEmpty, 500...599 ~= status || 300...399 ~= status { return .answerLost("status \(status)") }
        return .refused(status: status, code: code)
    }
}
