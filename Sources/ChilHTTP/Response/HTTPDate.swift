package import ChilCore

/// Dates in fields (RFC 9110 §5.6.7): written as IMF-fixdate, read in all three forms.
package enum HTTPDate {
    /// `Sun, 06 Nov 1994 08:49:37 GMT`: always 29 bytes. Years 0 to 9999.
    package static func format(_ moment: Timestamp) -> [UInt8] {
        let seconds = moment.seconds
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let time = Int(seconds - days * 86_400)
        let (year, month, day) = civil(fromDays: days)
        var text: [UInt8] = []
        text.reserveCapacity(29)
        text.append(contentsOf: dayNames[Int((days % 7 + 11) % 7)].utf8)
        text.append(contentsOf: ", ".utf8)
        append(day, 2, " ")
        text.append(contentsOf: monthNames[month - 1].utf8)
        text.append(ASCII.space)
        append(year, 4, " ")
        append(time / 3_600, 2, ":")
        append(time / 60 % 60, 2, ":")
        append(time % 60, 2, " ")
        text.append(contentsOf: "GMT".utf8)
        return text

        func append(_ number: Int, _ digits: Int, _ end: StaticString) {
            var divisor = digits == 4 ? 1_000 : 10
            while divisor > 0 {
                text.append(ASCII.zero + UInt8(number / divisor % 10))
                divisor /= 10
            }
            text.append(end.utf8Start[0])
        }
    }

    /// The moment that `text` means, or nil if it is none of the three forms or no date. Day names are checked as words only.
    ///
    /// - Parameter now: decides the century of RFC 850's two-digit years: never more than 50 years ahead.
    package static func parse(_ text: ArraySlice<UInt8>, now: Timestamp) -> Timestamp? {
        let words = text.split(whereSeparator: { $0 == ASCII.space || $0 == ASCII.comma || $0 == ASCII.hyphen })
        guard text.count <= 40, let first = words.first else { return nil }
        let name = String(decoding: first, as: UTF8.self)
        if words.count == 5, dayNames.contains(name) {  // asctime: Sun Nov  6 08:49:37 1994
            return moment(day: words[2], month: words[1], year: number(words[4], digits: 4...4), time: words[3])
        }
        guard words.count == 6, words[5].elementsEqual("GMT".utf8), words[1].count == 2 else { return nil }
        if dayNames.contains(name) {
            return moment(day: words[1], month: words[2], year: number(words[3], digits: 4...4), time: words[4])
        }
        guard longDayNames.contains(name), let twoDigits = number(words[3], digits: 2...2) else { return nil }
        let thisYear = civil(fromDays: now.seconds / 86_400).year
        var year = thisYear / 100 * 100 + twoDigits
        if year > thisYear + 50 { year -= 100 }
        return moment(day: words[1], month: words[2], year: year, time: words[4])
    }

    private static func moment(
        day: ArraySlice<UInt8>,
        month: ArraySlice<UInt8>,
        year: Int?,
        time: ArraySlice<UInt8>
    ) -> Timestamp? {
        let parts = time.split(separator: ASCII.colon, omittingEmptySubsequences: false)
        guard parts.count == 3, let year, let day = number(day, digits: 1...2),
            let month = monthNames.firstIndex(of: String(decoding: month, as: UTF8.self)),
            let hour = number(parts[0], digits: 2...2), hour < 24,
            let minute = number(parts[1], digits: 2...2), minute < 60,
            let second = number(parts[2], digits: 2...2), second <= 60
        else { return nil }
        let days = days(year: year, month: month + 1, day: day)
        guard civil(fromDays: days) == (year, month + 1, day) else { return nil }  // no 31st of February
        return Timestamp(seconds: days * 86_400 + Int64(hour * 3_600 + minute * 60 + second))
    }

    private static func number(_ bytes: ArraySlice<UInt8>, digits: ClosedRange<Int>) -> Int? {
        guard digits ~= bytes.count, bytes.allSatisfy(ASCII.isDigit) else { return nil }
        return bytes.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
    }

    /// Days since 1970-01-01 to a Gregorian date: years begin in March here, so that the leap day is the last.
    private static func civil(fromDays days: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5) + 1
        let month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        return (Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0), month, day)
    }

    private static func days(year: Int, month: Int, day: Int) -> Int64 {
        let shiftedYear = Int64(month <= 2 ? year - 1 : year)
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static let dayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let longDayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
