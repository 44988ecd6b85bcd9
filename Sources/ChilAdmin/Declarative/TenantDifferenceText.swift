/// What differs, for a person who is asked: `+` is added, `~` changed, `-` removed; `=` is left, though the file has it not.
enum TenantDifferenceText {
    static func lines(_ changes: [TenantChange]) -> [String] {
        let paths = changes.map { DisplayWidth.cut(CleanText.clean($0.path), to: 60) }
        let width = paths.map(DisplayWidth.of).max() ?? 0
        return zip(changes, paths).map { change, path in
            let padding = String(repeating: " ", count: width - DisplayWidth.of(path))
            let (before, after) = (CleanText.clean(change.before), CleanText.clean(change.after))
            return switch change.kind {
            case .add: "+ \(path)\(padding)  \(after)"
            case .change: "~ \(path)\(padding)  \(before) -> \(after)"
            case .remove: "- \(path)\(padding)  \(before)"
            case .left: "= \(path)\(padding)  \(before)"
            }
        }
    }
}
