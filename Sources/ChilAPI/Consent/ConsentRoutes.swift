import ChilCore
import ChilHTTP
import ChilStore

extension APIService {
    /// `GET consents`: what the tenant asks the caller's guardian for, and what was said, the newest first.
    func consents(_ call: Call) async throws -> Response {
        let session = try await session(call)
        return try await consents(of: session, call, .ok)
    }

    /// `POST consents`: what a guardian said. 201 when it was written down, 200 when it held already; the answer is that of GET.
    func sayConsent(_ call: Call) async throws -> Response {
        let session = try await session(call)
        var fields = FieldReader(try await call.jsonObject())
        let scopes = fields.requiredList(
            "scopes",
            countMax: Self.scopesMax,
            "collect, or disclose: and the name of a party",
            ConsentScope.init
        )
        let isGiven = fields.requiredFlag("given")
        // Taking it back is no harder than giving it: nothing more has to be said.
        let guardian =
            isGiven ? fields.requiredText("guardian", Self.guardianRule) : fields.text("guardian", Self.guardianRule)
        let method = fields.choice("method", ConsentMethod.self)
        let versions: ClosedRange<Int64> = 1...Int64(Int32.max)
        let notice = isGiven ? fields.requiredInteger("notice", in: versions) : fields.integer("notice", in: versions)
        if isGiven, method == nil { fields.require("method") }
        try fields.finish()
        let say = ConsentSay(
            ConsentSay.Saying(
                scopes,
                isGiven: isGiven,
                guardian: guardian,
                method: method,
                notice: notice.map { Int32($0) }
            ),
            of: session.user,
            in: session.tenant,
            as: try ids.next(at: call.now),
            by: .user(requestID: call.id.text),
            audit: try ids.next(at: call.now),
            at: call.now
        )
        switch try await say.answer(from: database) {
        case .recorded: return try await consents(of: session, call, .created)
        case .unchanged: return try await consents(of: session, call, .ok)
        case .missing: throw Problem.unauthorized
        case .noSuchNotice:
            throw Problem.invalidFields([
                Problem.FieldFault(pointer: "/notice", detail: "This service has no notice of that version yet.")
            ])
        }
    }

    private func consents(of session: Session, _ call: Call, _ status: Status) async throws -> Response {
        let said = try await ConsentList(of: session.user, in: session.tenant).rows(from: database)
        let policy = call.tenant.consentPolicy
        var body = ByteWriter(capacity: 256 + said.count * 160)
        body.append("{\"notice\":")
        body.append(decimal: Int64(policy.notice))
        body.append(",\"required\":[")
        for (index, scope) in policy.scopes.enumerated() {
            let isMissing = try await ConsentMissing(scope, of: session.user, in: session.tenant).answer(from: database)
            body.append(index == 0 ? "{\"scope\":" : ",{\"scope\":")
            body.append(json: scope.description)
            body.append(",\"given\":")
            body.append(json: !isMissing)
            body.append("}")
        }
        body.append("],\"data\":[")
        for (index, record) in said.enumerated() {
            if index > 0 { body.append(",") }
            ConsentJSON.append(record, to: &body)
        }
        body.append("]}")
        return .json(status, &body)
    }

    static let scopesMax = 16
    static let guardianRule = TextRule(bytesMax: ConsentSay.guardianBytesMax)
}

/// Writes what was said of one scope; what was not said is left out.
enum ConsentJSON {
    static func append(_ record: ConsentRecord, to json: inout ByteWriter) {
        json.append("{\"consentId\":")
        json.append(decimal: record.id.rawValue)
        json.append(",\"scope\":")
        json.append(json: record.scope.description)
        json.append(",\"given\":")
        json.append(json: record.isGiven)
        if let method = record.method {
            json.append(",\"method\":")
            json.append(json: method.rawValue)
        }
        if let notice = record.notice {
            json.append(",\"notice\":")
            json.append(decimal: Int64(notice))
        }
        if let guardian = record.guardian {
            json.append(",\"guardian\":")
            json.append(json: guardian)
        }
        json.append(",\"at\":")
        json.append(json: record.at)
        json.append("}")
    }
}
