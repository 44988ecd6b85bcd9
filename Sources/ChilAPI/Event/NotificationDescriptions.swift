import ChilHTTP
import ChilOpenAPI

extension RouteDescription {
    static let notification = RouteDescription(
        "takeNotification",
        .signIn,
        "Takes what the identity provider tells of people",
        body: notificationBody,
        answers: [.empty(.ok, "It is stored, or was.")],
        refusing: [.invalidNotification, .identityProviderAway]
    )

    static let sharedNotification = RouteDescription(
        "takeSharedNotification",
        .signIn,
        "Takes what the identity provider tells of people of any tenant",
        body: notificationBody,
        answers: [.empty(.ok, "It is stored, or was.")],
        refusing: [.invalidNotification, .identityProviderAway, .tenantUnavailable]
    )

    /// Others' members, and whatever media type they call it.
    private static let notificationBody = Body.other([
        .json(
            Component(
                "ProviderNotification",
                .object([.required("payload", .text.described("A signed event: a JWT."))], isOpen: true)
            )
        )
    ])
}
