/// What one run of a program may use. A program that reads strangers' pictures has faults that nobody has found yet.
package struct ChildLimits: Hashable, Sendable {
    /// Of processor time; the kernel ends what uses more.
    package var cpuSecondsMax: Int
    /// Of address space, libraries included.
    package var memoryBytesMax: Int
    package var openFilesMax: Int
    /// What it may print; more ends it.
    package var outputBytesMax: Int
    /// Of wall clock time.
    package var timeout: Duration

    package init(
        cpuSecondsMax: Int,
        memoryBytesMax: Int,
        openFilesMax: Int,
        outputBytesMax: Int,
        timeout: Duration
    ) {
        self.cpuSecondsMax = cpuSecondsMax
        self.memoryBytesMax = memoryBytesMax
        self.openFilesMax = openFilesMax
        self.outputBytesMax = outputBytesMax
        self.timeout = timeout
    }

    /// Enough for 64 megapixels at 8 bytes each, which take two seconds of one core.
    package static let standard = Self(
        cpuSecondsMax: 20,
        memoryBytesMax: 1_536 << 20,
        openFilesMax: 32,
        outputBytesMax: 32 << 20,
        timeout: .seconds(30)
    )

    /// Arguments of prlimit(1): no byte into any file, no core dump.
    var arguments: [String] {
        [
            "--cpu=\(cpuSecondsMax)", "--as=\(memoryBytesMax)", "--nofile=\(openFilesMax)", "--fsize=0", "--core=0",
        ]
    }
}
