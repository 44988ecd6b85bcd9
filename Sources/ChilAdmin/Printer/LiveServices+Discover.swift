import ChilCore
import ChilRaster
import Dispatch
import Glibc

extension LiveServices {
    func discoverPrinters() async throws(AdminFault) -> [FoundPrinterRow] {
        guard let program = Self.browsers.first(where: { access($0, X_OK) == 0 }) else {
            throw AdminFault(
                .failed,
                "avahi-browse is not on this machine",
                remedy: "Install avahi-utils, or add the printer by its address: `chiladmin printer add`."
            )
        }
        var found: [FoundPrinterRow] = []
        for kind in ["_ipp._tcp", "_ipps._tcp"] {
            switch await Self.browse(by: program, kind) {
            case .success(let text): found += AvahiAnswer.rows(in: text)
            case .failure(let fault):
                throw AdminFault(
                    .failed,
                    "avahi-browse did not answer: \(Self.words(fault))",
                    remedy: "See that avahi-daemon runs on this machine, or add the printer by its address."
                )
            }
        }
        return found.sorted { ($0.name, $0.uri) < ($1.name, $1.uri) }
    }

    /// Without a shell, with a limit on all that it may use: -r resolves, -p is for programs, -t ends by itself, -k asks for no names of
    /// services.
    private static func browse(by program: String, _ kind: String) async -> Result<String, ChildFault> {
        let limits = ChildLimits(
            cpuSecondsMax: 5,
            memoryBytesMax: 512 << 20,
            openFilesMax: 32,
            outputBytesMax: 1 << 20,
            timeout: .seconds(15)
        )
        let child = ChildProcess(program: program, arguments: ["-rptk", kind], limits: limits)
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                do throws(ChildFault) {
                    continuation.resume(
                        returning: .success(String(decoding: try child.output(for: []), as: UTF8.self))
                    )
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
    }

    private static func words(_ fault: ChildFault) -> String {
        switch fault {
        case .timedOut: "it took longer than 15 seconds"
        case .outputTooLarge: "it printed more than 1 MiB"
        case .notStarted(let code): String(cString: strerror(code))
        case .killed(let signal): "ended by signal \(signal)"
        case .failed(let status, let line): line.isEmpty ? "exit status \(status)" : line
        }
    }

    private static let browsers = ["/usr/bin/avahi-browse", "/usr/local/bin/avahi-browse", "/bin/avahi-browse"]
}
