import ChilDevEpson
import Foundation
import Testing

/// Somebody else's client (PyPI's `epson-connect`) against the simulator, so that it is not only our own idea of the protocol.
@Suite(.enabled(if: EpsonPackage.python != nil, "no epson-connect: scripts/test brings it (from PyPI)"))
struct EpsonPackageTests {
    @Test func anothersClientPrintsScansAndCancels() throws {
        var settings = EpsonSimulatorSettings()
        settings.pace = .milliseconds(100)
        let server = try EpsonSimulatorServer(settings)
        defer { server.stop() }
        let page = FileManager.default.temporaryDirectory.appendingPathComponent("page-\(UUID()).PDF")
        try Data("%PDF-1.4".utf8).write(to: page)
        defer { try? FileManager.default.removeItem(at: page) }
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: try #require(EpsonPackage.python))
        process.arguments = [
            "-c", Self.program, server.origin, settings.address, settings.clientID, settings.clientSecret, page.path,
        ]
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(said)")
        #expect(said.contains("all is well"), "\(said)")
        let facts = server.simulator.facts
        #expect(facts.papers.count == 1)
        #expect(facts.jobs.count == 2)
        #expect(facts.destinations.isEmpty)
    }

    private static let program = """
        import sys, time
        from epson_connect import Client
        from epson_connect.authenticate import ApiError, AuthenticationError
        base, address, name, secret, page = sys.argv[1:]
        client = Client(base_url=base, printer_email=address, client_id=name, client_secret=secret)
        printer, scanner = client.printer, client.scanner
        assert printer.info()["ec_connected"] is True
        sizes = [size["media_size"] for size in printer.capabilities("document")["media_sizes"]]
        assert "ms_a4" in sizes, sizes
        job = printer.print(page)
        for _ in range(200):
            info = printer.job_info(job)
            if info["status"] == "completed": break
            time.sleep(0.05)
        assert info["status"] == "completed" and info["total_pages"] == 1, info
        made = printer.print_setting({"job_name": "second", "print_mode": "document"})
        printer.upload_file(made["upload_uri"], page, "document")
        printer.execute_print(made["id"])
        printer.cancel_print(made["id"], "operator")
        assert printer.job_info(made["id"])["status"] == "canceled"
        printer.notification("http://127.0.0.1:9/callback", True)
        added = scanner.add("hall", "http://127.0.0.1:9/scan", "url")
        assert scanner.list()["destinations"][0]["alias_name"] == "hall"
        changed = scanner.update(added["id"], name="hall", destination="http://127.0.0.1:9/other", type_="url")
        assert changed["destination"].endswith("other"), changed
        scanner.remove(added["id"])
        assert scanner.list()["destinations"] == []
        try:
            printer.print_setting({"job_name": "x" * 10, "print_mode": "document", "print_setting": {
                "media_size": "ms_a3", "media_type": "mt_plainpaper", "borderless": False, "print_quality": "normal",
                "source": "auto", "color_mode": "mono", "2_sided": "none", "reverse_order": False, "copies": 1,
                "collate": True}})
            raise SystemExit("A3 was taken")
        except ApiError as error:
            assert "validation_error" in str(error), error
        try:
            Client(base_url=base, printer_email="nobody@print.epsonconnect.com", client_id=name, client_secret=secret)
            raise SystemExit("a stranger was let in")
        except AuthenticationError as error:
            assert "invalid_grant" in str(error), error
        client.deauthenticate()
        print("all is well")
        """
}

private enum EpsonPackage {
    static let python = ProcessInfo.processInfo.environment["CHIL_TEST_EPSON_PYTHON"].flatMap { $0.isEmpty ? nil : $0 }
}
