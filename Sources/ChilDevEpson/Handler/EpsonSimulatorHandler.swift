import ChilCore
package import ChilHTTP
package import ChilLoop

/// Serves an `EpsonSimulator` on one loop. The same on the port for uploads: clients differ in what they make of `upload_uri`.
package final class EpsonSimulatorHandler: RequestHandler {
    private let simulator: EpsonSimulator
    private let loop: EventLoop
    private var isDone = false

    package init(_ simulator: EpsonSimulator, on loop: EventLoop) {
        self.simulator = simulator
        self.loop = loop
    }

    package func respond(to exchange: Exchange) async -> Response {
        let head = exchange.head
        var path = String(decoding: head.path, as: UTF8.self).split(separator: "/").map(String.init)
        if path.isEmpty { path = [""] }
        var query: [String: String] = [:]
        for item in (try? head.queryItems().items) ?? [] { query[item.name] = item.value }
        guard let body = try? await exchange.body(atMost: Self.bodyBytesMax) else {
            return EpsonReply.fault(.contentTooLarge, "payload_too_large").response
        }
        let ask = EpsonAsk(
            method: head.method,
            path: path,
            query: query,
            authorization: head.field("Authorization").map { String(decoding: $0, as: UTF8.self) } ?? "",
            apiKey: head.field("x-api-key").map { String(decoding: $0, as: UTF8.self) },
            body: body
        )
        if path[0] == "_simulator" { return await control(ask) }
        guard let operation = EpsonSimulatorState.operation(of: ask) else { return EpsonReply.notFound.response }
        let quirk = simulator.with { state in
            state.calls.append(operation)
            return state.takeQuirk(operation)
        }
        return await answer(ask, operation, quirk)
    }

    package func refusal(_ rejection: Rejection) -> Response {
        var response = EpsonReply.fault(rejection.status, "parse_error").response
        response.closes = true
        return response
    }

    package func background() async {
        while !isDone {
            for notice in simulator.takeNotices() {
                await post(notice.url, "application/json", Array(notice.body.utf8))
            }
            await loop.sleep(.milliseconds(100))
        }
    }

    package func requestsAreDone() { isDone = true }

    private func answer(_ ask: EpsonAsk, _ operation: EpsonOperation, _ quirk: EpsonQuirk?) async -> Response {
        switch quirk {
        case .cutBefore: return Self.cut
        case .internalError: return EpsonReply.fault(.internalServerError, "internal_server_error").response
        case .unavailable: return EpsonReply.fault(.serviceUnavailable, "service_unavailable").response
        case .rateLimit: return EpsonReply.fault(.forbidden, "rate_limit_exceeded").response
        case .expired: simulator.with { $0.access = [:] }
        case .garbage: return Response(.ok, "text/html", .bytes(Array("<html>Welcome to nginx!</html>".utf8)))
        case .slow: await loop.sleep(simulator.settings.silence)
        case .never:
            await loop.sleep(simulator.settings.silence)
            return Self.cut
        case .cutAfter, .mute, .late, .drip, nil: break
        }
        var reply = EpsonReply.notFound
        var redirect: String?
        if operation == .authorize {
            (reply, redirect) = simulator.with { $0.authorize(ask) }
        } else {
            reply = simulator.with { state in
                state.judged.append(operation)
                return state.reply(to: ask, operation)
            }
        }
        switch quirk {
        case .cutAfter: return Self.cut
        case .mute:
            await loop.sleep(simulator.settings.silence)
            return Self.cut
        case .late: await loop.sleep(simulator.settings.silence)
        case .drip:
            return Response(reply.status, "application/json", .stream(DripBody(simulator.settings.silence, loop)))
        case .cutBefore, .internalError, .unavailable, .rateLimit, .expired, .garbage, .slow, .never, nil: break
        }
        guard let redirect else { return reply.response }
        var response = Response(.found)
        response.add("Location", redirect)
        return response
    }

    // MARK: Besides what Epson has

    /// `GET /_simulator`, `POST /_simulator/paper?sheets=…`, `…/quirk?operation=…&name=…`, `…/scan` with a page.
    private func control(_ ask: EpsonAsk) async -> Response {
        switch (ask.method, ask.path.dropFirst().first) {
        case (.get, nil): return EpsonReply(.ok, Self.shown(simulator.facts)).response
        case (.post, "paper"):
            simulator.setSheets(ask.query["sheets"].flatMap { Int($0) })
            return EpsonReply(.noContent).response
        case (.post, "jam"):
            simulator.setJammed(ask.query["on"] == "true")
            return EpsonReply(.noContent).response
        case (.post, "connected"):
            simulator.setConnected(ask.query["on"] == "true")
            return EpsonReply(.noContent).response
        case (.post, "quirk"):
            guard let operation = ask.query["operation"].flatMap({ EpsonOperation(rawValue: $0) }),
                let quirk = ask.query["name"].flatMap({ EpsonQuirk(rawValue: $0) })
            else { return EpsonReply.fault(.badRequest, "validation_error").response }
            simulator.misbehave(operation, quirk)
            return EpsonReply(.noContent).response
        case (.post, "scan"):
            let push = EpsonPush(serial: simulator.settings.serial, pages: [("EPSON001.JPG", ask.body)])
            let urls = simulator.with { $0.destinations.filter { $0.type == "url" }.map(\.destination) }
            for url in urls { await post(url, EpsonPush.contentType, push.body) }
            return EpsonReply(.ok, "{\"pushedTo\":\(urls.count)}").response
        default: return EpsonReply.notFound.response
        }
    }

    private func post(_ text: String, _ type: String, _ body: [UInt8]) async {
        guard let url = HTTPURL(text) else { return }
        let client = HTTPClient(on: loop, AddressGuard(allowing: [.init(host: url.host, port: url.port)]))
        // Nobody waits for it: what is lost is lost, as with the real one.
        do throws(ClientFailure) {
            _ = try await client.send(ClientRequest(.post, url, fields: [("Content-Type", type)], body: [body]))
        } catch {}
    }

    private static func shown(_ facts: EpsonSimulator.Facts) -> String {
        #"{"simulator":true,"papers":\#(facts.papers.count),"jobs":\#(facts.jobs.count),"refreshes":\#(facts.refreshes),"#
            + #""reuses":\#(facts.reuses),"destinations":\#(facts.destinations.count)}"#
    }

    private static let bodyBytesMax = 21 << 20
    private static var cut: Response { Response(.ok, "application/json", .stream(CutBody())) }
}

private final class CutBody: BodyStream {
    func next() async -> BodyPiece { .broken }
}

/// Begins as an object, and never ends it.
private final class DripBody: BodyStream {
    private static let pause = Duration.milliseconds(100)

    private let loop: EventLoop
    private let countMax: Int64
    private let count = Locked<Int64>(0)

    init(_ length: Duration, _ loop: EventLoop) {
        self.loop = loop
        countMax = length.wholeMicroseconds / Self.pause.wholeMicroseconds
    }

    func next() async -> BodyPiece {
        let number = count.withLock { count in
            count += 1
            return count
        }
        guard number <= countMax else { return .broken }
        if number == 1 { return .bytes([UInt8(ascii: "{")]) }
        await loop.sleep(Self.pause)
        return .bytes([UInt8(ascii: " ")])
    }
}
