import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// What is kept of printers' certificates, in two tenants.
@Suite struct PrinterCertificateTests {
    private let first = [UInt8](repeating: 1, count: 32)
    private let second = [UInt8](repeating: 2, count: 32)

    private struct Place {
        let tenant: TestTenant
        let printer: PrinterID

        init(_ store: TestStore) async throws {
            tenant = try await TestTenant(store)
            printer = try await tenant.printer("desk")
        }

        func kept(_ store: TestStore) async throws -> PrinterCertificate {
            try #require(
                try await PrinterCertificateOne(of: printer, in: tenant.id).rows(from: store.service).first
            )
        }
    }

    @Test func theFirstKeyIsKeptAndNoOther() async throws {
        try await TestStore.with { store in
            let place = try await Place(store), other = try await Place(store)
            #expect(try await place.kept(store).key == nil)
            func keep(_ key: [UInt8], in tenant: TenantID, at now: Timestamp) async throws -> PrinterCertificate? {
                try await PrinterCertificateKeep(key, of: place.printer, in: tenant, at: now).first(from: store.service)
            }
            #expect(try await keep(first, in: other.tenant.id, at: noon) == nil, "another tenant's printer")
            #expect(try await place.kept(store).key == nil)
            let met = try #require(try await keep(first, in: place.tenant.id, at: noon))
            #expect(met.key == first && met.keyAt == noon && met.fault == nil)
            // Whoever comes second is told whose is kept.
            let late = try #require(try await keep(second, in: place.tenant.id, at: noon + .seconds(1)))
            #expect(late.key == first && late.keyAt == noon)
            #expect(try await other.kept(store).key == nil)
        }
    }

    @Test func whatWasWrongIsNotedAndForgotten() async throws {
        try await TestStore.with { store in
            let place = try await Place(store), other = try await Place(store)
            for one in [place, other] {
                _ = try await PrinterCertificateKeep(first, of: one.printer, in: one.tenant.id, at: noon)
                    .first(from: store.service)
            }
            func note(_ fault: PrinterCertificate.Fault?, _ seen: [UInt8]?, in tenant: TenantID) async throws -> Bool {
                try await PrinterCertificateNote(fault, seen: seen, of: place.printer, in: tenant)
                    .first(from: store.service) ?? false
            }
            #expect(try await !note(.changed, second, in: other.tenant.id), "another tenant's printer")
            #expect(try await note(.changed, second, in: place.tenant.id))
            #expect(try await !note(.changed, second, in: place.tenant.id), "no news")
            let seen = try await place.kept(store)
            #expect(seen.fault == .changed && seen.seen == second && seen.key == first)
            #expect(try await note(.expired, first, in: place.tenant.id))
            #expect(try await note(nil, second, in: place.tenant.id))
            let well = try await place.kept(store)
            #expect(well.fault == nil && well.seen == nil && well.key == first)
            #expect(try await other.kept(store).fault == nil)
        }
    }

    @Test func anOperatorTrustsByName() async throws {
        try await TestStore.with { store in
            let place = try await Place(store), other = try await Place(store)
            for one in [place, other] {
                _ = try await PrinterCertificateKeep(first, of: one.printer, in: one.tenant.id, at: noon)
                    .first(from: store.service)
                _ = try await PrinterCertificateNote(.changed, seen: second, of: one.printer, in: one.tenant.id)
                    .first(from: store.service)
            }
            let later = noon + .seconds(60)
            func trust(_ name: String, at now: Timestamp) async throws -> PrinterRecord? {
                try await PrinterTrust(second, ofPrinter: name, in: place.tenant.id, note: place.tenant.note(at: now))
                    .first(from: store.operatorRole)
            }
            #expect(try await trust("hall", at: later) == nil)
            #expect(try await trust("desk", at: later)?.id == place.printer)
            let kept = try await place.kept(store)
            #expect(kept.key == second && kept.keyAt == later && kept.fault == nil && kept.seen == nil)
            let foreign = try await other.kept(store)
            #expect(foreign.key == first && foreign.fault == .changed && foreign.seen == second)
            let digits = String(repeating: "02", count: 32)
            #expect(try await place.tenant.auditedActions().contains("printer.trust sha256:\(digits)"))
            #expect(try await !other.tenant.auditedActions().contains { $0.hasPrefix("printer.trust") })
            let all = try await PrinterCertificates(of: place.tenant.id).rows(from: store.operatorRole)
            #expect(all == [kept])
        }
    }
}
