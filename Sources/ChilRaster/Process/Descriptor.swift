import CLinux
import Glibc

/// A file descriptor that its owner closes (`defer`). Never 0, 1 or 2: a child's own are put there.
final class Descriptor {
    private(set) var number: Int32

    /// - Parameter number: as a call returned it; negative if it failed.
    init(takingOwnershipOf number: Int32) throws(ChildFault) {
        guard number >= 0 else { throw .notStarted(errno) }
        guard number <= 2 else {
            self.number = number
            return
        }
        self.number = fcntl(number, F_DUPFD_CLOEXEC, 3)
        let fault = errno
        Glibc.close(number)
        guard self.number >= 0 else { throw .notStarted(fault) }
    }

    /// As often as you like.
    func close() {
        if number >= 0 { Glibc.close(number) }
        number = -1
    }

    /// An anonymous file (memfd_create(2)) that holds the bytes and is read from its beginning. Unlike a pipe it can be sought in,
    /// and nobody has to feed it while the program runs.
    static func holding(_ bytes: [UInt8]) throws(ChildFault) -> Descriptor {
        let file = try Descriptor(takingOwnershipOf: memfd_create("input", chil_close_on_exec_memory))
        var start = 0
        while start < bytes.count {
            let written = bytes.withUnsafeBytes {
                pwrite(file.number, $0.baseAddress! + start, $0.count - start, off_t(start))
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                let fault = errno
                file.close()
                throw .notStarted(fault)
            }
            start += written
        }
        return file
    }

    /// Both ends of pipe2(2).
    static func pipe() throws(ChildFault) -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw .notStarted(errno) }
        guard let reading = try? Descriptor(takingOwnershipOf: ends[0]) else {
            Glibc.close(ends[1])
            throw .notStarted(EMFILE)
        }
        do {
            return (reading, try Descriptor(takingOwnershipOf: ends[1]))
        } catch {
            reading.close()
            throw error
        }
    }
}
