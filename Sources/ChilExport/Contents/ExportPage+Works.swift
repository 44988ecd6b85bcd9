import ChilCore
import ChilDatabase

/// `drawings.json`
struct DrawingExportPage: ExportPage {
    static let sql = SQL(
        """
        select drawing_id, json_strip_nulls(json_build_object(
                   'drawingId', drawing_id, 'type', kind, 'status', status, 'title', title, 'prompt', prompt,
                   'width', width, 'height', height, 'mediaType', media_type, 'byteCount', byte_count, 'version', version,
                   'createdAt', \(exported("created_at")), 'updatedAt', \(exported("updated_at")),
                   'sha256', encode(image_hash, 'hex'),
                   'image', case when image_hash is not null
                                 then 'images/' || drawing_id || case media_type when 'image/jpeg' then '.jpg' when 'image/gif' then '.gif'
                                                                                     when 'image/webp' then '.webp' else '.png' end end,
                   'sourceId', source_id,
                   'making', (select json_strip_nulls(json_build_object('kind', j.kind, 'state', j.state, 'fault', j.fault,
                                                                        'parameters', j.parameters::json, 'revisedPrompt', j.revised_prompt,
                                                                        'endpointId', j.endpoint_id))
                                from image_job j where j.tenant_id = $1 and j.job_id = drawing.drawing_id),
                   'originalSha256', encode(original_hash, 'hex')
               ))::text
          from drawing
         where tenant_id = $1 and owner_id = $2 and drawing_id < $3
         order by drawing_id desc limit \(countMax)
        """
    )

    let place: ExportPlace

    init(of user: UserID, in tenant: TenantID, before: Int64) {
        place = ExportPlace(user: user, tenant: tenant, before: before)
    }

    func bind(_ values: inout BoundValues) { place.bind(&values) }
}

/// `print-jobs.json`, each with its history. The job machine's own text repeats it.
struct PrintJobPage: ExportPage {
    static let sql = SQL(
        """
        select j.job_id, json_strip_nulls(json_build_object(
                   'printJobId', j.job_id, 'drawingId', j.drawing_id, 'printerId', j.printer_id,
                   'printer', (select p.name from printer p where p.tenant_id = $1 and p.printer_id = j.printer_id),
                   'state', j.state, 'reason', j.reason, 'scale', j.scale, 'copies', j.copies,
                   'drawingIds', j.drawing_ids, 'paperWanted', j.paper_wanted, 'paper', j.paper,
                   'paperSubstituted', j.paper_substituted, 'pages', j.page_count,
                   'remoteJobId', j.remote_job_id, 'remoteJobUri', j.remote_job_uri,
                   'createdAt', \(exported("j.created_at")), 'updatedAt', \(exported("j.updated_at")),
                   'history', (select json_agg(json_build_object('state', e.state, 'reason', e.reason, 'at', \(exported("e.at"))) order by e.sequence)
                                 from print_job_event e where e.tenant_id = $1 and e.job_id = j.job_id)
               ))::text
          from print_job j
         where j.tenant_id = $1 and j.owner_id = $2 and j.job_id < $3
         order by j.job_id desc limit \(countMax)
        """
    )

    let place: ExportPlace

    init(of user: UserID, in tenant: TenantID, before: Int64) {
        place = ExportPlace(user: user, tenant: tenant, before: before)
    }

    func bind(_ values: inout BoundValues) { place.bind(&values) }
}
