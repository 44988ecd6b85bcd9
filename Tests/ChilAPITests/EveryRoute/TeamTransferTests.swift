import Foundation
import Testing

extension EveryRouteTests {
    /// An app came from another team: each user has a new subject, and is still the same user.
    @Suite struct TeamTransfer {
        private static func signIn(
            _ service: Service,
            _ tenant: Tenant,
            _ subject: String,
            transfer: String? = nil,
            issuer: TestIssuer? = nil
        ) throws -> (user: Int, isNew: Bool) {
            let issuer = try issuer ?? TestBed.required.issuer
            let nonce = try App.nonce(service, tenant)
            var token = IdentityToken(issuer, tenant, subject: subject, nonce: nonce)
            if let transfer { token.claims["transfer_sub"] = "\"\(transfer)\"" }
            let answer = try service.send(App.signIn(tenant, try token.signed(issuer.es256), nonce))
            try #require(answer.status == 200, "\(answer.text)")
            let user = try #require(try answer.members["user"] as? [String: Any])
            return (try #require(user["id"] as? Int), try answer.members["isNewUser"] as? Bool == true)
        }

        @Test(arguments: ServiceForm.allCases)
        func aTransferredUserIsKnownAtTheFirstSignIn(_ form: ServiceForm) throws {
            let bed = try TestBed.required
            let service = try bed.service(form)
            let mark = UUID().uuidString
            let old = try Self.signIn(service, .north, "old-\(mark)")
            let foreign = try Self.signIn(service, .south, "old-\(mark)")
            #expect(old.isNew && foreign.isNew)

            // The lines of the other team, for one tenant alone.
            let file = bed.folder.appendingPathComponent("\(mark).csv").path
            try Data("sub,transfer_sub\nold-\(mark),move-\(mark)\n".utf8).write(to: URL(fileURLWithPath: file))
            try bed.administration.run(
                "apple transfer import north --client-id \(Tenant.north.clientID) --file \(file)"
            )

            let moved = try Self.signIn(service, .north, "new-\(mark)", transfer: "move-\(mark)")
            #expect(moved.user == old.user && !moved.isNew)
            // From then on by the new subject alone; whoever has the old one is somebody else.
            let again = try Self.signIn(service, .north, "new-\(mark)", transfer: "move-\(mark)")
            let later = try Self.signIn(service, .north, "new-\(mark)")
            #expect(again.user == old.user && later.user == old.user && !again.isNew && !later.isNew)
            #expect(try Self.signIn(service, .north, "old-\(mark)").user != old.user)
            // The other tenant knows nothing of it.
            let other = try Self.signIn(service, .south, "new-\(mark)", transfer: "move-\(mark)")
            #expect(other.isNew && other.user != foreign.user)
            #expect(try Self.signIn(service, .south, "old-\(mark)").user == foreign.user)
        }

        /// 16 devices of one person, at the first moment after the transfer.
        @Test func manyFirstSignInsMoveOneUser() throws {
            let bed = try TestBed.required
            let service = try bed.service()
            let mark = UUID().uuidString
            let old = try Self.signIn(service, .north, "old-\(mark)")
            let file = bed.folder.appendingPathComponent("\(mark).csv").path
            try Data("sub,transfer_sub\nold-\(mark),move-\(mark)\n".utf8).write(to: URL(fileURLWithPath: file))
            try bed.administration.run(
                "apple transfer import north --client-id \(Tenant.north.clientID) --file \(file)"
            )
            let users = try inParallel(16) { _ in
                try Self.signIn(service, .north, "new-\(mark)", transfer: "move-\(mark)", issuer: bed.issuer)
            }
            #expect(users.allSatisfy { $0.user == old.user && !$0.isNew })
        }
    }
}
