import ChilHTTP

/// An answer before it is one of HTTP.
struct EpsonReply {
    let status: Status
    let body: String

    init(_ status: Status, _ body: String = "") {
        self.status = status
        self.body = body
    }

    static func fault(_ status: Status, _ code: String) -> Self {
        Self(status, #"{"code":"\#(code)","message":"simulated: \#(code)"}"#)
    }

    /// RFC 6749 §5.2.
    static func oauth(_ code: String, _ status: Status = .badRequest) -> Self { Self(status, #"{"error":"\#(code)"}"#) }

    static let notFound = fault(.notFound, "not_found")

    var response: Response {
        if body.isEmpty { return Response(status) }
        return Response(status, "application/json", .bytes(Array(body.utf8)))
    }
}

/// What was asked, read.
struct EpsonAsk {
    let method: ChilHTTP.Method
    /// Between the slashes.
    let path: [String]
    let query: [String: String]
    let authorization: String
    let apiKey: String?
    let body: [UInt8]

    var isV1: Bool { path.count > 1 && path[0] == "api" && path[1] == "1" }
}
