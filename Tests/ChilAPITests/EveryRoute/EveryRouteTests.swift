import Testing

/// Every route when all is well, in every form of talking to PostgreSQL. Each test has a person of its own.
@Suite(.testBed(ServiceForm.allCases), .ownThread)
struct EveryRouteTests {
    /// The service of that form, and somebody signed in to it.
    static func app(_ form: ServiceForm, _ tenant: Tenant = .north) throws -> App {
        let bed = try TestBed.required
        return try App(try bed.service(form), tenant, bed.issuer)
    }
}
