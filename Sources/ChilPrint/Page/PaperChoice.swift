/// Which sheet a job is laid out for.
///
/// A sheet that is in no tray stops a printer until somebody comes and loads it. So what is loaded goes before what is wished for,
/// and the job says so; only a printer that does not tell what is loaded is believed to have what it supports.
package struct PaperChoice: Hashable, Sendable {
    package let tray: PaperTray
    /// It is another one than was wanted.
    package let isSubstituted: Bool

    /// - Parameters:
    ///   - wanted: what the person asks for, or the tenant's sizes do.
    ///   - usual: the tenant's own.
    ///   - trays: what is loaded; empty where the printer does not say.
    ///   - supported: names of what it can print on; empty where it does not say.
    package init(wanted: PaperName?, usual: PaperName?, trays: [PaperTray], supported: [String] = []) {
        if let tray = wanted.flatMap({ Self.tray($0, trays, supported) }) {
            self.init(tray: tray, isSubstituted: false)
        } else {
            self.init(tray: Self.tray(usual: usual, trays, supported), isSubstituted: wanted != nil)
        }
    }

    private init(tray: PaperTray, isSubstituted: Bool) {
        self.tray = tray
        self.isSubstituted = isSubstituted
    }

    private static func tray(_ name: PaperName, _ trays: [PaperTray], _ supported: [String]) -> PaperTray? {
        if !trays.isEmpty { return trays.first { $0.paper.isAsLarge(as: name.size) } }
        let sizes = supported.compactMap { PaperSize(keyword: $0) }
        guard sizes.isEmpty || sizes.contains(where: { $0.isAsLarge(as: name.size) }) else { return nil }
        return PaperTray(name.size)
    }

    private static func tray(usual: PaperName?, _ trays: [PaperTray], _ supported: [String]) -> PaperTray {
        for name in [usual, .a4] {
            if let tray = name.flatMap({ Self.tray($0, trays, supported) }) { return tray }
        }
        if let first = trays.first { return first }
        let known = supported.lazy.compactMap { PaperSize(keyword: $0) }.first { PaperName($0) != nil }
        return PaperTray(known ?? (usual ?? .a4).size)
    }
}
