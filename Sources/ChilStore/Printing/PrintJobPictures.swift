package import ChilCore
package import ChilDatabase

/// A picture of a job that is still there, and how its tenant's pages are.
package struct PrintJobPicture: Sendable {
    package let rules: PrintingRules
    /// Of the pages that were asked for, from 0.
    package let place: Int
    package let hash: [UInt8]
    package let mediaType: String
    package let byteCount: Int64
}

/// The pictures of a job, in order. None: all were deleted.
package struct PrintJobPictures: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select n.place, d.image_hash, d.media_type, d.byte_count, t.print_fit, t.print_paper, t.prints_mark
          from print_job j
          join tenant t on t.tenant_id = $1
          cross join unnest(coalesce(j.drawing_ids, array[j.drawing_id])) with ordinality n (drawing_id, place)
          join drawing d on d.tenant_id = $1 and d.owner_id = j.owner_id and d.drawing_id = n.drawing_id
         where j.tenant_id = $1 and j.job_id = $2 and d.image_hash is not null
         order by n.place
        """
    )

    package let tenant: TenantID
    let job: PrintJobID

    package init(of job: PrintJobID, in tenant: TenantID) {
        self.tenant = tenant
        self.job = job
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(job)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> PrintJobPicture {
        PrintJobPicture(
            rules: try PrintingRules(row, from: 4),
            place: Int(try row.int64(0)) - 1,
            hash: row.bytes(1),
            mediaType: row.text(2),
            byteCount: try row.int64(3)
        )
    }
}
