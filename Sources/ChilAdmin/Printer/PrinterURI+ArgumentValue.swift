import ChilPrint

extension PrinterURI: ArgumentValue {
    static let expectation = "an ipp:// or ipps:// address, as in ipp://192.168.1.20:631/ipp/print"

    init?(argument: String) {
        guard let uri = try? Self(argument) else { return nil }
        self = uri
    }

    static func complaint(about word: String) -> String {
        do {
            return "'\(try Self(word))' is refused"
        } catch {
            return "'\(word)': \(error.sentence)"
        }
    }
}
