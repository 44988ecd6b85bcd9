import ChilHTTP
import ChilOpenAPI
import ChilStore

extension RouteDescription {
    static let retention = RouteDescription(
        "getRetention",
        .account,
        "For how long what is kept, for everybody to read",
        answers: [
            .json(
                Component("RetentionList", .object([.required("data", .list(of: .reference(.retentionRule)))])),
                "A rule for each class."
            )
        ]
    )
}

extension Component {
    fileprivate static let retentionRule = Component(
        "RetentionRule",
        .object([
            .required("class", .word(RetentionClass.self)),
            .optional("days", .integer(from: 0)),
            .required("forever", .flag),
        ])
    )
}
