import ChilCore
import ChilDatabase
import ChilPrint
import ChilStore

/// Writes down what workers see of printers while they work: when it changes, and else once a minute at most. Not `Sendable`.
final class PrinterWatch {
    private struct Sight: Equatable {
        let state: PrinterView.Seen.State
        let reasons: [String]
        /// `nil`: it was not asked for them.
        let media: [String]?

        func tellsNothingNew(beside earlier: Sight) -> Bool {
            state == earlier.state && reasons == earlier.reasons && (media == nil || media == earlier.media)
        }
    }

    private let database: DatabaseClient
    private var last: [PrintPlace: (sight: Sight, at: Timestamp)] = [:]

    init(_ database: DatabaseClient) {
        self.database = database
    }

    /// Takes what a step told. It is written for the printer, and for the row of whoever borrows it. What cannot be written now is written later.
    func saw(_ event: PrintEvent, of task: PrintJobTask, at now: Timestamp) async {
        guard let sight = Self.sight(in: event) else { return }
        if let (earlier, written) = last[task.place], sight.tellsNothingNew(beside: earlier), now < written + Self.pause
        {
            return
        }
        if last.count >= Self.placesMax { last.removeAll() }
        last[task.place] = (sight, now)
        for place in Set([task.place, task.ownPrinter]) {
            let seen = PrinterSeen(place, is: sight.state, reasons: sight.reasons, media: sight.media, at: now)
            _ = try? await seen.touched(on: database)
        }
    }

    private static func sight(in event: PrintEvent) -> Sight? {
        switch event {
        case .printerChecked(let printer):
            let media = printer.mediaReady.isEmpty ? printer.mediaSupported : printer.mediaReady
            return Sight(state: state(of: printer), reasons: printer.stateReasons, media: media)
        case .polled(let poll):
            return poll.printer.map { Sight(state: state(of: $0), reasons: $0.stateReasons, media: nil) }
        case .jobVanished(let printer):
            return printer.map { Sight(state: state(of: $0), reasons: $0.stateReasons, media: nil) }
        case .stepFailed(.unreachable): return Sight(state: .unreachable, reasons: [], media: nil)
        case .taken, .cancelRequested, .hinted, .consentMissing, .drawingGone, .withdrawn, .printerWithheld,
            .outcomeTold,
            .retryRequested, .jobCreated, .jobFound, .jobAccepted, .jobNotFound, .documentUploaded, .documentSent,
            .cancelAccepted,
            .stepFailed:
            return nil
        }
    }

    /// RFC 8011 §5.4.11; one that says nothing of itself answers all the same.
    private static func state(of printer: PrinterSnapshot) -> PrinterView.Seen.State {
        switch printer.state {
        case 4: .processing
        case 5: .stopped
        default: .idle
        }
    }

    private static let pause = Duration.seconds(60)
    private static let placesMax = 10_000
}
