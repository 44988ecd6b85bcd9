import ChilCore
import ChilCrypto
import Testing

@testable import ChilAPI

@Suite struct PageMarksTests {
    private static let key = SecretBytes(copying: [UInt8](repeating: 7, count: 32))

    /// Of each page, job, tenant and key another one; of the same always the same.
    @Test func aMarkIsOfOnePage() {
        let marks = PageMarks(key: Self.key)
        let (job, tenant) = (PrintJobID(rawValue: 188_445_717_477_376), TenantID(rawValue: 9))
        let mark = marks.text(of: 0, of: job, in: tenant)
        #expect(mark.hasPrefix("c0001usqrmntog0"))
        #expect(mark == PageMarks(key: Self.key).text(of: 0, of: job, in: tenant))
        let others = [
            marks.text(of: 1, of: job, in: tenant),
            marks.text(of: 0, of: PrintJobID(rawValue: job.rawValue + 1), in: tenant),
            marks.text(of: 0, of: job, in: TenantID(rawValue: 10)),
            PageMarks(key: SecretBytes(copying: [UInt8](repeating: 8, count: 32))).text(of: 0, of: job, in: tenant),
        ]
        #expect(Set((others + [mark]).map { $0.suffix(11) }).count == 5)
    }

    @Test func aMarkIsReadByItsTenantAlone() {
        let marks = PageMarks(key: Self.key)
        let (job, tenant) = (PrintJobID(rawValue: 188_445_717_477_376), TenantID(rawValue: 9))
        let mark = marks.text(of: 3, of: job, in: tenant)
        #expect(marks.page(of: mark, in: tenant) == PageMarks.Page(job: job, place: 3))
        #expect(marks.page(of: mark, in: TenantID(rawValue: 10)) == nil)
        // A key that was rotated away still reads what it made, and one that was thrown away does not.
        let other = SecretBytes(copying: [UInt8](repeating: 8, count: 32))
        #expect(PageMarks(key: other, elder: [Self.key]).page(of: mark, in: tenant)?.job == job)
        #expect(PageMarks(key: other).page(of: mark, in: tenant) == nil)
        for place in mark.indices {
            var forged = mark
            forged.replaceSubrange(place...place, with: mark[place] == "q" ? "r" : "q")
            #expect(marks.page(of: forged, in: tenant) == nil)
        }
        for nonsense in [
            "", "c", String(repeating: "z", count: 26), "c" + String(repeating: "z", count: 25), mark + "0",
        ] {
            #expect(marks.page(of: nonsense, in: tenant) == nil)
        }
    }

    @Test(arguments: [1, (1 << 53) - 1, .max] as [Int64]) func everyNumberFits(_ number: Int64) {
        let mark = PageMarks(key: Self.key).text(of: 19, of: PrintJobID(rawValue: number), in: TenantID(rawValue: 1))
        #expect(mark.utf8.count == PageMarks.letterCount)
        #expect(mark.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 &- 0x61 < 26 })
        #expect(Array(mark)[14] == "j")
        let read = PageMarks(key: Self.key).page(of: mark, in: TenantID(rawValue: 1))
        #expect(read == PageMarks.Page(job: PrintJobID(rawValue: number), place: 19))
    }
}
