package import ChilCore
import ChilMedia
package import ChilPrint

/// One job, from asked for to over, as the worker carries it: the machine is stored before each step, and taken up again after each wait.
package struct PrintRun {
    /// How waits pass.
    package enum Clock: Sendable {
        /// At once: for printers that are played.
        case jumping
        /// As long as they last: for real printers.
        case real
    }

    package private(set) var machine: PrintJobMachine
    /// States and reasons, in their order, each once.
    package private(set) var history: [String] = []
    private let clock: Clock
    private var now: Timestamp
    private let makeDriver: () -> any PrintDriver

    package init(at now: Timestamp, _ clock: Clock, _ makeDriver: @escaping () -> any PrintDriver) {
        self.now = now
        self.clock = clock
        self.makeDriver = makeDriver
        machine = PrintJobMachine(at: now, expiresAt: now + PrintSchedule.lifetime)
    }

    /// Goes on until the job is over, or `isEnough` says so, or after `stepsMax` steps.
    ///
    /// - Parameters:
    ///   - crash: whether the worker dies in the middle of this step: the step is done, and nobody hears of it.
    ///   - sleep: passes time, where it passes really.
    package mutating func go(
        stepsMax: Int = 400,
        crash: (PrintStep) -> Bool = { _ in false },
        until isEnough: (PrintJobMachine) -> Bool = { _ in false },
        sleep: (Duration) async -> Void = { _ in }
    ) async {
        var driver = makeDriver()
        var step = machine.step(at: now)
        for _ in 0..<stepsMax {
            note()
            if isEnough(machine) { return }
            switch step {
            case .done: return
            case .wait(let until):
                let pause = max(.milliseconds(20), until - now)
                if clock == .real { await sleep(pause) }
                now = now + pause
                driver = makeDriver()
                step = machine.received(.taken, at: now)
            default:
                let stored = machine.text
                let event = await driver.perform(step)
                if crash(step) {
                    // What was stored before the step is all that is left.
                    guard let kept = PrintJobMachine(text: stored) else { return }
                    machine = kept
                    driver = makeDriver()
                    step = machine.received(.taken, at: now)
                    continue
                }
                guard let event else { return }
                step = machine.received(event, at: now)
            }
        }
    }

    package mutating func cancel() { _ = machine.received(.cancelRequested, at: now) }

    private mutating func note() {
        let word = machine.status.rawValue + (machine.reason.map { ":\($0)" } ?? "")
        if history.last != word { history.append(word) }
    }
}

/// Pages that are always the same bytes, in the first format that the printer takes of those that it has.
package struct FixedPages: PrintPages {
    private let bytes: [UInt8]
    private let formats: [String]
    private let paper: PaperSize

    package init(_ bytes: [UInt8], formats: [String] = ["application/pdf"], paper: PaperSize = .a4) {
        (self.bytes, self.formats, self.paper) = (bytes, formats, paper)
    }

    package func document(for printer: PrinterSnapshot) async throws(PrintPagesFault) -> PrintDocument {
        let taken = formats.first { printer.documentFormats.isEmpty || printer.documentFormats.contains($0) }
        guard let taken, let format = MediaType(rawValue: taken) else { throw .noFormat }
        return PrintDocument(bytes: bytes, format: format, paper: paper)
    }
}
