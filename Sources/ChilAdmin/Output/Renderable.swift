/// A listing whose row type does not matter any more.
protocol Renderable: Sendable {
    var notes: [String] { get }
    /// How the command ends once this is written.
    var status: ExitCode { get }

    func rendered(_ presentation: Presentation) -> String
}

extension Listing {
    /// The one place where rows become text; it ends with a line feed unless it is empty.
    func rendered(_ presentation: Presentation) -> String {
        switch presentation.format {
        case .table, .wide: text(presentation)
        case .json where shape == .rows: JSONText.array(rows.map { presentation.members(of: $0) }) + "\n"
        case .json: rows.map { JSONText.object(presentation.members(of: $0)) + "\n" }.joined()
        case .csv where shape == .bare && rows.isEmpty: ""
        case .csv, .ndjson, .name:
            presentation.head(of: Row.self) + rows.map { presentation.line($0) }.joined()
        }
    }

    private func text(_ presentation: Presentation) -> String {
        let asksForOne = presentation.fields.count == 1
        switch shape {
        case .rows:
            let columns = presentation.columns(of: Row.self, listed: presentation.format == .table)
            return Table(columns: columns, rows: rows, presentation).text
        case .record where !asksForOne:
            let columns = presentation.columns(of: Row.self, listed: false)
            return rows.map { Table.record($0, columns, presentation) }.joined(separator: "\n")
        case .record, .bare:
            let wanted = presentation.columns(of: Row.self, listed: false)
            let columns = presentation.fields.isEmpty ? Array(wanted.prefix(1)) : wanted
            return rows.map { row in
                columns.map { presentation.cell($0, of: row) }.joined(separator: "  ") + "\n"
            }.joined()
        }
    }
}
