import Foundation
import Testing

/// The first app, byte by byte as its HTTP library (Alamofire 5 over URLSession) sends it, and what it makes of the answers: JSON is parsed
/// whatever the status, and no call has `Authorization`.
struct FirstApp {
    /// One entry of a list that it shows; it drops those without an integer `drawingId` or a `url`.
    struct Shown: Equatable {
        let drawingID: Int
        let url: String
    }

    let service: Service
    let slug: String

    private static let library: [(name: String, value: String)] = [
        ("Accept", "*/*"), ("Connection", "keep-alive"),
        ("User-Agent", "EpsonChillin/1.0 (com.epson.chillin; build:1; iOS 17.5.1) Alamofire/5.9.1"),
        ("Accept-Language", "ko-KR;q=1.0, en-KR;q=0.9"), ("Accept-Encoding", "br;q=1.0, gzip;q=0.9, deflate;q=0.8"),
    ]

    func request(_ method: String, _ path: String, json: String? = nil) -> Request {
        var request = Request(method, "/\(slug)/\(path)")
        // The app sets it on every call, on those without a body too.
        request.fields = [("Content-Type", "application/json")] + Self.library
        request.body = json.map { Array($0.utf8) }
        return request
    }

    func send(_ method: String, _ path: String, json: String? = nil) throws -> Answer {
        try service.send(request(method, path, json: json))
    }

    /// What its gallery shows of a page: the entries that it can use. An empty page ends the paging.
    func gallery(_ type: String, page: Int) throws -> [Shown] {
        let answer = try send("GET", "drawings?page=\(page)&type=\(type)")
        let entries = try answer.members["data"] as? [[String: Any]] ?? []
        return entries.compactMap { entry in
            guard let id = entry["drawingId"] as? Int, let url = entry["url"] as? String else { return nil }
            return Shown(drawingID: id, url: url)
        }
    }

    /// Its picture view: a URL, and no header of ours.
    func load(_ url: String) throws -> Answer {
        let path = try #require(URLComponents(string: url))
        #expect(path.scheme == "https" && path.host == "api.example.test")
        var request = Request("GET", path.percentEncodedPath + "?" + (path.percentEncodedQuery ?? ""))
        request.fields = [
            ("Accept", "image/*,*/*;q=0.8"), ("User-Agent", "EpsonChillin/1 CFNetwork/1496.0.7 Darwin/23.5.0"),
        ]
        return try service.send(request)
    }

    /// `response.response?.statusCode == 200`, exactly.
    func prints(_ drawing: Int, scale: String? = nil) throws -> Answer {
        let scale = scale.map { ",\"scale\":\"\($0)\"" } ?? ""
        return try send("POST", "drawings/print", json: "{\"drawingId\":\(drawing)\(scale)}")
    }
}

/// A tenant with a guest, and what the guest has.
struct GuestTenant {
    let tenant: Tenant
    let bed: TestBed

    init(_ bed: TestBed, _ slug: String) throws {
        self.bed = bed
        tenant = Tenant(slug: slug)
        try bed.administration.add(tenant, bed.issuer)
        try bed.administration.run("tenant update \(slug) --guest on")
    }

    func app(_ form: ServiceForm = .implicitNamed) throws -> FirstApp {
        FirstApp(service: try bed.service(form), slug: tenant.slug)
    }

    /// Somebody's drawing becomes the guest's: what generation will make.
    func give(_ drawing: Int, as kind: String = "GENERATED") throws {
        try bed.query(
            """
            with tenant as (select tenant_id, guest_user_id from tenant where slug = '\(tenant.slug)')
            insert into image (tenant_id, owner_id, hash, byte_count, media_type, width, height, chunk_count, bytes)
            select i.tenant_id, t.guest_user_id, i.hash, i.byte_count, i.media_type, i.width, i.height, i.chunk_count, i.bytes
              from tenant t join drawing d on d.tenant_id = t.tenant_id and d.drawing_id = \(drawing)
              join image i on i.tenant_id = d.tenant_id and i.owner_id = d.owner_id and i.hash = d.image_hash
            """
        )
        try bed.query(
            """
            update drawing d set owner_id = t.guest_user_id, kind = '\(kind)', prompt = '달 위의 고양이'
              from tenant t where t.slug = '\(tenant.slug)' and d.tenant_id = t.tenant_id and d.drawing_id = \(drawing)
            """
        )
    }

    /// A drawing of the guest's.
    func makeDrawing(as kind: String = "GENERATED", _ picture: [UInt8] = Picture.png()) throws -> Int {
        let app = try App(try bed.service(), tenant, bed.issuer)
        let answer = try app.service.send(app.upload(picture))
        try #require(answer.status == 201, "\(answer.text)")
        let drawing = try answer.int("drawingId")
        try give(drawing, as: kind)
        return drawing
    }
}
