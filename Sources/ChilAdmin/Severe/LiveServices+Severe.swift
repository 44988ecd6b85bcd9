import ChilCore
import ChilDatabase
import ChilStore

extension LiveServices: SevereServices {
    func weigh(_ subject: SevereSubject) async throws(AdminFault) -> SevereAct {
        let (does, losses) = try await weighed(subject)
        let place = try await ask { database throws(DatabaseError) in
            try await database.run(DatabasePlace(), .read, of: nil).first
        }
        var act = SevereAct(does: does, losses: losses, place: place ?? "?", operatorName: settings.operatorName)
        if case .tenant(let slug, isNow: false) = subject {
            act.undo = "For seven days `chiladmin tenant resume \(slug)` undoes it."
        }
        return act
    }

    private func weighed(_ subject: SevereSubject) async throws(AdminFault) -> (String, [Loss]) {
        switch subject {
        case .tenant(let slug, let isNow):
            let question = TenantLosses(of: try await record(of: slug).id)
            let losses = try await withOwnDatabase({ $0.counting }) {
                database throws(DatabaseError) in
                try await question.answer(from: database)
            }
            let when = isNow ? "now" : "in seven days, and suspends it now"
            return ("deletes tenant '\(slug)' with everything it has, \(when)", losses)
        case .rest(let slug): return ("takes from '\(slug)' what the file has not", [])
        case .user(let user, let slug):
            _ = try await self.user(user, of: slug)
            return ("deletes user \(user.id.rawValue) of '\(slug)'", try await losses(of: user.id, in: slug))
        case .erasure(let request, let slug):
            guard
                let found = try await erasures(of: slug, includingClosed: true).first(where: {
                    $0.id == request.id.rawValue
                })
            else { return ("does what request \(request.id.rawValue) of '\(slug)' asks for", []) }
            let user = UserID(rawValue: found.user)
            return ("deletes user \(found.user) of '\(slug)'", try await losses(of: user, in: slug))
        case .key(let key, let slug):
            _ = try await record(of: slug)
            return ("makes every token of key '\(key.text)' of '\(slug)' void", [])
        case .client(let client, let slug):
            _ = try await record(of: slug)
            return ("refuses whoever signs in to '\(slug)' by '\(client.text)'", [])
        case .printer(let name, let slug):
            let waiting = try await printer(named: name, of: slug).waiting
            return (
                "takes printer '\(name)' from '\(slug)' and cancels what waits there", [Loss("prints", Int64(waiting))]
            )
        case .loan(let name, let slug, let borrower):
            _ = try await printer(named: name, of: slug)
            return ("takes printer '\(name)' back from '\(borrower)' and cancels what waits there", [])
        case .plan(let plan): return ("removes plan '\(plan.text)' with its limits", [])
        case .ledger(let path):
            return ("deletes every account that '\(path)' names", [Loss("accounts at most", try ledgerCount(path))])
        case .images(let target, let slug):
            let whose = slug.map { "the images of '\($0)'" } ?? "the images of all tenants"
            return ("moves \(whose) to \(target.rawValue)", [])
        case .distribution: return ("spreads the database over the machines of its cluster", [])
        }
    }

    private func losses(of user: UserID, in slug: Slug) async throws(AdminFault) -> [Loss] {
        let question = UserLosses(of: user, in: try await record(of: slug).id)
        return try await ask { database throws(DatabaseError) in try await question.answer(from: database) }
    }
}

extension DatabaseConfiguration {
    /// A million drawings take a second to be counted.
    fileprivate var counting: DatabaseConfiguration {
        var counting = self
        counting.batchPatience = .seconds(120)
        counting.silenceMax = .seconds(125)
        counting.writeConnections = 0
        return counting
    }
}
