import ChilAuth
import ChilCore
import ChilCrypto
import Testing

@testable import ChilAPI

/// When a key set is fetched, and who waits for it. The clock is a number.
@Suite struct KeySetStateTests {
    private static let start: Int64 = 1_000_000_000_000
    private let set: KeySet

    init() throws {
        set = KeySet([JWK(keyID: "known", key: .es256(try ES256PrivateKey().publicKey))])
    }

    private static func at(_ moment: Duration) -> Int64 { start + moment.nanoseconds }

    /// With the set fetched at the start.
    private func fetched() -> KeySetState {
        var state = KeySetState()
        _ = state.needed(.key("known"), at: Self.start)
        state.fetched(set, at: Self.start)
        return state
    }

    private func word(_ step: KeySetState.Step) -> String {
        switch step {
        case .answer: "answer"
        case .answerAndFetch: "answer and fetch"
        case .fetchAndWait: "fetch and wait"
        case .wait: "wait"
        case .away: "away"
        }
    }

    private func steps(_ state: inout KeySetState, _ need: KeySetState.Need, _ moments: [Duration]) -> [String] {
        moments.map { word(state.needed(need, at: Self.at($0))) }
    }

    @Test func oneFetchesAndTheOthersWait() {
        var state = KeySetState()
        #expect(steps(&state, .key("known"), [.zero, .zero, .seconds(3)]) == ["fetch and wait", "wait", "wait"])
    }

    @Test func aKnownKeyNeverWaits() {
        var state = fetched()
        let (soft, hard) = (KeySetState.softLife, KeySetState.hardLife)
        #expect(steps(&state, .key("known"), [.zero, .seconds(1), soft]) == ["answer", "answer", "answer"])
        // One fetch beside the requests, and no second one while it lasts.
        let old = soft + .seconds(1)
        #expect(
            steps(&state, .key("known"), [old, old, old + .seconds(4)]) == ["answer and fetch", "answer", "answer"]
        )
        // The issuer is down: asked again now and then, and the old set serves to its hard end.
        state.failed()
        let retry = old + KeySetState.failurePause + .seconds(1)
        #expect(steps(&state, .key("known"), [old + .seconds(1), retry]) == ["answer", "answer and fetch"])
        state.failed()
        #expect(steps(&state, .key("known"), [hard - .seconds(1)]) == ["answer and fetch"])
        state.failed()
        #expect(steps(&state, .key("known"), [hard]) == ["away"])
        #expect(steps(&state, .key("known"), [hard + .seconds(60)]) == ["fetch and wait"])
        state.fetched(set, at: Self.at(hard + .seconds(60)))
        #expect(steps(&state, .key("known"), [hard + .seconds(61)]) == ["answer"])
    }

    @Test("J-14 what tokens ask for beyond the set earns one fetch a minute", arguments: ["kid", "signature"])
    func tokensEarnOneFetchAMinute(_ reason: String) {
        let need = reason == "kid" ? KeySetState.Need.key("unknown") : .newer(than: 1)
        var state = fetched()
        #expect(steps(&state, need, [.zero, .seconds(59), .seconds(60)]) == ["answer", "answer", "answer"])
        #expect(steps(&state, need, [.seconds(61), .seconds(61)]) == ["fetch and wait", "wait"])
        // Those with a known key go on meanwhile.
        #expect(steps(&state, .key("known"), [.seconds(62)]) == ["answer"])
        state.failed()
        #expect(steps(&state, need, [.seconds(70), .seconds(121)]) == ["answer", "answer"])
        #expect(steps(&state, need, [.seconds(122)]) == ["fetch and wait"])
        state.fetched(set, at: Self.at(.seconds(123)))
        // Another key under the same kid may have come with it; another kid has not.
        #expect(steps(&state, need, [.seconds(124)]) == ["answer"])
        guard case .answer(_, let version) = state.needed(need, at: Self.at(.seconds(125))) else { return }
        #expect(version == 2)
        // Both reasons have one budget.
        #expect(steps(&state, .key("other"), [.seconds(126)]) == ["answer"])
        #expect(steps(&state, .newer(than: 2), [.seconds(127)]) == ["answer"])
    }

    @Test func anIssuerThatIsAwayIsAskedEverMoreSeldom() {
        var state = KeySetState()
        var moment = Duration.zero
        var pauses: [Duration] = []
        for _ in 0..<6 {
            var pause = Duration.zero
            while case .away = state.needed(.key("known"), at: Self.at(moment)) {
                moment += .seconds(1)
                pause += .seconds(1)
            }
            pauses.append(pause)
            state.failed()
        }
        // The first second after a pause is the first that lies beyond it.
        #expect(pauses == [0, 3, 5, 9, 17, 17].map { .seconds($0) })
    }

    @Test func whatWasKeptServesByItsAge() {
        var state = KeySetState()
        #expect(steps(&state, .key("known"), [.zero]) == ["fetch and wait"])
        var isOfUse = state.loaded(set, age: .seconds(600), at: Self.start)
        #expect(isOfUse)
        // It is ten minutes old, so an unknown kid is worth a fetch at once.
        #expect(steps(&state, .key("known"), [.zero]) == ["answer"])
        #expect(steps(&state, .key("unknown"), [.zero]) == ["fetch and wait"])

        var fresh = KeySetState()
        _ = fresh.needed(.key("known"), at: Self.start)
        // Another process fetched it just now, or its clock is ahead.
        isOfUse = fresh.loaded(set, age: .seconds(-5), at: Self.start)
        #expect(isOfUse)
        #expect(steps(&fresh, .key("unknown"), [.seconds(60), .seconds(61)]) == ["answer", "fetch and wait"])

        var old = KeySetState()
        _ = old.needed(.key("known"), at: Self.start)
        isOfUse = old.loaded(set, age: .seconds(7 * 3_600), at: Self.start)
        #expect(isOfUse)
        #expect(steps(&old, .key("known"), [.zero]) == ["answer and fetch"])

        for (kept, age) in [(nil, Duration.zero), (set, KeySetState.hardLife)] {
            var state = KeySetState()
            _ = state.needed(.key("known"), at: Self.start)
            isOfUse = state.loaded(kept, age: age, at: Self.start)
            #expect(!isOfUse)
            #expect(steps(&state, .key("known"), [.zero]) == ["wait"])
            state.fetched(set, at: Self.start)
            #expect(steps(&state, .key("known"), [.zero]) == ["answer"])
        }
    }
}
