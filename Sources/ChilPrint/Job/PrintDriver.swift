/// Does the steps of one job at a printer, or at the service that a printer belongs to, and reports facts. It decides nothing:
/// `PrintJobMachine` does.
///
/// Facts are told in the words of IPP (`PrinterSnapshot`, `JobSnapshot`), whatever the printer speaks.
package protocol PrintDriver {
    /// `nil` for the steps that are no I/O: waiting, and being done.
    mutating func perform(_ step: PrintStep) async -> PrintEvent?
}
