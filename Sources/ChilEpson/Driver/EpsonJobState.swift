package import ChilPrint

/// A job's status in IPP's words. Both generations' words are taken, however they are written (`MediaEmpty`, `media_empty`); one that is
/// not known here is not the end of the job.
package enum EpsonJobState {
    package static func ipp(_ status: String, reason: String?) -> (state: JobSnapshot.State, reasons: [String]) {
        switch bare(status) {
        // Its page has not come, or nobody has said that it is to be printed.
        case "preparing": (.pending, ["job-data-insufficient"])
        case "reserved", "pending": (.pending, [])
        case "pendingheld": (.pendingHeld, [])
        case "processing", "printing": (.processing, blocks(reason))
        case "processingstopped", "stopped", "stoppedother": (.processingStopped, blocks(reason))
        case "mediaempty": (.processingStopped, ["media-empty"])
        case "mediajam": (.processingStopped, ["media-jam"])
        case "markersupplyempty": (.processingStopped, ["marker-supply-empty"])
        case "canceled", "cancelled": (.canceled, [])
        // Nobody took it back: the service gave it up.
        case "expired": (.aborted, ["job-expired"])
        case "erroroccurred", "aborted", "error": (.aborted, [])
        case "completed": (.completed, [])
        default: (.pending, [])
        }
    }

    private static func blocks(_ reason: String?) -> [String] {
        switch reason.map(bare) {
        case "mediaempty", "medianeeded": ["media-empty"]
        case "mediajam": ["media-jam"]
        case "markersupplyempty": ["marker-supply-empty"]
        case "coveropen": ["cover-open"]
        case "dooropen": ["door-open"]
        default: []
        }
    }

    private static func bare(_ word: String) -> String {
        String(word.lowercased().unicodeScalars.filter { $0 != "_" && $0 != "-" && $0 != " " }.map(Character.init))
    }
}
