import ChilHTTP
import ChilOpenAPI

extension Route {
    /// Its description, with what follows from its pattern, its kind and whom it serves.
    var operation: ChilOpenAPI.Operation {
        let pattern = RoutePattern(pattern)
        let description = description
        let refusals = refusals(description)
        var answers = description.answers.map { $0.completed(isCounted: rateClass != nil) }
        let statuses = Set(refusals.flatMap(\.statuses)).union(description.otherErrors.keys)
        for status in statuses.sorted() {
            let codes = refusals.filter { $0.statuses.contains(status) }
            answers.append(.problem(status, Array(codes), or: description.otherErrors[status]))
        }
        return Operation(
            method: pattern.method.name.description.lowercased(),
            path: pattern.path,
            id: description.id,
            tag: description.group.rawValue,
            summary: description.summary,
            description: description.details,
            parameters: pattern.captureNames.map(Parameter.inPath) + description.parameters,
            body: description.body.content,
            isBodyRequired: description.body.isRequired,
            answers: answers,
            security: description.security ?? (needsSession ? .bearer : .none)
        )
    }

    private var isOfTenant: Bool { "\(pattern)".contains("{tenant}") }

    private func refusals(_ description: RouteDescription) -> Set<Problem.Code> {
        var refusals = description.refusals.union(description.body.refusals)
        refusals.insert(.malformedRequest)
        if rateClass != nil {
            refusals.formUnion([.rateLimited, .databaseAway, .overloaded, .outcomeUnknown, .internalError])
        }
        if isOfTenant { refusals.formUnion([.notFound, .tenantUnavailable]) }
        if isOfTenant, isCounted { refusals.insert(.quotaWindowExceeded) }
        if isOfTenant, !servesSuspended { refusals.insert(.tenantSuspended) }
        switch description.security ?? (needsSession ? .bearer : .none) {
        case .bearer: refusals.insert(.unauthorized)
        case .none, .optionalBearer: break
        }
        return refusals
    }
}

extension ChilOpenAPI.Document {
    /// Of everything that the router has.
    static var service: Document {
        Document(
            title: "ChilAPI",
            version: "1.0.0",
            description: """
                The backend of a drawing app, for many tenants: each path begins with the tenant's name. Additive only: members, codes and \
                routes may come, none goes or changes its meaning.

                Refusals are problem documents (RFC 9457) with a stable `code`. HEAD answers as GET does, without a body; OPTIONS answers 204 \
                with `Allow`; another method than these and those listed is refused with 405 `method-not-allowed` and `Allow`. An unknown member of a body is refused.
                """,
            tags: RouteDescription.Group.allCases.map { ($0.rawValue, $0.meaning) },
            operations: Route.allCases.map(\.operation),
            otherAnswers: [.otherMethod]
        )
    }
}
