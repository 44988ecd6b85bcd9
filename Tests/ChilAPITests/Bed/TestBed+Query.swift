import Foundation

extension TestBed {
    /// What the database's administrator is answered, a line a row, columns apart by `|`: all tenants' rows, whatever the walls.
    @discardableResult
    func query(_ sql: String) throws -> [String] {
        let program = try Program(
            "/usr/bin/psql",
            ["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", database.url(nil), "-c", sql],
            output: folder.appendingPathComponent("psql-\(UUID()).log")
        )
        let status = try program.wait(atMost: .seconds(15))
        guard status == 0 else { throw Program.Failure(description: "psql: \(status): \(program.text)") }
        return program.text.split(separator: "\n").map(String.init)
    }
}
