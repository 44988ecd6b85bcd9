/// Asks before something is done. What is chosen at first is Cancel.
struct Dialog: Equatable, Sendable {
    let act: Act
    let rows: [RowName]
    let names: [String]
    /// What has to be typed, if the act is severe.
    let slug: String
    var editor = LineEditor()
    /// Whether the second button is chosen.
    var isOnDo = false
    var complaint: String?

    init(_ act: Act, _ rows: [RowName], names: [String], slug: String) {
        self.act = act
        self.rows = rows
        self.names = names
        self.slug = slug
    }

    /// By bytes: two spellings of a name are two names.
    var isAllowed: Bool { !act.isSevere || Array(editor.text.utf8) == Array(slug.utf8) }
}

extension ConsoleModel {
    mutating func receivedByDialog(_ key: Key) -> [ConsoleRequest] {
        guard var asked = dialog else { return [] }
        switch key {
        case .escape: dialog = nil
        case .tab, .backTab:
            asked.isOnDo.toggle()
            dialog = asked
        case .left where !asked.act.isSevere, .right where !asked.act.isSevere:
            asked.isOnDo.toggle()
            dialog = asked
        case .enter where !asked.isOnDo: dialog = nil
        case .enter where asked.isAllowed:
            dialog = nil
            pane.marks = [:]
            say("\(asked.act.word): under way…", .plain)
            return [.act(fresh(), asked.act, asked.rows)]
        case .enter:
            asked.complaint = "Type \(asked.slug) to go on."
            dialog = asked
        default:
            guard asked.act.isSevere, asked.editor.received(key) else { return [] }
            asked.complaint = nil
            dialog = asked
        }
        return []
    }
}
