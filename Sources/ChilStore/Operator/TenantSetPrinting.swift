package import ChilCore
package import ChilDatabase

/// How the pages of a tenant are.
package struct PrintingRules: Sendable, Equatable {
    /// `page` or `paper`: what LARGE, MEDIUM and SMALL are shares of.
    package let fit: String
    /// By the contract's name; `nil`: whatever is loaded.
    package let paper: String?
    /// A small code by which a page is known again.
    package let hasMark: Bool

    static let columns = "print_fit, print_paper, prints_mark"

    init(_ row: ResultRow, from first: Int) throws(DatabaseError) {
        fit = row.text(first)
        paper = row.textOrNil(first + 1)
        hasMark = try row.bool(first + 2)
    }
}

/// Sets how a tenant's pages are. What is `nil` stays; what changes nothing is not audited. It holds for pages that are drawn from then on.
package struct TenantSetPrinting: Sendable {
    package struct Change: Sendable, Equatable {
        package let fit: String?
        /// `.some(nil)`: none any more.
        package let paper: String??
        package let hasMark: Bool?

        package init(fit: String?, paper: String??, hasMark: Bool?) {
            self.fit = fit
            self.paper = paper
            self.hasMark = hasMark
        }
    }

    let tenant: TenantID
    let change: Change
    let note: OperatorNote

    package init(_ change: Change, of tenant: TenantID, note: OperatorNote) {
        self.tenant = tenant
        self.change = change
        self.note = note
    }

    /// Whether something changed.
    @discardableResult
    package func run(on database: some Database) async throws(DatabaseError) -> Bool {
        var batch = Batch(.write, of: tenant)
        let slot = batch.add(TenantPrintingUpdate(set: self))
        batch.add(Notify.tenant(tenant))
        return try await database.run(batch).first(slot) != nil
    }
}

private struct TenantPrintingUpdate: Statement {
    static let sql = SQL(
        """
        with change as (
            update tenant t
               set print_fit = coalesce($5, t.print_fit), print_paper = case when $6 then $7 else t.print_paper end,
                   prints_mark = coalesce($8, t.prints_mark), updated_at = $3
             where t.tenant_id = $1
               and (t.print_fit, t.print_paper, t.prints_mark) is distinct from
                   (coalesce($5, t.print_fit), case when $6 then $7 else t.print_paper end, coalesce($8, t.prints_mark))
            returning slug, print_fit, print_paper, prints_mark
        ), \(OperatorNote.insert(
            "tenant.printing",
            target: "slug",
            detail: "'scale of ' || print_fit || ', ' || coalesce(print_paper, 'any paper') || case when prints_mark then ', marked' else '' end"
        ))
        select slug from change
        """
    )

    let set: TenantSetPrinting

    func bind(_ values: inout BoundValues) {
        set.note.bind(&values, of: set.tenant)
        values.append(set.change.fit)
        values.append(set.change.paper != nil)
        values.append(set.change.paper ?? nil)
        values.append(flag: set.change.hasMark)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}
