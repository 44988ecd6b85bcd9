extension ConsoleView {
    /// What all of it is at, above the overview's list.
    mutating func drawSummary() {
        guard let summary = model.pane.page?.summary else {
            screen.write("asking…", 1, 1, ink: .dim)
            return
        }
        let calls = services(summary)
        guard layout.summary >= 5 else {
            line(1, [("services", calls.text, calls.tone), ("queue", queue(summary).text, queue(summary).tone)])
            alarms(summary, 2)
            return
        }
        line(1, [("services", calls.text, calls.tone), ("tenants", tenants(summary), .plain)])
        let wide = min(60, max(10, width - 46))
        var x = label("requests", 1, 2)
        x += screen.write(rates(summary), x, 2) + 1
        screen.write(Spark.text(summary.requests, width: wide, isUTF8: model.ability.isUTF8), x, 2, ink: .good)
        line(3, [("queue", queue(summary).text, queue(summary).tone), ("database", database(summary), .plain)])
        tenant(summary, 4)
        alarms(summary, 5)
    }

    private func rates(_ summary: Summary) -> String {
        "\(ValueText.rate(summary.requestsPerSecond))/s, \(summary.requests.reduce(0, +)) in an hour"
    }

    private func services(_ summary: Summary) -> (text: String, tone: Tone) {
        guard summary.services > 0 else { return ("none is seen", .alarm) }
        let releases = summary.releases.joined(separator: ", ")
        return ("\(summary.services) seen, release \(releases)", summary.releases.count > 1 ? .warning : .good)
    }

    private func tenants(_ summary: Summary) -> String {
        "\(summary.tenants)" + (summary.suspended > 0 ? ", \(summary.suspended) suspended" : "")
    }

    private func queue(_ summary: Summary) -> (text: String, tone: Tone) {
        guard summary.queueDue > 0 else { return ("nothing due", .good) }
        let due = summary.queueDue >= 10_000 ? "10000+" : "\(summary.queueDue)"
        return ("\(due) due, the oldest for \(summary.queueAge)s", summary.queueAge > 60 ? .alarm : .plain)
    }

    private func database(_ summary: Summary) -> String {
        "\(summary.connections) of \(summary.connectionsMax) connections, \(ValueText.bytes(summary.databaseBytes))"
    }

    /// The last hour of the tenant that is chosen.
    private mutating func tenant(_ summary: Summary, _ y: Int) {
        guard let tenant = summary.tenant, tenant == model.pane.chosenRow?.key else { return }
        let wide = min(30, max(6, (width - 50) / 3))
        var x = 1
        x += screen.write(tenant, x, y, width: 20, ink: .title) + 2
        for (name, numbers) in [
            ("sign-ins", summary.signIns), ("drawings", summary.drawings), ("prints", summary.prints),
        ] {
            guard x + wide + 14 <= width else { break }
            x += screen.write("\(name) \(numbers.reduce(0, +)) ", x, y, ink: .dim)
            screen.write(Spark.text(numbers, width: wide, isUTF8: model.ability.isUTF8), x, y, ink: .good)
            x += wide + 1
        }
    }

    private mutating func alarms(_ summary: Summary, _ y: Int) {
        let x = label("alarms", 1, y)
        let text = summary.alarms.isEmpty ? "none" : summary.alarms.joined(separator: "; ")
        screen.fit(text, x, y, width: width - x, ink: summary.alarms.isEmpty ? .good : .alarm)
    }

    private mutating func label(_ name: String, _ x: Int, _ y: Int) -> Int {
        screen.write(name, x, y, ink: .dim)
        return x + 9
    }

    private mutating func line(_ y: Int, _ parts: [(name: String, text: String, tone: Tone)]) {
        let wide = (width - 1) / parts.count
        for (index, part) in parts.enumerated() {
            let x = label(part.name, 1 + index * wide, y)
            screen.fit(part.text, x, y, width: max(0, 1 + (index + 1) * wide - x - 1), ink: part.tone.ink)
        }
    }
}
