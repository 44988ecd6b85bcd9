import ChilHTTP
import ChilStore

extension Problem {
    /// The tenant asks for a guardian's consent first. The app shows the notice of that version and sends what was said.
    static func consentRequired(_ lack: ConsentLack) -> Problem {
        let what =
            switch lack.scope {
            case .collect: "keeping the child's pictures"
            case .disclose(let party): "handing the child's pictures to \(party)"
            }
        return Problem(
            status: .forbidden,
            code: .consentRequired,
            title: "Consent required",
            detail:
                "Ask the child's guardian for consent to \(what) under notice \(lack.notice), and send it: POST consents.",
            lack: lack
        )
    }
}
