/// Why there is no derived picture.
package enum RasterFault: Error, Hashable, Sendable {
    /// A program is not installed, by its path.
    case programMissing(String)
    /// Too many pictures are being made. Try again later.
    case busy
    case timedOut
    case outputTooLarge
    /// The program cannot read the picture, or died of it. What it said, for the log.
    case unreadable(String)
    /// The machine could not start it: errno.
    case notStarted(Int32)

    /// Another try later may go well.
    package var isPassing: Bool {
        switch self {
        case .busy, .timedOut, .notStarted, .programMissing: true
        case .outputTooLarge, .unreadable: false
        }
    }

    /// For the log, with what to do.
    package var remedy: String {
        switch self {
        case .programMissing(let path):
            "\(path) is missing: apt-get install \(RasterPrograms.packages.joined(separator: " "))"
        case .busy: "too many pictures are being made: try again, or run more services"
        case .timedOut: "the picture took too long: try again when the machine is less busy, or send a smaller one"
        case .outputTooLarge: "the picture that was made is too large: send a smaller one"
        case .unreadable(let complaint): "the picture cannot be read (\(complaint)): save it anew as PNG or JPEG"
        case .notStarted(let code):
            "a program could not be started (errno \(code)): look at the limits of the service's process"
        }
    }

    init(_ fault: ChildFault) {
        self =
            switch fault {
            case .notStarted(let code): .notStarted(code)
            case .timedOut: .timedOut
            case .outputTooLarge: .outputTooLarge
            case .killed(let signal): .unreadable("signal \(signal)")
            case .failed(let status, let complaint): .unreadable("status \(status): \(complaint)")
            }
    }
}
