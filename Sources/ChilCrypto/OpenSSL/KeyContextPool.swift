internal import COpenSSL
import ChilCore

/// Contexts of one key that are ready for one kind of operation: making one costs more than a tenth of a verification.
///
/// A context serves one caller at a time and is kept after; the lock is held for a push or a pop only, so there are as many
/// contexts as there were callers at once.
final class KeyContextPool: Sendable {
    /// Owns one `EVP_PKEY_CTX`. Sendable: it is either in the pool or with the one caller that took it.
    final class Context: @unchecked Sendable {
        let pointer: OpaquePointer

        init(takingOwnershipOf pointer: OpaquePointer) {
            self.pointer = pointer
        }

        deinit { EVP_PKEY_CTX_free(pointer) }
    }

    enum Operation: Sendable {
        case verifyECDSA
        case signECDSA
        case verifyRSA
        case signRSA
    }

    private let key: EVPKey
    private let operation: Operation
    private let idle = Locked<[Context]>([])
    /// More callers at once than this are served, but their contexts are not kept.
    private static let idleMax = 64

    init(key: EVPKey, operation: Operation) {
        self.key = key
        self.operation = operation
    }

    /// Lends a ready context.
    func withContext<Answer>(_ body: (OpaquePointer) -> Answer) throws(CryptoError) -> Answer {
        ErrorQueue.clear()
        let context: Context
        if let kept = idle.withLock({ $0.popLast() }) { context = kept } else { context = try make() }
        let answer = body(context.pointer)
        idle.withLock { if $0.count < Self.idleMax { $0.append(context) } }
        return answer
    }

    private func make() throws(CryptoError) -> Context {
        guard let pointer = EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil) else {
            throw CryptoError(.library, "no key context: check the memory left")
        }
        let context = Context(takingOwnershipOf: pointer)
        guard prepare(pointer) else {
            throw CryptoError(.library, "a key context was not prepared: check OpenSSL's installation")
        }
        return context
    }

    private func prepare(_ context: OpaquePointer) -> Bool {
        switch operation {
        case .verifyECDSA: EVP_PKEY_verify_init(context) == 1
        case .signECDSA: EVP_PKEY_sign_init(context) == 1
        case .verifyRSA: EVP_PKEY_verify_init(context) == 1 && usePKCS1(context)
        case .signRSA: EVP_PKEY_sign_init(context) == 1 && usePKCS1(context)
        }
    }

    private func usePKCS1(_ context: OpaquePointer) -> Bool {
        EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
            && EVP_PKEY_CTX_set_signature_md(context, FetchedDigest.sha256.pointer) == 1
    }
}
