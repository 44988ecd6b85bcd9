import ChilCore
import ChilHTTP
import ChilOpenAPI
import ChilStore

extension RouteDescription {
    static let refresh = RouteDescription(
        "refresh",
        .signIn,
        "New tokens for a refresh token",
        "A refresh token gives the same answer until the one it gave is used, and a minute more; after that its use ends the session.",
        body: .json(
            Component("RefreshRequest", .object([.required("refreshToken", .text(TextRule(bytesMax: 512)))]))
        ),
        answers: [.json(.issuedTokens, "The next tokens.")],
        refusing: [.invalidRefreshToken]
    )

    static let logout = RouteDescription(
        "logout",
        .signIn,
        "Ends sessions",
        "Good for an access token whose time is over, and when nobody is signed in any more.",
        body: .optionalJSON(
            Component(
                "LogoutRequest",
                .object([
                    .omissible(
                        "scope",
                        .word(SessionsEnd.Scope.self).described(
                            "This session (`local`), all others, or all of the person's."
                        )
                    )
                ])
            )
        ),
        answers: [.empty(.noContent, "They are ended, or were.")],
        security: .optionalBearer
    )

    static let listSessions = RouteDescription(
        "listSessions",
        .signIn,
        "The caller's live sessions, the one used last first",
        answers: [.json(.sessionList, "The sessions.")]
    )

    static let endSession = RouteDescription(
        "endSession",
        .signIn,
        "Ends one of the caller's sessions",
        answers: [.empty(.noContent, "It is ended.")]
    )
}

extension Component {
    fileprivate static let sessionList = Component(
        "SessionList",
        .object([.required("data", .list(of: .reference(session), 0...Int64(SessionsOfUser.countMax)))])
    )

    /// `SessionJSON`.
    fileprivate static let session = Component(
        "Session",
        .object([
            .required("id", .number),
            .optional("deviceName", .text.example("Ann's tablet")),
            .required("createdAt", .moment),
            .required("lastUsedAt", .moment),
            .optional("ip", .text.example("198.51.100.7")),
            .optional("userAgent", .text),
            .required("current", .flag.described("Whether it is the one that asks.")),
        ])
    )
}
