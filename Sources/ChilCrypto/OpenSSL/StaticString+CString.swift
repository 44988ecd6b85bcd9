extension StaticString {
    /// The text as C sees it; it lives as long as the program, which parameters of OpenSSL need.
    var pointer: UnsafePointer<CChar> {
        UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
