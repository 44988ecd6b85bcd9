import ChilCore
import ChilHTTP
import ChilMediaTestSupport
import ChilTestSupport
import Foundation
import Testing

/// A tenant whose wishes are drawn by a service that does as it is told.
struct Studio {
    let tenant: Tenant
    let standIn: ImageServiceStandIn

    /// - Parameters:
    ///   - kinds: of the services that are added, all at the stand-in; `nil`: none is.
    ///   - flags: of the first one.
    init(
        _ slug: String,
        kinds: [String] = ["openai"],
        flags: String = "",
        _ answer: @escaping @Sendable (ImageServiceStandIn.Request) -> ImageServiceStandIn.Answer = { _ in
            Studio.drawn()
        }
    ) throws {
        let bed = try TestBed.required
        tenant = Tenant(slug: slug)
        standIn = try ImageServiceStandIn(answer)
        try bed.administration.add(tenant, bed.issuer)
        for (place, kind) in kinds.enumerated() {
            try bed.administration.run(
                "generator add \(slug) --kind \(kind) --url \(standIn.url)/\(place) --allow-private \(standIn.authority)"
                    + (place == 0 && !flags.isEmpty ? " \(flags)" : "")
            )
        }
    }

    func app(_ service: Service? = nil) throws -> App {
        let bed = try TestBed.required
        return try App(try service ?? bed.service(), tenant, bed.issuer)
    }

    /// A page with lines, another for each shade.
    static func page(shade: Int = 0) -> [UInt8] {
        var maker = PNGMaker(width: 96, height: 96) { column, _ in [column % 12 < 2 ? shade : 255] }
        maker.colourType = 0
        return maker.file()
    }

    static func drawn(_ bytes: [UInt8] = page()) -> ImageServiceStandIn.Answer {
        .json(
            .ok,
            #"{"data":[{"b64_json":"\#(String(decoding: Base64.encode(bytes), as: UTF8.self))","revised_prompt":"a tabby"}]}"#
        )
    }
}

extension App {
    func wish(_ text: String, style: String? = nil) -> Request {
        var json = ByteWriter(capacity: 128)
        json.append("{\"prompt\":")
        json.append(json: text)
        if let style {
            json.append(",\"style\":")
            json.append(json: style)
        }
        json.append("}")
        return request("POST", "drawings/gen", json: String(decoding: json.finish(), as: UTF8.self))
    }

    func draw(_ text: String) throws -> Answer { try service.send(wish(text)) }

    /// Waits until a drawing that was begun is ready or has failed.
    func settled(_ drawing: Int) throws -> Answer {
        var answer = try send("GET", "drawings/\(drawing)")
        _ = try waitUntil(.seconds(60)) {
            answer = try send("GET", "drawings/\(drawing)")
            return try answer.string("status") != "PENDING"
        }
        return answer
    }
}
