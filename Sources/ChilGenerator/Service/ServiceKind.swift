/// What a service speaks.
package enum ServiceKind: String, Sendable, CaseIterable {
    /// OpenAI's images API, of both model families, and what imitates it.
    case openai
    /// LocalAI: the same, with a smaller default size and links to its own files.
    case localai
    /// stable-diffusion.cpp's server: the same, with errors of its own.
    case sdcpp
    /// AUTOMATIC1111 and Forge: `txt2img`.
    case automatic1111

    /// Where it is asked, below its URL.
    package var path: String {
        switch self {
        case .openai, .localai, .sdcpp: "/images/generations"
        case .automatic1111: "/sdapi/v1/txt2img"
        }
    }

    /// The URL of the one that everybody means.
    package var usualURL: String? { self == .openai ? "https://api.openai.com/v1" : nil }

    /// The party that gets to see wishes, where everybody knows it.
    package var usualParty: String? { self == .openai ? "openai" : nil }
}
