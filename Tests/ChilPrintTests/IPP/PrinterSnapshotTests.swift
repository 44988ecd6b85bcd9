import ChilPrint
import Testing

@Suite("Printer snapshot")
struct PrinterSnapshotTests {
    private func snapshot(_ attributes: IPPAttribute...) -> PrinterSnapshot {
        PrinterSnapshot(IPPMessage.Group(.printer, attributes))
    }

    private func media(_ width: IPPValue, _ height: IPPValue, _ more: IPPAttribute...) -> IPPValue {
        .collection(
            [
                IPPAttribute(
                    "media-size",
                    .collection([IPPAttribute("x-dimension", width), IPPAttribute("y-dimension", height)])
                )
            ]
                + more
        )
    }

    private func margins(_ left: Int32, _ right: Int32, _ top: Int32, _ bottom: Int32) -> [IPPAttribute] {
        [
            IPPAttribute("media-left-margin", .integer(left)), IPPAttribute("media-right-margin", .integer(right)),
            IPPAttribute("media-top-margin", .integer(top)), IPPAttribute("media-bottom-margin", .integer(bottom)),
        ]
    }

    @Test func paperHasItsMargins() {
        let edges = margins(300, 310, 320, 330)
        let name = IPPAttribute("media-size-name", .keyword("iso_a4_210x297mm"))
        let known = snapshot(
            IPPAttribute(
                "media-col-ready",
                media(.integer(21_000), .integer(29_700), edges[0], edges[1], edges[2], edges[3], name),
                media(.integer(10_000), .integer(14_800))
            ),
            IPPAttribute("media-ready", .keyword("iso_a4_210x297mm"))
        )
        #expect(
            known.mediaColReady == [
                MediaReady(
                    keyword: "iso_a4_210x297mm",
                    width: 21_000,
                    height: 29_700,
                    margins: .init(left: 300, right: 310, top: 320, bottom: 330)
                ),
                MediaReady(keyword: nil, width: 10_000, height: 14_800, margins: nil),
            ]
        )
        #expect(known.mediaReady == ["iso_a4_210x297mm"])
    }

    @Test func whatIsNoPaperIsLeftOut() {
        let range = IPPValue.range(lower: 1, upper: 2)
        let odd = snapshot(
            IPPAttribute(
                "media-col-ready",
                media(range, range),
                media(.integer(0), .integer(29_700)),
                media(.integer(-5), .integer(29_700)),
                media(.integer(21_000), .integer(2_000_000_000)),
                .keyword("a4"),
                .collection([])
            )
        )
        #expect(odd.mediaColReady == [])
        for edges in [
            margins(-1, 0, 0, 0), margins(20_000, 1_000, 0, 0), margins(0, 0, 20_000, 20_000),
            Array(margins(1, 1, 1, 1).dropLast()),
        ] {
            let value = IPPValue.collection(
                [
                    IPPAttribute(
                        "media-size",
                        .collection([
                            IPPAttribute("x-dimension", .integer(21_000)),
                            IPPAttribute("y-dimension", .integer(29_700)),
                        ])
                    )
                ]
                    + edges
            )
            #expect(snapshot(IPPAttribute("media-col-ready", value)).mediaColReady.map(\.margins) == [nil])
        }
    }

    @Test func resolutionsAreInches() {
        let own = IPPAttribute(
            "printer-resolution-supported",
            .resolution(across: 600, along: 600, units: 3),
            .resolution(across: 600, along: 1_200, units: 3),
            .resolution(across: 118, along: 118, units: 4),
            .resolution(across: 0, along: 0, units: 3),
            .resolution(across: 300, along: 300, units: 9)
        )
        #expect(snapshot(own).resolutions == [600, 300])
        let raster = IPPAttribute(
            "pwg-raster-document-resolution-supported",
            .resolution(across: 360, along: 360, units: 3)
        )
        #expect(snapshot(own, raster).resolutions == [360])
    }

    @Test func nothingIsAssumed() {
        let empty = snapshot()
        #expect(empty.isAcceptingJobs && empty.documentFormats.isEmpty && empty.rasterTypes.isEmpty)
        #expect(empty.copiesMax == nil && empty.uuid == nil && empty.takesManyDocuments == nil && empty.upTime == nil)
        let full = snapshot(
            IPPAttribute("copies-supported", .range(lower: 1, upper: 99)),
            IPPAttribute("multiple-document-jobs-supported", .boolean(true)),
            IPPAttribute("pwg-raster-document-type-supported", .keyword("sgray_8"), .keyword("srgb_8")),
            IPPAttribute("print-color-mode-supported", .keyword("color"), .keyword("monochrome")),
            IPPAttribute("printer-uuid", .uri("urn:uuid:cfe92100-67c4-11d4-a45f-381a520a1b2c"))
        )
        #expect(full.copiesMax == 99 && full.takesManyDocuments == true)
        #expect(full.rasterTypes == ["sgray_8", "srgb_8"] && full.colorModes == ["color", "monochrome"])
        #expect(full.uuid?.hasPrefix("urn:uuid:") == true)
    }
}
