import ChilAuth
import ChilCore

/// What a service with these key versions knows ended subjects by.
func testSubjects(_ keys: [Int] = [1]) -> SubjectDigests {
    let lines = keys.map { "\($0):\(String(repeating: "\($0)a", count: 32))\n" }
    do {
        return SubjectDigests(try KeyRing(parsing: Array(lines.joined().utf8)))
    } catch {
        preconditionFailure("\(error)")
    }
}

let testPepper = testSubjects().pepper

func testDigests(of subject: String, from provider: ProviderID, in tenant: TenantID, _ keys: [Int]) -> [UInt8] {
    testSubjects(keys).all(of: subject, from: provider, in: tenant)
}
