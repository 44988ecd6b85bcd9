import ChilConsole
import ChilCore
import Testing

@testable import ChilAdmin
@testable import ChilStore

/// What printers say of their paper and ink, in a word.
@Suite struct PrinterSuppliesTests {
    @Test(arguments: [
        ([], "ok", "ok"), (["none"], "ok", "ok"), (["media-low-report"], "low", "ok"),
        (["media-empty-error", "media-low"], "empty", "ok"), (["media-needed"], "empty", "ok"),
        (["media-jam-error", "media-empty"], "jam", "ok"), (["marker-supply-low-warning"], "ok", "low"),
        (["marker-supply-empty-error", "marker-supply-low"], "ok", "empty"), (["toner-empty"], "ok", "empty"),
        (["cover-open", "door-open"], "ok", "ok"),
    ])
    func reasonsAreAWord(_ reasons: [String], _ paper: String, _ ink: String) {
        let seen = PrinterView.Seen(state: .stopped, reasons: reasons, at: Timestamp(seconds: 0))
        #expect(word(ConsoleFeed.paper(seen)) == paper)
        #expect(word(ConsoleFeed.ink(seen)) == ink)
    }

    @Test func whatIsNotKnownIsNotSaid() {
        let unreachable = PrinterView.Seen(state: .unreachable, reasons: ["media-empty"], at: Timestamp(seconds: 0))
        for seen in [nil, unreachable] {
            #expect(ConsoleFeed.paper(seen) == .none)
            #expect(ConsoleFeed.ink(seen) == .none)
        }
    }

    private func word(_ value: Value) -> String? {
        if case .word(let word, _) = value { word } else { nil }
    }
}
