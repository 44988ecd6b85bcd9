package import ChilCore
import ChilDatabase

/// A real printer: the tenant that has it, and its row there. What others borrow is a row of theirs that leads here.
package struct PrintPlace: Hashable, Sendable {
    package let tenant: TenantID
    package let printer: PrinterID

    package init(tenant: TenantID, printer: PrinterID) {
        self.tenant = tenant
        self.printer = printer
    }

    /// `nil`: nobody lends it.
    init?(lender row: ResultRow, from first: Int) throws(DatabaseError) {
        guard try row.int64OrNil(first) != nil else { return nil }
        self.init(tenant: try row.id(first), printer: try row.id(first + 1))
    }
}

extension PrinterRecord {
    /// What a borrower's row is once the lender's is read: the lender's address, under the stricter state of both.
    func standing(for lent: PrinterRecord) -> PrinterRecord {
        PrinterRecord(lent, state: state.stricter(lent.state), disclosedTo: disclosedTo ?? lent.disclosedTo)
    }

    var removed: PrinterRecord { PrinterRecord(self, state: .removed, disclosedTo: disclosedTo) }

    private init(_ record: PrinterRecord, state: State, disclosedTo: String?) {
        id = record.id
        name = record.name
        kind = record.kind
        uri = record.uri
        isDefault = record.isDefault
        self.state = state
        self.disclosedTo = disclosedTo
    }
}

extension PrinterRecord.State {
    private static let byStrictness: [Self] = [.enabled, .draining, .disabled, .removed]

    package func stricter(_ other: Self) -> Self {
        Self.byStrictness.last { $0 == self || $0 == other } ?? self
    }
}
