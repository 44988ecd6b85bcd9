/// What a printer, or its service, calls a job. Printers start again at 1 after a restart: the job's name tells whose it is.
///
/// 1 to 128 characters of `A-Z a-z 0-9 . _ -`, so that it stands in the machine's text, in a path and in a log as it is.
package struct RemoteJobID: Hashable, Sendable {
    package static let lengthMax = 128

    package let rawValue: String

    /// `nil`: it is no such text.
    package init?(rawValue: String) {
        let isPlain = rawValue.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard isPlain, (1...Self.lengthMax).contains(rawValue.utf8.count) else { return nil }
        self.rawValue = rawValue
    }

    /// An IPP `job-id`.
    package init(number: Int32) {
        rawValue = String(number)
    }

    /// The IPP `job-id`; `nil` if it is none.
    package var number: Int32? { Int32(rawValue) }
}
