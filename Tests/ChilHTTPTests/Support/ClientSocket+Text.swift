import ChilTestSupport

extension ClientSocket {
    /// False once the peer has closed.
    @discardableResult
    func send(_ text: String) -> Bool {
        send(Array(text.utf8))
    }

    /// Reads until `text` has come or the peer ends; what came.
    func read(until text: String) -> String {
        var received: [UInt8] = []
        while let bytes = receive(), !bytes.isEmpty {
            received += bytes
            if !text.isEmpty, String(decoding: received, as: UTF8.self).hasSuffix(text) { break }
        }
        return String(decoding: received, as: UTF8.self)
    }

    /// Everything until the peer closes.
    func readToEnd() -> String {
        read(until: "")
    }
}
