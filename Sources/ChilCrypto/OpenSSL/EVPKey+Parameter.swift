extension EVPKey {
    /// OpenSSL's names of a key's parts (EVP_PKEY-EC(7), EVP_PKEY-RSA(7)).
    enum Parameter {
        static let group: StaticString = "group"
        static let point: StaticString = "pub"
        static let x: StaticString = "qx"
        static let y: StaticString = "qy"
        static let modulus: StaticString = "n"
        static let exponent: StaticString = "e"
    }
}
