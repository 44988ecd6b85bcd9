import ChilCrypto
import Glibc

/// `$XDG_CONFIG_HOME/chiladmin/config`: the databases by name.
///
///     current = production
///
///     [production]
///     database = postgresql://chil_operator@db.example/chil
///     read-only = yes
///     color = red
///
/// Kept as its lines, so that comments and order stay when a command changes it.
struct ContextFile: Equatable, Sendable {
    private(set) var lines: [String] = []
    private(set) var current: ContextName?
    private(set) var contexts: [DatabaseContext] = []

    private static let keys = ["database", "read-only", "color", "key-file", "public-url"]

    /// nil: neither variable says where.
    static func path(_ environment: Environment) -> String? {
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return folder + "/chiladmin/config" }
        return environment["HOME"].map { $0 + "/.config/chiladmin/config" }
    }

    init() {}

    /// Nothing if there is no such file; one that others may read is refused.
    init(path: String) throws(AdminFault) {
        let bytes: [UInt8]
        do throws(PrivateFile.Fault) {
            bytes = try PrivateFile.read(path, isOwnersAlone: true)
        } catch {
            switch error {
            case .notOpened where error.isMissing:
                self.init()
                return
            case .notOpened(let number), .notRead(let number):
                throw Self.fault(
                    "'\(path)' cannot be read: \(String(cString: strerror(number)))",
                    "Let this user read it."
                )
            case .isShared: throw Self.fault("'\(path)' may be read by others", "chmod 600 it: it says where data is.")
            case .tooLarge:
                throw Self.fault("'\(path)' has more than \(PrivateFile.bytesMax) bytes", "Name fewer databases.")
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Self.fault("'\(path)' is not UTF-8", "Write it again.")
        }
        do throws(Fault) {
            try self.init(parsing: text)
        } catch {
            throw Self.fault(
                "'\(path)', line \(error.line): \(error.what)",
                "`chiladmin help contexts` shows how it is written."
            )
        }
    }

    struct Fault: Error, Equatable {
        let line: Int
        let what: String
    }

    init(parsing text: String) throws(Fault) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last == "" { lines.removeLast() }
        var name: ContextName?
        var begun = 0
        var values: [String: String] = [:]
        for (index, raw) in lines.enumerated() {
            let number = index + 1
            let line = Self.trimmed(raw)
            if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
            if line.hasPrefix("[") {
                try keep(name, values, line: begun)
                guard line.hasSuffix("]"), let next = ContextName(argument: String(line.dropFirst().dropLast())) else {
                    throw Fault(line: number, what: "a name in brackets is \(ContextName.expectation)")
                }
                guard !contexts.contains(where: { $0.name == next }) else {
                    throw Fault(line: number, what: "'\(next.text)' is there twice")
                }
                (name, values, begun) = (next, [:], number)
                continue
            }
            guard let equals = line.firstIndex(of: "=") else { throw Fault(line: number, what: "'=' is missing") }
            let key = Self.trimmed(line[..<equals])
            let value = Self.trimmed(line[line.index(after: equals)...])
            if name == nil, key == "current" {
                guard let chosen = ContextName(argument: value) else {
                    throw Fault(line: number, what: "current is \(ContextName.expectation)")
                }
                current = chosen
                continue
            }
            guard name != nil, Self.keys.contains(key) else {
                let near = Suggestion.nearest(to: key, among: name == nil ? ["current"] : Self.keys)
                throw Fault(line: number, what: "unknown '\(key)'" + (near.map { "; did you mean \($0)?" } ?? ""))
            }
            guard values.updateValue(value, forKey: key) == nil else {
                throw Fault(line: number, what: "'\(key)' is there twice")
            }
        }
        try keep(name, values, line: begun)
    }

    private mutating func keep(_ name: ContextName?, _ values: [String: String], line: Int) throws(Fault) {
        guard let name else { return }
        guard let database = values["database"], !database.isEmpty else {
            throw Fault(line: line, what: "'\(name.text)' has no database")
        }
        if let complaint = DatabaseContext.complaint(about: database) {
            throw Fault(line: line, what: "\(name.text): \(complaint); a password belongs into ~/.pgpass")
        }
        var context = DatabaseContext(name: name, database: database)
        switch values["read-only"] {
        case nil, "no": break
        case "yes": context.isReadOnly = true
        default: throw Fault(line: line, what: "read-only is yes or no")
        }
        if let colour = values["color"] {
            guard let known = TerminalColour(argument: colour) else {
                throw Fault(line: line, what: "color is \(TerminalColour.expectation)")
            }
            context.colour = known
        }
        context.keyFile = values["key-file"]
        context.publicURL = values["public-url"]
        contexts.append(context)
    }

    subscript(name: ContextName) -> DatabaseContext? { contexts.first { $0.name == name } }

    // MARK: Changes

    mutating func use(_ name: ContextName) {
        let line = "current = \(name.text)"
        let head = lines.firstIndex { Self.trimmed($0).hasPrefix("[") } ?? lines.count
        if let old = lines[..<head].firstIndex(where: { Self.trimmed($0).hasPrefix("current") }) {
            lines[old] = line
        } else {
            lines.insert(line, at: 0)
            if lines.count > 1, !lines[1].isEmpty { lines.insert("", at: 1) }
        }
        current = name
    }

    mutating func add(_ context: DatabaseContext) {
        if !lines.isEmpty { lines.append("") }
        lines += ["[\(context.name.text)]", "database = \(context.database)"]
        if context.isReadOnly { lines.append("read-only = yes") }
        if context.colour != .none { lines.append("color = \(context.colour.rawValue)") }
        if let keyFile = context.keyFile { lines.append("key-file = \(keyFile)") }
        if let publicURL = context.publicURL { lines.append("public-url = \(publicURL)") }
        contexts.append(context)
    }

    /// With all that stands up to the next name.
    mutating func remove(_ name: ContextName) {
        if let start = lines.firstIndex(where: { Self.trimmed($0) == "[\(name.text)]" }) {
            let end = lines[(start + 1)...].firstIndex { Self.trimmed($0).hasPrefix("[") } ?? lines.count
            lines.removeSubrange(start..<end)
        }
        while lines.last == "" { lines.removeLast() }
        if current == name {
            lines.removeAll { Self.trimmed($0).hasPrefix("current") && $0.contains("=") }
            current = nil
        }
        contexts.removeAll { $0.name == name }
    }

    /// The whole file in one step, 0600: who reads meanwhile reads the old one or the new one.
    func write(to path: String) throws(AdminFault) {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        Self.makeFolder(folder)
        let draft = path + ".\(UInt64.random(in: 0...(.max)))"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw Self.notWritten(path, errno) }
        defer { unlink(draft) }
        do throws(ConsoleError) {
            try StandardConsole.write(lines.map { $0 + "\n" }.joined(), to: descriptor)
        } catch {
            close(descriptor)
            throw Self.notWritten(path, EIO)
        }
        guard fsync(descriptor) == 0, close(descriptor) == 0, rename(draft, path) == 0 else {
            throw Self.notWritten(path, errno)
        }
    }

    private static func makeFolder(_ folder: String) {
        guard !folder.isEmpty, mkdir(folder, 0o700) != 0, errno == ENOENT else { return }
        makeFolder(folder.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/"))
        mkdir(folder, 0o700)
    }

    private static func notWritten(_ path: String, _ number: Int32) -> AdminFault {
        AdminFault(
            .outputNotMade,
            "'\(path)' cannot be written: \(String(cString: strerror(number)))",
            remedy: "Let this user write there, or set XDG_CONFIG_HOME to another folder."
        )
    }

    private static func fault(_ what: String, _ remedy: String) -> AdminFault {
        AdminFault(.configuration, what, remedy: remedy)
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var scalars = Substring(text).unicodeScalars
        while let first = scalars.first, first == " " || first == "\t" || first == "\r" { scalars.removeFirst() }
        while let last = scalars.last, last == " " || last == "\t" || last == "\r" { scalars.removeLast() }
        return String(Substring(scalars))
    }
}
