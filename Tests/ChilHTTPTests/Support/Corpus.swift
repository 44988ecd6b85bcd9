import ChilHTTP
import Testing

/// A case of a public corpus and how it ended here, beside what the corpus wants.
struct CorpusCase: CustomTestStringConvertible {
    enum Wanted { case refused, accepted(requests: Int), incomplete }

    let name: String
    let bytes: [UInt8]
    let wanted: Wanted

    var testDescription: String { name }

    func isSatisfied(by transcript: Transcript) -> Bool {
        switch (wanted, transcript.ending) {
        case (.refused, .rejected), (.incomplete, .incomplete): return true
        case (.accepted(let requests), .complete), (.accepted(let requests), .closed):
            return transcript.requests.count == requests
        default: return false
        }
    }

    /// The same case with `Host: a` in each request of HTTP/1.1: the corpora often leave it out.
    var withHost: Self {
        let text = String(decoding: bytes.map(UInt16.init), as: UTF16.self)
        if text.contains("HTTP/1.1\r\nHost: a\r\n") { return self }
        let changed = text.replacing(" HTTP/1.1\r\n", with: " HTTP/1.1\r\nHost: a\r\n")
        return Self(name: name, bytes: latin1(changed), wanted: wanted)
    }

    /// The same case with the end of its head behind it: a corpus may refuse earlier what we refuse at the end of the head.
    var withEndOfHead: Self {
        Self(name: name, bytes: bytes + Array("\r\n\r\n".utf8), wanted: wanted)
    }
}

/// Where we differ from a corpus on purpose: what we answer, and why that is right for us.
struct CorpusException {
    let requests: Int
    let ending: Transcript.Ending
    let reason: String

    static func refused(_ rejection: Rejection, after requests: Int = 0, _ reason: String) -> Self {
        Self(requests: requests, ending: .rejected(rejection), reason: reason)
    }

    static func closed(after requests: Int, _ reason: String) -> Self {
        Self(requests: requests, ending: .closed, reason: reason)
    }
}

/// Each character below U+0100 as its byte.
func latin1(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
}

/// Judges a case in all cuts: as the corpus wants it, or exactly as its exception says.
///
/// A case of HTTP/1.1 without a Host must be refused for that; it is then judged with one, so that the rest is seen too.
func judge(_ sample: CorpusCase, exceptions: [String: CorpusException]) {
    let (transcript, fault) = Cuts.transcript(of: sample.bytes)
    #expect(fault == nil, "\(sample.name)")
    let exception = exceptions[sample.name]
    if let exception, transcript.requests.count == exception.requests, transcript.ending == exception.ending { return }
    if exception == nil, sample.isSatisfied(by: transcript) { return }
    if transcript.ending == .rejected(.missingHost), sample.withHost.bytes != sample.bytes {
        judge(sample.withHost, exceptions: exceptions)
    } else if transcript.ending == .incomplete, case .refused = sample.wanted, exception == nil {
        judge(sample.withEndOfHead, exceptions: exceptions)
    } else {
        Issue.record("\(sample.name): wanted \(exception?.reason ?? "\(sample.wanted)"), got \(transcript)")
    }
}
