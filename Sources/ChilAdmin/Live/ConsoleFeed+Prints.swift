import ChilConsole
import ChilCore
import ChilDatabase
import ChilStore

extension ConsoleFeed {
    func printers(_ query: PageQuery) async throws(AdminFault) -> ConsolePage {
        let tenant = try await tenant(query.place.tenant)
        let found = try await rows(
            WatchPrinters(of: tenant.id, after: query.after, filter: query.filter, countMax: query.countMax + 1)
        )
        let (shown, next) = cut(found, query.countMax) { $0.record.name }
        let own = shown.filter { $0.lender == nil }.map(\.record.id)
        let lines = Dictionary(try await rows(WatchLines(at: own, of: tenant.id)).map { ($0.printer, $0.waiting) }) {
            first,
            _ in first
        }
        let pageRows: [ConsolePage.Row] = shown.map { view in
            let reasons = view.seen?.reasons.filter { $0 != "none" } ?? []
            let values: [Value] = [
                .text(view.record.name), Self.state(view.state), Self.live(view.seen), Self.paper(view.seen),
                Self.ink(view.seen),
                lines[view.record.id].map { .count($0, atMost: Watch.countMax) } ?? .none,
                reasons.isEmpty ? .none : .text(reasons.joined(separator: " ")),
                view.seen.map { .age($0.at) } ?? .none,
            ]
            return ConsolePage.Row(
                key: view.record.name,
                tenant: tenant.slug,
                values
            )
        }
        return ConsolePage(pageRows, next: next)
    }

    private static func state(_ state: PrinterRecord.State) -> Value {
        .word(state.rawValue, state == .enabled ? .good : .warning)
    }

    private static func live(_ seen: PrinterView.Seen?) -> Value {
        guard let seen else { return .none }
        return switch seen.state {
        case .idle, .processing: .word(seen.state.rawValue, .good)
        case .stopped, .unreachable: .word(seen.state.rawValue, .alarm)
        }
    }

    /// Of what the printer says by the keywords of `printer-state-reasons` (RFC 8011 §5.4.12, PWG 5100.9).
    static func paper(_ seen: PrinterView.Seen?) -> Value {
        guard let seen, seen.state != .unreachable else { return .none }
        if seen.reasons.contains(where: { $0.hasPrefix("media-jam") }) { return .word("jam", .alarm) }
        if seen.reasons.contains(where: { $0.hasPrefix("media-empty") || $0.hasPrefix("media-needed") }) {
            return .word("empty", .alarm)
        }
        return seen.reasons.contains { $0.hasPrefix("media-low") } ? .word("low", .warning) : .word("ok", .good)
    }

    static func ink(_ seen: PrinterView.Seen?) -> Value {
        guard let seen, seen.state != .unreachable else { return .none }
        let words = seen.reasons.filter { reason in ["marker", "toner", "ink"].contains { reason.hasPrefix($0) } }
        if words.contains(where: { $0.contains("empty") }) { return .word("empty", .alarm) }
        return words.contains { $0.contains("low") } ? .word("low", .warning) : .word("ok", .good)
    }

    func jobs(_ query: PageQuery) async throws(AdminFault) -> ConsolePage {
        let tenant = try await tenant(query.place.tenant)
        var printer: PrinterID?
        if let name = query.place.printer {
            let views = try await rows(PrinterViews(of: tenant.id))
            guard let view = views.first(where: { $0.record.name.isExactly(name) }) else {
                throw .noSuchPrinter(name, tenant: tenant.slug)
            }
            printer = view.record.id
        }
        let found = try await rows(
            WatchJobs(
                of: tenant.id,
                before: Self.number(query.after),
                at: printer,
                filter: query.filter,
                countMax: query.countMax + 1
            )
        )
        let (shown, next) = cut(found, query.countMax) { String($0.id.rawValue) }
        let pageRows: [ConsolePage.Row] = shown.map { job in
            let number = String(job.id.rawValue)
            let values: [Value] = [
                .text(number), .word(job.state.rawValue, Self.tone(job.state)), .optional(job.reason),
                .text(job.printer), .text(String(job.owner.rawValue)), .number(Int64(job.copies)),
                .age(job.createdAt),
            ]
            return ConsolePage.Row(
                key: number,
                tenant: tenant.slug,
                name: "print \(number) at \(job.printer)",
                values
            )
        }
        return ConsolePage(pageRows, next: next)
    }

    private static func tone(_ state: PrintJobState) -> Tone {
        switch state {
        case .completed: .good
        case .failed, .outcomeUnknown, .blocked: .alarm
        case .canceled, .expired, .canceling: .dim
        case .queued, .submitting, .sent, .printing: .plain
        }
    }

    // MARK: Pictures

    func picture(of row: RowName, width: Int, height: Int) async throws(AdminFault) -> Picture? {
        let tenant = try await tenant(row.tenant)
        guard let drawing: DrawingID = Self.number(row.key),
            let image = try await rows(WatchDrawingImage(of: drawing, in: tenant.id)).first
        else { return nil }
        guard let small = try await rows(ThumbnailOne(of: image, in: tenant.id)).first else {
            return try await wholePicture(of: image, tenant.id, width: width, height: height)
        }
        return try await Self.pixels(small.bytes, small.mediaType, width: width, height: height)
    }
}
