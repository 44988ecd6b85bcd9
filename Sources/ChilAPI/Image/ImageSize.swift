import ChilHTTP

/// How large an image is wanted.
enum ImageSize: Equatable {
    case whole
    /// At most 512 pixels a side.
    case thumbnail

    /// - Throws: `Problem.notFound` for a word that is none, and for what has no small picture.
    init(_ query: QueryItems?, of variant: ImageVariant) throws(Problem) {
        switch (query?["size"], variant) {
        case (nil, _): self = .whole
        case ("thumbnail", .shown): self = .thumbnail
        default: throw .notFound
        }
    }
}
