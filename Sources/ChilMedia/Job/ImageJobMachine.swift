package import ChilCore

/// A job that asks other services for a picture, as a value: facts in, the next step out.
///
/// An attempt asks every service in turn, at most once each. An attempt that was begun and never ended (the process died) counts; nothing
/// is asked for longer than the job's life.
package struct ImageJobMachine: Equatable, Sendable {
    package enum State: String, Sendable {
        /// → running, failed
        case queued
        /// → ready, queued (tried again), failed
        case running
        case ready, failed
    }

    package enum Event: Equatable, Sendable {
        /// A worker has it now.
        case taken
        /// The picture is there.
        case made
        /// Nobody can make it, now or later: the code says why.
        case refused(String)
        /// Nobody could make it now. `retryAfter`: what a service said.
        case attemptFailed(String, retryAfter: Duration?)
    }

    package enum Step: Equatable, Sendable {
        case attempt(number: Int)
        case wait(until: Timestamp)
        case settle
        case fail(String)
    }

    /// What happened when, oldest first.
    package struct Entry: Equatable, Sendable {
        package let state: State
        package let reason: String?
        package let at: Timestamp
    }

    package static let attemptsMax = 4
    /// From the beginning; a service that takes half an hour is asked once.
    package static let lifetime = Duration.seconds(3_600)
    /// Before the second attempt, the third and the fourth.
    package static let pauses: [Duration] = [.seconds(2), .seconds(8), .seconds(30)]
    /// What a service says is believed up to here.
    package static let retryAfterMax = Duration.seconds(120)
    /// The code of a job whose every attempt broke off without an answer.
    package static let interrupted = "interrupted"

    package private(set) var state = State.queued
    /// Begun so far.
    package private(set) var attempts = 0
    package private(set) var history: [Entry]
    private var lastFault: String?
    private var nextAt: Timestamp
    private let expiresAt: Timestamp

    package init(at now: Timestamp) {
        nextAt = now
        expiresAt = now + Self.lifetime
        history = [Entry(state: .queued, reason: nil, at: now)]
    }

    /// Takes a fact in and says what to do next. The caller stores the machine before it does it.
    package mutating func received(_ event: Event, at now: Timestamp) -> Step {
        switch (event, state) {
        case (_, .ready): return .settle
        case (_, .failed): return .fail(lastFault ?? Self.interrupted)
        case (.taken, .running):
            // Whoever had it is gone; whether the services were asked is not known.
            return again(after: Self.interrupted, retryAfter: nil, at: now)
        case (.taken, .queued):
            if now < nextAt { return .wait(until: nextAt) }
            return begin(at: now)
        case (.made, _):
            enter(.ready, nil, at: now)
            return .settle
        case (.refused(let code), _): return fail(code, at: now)
        case (.attemptFailed(let code, let retryAfter), _): return again(after: code, retryAfter: retryAfter, at: now)
        }
    }

    private mutating func begin(at now: Timestamp) -> Step {
        guard now < expiresAt else { return fail(lastFault ?? Self.interrupted, at: now) }
        attempts += 1
        enter(.running, nil, at: now)
        return .attempt(number: attempts)
    }

    private mutating func again(after code: String, retryAfter: Duration?, at now: Timestamp) -> Step {
        lastFault = code
        guard attempts < Self.attemptsMax else { return fail(code, at: now) }
        let pause = Self.pauses[min(max(attempts, 1), Self.pauses.count) - 1]
        nextAt = now + max(pause, min(retryAfter ?? .zero, Self.retryAfterMax))
        guard nextAt < expiresAt else { return fail(code, at: now) }
        enter(.queued, code, at: now)
        return .wait(until: nextAt)
    }

    private mutating func fail(_ code: String, at now: Timestamp) -> Step {
        lastFault = code
        enter(.failed, code, at: now)
        return .fail(code)
    }

    private mutating func enter(_ new: State, _ reason: String?, at now: Timestamp) {
        state = new
        history.append(Entry(state: new, reason: reason, at: now))
    }
}

// MARK: As it is stored

extension ImageJobMachine {
    /// One line of its own, then one for each entry of the history. Codes have no spaces.
    package var text: String {
        var lines = ["1 \(attempts) \(nextAt.microseconds) \(expiresAt.microseconds) \(lastFault ?? "-")"]
        lines += history.map { "\($0.state.rawValue) \($0.at.microseconds) \($0.reason ?? "-")" }
        return lines.joined(separator: "\n")
    }

    /// `nil`: no text of this version's.
    package init?(text: String) {
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        guard let head = lines.first, head.count == 5, head[0].isExactly("1"), let attempts = Int(head[1]),
            attempts >= 0,
            let nextAt = Int64(head[2]), let expiresAt = Int64(head[3])
        else { return nil }
        var history: [Entry] = []
        for line in lines.dropFirst() {
            guard line.count == 3, let state = State(rawValue: line[0]), let at = Int64(line[1]) else { return nil }
            history.append(Entry(state: state, reason: Self.word(line[2]), at: Timestamp(microseconds: at)))
        }
        guard let last = history.last else { return nil }
        state = last.state
        self.attempts = attempts
        self.history = history
        lastFault = Self.word(head[4])
        self.nextAt = Timestamp(microseconds: nextAt)
        self.expiresAt = Timestamp(microseconds: expiresAt)
    }

    private static func word(_ text: String) -> String? {
        text.isExactly("-") ? nil : text
    }
}
