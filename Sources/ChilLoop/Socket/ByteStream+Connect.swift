internal import CLinux
import ChilCore
internal import Glibc

extension ByteStream {
    package enum ConnectFailure: Error, Equatable {
        case timedOut
        /// errno(3): `ECONNREFUSED` and its like.
        case refused(Int32)
    }

    /// Connects to exactly this address: no name is resolved here.
    package static func connect(
        to address: SocketAddress,
        within patience: Duration,
        on loop: EventLoop
    ) async throws(ConnectFailure) -> ByteStream {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.domain, type, 0)
        guard descriptor >= 0 else { throw .refused(errno) }
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, 4)
        let started = address.withSockaddr { Glibc.connect(descriptor, $0, $1) }
        if started != 0, errno != EINPROGRESS {
            let code = errno
            Glibc.close(descriptor)
            throw .refused(code)
        }
        let stream: ByteStream
        do {
            stream = try ByteStream(takingOwnershipOf: descriptor, on: loop)
        } catch {
            throw .refused(error.code)
        }
        var isLate = false
        if started != 0 {
            stream.expectWritability()
            let timer = loop.after(patience) { [weak stream] in
                isLate = true
                stream?.interruptWriter()
            }
            _ = await stream.waitWritable()
            loop.cancel(timer)
        }
        var code: Int32 = 0
        var length = socklen_t(4)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        if isLate || code != 0 {
            stream.close()
            throw isLate ? .timedOut : .refused(code)
        }
        return stream
    }
}
