/// How a printer takes the bodies of requests, as it showed: many old ones take nothing in chunks (RFC 9112 §7.1), some answer 411 or 400,
/// some cut the connection or wait for ever.
///
/// It is tried with a question that changes nothing, before a page is at stake. Not `Sendable`: one per printer that is spoken with, on its
/// loop.
package final class PrinterFraming {
    package enum Manner: String, Hashable, Sendable, CaseIterable {
        case untried
        /// In chunks: nothing has to be known beforehand of what is sent.
        case chunked
        /// With a Content-Length, for the printer's life.
        case length
    }

    package private(set) var manner: Manner
    private let keep: (Manner) async -> Void

    /// - Parameter keep: told what the printer showed, when that is new.
    package init(_ manner: Manner = .untried, keep: @escaping (Manner) async -> Void = { _ in }) {
        self.manner = manner
        self.keep = keep
    }

    /// For whoever sends no pages.
    package static var lengths: PrinterFraming { PrinterFraming(.length) }

    func showed(_ manner: Manner) async {
        // What was cut once is not tried again.
        guard self.manner != manner, self.manner != .length else { return }
        self.manner = manner
        await keep(manner)
    }
}
