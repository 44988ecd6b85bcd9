import ChilCore
import ChilHTTP

extension EpsonSimulatorState {
    private static let uploadBytesMax = 20 << 20
    private static let jobsMax = 100
    private static let extensionsV1: Set = [
        "doc", "docx", "xls", "xlsx", "ppt", "pptx", "pdf", "jpeg", "jpg", "bmp", "gif", "png", "tiff",
    ]
    private static let extensionsV2: Set = ["pdf", "jpeg", "jpg", "png"]
    /// Sizes and what they are loaded with, as the L6490 has them.
    private static let papers: [(size: String, types: [String])] = [
        ("a4", ["plainpaper", "photopaper"]), ("letter", ["plainpaper"]), ("legal", ["plainpaper"]),
        ("b5", ["plainpaper"]), ("a5", ["plainpaper"]), ("a6", ["plainpaper"]), ("2l", ["photopaper"]),
        ("kg", ["photopaper"]), ("l", ["photopaper"]), ("postcard", ["hagaki"]),
    ]

    func device(_ ask: EpsonAsk) -> EpsonReply {
        let model = EpsonSimulatorSettings.model
        return EpsonReply(
            .ok,
            ask.isV1
                ? #"{"printer_name":"\#(model)","serial_no":"\#(settings.serial)","ec_connected":\#(isConnected)}"#
                : #"{"productName":"\#(model)","serialNumber":"\#(settings.serial)","multiByteDisplay":true,"connected":\#(isConnected)}"#
        )
    }

    func capability(_ ask: EpsonAsk) -> EpsonReply {
        let sizes = Self.papers.map { paper in
            let types = paper.types.map { type in
                ask.isV1
                    ? #"{"media_type":"mt_\#(type)","borderless":\#(type != "plainpaper"),"sources":["auto","rear","front1"],"print_qualities":["normal","high"],"2_sided":\#(type == "plainpaper")}"#
                    : #"{"paperType":"pt_\#(type)","borderless":\#(type != "plainpaper"),"paperSources":["auto","rear","front1"],"printQualities":["normal","high"],"doubleSided":\#(type == "plainpaper")}"#
            }.joined(separator: ",")
            return ask.isV1
                ? #"{"media_size":"ms_\#(paper.size)","media_types":[\#(types)]}"#
                : #"{"paperSize":"ps_\#(paper.size)","paperTypes":[\#(types)]}"#
        }.joined(separator: ",")
        return EpsonReply(
            .ok,
            ask.isV1
                ? #"{"color_modes":["color","mono"],"media_sizes":[\#(sizes)]}"#
                : #"{"colorModes":["color","mono"],"resolutions":[360],"paperSizes":[\#(sizes)]}"#
        )
    }

    mutating func create(_ ask: EpsonAsk) -> EpsonReply {
        let members = try? StrictJSON.parse(ask.body).object
        let names =
            ask.isV1
            ? ("job_name", "print_mode", "print_setting", "media_size", "media_type")
            : ("jobName", "printMode", "printSettings", "paperSize", "paperType")
        guard let members else { return .fault(.badRequest, ask.isV1 ? "parse_error" : "invalid_resource") }
        let refused = EpsonReply.fault(.badRequest, ask.isV1 ? "validation_error" : "invalid_print_settings")
        guard let name = members[names.0]?.string, (1...256).contains(name.count),
            ["document", "photo"].contains(members[names.1]?.string ?? "")
        else { return refused }
        // Generation 1 takes none at all for an answer.
        if let settings = members[names.2]?.object {
            guard let size = settings[names.3]?.string, let type = settings[names.4]?.string,
                let paper = Self.papers.first(where: { $0.size == size.dropFirst(3) }),
                paper.types.contains(String(type.dropFirst(3))), Self.isWhole(settings, ask.isV1)
            else { return refused }
        } else if !ask.isV1 {
            return refused
        }
        guard queue.count < Self.jobsMax else { return .fault(.forbidden, "job_limit_exceeded") }
        let (id, key) = (word("job"), word("key"))
        jobs[id] = Job(isV1: ask.isV1, name: name, key: key, since: now)
        order.append(id)
        let place = "\(settings.uploadOrigin)/data?Key=\(key)"
        return EpsonReply(
            .created,
            ask.isV1 ? #"{"id":"\#(id)","upload_uri":"\#(place)"}"# : #"{"jobId":"\#(id)","uploadUri":"\#(place)"}"#
        )
    }

    /// Generation 2 wants six of them; of generation 1 two sides want their order and their collation.
    private static func isWhole(_ settings: JSONObject, _ isV1: Bool) -> Bool {
        guard isV1 else {
            return ["paperSize", "paperType", "borderless", "printQuality", "paperSource", "colorMode"].allSatisfy {
                settings[$0] != nil
            }
        }
        guard let sides = settings["2_sided"]?.string, sides != "none" else { return true }
        return settings["reverse_order"]?.bool != true && settings["collate"]?.bool != false
    }

    /// Whoever has the key may, without a token.
    mutating func upload(_ ask: EpsonAsk) -> EpsonReply {
        guard ask.method == .post else { return .fault(.methodNotAllowed, "method_not_allowed") }
        guard let key = ask.query["Key"], let file = ask.query["File"], file.hasPrefix("1.") else {
            return .fault(.badRequest, "invalid_resource")
        }
        guard let id = jobs.first(where: { $0.value.key == key })?.key, var job = jobs[id], job.phase == .preparing
        else {
            return .notFound
        }
        guard (job.isV1 ? Self.extensionsV1 : Self.extensionsV2).contains(String(file.dropFirst(2))) else {
            return .fault(.unsupportedMediaType, "unsupported_media_type")
        }
        guard !ask.body.isEmpty, ask.body.count <= Self.uploadBytesMax else {
            return .fault(ask.body.isEmpty ? .badRequest : .contentTooLarge, "invalid_resource")
        }
        guard job.uploads[file] == nil else { return .fault(.conflict, "already_uploaded") }
        job.uploads[file] = ask.body.count
        jobs[id] = job
        return EpsonReply(.ok)
    }

    mutating func print(_ ask: EpsonAsk) -> EpsonReply {
        guard let id = jobID(ask), var job = jobs[id] else { return missing(ask) }
        guard !job.uploads.isEmpty else {
            return .fault(.badRequest, ask.isV1 ? "invalid_resource" : "invalid_print_data")
        }
        guard job.phase == .preparing else {
            return .fault(.forbidden, ask.isV1 ? "forbidden" : "operation_not_allowed")
        }
        (job.phase, job.since) = (.pending, now)
        jobs[id] = job
        queue.append(id)
        tell(id, job, .pending)
        return EpsonReply(ask.isV1 ? .ok : .accepted)
    }

    func job(_ ask: EpsonAsk) -> EpsonReply {
        guard let id = jobID(ask), let job = jobs[id] else { return missing(ask) }
        let pages = job.phase == .completed ? 1 : 0
        // Generation 1 says nothing of a job that nobody has asked to be printed.
        if ask.isV1, job.phase == .preparing { return missing(ask) }
        var name = ByteWriter(capacity: 64)
        name.append(json: job.name)
        let text = String(decoding: name.finish(), as: UTF8.self)
        let dates = ("2021-08-06 06:42:13", "2021-08-06 06:42:14")
        if ask.isV1 {
            let (status, reason) = EpsonStatus.v1(job.phase)
            return EpsonReply(
                .ok,
                #"{"status":"\#(status)","status_reason":"\#(reason)","start_date":"\#(dates.0)","job_name":\#(text),"total_pages":\#(pages),"update_date":"\#(dates.1)"}"#
            )
        }
        return EpsonReply(
            .ok,
            #"{"status":"\#(EpsonStatus.v2(job.phase))","jobName":\#(text),"totalPages":\#(pages),"startDate":"\#(dates.0)","updateDate":"\#(dates.1)"}"#
        )
    }

    mutating func cancel(_ ask: EpsonAsk) -> EpsonReply {
        guard let id = jobID(ask), var job = jobs[id] else { return missing(ask) }
        if ask.isV1 {
            let operators: Set = ["user", "operator"]
            let members = try? StrictJSON.parse(ask.body).object
            guard operators.contains(members?["operated_by"]?.string ?? "") else {
                return .fault(.badRequest, "validation_error")
            }
        }
        guard job.phase == .pending || (!ask.isV1 && job.phase == .preparing) else {
            return .fault(.forbidden, ask.isV1 ? "forbidden" : "operation_not_allowed")
        }
        job.phase = .canceled
        jobs[id] = job
        queue.removeAll { $0 == id }
        return EpsonReply(ask.isV1 ? .ok : .noContent)
    }

    private func missing(_ ask: EpsonAsk) -> EpsonReply {
        .fault(.notFound, ask.isV1 ? "not_found" : "job_not_found")
    }

    private func jobID(_ ask: EpsonAsk) -> String? {
        ask.path.firstIndex(of: "jobs").flatMap { $0 + 1 < ask.path.count ? ask.path[$0 + 1] : nil }
    }
}
