import ChilCore
import ChilCrypto
import ChilHTTP
import ChilMedia
import ChilStore

/// What a scanner sent at once: pages, judged by their bytes.
struct ScanPush {
    /// A page or a document, and what is known of it. Of a document: no sides.
    struct Page {
        let key: String?
        /// A picture without what is not the picture (`ImageCleaner`), a document as it came.
        let content: [UInt8]
        let facts: ChilStore.ImageFacts
    }

    /// Epson's service sends no more (Epson Connect API, "Scan").
    static let bytesMax = 20 << 20
    /// What the form has around its pages.
    private static let formBytesMax = 256 << 10
    /// Work on more bytes than this leaves the loop.
    private static let bytesOnLoopMax = 256 << 10

    let pages: [Page]

    /// By this the same push is known when it comes again.
    var digest: [UInt8] { SHA256.digest(of: pages.flatMap(\.facts.hash)).bytes }

    static func read(_ call: Call) async throws(Problem) -> ScanPush {
        let contentType = Array(call.head.field(.contentType) ?? [])
        let body: [UInt8]
        do {
            body = try await call.exchange.body(atMost: bytesMax + formBytesMax)
        } catch {
            throw .rejected(error, bytesMax: bytesMax)
        }
        let judged =
            body.count > bytesOnLoopMax
            ? await OffLoop.run { Result { () throws(Problem) in try judge(body, contentType) } }
            : Result { () throws(Problem) in try judge(body, contentType) }
        return try judged.get()
    }

    /// Parts that are neither picture nor document are a form's other fields, unless there is nothing else.
    private static func judge(_ body: [UInt8], _ contentType: [UInt8]) throws(Problem) -> ScanPush {
        let form: ScannerForm
        do {
            form = try ScannerForm(body, contentType: contentType)
        } catch {
            throw .scanForm(error)
        }
        var pages: [Page] = []
        var fault: ImageFault?
        for part in form.parts {
            let content = Array(body[part.content])
            do {
                pages.append(try page(content, key: part.key))
            } catch {
                // A page that cannot be read is worth more words than a field that is none.
                if isPage(error) || fault == nil { fault = error }
            }
        }
        if let fault, pages.isEmpty || isPage(fault) { throw .invalidImage(fault.sentence) }
        guard !pages.isEmpty else { throw .invalidImage(ImageFault.empty.sentence) }
        return ScanPush(pages: pages)
    }

    /// Whether it was meant as a page.
    private static func isPage(_ fault: ImageFault) -> Bool { fault != .unrecognised && fault != .empty }

    private static func page(_ sent: [UInt8], key: String?) throws(ImageFault) -> Page {
        if sent.count > bytesMax { throw .tooManyBytes(max: bytesMax) }
        var content = sent
        var (mediaType, width, height) = (MediaType.pdf, 0, 0)
        if !sent.starts(with: Array("%PDF-".utf8)) {
            let facts = try ImageProbe.facts(of: sent)
            content = try ImageCleaner.cleaned(sent, facts)
            (mediaType, width, height) = (facts.mediaType, facts.displayWidth, facts.displayHeight)
        }
        let facts = ChilStore.ImageFacts(
            hash: SHA256.digest(of: content).bytes,
            byteCount: Int64(content.count),
            mediaType: mediaType.rawValue,
            width: Int32(width),
            height: Int32(height)
        )
        return Page(key: key, content: content, facts: facts)
    }
}

extension Problem {
    static func scanForm(_ fault: ScannerForm.Fault) -> Problem {
        switch fault {
        case .notAForm: .unsupportedMediaType("multipart/form-data with a JPEG or PDF in each part")
        case .noBoundary: .malformedRequest("Name the boundary of the form in Content-Type.")
        case .noParts:
            .malformedRequest("The boundary that Content-Type names is not in the body: send the form as it names it.")
        case .tooManyParts: .malformedRequest("Send at most \(ScannerForm.partCountMax) parts at once.")
        case .partHeadTooLong:
            .malformedRequest("The head of a part has too many bytes: send at most \(ScannerForm.partHeadBytesMax).")
        case .cutOff: .malformedRequest("The form ends too early: send all of it.")
        }
    }
}
