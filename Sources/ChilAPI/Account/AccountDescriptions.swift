import ChilCore
import ChilHTTP
import ChilOpenAPI
import ChilStore

extension RouteDescription {
    static let me = RouteDescription(
        "getMe",
        .account,
        "The person who is signed in",
        parameters: [.ifNoneMatch],
        answers: [.json(.user, fields: [.entityTag], "The person."), .notModified(.entityTag)]
    )

    static let changeMe = RouteDescription(
        "changeMe",
        .account,
        "Changes the person's name: a merge patch (RFC 7396)",
        parameters: [.ifMatch],
        body: .mergePatch(namePatch),
        answers: [.json(.user, fields: [.entityTag], "The person as they are now.")],
        refusing: [
            .malformedJSON, .invalidFields, .unsupportedMediaType, .preconditionRequired, .preconditionFailed,
        ]
    )

    private static let namePatch = Component(
        "NamePatch",
        .object([
            .omissible("givenName", .text(TextRule(bytesMax: 200, allowsTurns: false)).example("Ann")),
            .omissible("familyName", .text(TextRule(bytesMax: 200, allowsTurns: false))),
        ])
        .described("`null` removes a name; one that is left out stays.")
    )

    static let deleteMe = RouteDescription(
        "deleteMe",
        .account,
        "Deletes the account and all that is kept of it",
        answers: [
            .json(
                .accepted,
                Component(
                    "DeletionReceipt",
                    .object([.required("receipt", .receipt), .required("deletedAt", .moment)])
                ),
                fields: [.location],
                "It is gone; what the identity provider gave is revoked after this."
            )
        ]
    )

    static let accountDeletion = RouteDescription(
        "getAccountDeletion",
        .account,
        "What became of a deletion, for whoever has the receipt",
        answers: [
            .json(
                Component(
                    "AccountDeletion",
                    .object([
                        .required("state", .constant("deleted")),
                        .required("deletedAt", .moment),
                        .required("providerToken", .word(ChilStore.AccountDeletion.ProviderToken.self)),
                    ])
                ),
                "The deletion."
            )
        ]
    )

    static let exportMe = RouteDescription(
        "exportMe",
        .account,
        "All that is kept of the person, as a ZIP",
        answers: [
            AnswerForm(
                200,
                "The archive.",
                [Content("application/zip", nil)],
                fields: [
                    .cacheControl("no-store"),
                    AnswerField(
                        "Content-Disposition",
                        .text(pattern: #"attachment; filename="[a-z0-9-]+\.zip""#),
                        "A name for the file."
                    ),
                ]
            )
        ],
        refusing: [.exportRunning]
    )
}

extension Component {
    /// `UserJSON`.
    static let user = Component(
        "User",
        .object([
            .required("id", .number),
            .optional("email", .text.example("ann@example.org")),
            .optional("emailVerified", .flag),
            .optional("isPrivateEmail", .flag.described("Whether the address is one that the provider made.")),
            .optional("givenName", .text.example("Ann")),
            .optional("familyName", .text),
            .required("createdAt", .moment),
        ])
    )
}

extension Schema {
    static let receipt = Schema.text(pattern: "chl_dr_[A-Za-z0-9_-]+")
}
