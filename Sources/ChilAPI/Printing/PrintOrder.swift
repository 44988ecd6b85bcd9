import ChilCore
import ChilPrint
import ChilStore

/// What a body of `POST drawings/print` asks to be printed.
struct PrintOrder {
    let drawings: [DrawingID]
    let scale: PrintJobCreate.Scale
    let paper: PaperName?
    let printer: PrinterID?
    let copies: Int64
    /// Of several drawings.
    let isBook: Bool

    static let idRange: ClosedRange<Int64> = 1...(1 << 53 - 1)

    init(_ fields: inout FieldReader) {
        let one = fields.integer("drawingId", in: Self.idRange)
        let many = fields.integers("drawingIds", countMax: PrintJobCreate.drawingsMax, in: Self.idRange)
        isBook = many != nil
        switch (one, many) {
        case (nil, nil): fields.require("drawingId")
        case (.some, .some): fields.refuse("drawingIds", "Send this or drawingId, not both.")
        default: break
        }
        drawings = (many ?? [one ?? 0]).map { DrawingID(rawValue: $0) }
        scale = fields.choice("scale", PrintJobCreate.Scale.self) ?? .large
        paper = fields.choice("paper", PaperName.self)
        printer = fields.integer("printerId", in: Self.idRange).map { PrinterID(rawValue: $0) }
        copies = fields.integer("copies", in: 1...Int64(PrintJobCreate.copiesMax)) ?? 1
        if drawings.count * Int(copies) > PrintJobCreate.pagesMax {
            fields.refuse("copies", "Send fewer: these are more than \(PrintJobCreate.pagesMax) pages.")
        }
    }

    /// What a request that is sent again has to ask for too.
    func append(to asked: inout OnceMeaning) {
        asked.append(Int64(drawings.count))
        for drawing in drawings { asked.append(drawing.rawValue) }
        asked.append(printer?.rawValue ?? 0)
        asked.append(copies)
        asked.append(scale.rawValue)
        asked.append(paper?.rawValue)
    }

    func noImage(at place: Int) -> Problem {
        refusal(at: place, "This drawing has no image yet.")
    }

    func moving(at place: Int) -> Problem {
        refusal(at: place, "What moves is not printed: print the drawing it was made of.")
    }

    var tooLarge: Problem {
        .invalidFields([
            Problem.FieldFault(pointer: "/drawingIds", detail: "Send fewer: together their images are too large.")
        ])
    }

    private func refusal(at place: Int, _ detail: String) -> Problem {
        .invalidFields([Problem.FieldFault(pointer: isBook ? "/drawingIds/\(place)" : "/drawingId", detail: detail)])
    }
}
