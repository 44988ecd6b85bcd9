/// Draws the pages of a job, in a format that its printer takes and for paper that it has.
package protocol PrintPages {
    /// Called once a printer has said what it is, and at most once for each attempt to send.
    func document(for printer: PrinterSnapshot) async throws(PrintPagesFault) -> PrintDocument
}

package enum PrintPagesFault: Error, Hashable, Sendable {
    /// The drawing was deleted: nothing is to be printed.
    case gone
    /// The picture could not be read just now.
    case unreadable
    /// The picture can't be drawn, whatever is tried.
    case unprintable
    /// The printer takes no format that pages are made in.
    case noFormat
}
