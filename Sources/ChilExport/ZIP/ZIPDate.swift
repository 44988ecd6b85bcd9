import ChilCore

/// A moment as MS-DOS wrote it, to two seconds, from 1980 to 2107; here always UTC (APPNOTE.TXT 4.4.6).
struct ZIPDate: Equatable {
    let date: UInt16
    let time: UInt16

    init(_ moment: Timestamp) {
        let seconds = moment.microseconds / 1_000_000
        let days = Int((seconds >= 0 ? seconds : seconds - 86_399) / 86_400)
        let day = CivilDate(daysSince1970: days)
        let second = Int(seconds) - days * 86_400
        let year = min(max(day.year, 1980), 2107)
        date = UInt16((year - 1980) << 9 | day.month << 5 | day.day)
        time = UInt16((second / 3_600) << 11 | (second / 60 % 60) << 5 | second % 60 / 2)
    }
}
