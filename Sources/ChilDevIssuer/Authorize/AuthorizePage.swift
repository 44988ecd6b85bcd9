import ChilCore
import ChilCrypto
import ChilHTTP

/// The pages that a person sees: who to be, why not, and on the way back.
enum AuthorizePage {
    /// Who signs in, as a plain form.
    static func question(_ request: AuthorizeRequest) -> Response {
        var html = HTML(title: "Sign in to \(request.clientID)")
        html.raw("<p>A stand-in for development. <b>")
        html.text(request.clientID)
        html.raw("</b> asks who you are, and answers go to <code>")
        html.text(request.redirectURI.authority)
        html.raw("</code>.</p><form method=\"post\" action=\"/auth/authorize\">")
        for (name, value) in request.fields { html.hidden(name, value) }
        html.raw("<p><label>Subject <input name=\"subject\" value=\"ann\" maxlength=\"255\" required></label></p>")
        html.raw("<fieldset><legend>E-mail</legend>")
        html.raw("<label><input type=\"radio\" name=\"email_kind\" value=\"real\" checked> share</label> ")
        html.raw("<input name=\"email\" value=\"ann@example.com\"><br>")
        html.raw(
            "<label><input type=\"radio\" name=\"email_kind\" value=\"hidden\"> hide (a relay address)</label><br>"
        )
        html.raw("<label><input type=\"radio\" name=\"email_kind\" value=\"none\"> none</label></fieldset>")
        html.raw("<p><label>First name <input name=\"given_name\" value=\"Ann\"></label> ")
        html.raw("<label>Last name <input name=\"family_name\" value=\"Example\"></label></p>")
        html.raw("<button name=\"action\" value=\"continue\">Continue</button> ")
        html.raw("<button name=\"action\" value=\"cancel\" formnovalidate>Cancel</button></form>")
        return html.response(.ok)
    }

    /// Why nobody can sign in here.
    static func refusal(_ error: OAuthError) -> Response {
        var html = HTML(title: error.code.rawValue)
        html.raw("<h1>")
        html.text(error.code.rawValue)
        html.raw("</h1><p>")
        html.text(error.text)
        html.raw("</p>")
        return html.response(.badRequest)
    }

    /// Back to the client, with what it is told.
    static func back(to request: AuthorizeRequest, _ answer: [(name: String, value: String)]) -> Response {
        if request.mode == .formPost { return post(answer, to: request.redirectText) }
        let pairs = answer.map { "\($0)=\(PercentCoding.encode($1))" }.joined(separator: "&")
        let mark = request.mode == .fragment ? "#" : request.redirectText.contains("?") ? "&" : "?"
        var response = Response(.seeOther)
        response.add("Location", request.redirectText + mark + pairs)
        response.add("Cache-Control", "no-store")
        return response
    }

    private static func post(_ fields: [(name: String, value: String)], to target: String) -> Response {
        var html = HTML(title: "Back to the app")
        html.raw("<form method=\"post\" action=\"")
        html.text(target)
        html.raw("\">")
        for (name, value) in fields { html.hidden(name, value) }
        html.raw("<noscript><button>Continue</button></noscript></form><script>\(script)</script>")
        return html.response(.ok, script: scriptHash)
    }

    private static let script = "document.forms[0].submit()"
    private static let scriptHash =
        "'sha256-\(String(decoding: Base64.encode(SHA256.digest(of: Array(script.utf8)).bytes), as: UTF8.self))'"
}
