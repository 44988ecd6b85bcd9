import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// How printers take what they are sent, in two tenants.
@Suite struct PrinterUploadTests {
    @Test func whatAPrinterShowedIsKeptForItsLife() async throws {
        try await TestStore.with { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            let (desk, theirs) = (try await tenant.printer("desk"), try await other.printer("desk"))
            func kept(_ printer: PrinterID, _ tenant: TestTenant) async throws -> String? {
                try await PrinterUpload(of: printer, in: tenant.id).first(from: store.service) ?? nil
            }
            func note(_ upload: String, in tenant: TestTenant) async throws -> Int {
                try await PrinterUploadNote(upload, of: desk, in: tenant.id).touched(on: store.service)
            }
            #expect(try await kept(desk, tenant) == nil)
            #expect(try await note("chunked", in: other) == 0, "another tenant's printer")
            #expect(try await note("chunked", in: tenant) == 1)
            #expect(try await kept(desk, tenant) == "chunked")
            #expect(try await kept(desk, other) == nil)
            #expect(try await note("length", in: tenant) == 1)
            #expect(try await note("chunked", in: tenant) == 0, "it cut something off once")
            #expect(try await kept(desk, tenant) == "length")
            #expect(try await kept(theirs, other) == nil)
        }
    }
}
