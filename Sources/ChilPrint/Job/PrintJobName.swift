package import ChilCore

/// The remote job's name: by its first word a job is found again after a lost answer.
package struct PrintJobName: Hashable, Sendable {
    /// RFC 8011 §5.1.2: `name(MAX)`.
    package static let byteCountMax = 255

    private let stem: String
    private let title: String

    package init(tenant: TenantID, job: PrintJobID, title: String) {
        stem = "chil-\(tenant.rawValue)-\(job.rawValue)"
        // What a panel shows: no line breaks or other control characters.
        self.title = String(title.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) })
    }

    package func name(attempt: Int) -> String {
        var name = "\(stem)-\(attempt)" + (title.isEmpty ? "" : " \(title)")
        while name.utf8.count > Self.byteCountMax { name.removeLast() }
        return name
    }

    /// Whether a printer's job is that of this attempt; a printer may have cut the title.
    package func matches(_ name: String?, attempt: Int) -> Bool {
        guard let name else { return false }
        let word = "\(stem)-\(attempt)"
        return name == word || name.hasPrefix(word + " ")
    }
}
