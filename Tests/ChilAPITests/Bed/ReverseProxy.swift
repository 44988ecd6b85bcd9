import ChilTestSupport
import Foundation
import Glibc

/// nginx before a service, as most of its pages show it: answers are buffered, HTTP/1.0 goes to the service.
final class ReverseProxy: Sendable {
    let port: UInt16
    private let program: Program
    private let folder: URL

    init(before service: Service) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chil-nginx-\(UUID())")
        self.folder = folder
        let port = try Pooler.freePort()
        self.port = port
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let stores = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { name in
            "\(name)_temp_path \(folder.path)/\(name);"
        }
        let settings = """
            daemon off;
            master_process off;
            pid \(folder.path)/pid;
            error_log stderr;
            events {}
            http {
                access_log off;
                \(stores.joined(separator: " "))
                server {
                    listen 127.0.0.1:\(port);
                    location / { proxy_pass http://127.0.0.1:\(service.port); }
                }
            }
            """
        let file = folder.appendingPathComponent("nginx.conf")
        try settings.write(to: file, atomically: true, encoding: .utf8)
        program = try Program(
            "/usr/sbin/nginx",
            ["-p", folder.path, "-c", file.path, "-e", "stderr"],
            output: folder.appendingPathComponent("log")
        )
        guard waitUntil(.seconds(10), { (try? Connection(to: port)) != nil }) else {
            program.signal(SIGKILL)
            throw Program.Failure(description: "no nginx (scripts/test installs it): \(program.text)")
        }
    }

    func stop() {
        program.signal(SIGTERM)
        _ = try? program.wait(atMost: .seconds(10))
        try? FileManager.default.removeItem(at: folder)
    }
}
