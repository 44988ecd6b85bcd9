import ChilCore
import ChilCrypto
import ChilLoop
import ChilProvider

/// The provider's answers about many users: several calls at once, the token renewed before it is over, each tried again while the
/// provider is away.
///
/// Not `Sendable`: one command uses it, from one place.
final class TransferCalls {
    enum Answer<Value: Sendable>: Sendable {
        case known(Value)
        /// The provider does not know the user, or not any more.
        case refused(String)
    }

    /// Calls at once.
    static let width = 8
    /// Apple's token is good for an hour.
    static let tokenLife = Duration.seconds(1_800)
    private static let pauses: [Duration] = [.milliseconds(500), .seconds(2), .seconds(5)]
    /// Refusals without one success after which it is rather the request that is wrong.
    private static let refusedMax = 16

    private let remote: RemoteProvider
    private let clientID: String
    private let loop: EventLoop
    private let now: () -> Timestamp
    private var token: (bearer: SecretBytes, until: Timestamp)?
    private var isProven = false
    private var refusedCount = 0

    init(_ remote: RemoteProvider, clientID: String, on loop: EventLoop, now: @escaping () -> Timestamp) {
        self.remote = remote
        self.clientID = clientID
        self.loop = loop
        self.now = now
    }

    /// The identifiers of some users for the team that takes over, in their order.
    func transferSubjects(
        of subjects: [String],
        toTeam target: String
    ) async throws(AdminFault) -> [Answer<String>] {
        let clientID = clientID
        return try await ask(subjects) { client, bearer, subject, now in
            await client.transferSubject(of: subject, toTeam: target, clientID: clientID, bearer: bearer, at: now)
        }
    }

    /// Who the users behind some identifiers are now, in their order.
    func users(
        of transferSubjects: [String]
    ) async throws(AdminFault) -> [Answer<ProviderClient.TransferredUser>] {
        let clientID = clientID
        return try await ask(transferSubjects) { client, bearer, subject, now in
            await client.user(ofTransferSubject: subject, clientID: clientID, bearer: bearer, at: now)
        }
    }

    private typealias Question<Value> =
        @Sendable (ProviderClient, SecretBytes, String, Timestamp) async -> Result<Value, ProviderFault>

    private func ask<Value: Sendable>(
        _ subjects: [String],
        _ question: @escaping Question<Value>
    ) async throws(AdminFault) -> [Answer<Value>] {
        let bearer = try await bearer()
        let (remote, loop, start) = (remote, loop, now())
        let answers = await withTaskGroup(of: (Int, Result<Value, ProviderFault>).self) { group in
            for (place, subject) in subjects.enumerated() {
                group.addTask {
                    let answer = await LoopHome(loop).run { loop in
                        await Self.patiently(on: loop) {
                            await question(remote.client(on: loop), bearer, subject, start)
                        }
                    }
                    return (place, answer)
                }
            }
            var answers: [Int: Result<Value, ProviderFault>] = [:]
            for await (place, answer) in group { answers[place] = answer }
            return subjects.indices.compactMap { answers[$0] }
        }
        return try judged(answers)
    }

    private func judged<Value>(_ answers: [Result<Value, ProviderFault>]) throws(AdminFault) -> [Answer<Value>] {
        var judged: [Answer<Value>] = []
        for answer in answers {
            switch answer {
            case .success(let value):
                isProven = true
                judged.append(.known(value))
            case .failure(.refusedRequest(let said)):
                refusedCount += 1
                judged.append(.refused(said))
            case .failure(.refusedGrant):
                refusedCount += 1
                judged.append(.refused("invalid_grant"))
            case .failure(let fault):
                throw AdminFault(fault, asking: "the provider's migration URL")
            }
        }
        guard isProven || refusedCount < Self.refusedMax else {
            if case .refused(let said)? = judged.last {
                throw AdminFault(.refusedRequest(said), asking: "the first \(refusedCount) users")
            }
            return judged
        }
        return judged
    }

    private func bearer() async throws(AdminFault) -> SecretBytes {
        let now = now()
        if let token, now < token.until { return token.bearer }
        let (remote, clientID) = (remote, clientID)
        let answer = await LoopHome(loop).run { loop in
            await Self.patiently(on: loop) { await remote.client(on: loop).migrationToken(clientID: clientID, at: now) }
        }
        switch answer {
        case .success(let bearer):
            token = (bearer, now + Self.tokenLife)
            return bearer
        case .failure(let fault):
            throw AdminFault(fault, asking: "the token for moving users")
        }
    }

    private static func patiently<Value: Sendable>(
        on loop: EventLoop,
        _ call: () async -> Result<Value, ProviderFault>
    ) async -> Result<Value, ProviderFault> {
        for pause in pauses {
            let answer = await call()
            guard case .failure(.away) = answer else { return answer }
            await loop.sleep(pause)
        }
        return await call()
    }
}
