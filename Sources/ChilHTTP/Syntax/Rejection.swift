/// Why a message is refused. After any of these the connection carries nothing more that could be trusted: answer, close.
package enum Rejection: String, Sendable, Error {
    case invalidRequestLine, invalidMethod, invalidTarget, targetTooLong, invalidVersion, unsupportedVersion
    case invalidStatusLine, unexpectedUpgrade, tooManyInterimResponses
    case bareLineFeed, bareCarriageReturn, foldedLine, blankBeforeFirstField, blankBeforeColon
    case invalidFieldName, invalidFieldValue, tooManyFields, headTooLong, repeatedField
    case missingHost, invalidHost
    case invalidContentLength, lengthAndTransferEncoding, invalidTransferEncoding, unknownTransferCoding
    case transferEncodingInVersion10
    case unknownExpectation
    case bodyTooLarge
    case invalidChunkSize, invalidChunkExtension, chunkExtensionsTooLong, chunkNotTerminated
    case forbiddenTrailer, trailersTooLong
    case truncated
    case invalidMultipart, tooManyParts, partHeadTooLong

    /// The status a server answers with.
    package var status: Status {
        switch self {
        case .targetTooLong: return .uriTooLong
        case .tooManyFields, .headTooLong, .trailersTooLong: return .requestHeaderFieldsTooLarge
        case .unsupportedVersion: return .httpVersionNotSupported
        case .unknownTransferCoding: return .notImplemented
        case .unknownExpectation: return .expectationFailed
        case .bodyTooLarge: return .contentTooLarge
        default: return .badRequest
        }
    }

    /// `invalidContentLength` as "invalid content length".
    package var words: String {
        rawValue.reduce(into: "") { words, letter in
            if letter.isUppercase { words += " " }
            words += letter.lowercased()
        }
    }

    /// What the sender can do about it, for the `detail` of the answer.
    package var remedy: StaticString {
        switch self {
        case .invalidRequestLine:
            return "Send one request line: method, target and HTTP/1.1, one space between, CRLF after."
        case .invalidMethod: return "Send a method of at most 32 token characters."
        case .invalidTarget:
            return "Send a target by RFC 3986: percent-encode other bytes, send no fragment and no user name."
        case .targetTooLong: return "Send a shorter target."
        case .invalidVersion, .unsupportedVersion: return "Send HTTP/1.1."
        case .invalidStatusLine: return "Answer with a status line of HTTP/1.1."
        case .unexpectedUpgrade: return "Answer without switching protocols: no upgrade was asked for."
        case .tooManyInterimResponses: return "Answer with fewer 1xx responses."
        case .bareLineFeed, .bareCarriageReturn: return "End each line with CRLF, and send CR and LF nowhere else."
        case .foldedLine, .blankBeforeFirstField: return "Begin no header line with white space."
        case .blankBeforeColon: return "Send no white space between a header's name and its colon."
        case .invalidFieldName: return "Send header names of token characters only."
        case .invalidFieldValue: return "Send no control characters in header values."
        case .tooManyFields: return "Send fewer header lines."
        case .headTooLong: return "Send a shorter head."
        case .repeatedField: return "Send this header once."
        case .missingHost: return "Send one Host header."
        case .invalidHost: return "Send a Host header with a host and, if needed, a port."
        case .invalidContentLength: return "Send one Content-Length of digits only."
        case .lengthAndTransferEncoding: return "Send either Content-Length or Transfer-Encoding."
        case .invalidTransferEncoding, .unknownTransferCoding: return "Send Transfer-Encoding: chunked, once, or none."
        case .transferEncodingInVersion10: return "Send Transfer-Encoding with HTTP/1.1 only."
        case .unknownExpectation: return "Send Expect: 100-continue or no Expect header."
        case .bodyTooLarge: return "Send a smaller body."
        case .invalidChunkSize: return "Send each chunk's size as at most 16 hexadecimal digits."
        case .invalidChunkExtension, .chunkExtensionsTooLong: return "Send no chunk extensions."
        case .chunkNotTerminated: return "End each chunk with CRLF after as many bytes as its size says."
        case .forbiddenTrailer: return "Send this field in the head, not in the trailers."
        case .trailersTooLong: return "Send no trailers."
        case .truncated: return "Send the whole message before closing."
        case .invalidMultipart: return "Send multipart/form-data by RFC 7578 with the boundary of the Content-Type."
        case .tooManyParts: return "Send fewer parts."
        case .partHeadTooLong: return "Send shorter part headers."
        }
    }
}
