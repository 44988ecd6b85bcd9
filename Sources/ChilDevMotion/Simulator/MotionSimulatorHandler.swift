import ChilCore
package import ChilHTTP
package import ChilLoop
import ChilMedia
import ChilMotion

/// Serves a `MotionSimulator` on one loop, under the path that the real service has.
package final class MotionSimulatorHandler: RequestHandler {
    private let simulator: MotionSimulator
    private let loop: EventLoop

    package init(_ simulator: MotionSimulator, on loop: EventLoop) {
        self.simulator = simulator
        self.loop = loop
    }

    package func respond(to exchange: Exchange) async -> Response {
        let path = String(decoding: exchange.head.path, as: UTF8.self)
        switch (exchange.head.method, path) {
        case (.get, "/ping"): return Self.json(.ok, #"{"status":"Healthy","service":"simulator"}"#)
        case (.post, "/motion"): return Self.redirect(to: "/motion/")
        case (.post, "/motion/"): return await move(exchange)
        default: return Self.json(.notFound, #"{"detail":"Not Found"}"#)
        }
    }

    package func refusal(_ rejection: Rejection) -> Response {
        var response = Self.json(rejection.status, #"{"detail":"Bad Request"}"#)
        response.closes = true
        return response
    }

    private func move(_ exchange: Exchange) async -> Response {
        guard let boundary = exchange.head.mediaType?.boundary,
            let body = try? await exchange.body(atMost: Self.formBytesMax),
            let form = try? MultipartForm(body, boundary: boundary),
            let picture = form["image"].map({ Array(body[$0.content]) }),
            let word = form[simulator.field.rawValue].map({ String(decoding: body[$0.content], as: UTF8.self) })
        else { return Self.fieldMissing }
        let quirk = simulator.take(MotionSimulator.Call(picture: picture, motion: word))
        if let quirk, let response = await instead(quirk) { return response }
        await simulator.turn()
        defer { simulator.isAnswered() }
        // As the real one: whatever word it does not know is a dance.
        guard let moving = MovingPicture(png: picture) else { return Self.failed("cannot identify image file") }
        let gif = moving.gif(MotionType(word: word) ?? .dance)
        switch quirk {
        case .half: return Response(.ok, "image/gif", .source(HalfBody(gif)))
        case .cut: return Response(.ok, "image/gif", .bytes(Array(gif[..<(gif.count / 2)])))
        default: return Response(.ok, "image/gif", .bytes(gif))
        }
    }

    /// The answer of a service that makes no GIF; `nil`: it makes one.
    private func instead(_ quirk: MotionQuirk) async -> Response? {
        switch quirk {
        case .half, .cut: return nil
        case .slow:
            await loop.sleep(.seconds(30))
            return nil
        case .drop: return Response(.ok, "image/gif", .stream(NoBody()))
        case .still: return Response(.ok, "image/gif", .bytes(Self.stillGIF))
        case .gigantic: return Response(.ok, "image/gif", .stream(EndlessBody()))
        case .garbage:
            return Response(.ok, "image/gif", .bytes((0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 31) }))
        case .html: return Response(.ok, "text/html", .bytes(Array("<html><body>Welcome to nginx!</body></html>".utf8)))
        case .redirect: return Self.redirect(to: "http://169.254.169.254/latest/meta-data/")
        case .gifNotFound: return Self.json(.ok, #"{"error":"gif not found"}"#)
        case .field: return Self.fieldMissing
        case .noHumanoid:
            return Self.failed("AssertionError: Could not detect any drawn humanoids in the image. Aborting")
        case .noSkeleton:
            return Self.failed(
                "Could not detect any skeletons within the character bounding box. Expected exactly 1. Aborting."
            )
        case .twoSkeletons:
            return Self.failed("Detected 2 skeletons with the character bounding box. Expected exactly 1. Aborting.")
        case .noContour: return Self.failed("Found no contours within image")
        case .channels: return Self.failed("AssertionError: image must have 3 channels (rgb). Found 4")
        case .torchserve:
            return Self.failed(
                "Failed to get bounding box, please check if the 'docker_torchserve' is running and healthy, resp: 503"
            )
        case .internalError: return Self.failed("Internal Server Error")
        case .busy: return Response(.serviceUnavailable, "text/plain", .bytes(Array("busy".utf8)))
        }
    }

    private static let formBytesMax = 32 << 20
    private static let stillGIF: [UInt8] = {
        var writer = GIFWriter(width: 2, height: 2, palette: [UInt8](repeating: 0, count: 768))
        writer.add([0, 1, 2, 3], hundredths: 10)
        return writer.finish()
    }()

    private static var fieldMissing: Response {
        json(
            .unprocessableContent,
            #"{"detail":[{"type":"missing","loc":["body","motionType"],"msg":"Field required","input":null}]}"#
        )
    }

    private static func failed(_ text: String) -> Response {
        Response(.internalServerError, "text/plain; charset=utf-8", .bytes(Array(text.utf8)))
    }

    private static func json(_ status: Status, _ text: String) -> Response {
        Response(status, "application/json", .bytes(Array(text.utf8)))
    }

    private static func redirect(to place: String) -> Response {
        var response = Response(.temporaryRedirect)
        response.add("Location", place)
        return response
    }
}

/// The first half of a body whose length is announced as a whole.
private final class HalfBody: BodySource, @unchecked Sendable {
    let byteCount: Int
    private var half: [UInt8]?

    init(_ bytes: [UInt8]) {
        byteCount = bytes.count
        half = Array(bytes[..<(bytes.count / 2)])
    }

    func next() async -> [UInt8]? {
        defer { half = nil }
        return half
    }
}

private final class NoBody: BodyStream {
    func next() async -> BodyPiece { .broken }
}

/// More than anybody takes.
private final class EndlessBody: BodyStream, @unchecked Sendable {
    private var left = 64

    func next() async -> BodyPiece {
        left -= 1
        return left < 0 ? .end : .bytes([UInt8](repeating: 0x47, count: 1 << 20))
    }
}
