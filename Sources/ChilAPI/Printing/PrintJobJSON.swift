import ChilCore
import ChilPrint
import ChilStore

enum PrintJobJSON {
    /// - Parameter isListed: without the history.
    static func append(_ job: PrintJobRecord, to json: inout ByteWriter, isListed: Bool = false) {
        let machine = job.machine.flatMap { PrintJobMachine(text: $0) }
        json.append("{\"printJobId\":")
        json.append(decimal: job.id.rawValue)
        json.append(",\"drawingId\":")
        json.append(decimal: job.drawing.rawValue)
        json.append(",\"drawingIds\":[")
        for (index, drawing) in job.sheets.drawings.enumerated() {
            if index > 0 { json.append(",") }
            json.append(decimal: drawing.rawValue)
        }
        json.append("],\"printerId\":")
        json.append(decimal: job.printer.rawValue)
        // `status` is what the print call answers; `state` is the word of the history.
        json.append(",\"status\":")
        json.append(json: job.state.rawValue)
        json.append(",\"state\":")
        json.append(json: job.state.rawValue)
        if let reason = job.reason {
            json.append(",\"reason\":")
            json.append(json: reason)
        }
        json.append(",\"scale\":")
        json.append(json: job.scale.rawValue)
        json.append(",\"copies\":")
        json.append(decimal: Int64(job.copies))
        json.append(",\"pages\":")
        json.append(decimal: Int64(job.sheets.pageCount))
        json.append(",\"pagesPrinted\":")
        json.append(decimal: Int64(machine?.pagesPrinted ?? 0))
        append(job.sheets, to: &json)
        json.append(",\"attempts\":")
        json.append(decimal: Int64(machine?.attempt ?? 0))
        json.append(",\"expiresAt\":")
        json.append(json: job.expiresAt ?? job.createdAt + PrintSchedule.lifetime)
        if let wanted = job.cancelWantedAt {
            json.append(",\"cancelRequestedAt\":")
            json.append(json: wanted)
        }
        json.append(",\"createdAt\":")
        json.append(json: job.createdAt)
        json.append(",\"updatedAt\":")
        json.append(json: job.updatedAt)
        if !isListed { append(job.history, to: &json) }
        json.append("}")
    }

    private static func append(_ sheets: PrintJobSheets, to json: inout ByteWriter) {
        if let wanted = sheets.paperWanted {
            json.append(",\"paperWanted\":")
            json.append(json: wanted)
        }
        if let paper = sheets.paper {
            json.append(",\"paper\":")
            json.append(json: paper)
            json.append(sheets.isSubstituted ? ",\"paperSubstituted\":true" : ",\"paperSubstituted\":false")
        }
    }

    private static func append(_ history: [PrintJobRecord.Event], to json: inout ByteWriter) {
        json.append(",\"history\":[")
        for (index, event) in history.enumerated() {
            json.append(index == 0 ? "{\"state\":" : ",{\"state\":")
            json.append(json: event.state.rawValue)
            if let reason = event.reason {
                json.append(",\"reason\":")
                json.append(json: reason)
            }
            json.append(",\"at\":")
            json.append(json: event.at)
            json.append("}")
        }
        json.append("]")
    }
}

enum PrinterJSON {
    static func append(_ printer: PrinterView, to json: inout ByteWriter) {
        json.append("{\"printerId\":")
        json.append(decimal: printer.record.id.rawValue)
        json.append(",\"name\":")
        json.append(json: printer.record.name)
        json.append(",\"kind\":")
        json.append(json: printer.record.kind.rawValue)
        json.append(",\"isDefault\":")
        json.append(json: printer.record.isDefault)
        json.append(",\"state\":")
        json.append(json: printer.state.rawValue)
        if let seen = printer.seen {
            json.append(",\"live\":{\"state\":")
            json.append(json: seen.state.rawValue)
            json.append(",\"reasons\":")
            append(seen.reasons, to: &json)
            json.append(",\"seenAt\":")
            json.append(json: seen.at)
            json.append("}")
        }
        json.append(",\"media\":")
        append(printer.media, to: &json)
        json.append("}")
    }

    private static func append(_ words: [String], to json: inout ByteWriter) {
        json.append("[")
        for (index, word) in words.enumerated() {
            if index > 0 { json.append(",") }
            json.append(json: word)
        }
        json.append("]")
    }
}
