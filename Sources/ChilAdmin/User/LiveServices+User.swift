import ChilAuth
import ChilCore
import ChilDatabase
import ChilStore

extension LiveServices: UserServices {
    func users(_ query: UserQuery, of slug: Slug) async throws(AdminFault) -> [UserRow] {
        let tenant = try await record(of: slug)
        let list = ChilStore.UserList(
            of: tenant.id,
            before: query.before?.id,
            email: query.email,
            subject: query.subject,
            countMax: query.countMax
        )
        return try await ask { database throws(DatabaseError) in try await list.rows(from: database) }
            .map(UserRow.init)
    }

    func user(_ user: UserNumber, of slug: Slug) async throws(AdminFault) -> UserDetailRow {
        let tenant = try await record(of: slug)
        let one = UserSummaryOne(user.id, of: tenant.id, at: now())
        guard let found = try await ask({ database throws(DatabaseError) in try await one.first(from: database) })
        else {
            throw .noSuchUser(user, tenant: slug.text)
        }
        return UserDetailRow(found)
    }

    func setUser(_ user: UserNumber, of slug: Slug, to state: UserRecord.State) async throws(AdminFault)
        -> UserDetailRow
    {
        let tenant = try await record(of: slug)
        guard tenant.guest?.user != user.id else { throw .isGuest(tenant: slug.text) }
        let change = UserSetState(user.id, of: tenant.id, to: state, note: try note())
        _ = try await ask { database throws(DatabaseError) in try await change.run(on: database) }
        return try await self.user(user, of: slug)
    }

    func deleteUser(_ user: UserNumber, of slug: Slug) async throws(AdminFault) -> UserDeletionRow {
        let tenant = try await record(of: slug)
        guard let deletion = try await delete(user.id, of: tenant, slug) else {
            throw .noSuchUser(user, tenant: slug.text)
        }
        return UserDeletionRow(
            receipt: deletion.receipt.text,
            drawings: deletion.drawings,
            deletedAt: deletion.deletedAt.description
        )
    }

    /// An account that has ended.
    struct Deletion {
        let id: AccountDeletionID
        let receipt: DeletionReceipt
        let drawings: Int64
        let deletedAt: Timestamp
    }

    /// Ends an account that nobody holds; `nil`: there is no such user.
    func delete(_ user: UserID, of tenant: TenantRecord, _ slug: Slug) async throws(AdminFault) -> Deletion? {
        let summary = UserSummaryOne(user, of: tenant.id, at: now())
        let found = try await ask { database throws(DatabaseError) in try await summary.first(from: database) }
        guard let found else { return nil }
        guard found.hold == nil else { throw .isHeld(user, tenant: slug.text) }
        let receipt: DeletionReceipt
        do {
            receipt = try DeletionReceipt()
        } catch {
            throw AdminFault(.internalFault, "no receipt: \(error)", remedy: "Check OpenSSL's installation.")
        }
        let pepper = SubjectDigests(try keyRing()).pepper
        let (id, deletedAt): (AccountDeletionID, Timestamp) = (try fresh(), now())
        let delete = AccountDelete(
            user,
            of: tenant.id,
            as: id,
            receiptDigest: receipt.digest,
            pepper: pepper,
            by: .operator(name: settings.operatorName),
            audit: try fresh(),
            at: deletedAt
        )
        let outcome = try await withOwnDatabase({ $0.patient(AccountDelete.patience) }) {
            database throws(DatabaseError) in
            try await delete.run(on: database)
        }
        switch outcome {
        case .deleted(let drawings):
            return Deletion(id: id, receipt: receipt, drawings: drawings, deletedAt: deletedAt)
        case .missing: return nil
        case .isGuest: throw .isGuest(tenant: slug.text)
        }
    }

    /// Asks on connections that the other commands do not have.
    func withOwnDatabase<Answer: Sendable>(
        _ configured: (DatabaseConfiguration) -> DatabaseConfiguration,
        _ question: (SharedDatabase) async throws(DatabaseError) -> Answer
    ) async throws(AdminFault) -> Answer {
        let configuration = try databaseConfiguration()
        let database = SharedDatabase(configured(configuration), on: try loop())
        let result: Result<Answer, DatabaseError>
        do throws(DatabaseError) {
            result = .success(try await question(database))
        } catch {
            result = .failure(error)
        }
        await database.close()
        do throws(DatabaseError) {
            return try result.get()
        } catch {
            throw fault(error)
        }
    }
}
