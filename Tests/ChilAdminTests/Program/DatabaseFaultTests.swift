import ChilDatabase
import Testing

@testable import ChilAdmin

@Suite struct DatabaseFaultTests {
    @Test(arguments: [
        (DatabaseError.Code.unavailable, ExitCode.databaseAway), (.overloaded, .tryLater), (.timedOut, .tryLater),
        (.outcomeUnknown, .tryLater), (.contended, .tryLater), (.exhausted, .tryLater), (.conflict, .tryLater),
        (.constraint, .dataRefused), (.forbidden, .notPermitted), (.broken, .internalFault),
        (.malformedResult, .internalFault),
    ])
    func everyCodeHasItsStatus(_ code: DatabaseError.Code, _ status: ExitCode) {
        let fault = AdminFault(DatabaseError(code, detail: "said so"))
        #expect(fault.status == status)
        #expect(!fault.remedy.isEmpty)
    }

    @Test(arguments: [
        "tenant_slug_key", "printer_name_key", "provider_client_production_key", "provider_client_pkey",
        "provider_issuer_pkey",
    ])
    func whatIsTakenIsToldByName(_ constraint: String) {
        let fault = AdminFault(DatabaseError(.conflict, constraint: constraint, detail: "said so"))
        #expect(fault.status == .dataRefused)
        #expect(!fault.message.contains("said so"))
    }

    @Test func aPasswordIsNotRepeated() throws {
        let url = "postgresql://ann:secret@["
        let settings = try Settings(environment: Environment { _ in nil }, databaseURL: url)
        let services = LiveServices(settings: settings) { _ in }
        let fault = services.fault(DatabaseError(.unavailable, detail: "no matching ] in URI: \"\(url)\""))
        #expect(!fault.message.contains("secret"))
    }

    /// libpq quotes the part that it cannot read.
    @Test(arguments: ["postgresql://ann:hush%zz@localhost/chil", "postgresql://ann:a@hush@localhost/chil"])
    func anAddressThatCannotBeReadIsNotRepeated(_ url: String) throws {
        let settings = try Settings(environment: Environment { _ in nil }, databaseURL: url)
        let fault = #expect(throws: AdminFault.self) { try settings.requireDatabaseURL() }
        #expect(fault?.status == .configuration)
        #expect(fault.map { "\($0)" }?.contains("hush") == false)
    }

    @Test func missingSettingsAre78() throws {
        let settings = try Settings(environment: Environment { _ in nil }, databaseURL: nil)
        #expect(throws: AdminFault.self) { try settings.requireKeyFile() }
        do {
            _ = try settings.requireDatabaseURL()
            Issue.record("an address out of nothing")
        } catch {
            #expect(error.status == .configuration)
        }
    }
}
