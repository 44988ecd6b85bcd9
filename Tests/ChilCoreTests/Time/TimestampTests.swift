import ChilCore
import Testing

struct TimestampTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (1_796_019_013_123_456, "2026-11-30T06:10:13.123Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00.000Z"), (4_107_542_399_999_999, "2100-02-28T23:59:59.999Z"),
            (4_107_542_400_000_000, "2100-03-01T00:00:00.000Z"), (253_402_300_799_999_999, "9999-12-31T23:59:59.999Z"),
            (.max, "9999-12-31T23:59:59.999Z"), (.min, "0000-01-01T00:00:00.000Z"),
            (-62_135_596_800_000_000, "0001-01-01T00:00:00.000Z"),
            (2_147_483_648_000_000, "2038-01-19T03:14:08.000Z"),
        ] as [(Int64, String)]
    )
    func momentsAreWritten(_ microseconds: Int64, _ text: String) {
        #expect(Timestamp(microseconds: microseconds).description == text)
    }

    @Test(
        arguments: [
            ("2026-11-30T06:10:13Z", 1_796_019_013_000_000), ("2026-11-30t06:10:13.5z", 1_796_019_013_500_000),
            ("2026-11-30T15:10:13.123456789+09:00", 1_796_019_013_123_456),
            ("2026-11-30T00:40:13-05:30", 1_796_019_013_000_000),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000_000), ("2024-02-29T00:00:00Z", 1_709_164_800_000_000),
            ("2026-11-30T06:10:13.000001Z", 1_796_019_013_000_001),
        ] as [(String, Int64)]
    )
    func textIsRead(_ text: String, _ microseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.microseconds == microseconds)
    }

    @Test(arguments: [
        "", "2026-11-30", "2026-11-30T06:10:13", "2026-11-30 06:10:13Z", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-11-31T00:00:00Z", "2026-11-30T24:00:00Z",
        "2026-11-30T06:60:13Z",
        "2026-11-30T06:10:60Z", "2026-11-30T06:10:13.Z", "2026-11-30T06:10:13.1234567890Z", "2026-11-30T06:10:13+0900",
        "2026-11-30T06:10:13+09:60", "2026-11-30T06:10:13+24:00", "2026-11-30T06:10:13Z ", "+026-11-30T06:10:13Z",
        "2026-11-30T06:10:13.5", "2026-1-30T06:10:13.00Z", "２026-11-30T06:10:13Z", "2026-11-30T06:10:13*09:00",
    ])
    func otherTextIsRefused(_ text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    /// Every day of eight centuries, counted one by one.
    @Test
    func calendarAgreesWithCounting() {
        var previous = CivilDate(daysSince1970: -146_098)
        for days in -146_097...146_097 {
            let date = CivilDate(daysSince1970: days)
            let follows =
                date.day == previous.day + 1 && date.month == previous.month && date.year == previous.year
                || date.day == 1 && date.month == previous.month + 1 && date.year == previous.year
                || date.day == 1 && date.month == 1 && previous.month == 12 && date.year == previous.year + 1
            guard follows, date.daysSince1970 == days,
                CivilDate(year: date.year, month: date.month, day: date.day) == date
            else {
                Issue.record("day \(days): \(date) after \(previous)")
                return
            }
            previous = date
        }
    }
}
