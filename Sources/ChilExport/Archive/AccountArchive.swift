package import ChilCore
package import ChilDatabase
package import ChilStore

/// All that is kept of a person, as a ZIP made while it is read: JSON, and the images as they were given. Not `Sendable`.
///
/// Memory: one page of rows or four chunks of an image (1 MiB), and some 40 bytes for each image. Pages are read one after another, each as
/// it is then: what is added meanwhile, and what the person deletes, may be missing. An account goes as a whole, in one transaction: if it is
/// still there behind the last page, no page was read without it; if not, there is no archive.
package final class AccountArchive {
    private let database: any Database
    private let user: UserID
    private let tenant: TenantID
    private var isWhole = false
    private var parts: [any ExportPart]
    private var zip: ZIPWriter<ExportName>
    private var isFileOpen = false
    /// Files so far, not counting the one that is being given.
    package var entryCount: Int64 { Int64(clamping: zip.entryCount) }

    /// - Parameters:
    ///   - service: where the account is, for whoever reads the archive: `https://host/tenant`.
    ///   - database: image bytes are read as `.bulkRead`.
    ///   - objects: where images lie that are not in it.
    package init(
        of user: UserID,
        in tenant: TenantID,
        service: String,
        at now: Timestamp,
        from database: any Database,
        objects: (any ImageObjects)? = nil
    ) {
        self.database = database
        self.user = user
        self.tenant = tenant
        zip = ZIPWriter(at: now)
        parts = [
            ExportAbout(user, service: service, at: now),
            ExportList<AccountPage>(.account, of: user, in: tenant),
            ExportList<IdentityPage>(.identities, of: user, in: tenant),
            ExportList<SessionPage>(.sessions, of: user, in: tenant),
            // Before the drawings: what becomes one meanwhile is there as either.
            ExportList<WaitingScanPage>(.scans, of: user, in: tenant),
            ExportList<DrawingExportPage>(.drawings, of: user, in: tenant),
            ExportList<PrintJobPage>(.printJobs, of: user, in: tenant),
            ExportList<ProviderEventPage>(.providerEvents, of: user, in: tenant),
            ExportList<ConsentPage>(.consents, of: user, in: tenant),
            ExportList<ErasureRequestPage>(.erasureRequests, of: user, in: tenant),
            ExportList<QuotaUsePage>(.quotaUse, of: user, in: tenant),
            ExportImages(of: user, in: tenant, objects),
        ]
        parts.reverse()
    }

    /// The next bytes; `nil` when the archive is whole.
    ///
    /// - Throws: `ExportFault`, `DatabaseError`: what was given so far is then no archive.
    package func next() async throws -> [UInt8]? {
        while let part = parts.last {
            switch try await part.next(from: database) {
            case .bytes(let bytes):
                zip.add(bytes)
                return bytes
            case .file(let name, let isLarge):
                let behind = endFile()
                isFileOpen = true
                return behind + zip.begin(name, isLarge: isLarge)
            case nil: parts.removeLast()
            }
        }
        let behind = endFile()
        if !behind.isEmpty { return behind }
        if !isWhole {
            guard try await database.run(UserOne(user, of: tenant), .bulkRead, of: tenant).first != nil else {
                throw ExportFault.accountGone
            }
            isWhole = true
        }
        return zip.nextDirectoryPiece()
    }

    private func endFile() -> [UInt8] {
        guard isFileOpen else { return [] }
        isFileOpen = false
        return zip.end()
    }
}
