import Testing

/// Bad input: the exact status and code, nothing stored, nothing told that is not the caller's.
@Suite(.testBed(), .ownThread)
struct RefusalTests {
    /// Somebody signed in.
    static func app(_ tenant: Tenant = .north) throws -> App {
        let bed = try TestBed.required
        return try App(try bed.service(), tenant, bed.issuer)
    }

    /// A tenant for one test, which does with it what would disturb others.
    static func tenant(_ slug: String) throws -> Tenant {
        let bed = try TestBed.required
        let tenant = Tenant(slug: slug)
        try bed.administration.add(tenant, bed.issuer)
        return tenant
    }
}
