import ChilPrint
import Testing

@testable import ChilEpson

@Suite struct EpsonWordTests {
    @Test(
        arguments: [
            ("preparing", nil, JobSnapshot.State.pending, ["job-data-insufficient"]),
            ("reserved", nil, .pending, []), ("Pending", "JobQueued", .pending, []),
            ("pending", "job_incoming", .pending, []),
            ("pending_held", nil, .pendingHeld, []), ("processing", nil, .processing, []),
            ("processing", "MediaEmpty", .processing, ["media-empty"]),
            ("media_empty", nil, .processingStopped, ["media-empty"]),
            ("MediaJam", nil, .processingStopped, ["media-jam"]),
            ("marker_supply_empty", nil, .processingStopped, ["marker-supply-empty"]),
            ("stopped_other", nil, .processingStopped, []), ("canceled", nil, .canceled, []),
            ("expired", nil, .aborted, ["job-expired"]), ("error_occurred", nil, .aborted, []),
            ("completed", nil, .completed, []),
            // Not known here: not the end.
            ("warming_up", nil, .pending, []), ("", nil, .pending, []), ("완료", nil, .pending, []),
        ] as [(String, String?, JobSnapshot.State, [String])]
    )
    func statesAreTranslated(_ status: String, _ reason: String?, _ state: JobSnapshot.State, _ reasons: [String]) {
        let told = EpsonJobState.ipp(status, reason: reason)
        #expect(told.state == state && told.reasons == reasons)
    }

    @Test(arguments: [
        ("a3", "iso_a3_297x420mm"), ("a4", "iso_a4_210x297mm"), ("a5", "iso_a5_148x210mm"), ("a6", "iso_a6_105x148mm"),
        ("b5", "jis_b5_182x257mm"), ("letter", "na_letter_8.5x11in"), ("legal", "na_legal_8.5x14in"),
        ("kg", "na_index-4x6_4x6in"), ("l", "oe_photo-l_3.5x5in"), ("2l", "na_5x7_5x7in"),
        ("postcard", "jpn_hagaki_100x148mm"),
    ])
    func paperIsTranslated(_ epson: String, _ pwg: String) {
        #expect(EpsonMedia.pwg("ms_\(epson)") == pwg && EpsonMedia.pwg("ps_\(epson)") == pwg)
        #expect(EpsonMedia.epson(pwg) == epson)
        #expect(EpsonMedia.pwg(epson) == nil && EpsonMedia.pwg("ms_hivision") == nil)
    }

    @Test(arguments: ["", ".", "..", "a/b", "a b", "a%2Fb", "한", String(repeating: "a", count: 129)])
    func noWordOfTheServicesLeadsElsewhere(_ text: String) {
        #expect(!EpsonText.isWord(text))
    }

    @Test(
        arguments: [
            ("https://api.epsonconnect.com", false, nil), ("https://api.epsonconnect.com/", false, nil),
            ("http://127.0.0.1:8090", true, nil),
            ("http://api.epsonconnect.com", false, EpsonAddress.Fault.notEncrypted),
            ("https://10.0.0.1", false, .notPublic("10.0.0.1")), ("https://a.example/path", false, .notAnOrigin),
            ("ftp://a.example", true, .notAnOrigin),
        ] as [(String, Bool, EpsonAddress.Fault?)]
    )
    func addressesAreChecked(_ text: String, _ isPrivate: Bool, _ fault: EpsonAddress.Fault?) {
        do throws(EpsonAddress.Fault) {
            _ = try EpsonAddress.origin(text, isPrivate: isPrivate)
            #expect(fault == nil)
        } catch {
            #expect(error == fault)
        }
    }

    /// What is said explicitly, to the byte: the generations take different things for granted.
    @Test func everySettingIsSaid() throws {
        let capability = EpsonCapability(
            colorModes: ["mono"],
            sizes: [.init(size: "a4", papers: [.init(type: "plainpaper", sources: ["rear"], qualities: ["high"])])]
        )
        let settings = try #require(EpsonPrintSettings(for: .a4, capability))
        #expect(
            String(decoding: settings.v1(named: "n"), as: UTF8.self)
                == #"{"job_name":"n","print_mode":"document","print_setting":{"media_size":"ms_a4","media_type":"mt_plainpaper","borderless":false,"print_quality":"high","source":"rear","color_mode":"mono","2_sided":"none","reverse_order":false,"copies":1,"collate":true}}"#
        )
        #expect(
            String(decoding: settings.v2(named: "n"), as: UTF8.self)
                == #"{"jobName":"n","printMode":"document","printSettings":{"paperSize":"ps_a4","paperType":"pt_plainpaper","borderless":false,"printQuality":"high","paperSource":"rear","colorMode":"mono","doubleSided":"none","reverseOrder":false,"copies":1,"collate":true}}"#
        )
        #expect(
            EpsonPrintSettings(for: .a4, EpsonCapability(colorModes: [], sizes: [.init(size: "a5", papers: [])])) == nil
        )
        #expect(EpsonPrintSettings(for: .a4, nil)?.type == "plainpaper")
    }
}
