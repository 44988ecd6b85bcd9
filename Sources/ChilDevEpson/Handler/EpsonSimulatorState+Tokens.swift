import ChilCore
import ChilHTTP

extension EpsonSimulatorState {
    /// What is asked; `nil`: there is nothing at that path.
    static func operation(of ask: EpsonAsk) -> EpsonOperation? {
        let path = ask.path
        switch (path.first, path.count) {
        case ("data", 1): return .upload
        case ("auth", 2) where path[1] == "authorize": return .authorize
        case ("auth", 2) where path[1] == "token": return .token
        case ("api", 4...):
            if path[2] == "scanning" { return .destinations }
            if path[3] == "oauth2" { return .token }
            if path.contains("capability") { return .capability }
            if path.contains("notification") { return .notification }
            switch path.last {
            case "print": return .print
            case "cancel": return .cancel
            case "jobs": return .create
            default: return path.contains("jobs") ? .job : .device
            }
        default: return nil
        }
    }

    mutating func reply(to ask: EpsonAsk, _ operation: EpsonOperation) -> EpsonReply {
        switch operation {
        case .authorize: return .notFound
        case .token: return ask.isV1 ? tokenV1(ask) : tokenV2(ask)
        case .upload: return upload(ask)
        case .notification where !ask.isV1:
            guard applicationAccess.contains(Self.bearer(ask)) else { return .fault(.unauthorized, "unauthorized") }
            return notification(ask)
        default: break
        }
        let isOurs = access[Self.bearer(ask)].map { $0 > now } ?? false
        guard isOurs, ask.isV1 || ask.apiKey == settings.apiKey else {
            return ask.isV1
                ? .fault(.unauthorized, "access_token_verification_failed") : .fault(.unauthorized, "unauthorized")
        }
        // Of generation 1 the path names the printer.
        if ask.isV1, ask.path.count < 5 || ask.path[4] != settings.deviceID { return .notFound }
        switch operation {
        case .device: return device(ask)
        case .capability: return capability(ask)
        case .create: return create(ask)
        case .print: return print(ask)
        case .job: return job(ask)
        case .cancel: return cancel(ask)
        case .notification: return notification(ask)
        case .destinations: return destinations(ask)
        case .authorize, .token, .upload: return .notFound
        }
    }

    /// The owner agrees at once, and has one printer.
    mutating func authorize(_ ask: EpsonAsk) -> (EpsonReply, redirect: String?) {
        guard ask.query["client_id"] == settings.clientID, ask.query["response_type"] == "code",
            ask.query["scope"] == "device", let redirect = ask.query["redirect_uri"], let url = HTTPURL(redirect),
            url.host != "localhost"
        else { return (.oauth("invalid_client"), nil) }
        let joined = redirect.contains("?") ? "&" : "?"
        let state = ask.query["state"].map { "&state=\(PercentCoding.encode($0))" } ?? ""
        guard isAllowed else { return (.notFound, "\(redirect)\(joined)error=not_registered\(state)") }
        let code = word("code")
        codes[code] = redirect
        return (.notFound, "\(redirect)\(joined)code=\(code)\(state)")
    }

    private mutating func tokenV1(_ ask: EpsonAsk) -> EpsonReply {
        guard isClient(ask) else { return .oauth("invalid_client", .unauthorized) }
        let form = Self.form(ask)
        var refreshed = ""
        switch form["grant_type"] {
        case "password":
            guard ask.query["subject"] == "printer", form["username"] == settings.address, isAllowed else {
                return .oauth("invalid_grant")
            }
            let refresh = word("refresh")
            refreshV1.insert(refresh)
            refreshed = #","refresh_token":"\#(refresh)""#
        // Without a new refresh token: the old one stays good.
        case "refresh_token":
            guard let refresh = form["refresh_token"], refreshV1.contains(refresh), isAllowed else {
                return .oauth("invalid_grant")
            }
        default: return .oauth("unsupported_grant_type")
        }
        return EpsonReply(
            .ok,
            #"{"token_type":"Bearer","access_token":"\#(newAccess())","expires_in":\#(settings.tokenLifetime.components.seconds)\#(refreshed),"subject_type":"printer","subject_id":"\#(settings.deviceID)"}"#
        )
    }

    private mutating func tokenV2(_ ask: EpsonAsk) -> EpsonReply {
        guard isClient(ask) else { return .oauth("invalid_client", .unauthorized) }
        let form = Self.form(ask)
        switch form["grant_type"] {
        case "authorization_code":
            guard let code = form["code"], let redirect = codes.removeValue(forKey: code),
                form["redirect_uri"] == redirect, form["client_id"] == settings.clientID
            else { return .oauth("invalid_grant") }
            return granted()
        case "refresh_token":
            let shown = form["refresh_token"] ?? ""
            if usedRefresh.contains(shown) {
                // Two have it: neither is trusted any more.
                reuseCount += 1
                refresh = nil
                access = [:]
                return .oauth("invalid_grant")
            }
            guard shown == refresh, isAllowed else { return .oauth("invalid_grant") }
            refreshCount += 1
            usedRefresh.insert(shown)
            return granted()
        case "client_credentials":
            let token = word("application")
            applicationAccess.insert(token)
            return EpsonReply(.ok, #"{"token_type":"Bearer","access_token":"\#(token)","expires_in":3600}"#)
        default: return .oauth("unsupported_grant_type")
        }
    }

    private mutating func granted() -> EpsonReply {
        let next = word("refresh")
        refresh = next
        return EpsonReply(
            .ok,
            #"{"token_type":"Bearer","access_token":"\#(newAccess())","refresh_token":"\#(next)","scope":"device","expires_in":\#(settings.tokenLifetime.components.seconds)}"#
        )
    }

    private mutating func newAccess() -> String {
        let token = word("access")
        access[token] = now + settings.tokenLifetime
        return token
    }

    private func isClient(_ ask: EpsonAsk) -> Bool {
        guard ask.authorization.hasPrefix("Basic "), let bytes = Base64.decode(String(ask.authorization.dropFirst(6)))
        else { return false }
        return bytes == Array("\(settings.clientID):\(settings.clientSecret)".utf8)
    }

    private static func bearer(_ ask: EpsonAsk) -> String {
        ask.authorization.hasPrefix("Bearer ") ? String(ask.authorization.dropFirst(7)) : ""
    }

    private static func form(_ ask: EpsonAsk) -> [String: String] {
        var form: [String: String] = [:]
        for item in (try? QueryItems(ask.body[...], isForm: true).items) ?? [] { form[item.name] = item.value }
        return form
    }
}
