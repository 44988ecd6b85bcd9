import ChilCore
import ChilDatabase
import ChilS3
import ChilStore

extension LiveServices: ImageServices {
    func moveImages(to target: ImageMover.Target, of slug: Slug?) async throws(AdminFault) -> [ImageMoveRow] {
        guard let objects = try imageObjects() else {
            throw .missingSetting(
                S3Place.urlSetting,
                because: "Set the object store as chilapi has it: docs/images.md."
            )
        }
        do throws(ImageObjectFault) {
            try await objects.check()
        } catch {
            throw Self.fault(error)
        }
        var tenants: [TenantRecord] = []
        if let slug {
            tenants = [try await record(of: slug)]
        } else {
            tenants = try await ask { database throws(DatabaseError) in
                try await database.run(ChilStore.TenantList(), .read, of: nil)
            }
        }
        var rows: [ImageMoveRow] = []
        let progress = progress("image move", of: nil, "images")
        defer { progress.end() }
        var before: Int64 = 0
        for tenant in tenants {
            let moved = try await move(to: target, of: tenant, objects, (progress, before))
            before += Int64(moved.images)
            rows.append(
                ImageMoveRow(
                    slug: tenant.slug,
                    images: moved.images,
                    bytes: moved.bytes,
                    gone: moved.gone,
                    damaged: moved.damaged
                )
            )
        }
        return rows
    }

    /// The object store as the settings name it; `nil`: none is set.
    func imageObjects() throws(AdminFault) -> SharedS3Client? {
        let place: S3Place?
        do throws(S3SettingFault) {
            place = try S3Place.read { settings.objectStore[$0] }
        } catch {
            throw AdminFault(
                .dataRefused,
                "\(error)",
                remedy: "Set the object store as chilapi has it: docs/images.md."
            )
        }
        guard let place else { return nil }
        return SharedS3Client(place, on: try loop())
    }

    private func move(
        to target: ImageMover.Target,
        of tenant: TenantRecord,
        _ objects: SharedS3Client,
        _ progress: (line: Progress, before: Int64)
    ) async throws(AdminFault) -> ImageMover.Moved {
        let result = try await withOwnDatabase({ $0.moving }) { database throws(DatabaseError) in
            await self.result(of: ImageMover(database, objects), to: target, tenant, progress)
        }
        let moved = try result.get()
        if moved.images > 0 {
            try await audit("image.move", on: nil, in: tenant.id, "\(moved.images) images to \(target.rawValue)")
        }
        return moved
    }

    private func result(
        of mover: ImageMover,
        to target: ImageMover.Target,
        _ tenant: TenantRecord,
        _ progress: (line: Progress, before: Int64)
    ) async -> Result<ImageMover.Moved, AdminFault> {
        do {
            return .success(
                try await mover.move(to: target, of: tenant.id, object: { try fresh() }) { moved in
                    progress.line.reached(progress.before + Int64(moved.images))
                }
            )
        } catch let error as ImageObjectFault {
            return .failure(Self.fault(error))
        } catch let error as DatabaseError {
            return .failure(fault(error))
        } catch let error as AdminFault {
            return .failure(error)
        } catch {
            return .failure(
                AdminFault(.internalFault, "\(error)", remedy: "Run it again: it goes on where it stopped.")
            )
        }
    }

    private static func fault(_ error: ImageObjectFault) -> AdminFault {
        AdminFault(.failed, "\(error)", remedy: "Run it again once that is mended: it goes on where it stopped.")
    }
}

extension DatabaseConfiguration {
    /// Images are read and written on connections for bulk alone.
    fileprivate var moving: DatabaseConfiguration {
        var moving = self
        moving.readConnections = 1
        moving.writeConnections = 1
        moving.bulkConnections = 1
        return moving
    }
}
