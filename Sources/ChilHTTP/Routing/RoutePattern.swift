/// A method and the segments of a path, written `GET /{tenant}/drawings/{id}`.
package struct RoutePattern: Sendable {
    enum Segment: Sendable, Equatable {
        case literal(String)
        case capture(String)
    }

    package let text: String
    package let method: Method
    let segments: [Segment]

    /// The path as written, with its captures in braces.
    package var path: String { String(text.drop { $0 != "/" }) }

    /// What stands in its braces, in order.
    package var captureNames: [String] {
        segments.compactMap { if case .capture(let name) = $0 { name } else { nil } }
    }

    package init(_ literal: StaticString) {
        text = literal.description
        let words = text.split(separator: " ")
        let method = Method.allCases.first { $0.name.description == words.first.map(String.init) }
        guard words.count == 2, let method, words[1].hasPrefix("/") else {
            preconditionFailure("write a route as METHOD /path: \(literal)")
        }
        self.method = method
        segments = words[1].split(separator: "/").map { word in
            word.hasPrefix("{") ? .capture(String(word.dropFirst().dropLast())) : .literal(String(word))
        }
        let captureCount = segments.count { if case .capture = $0 { true } else { false } }
        precondition(captureCount <= RouteCaptures.countMax, "a route captures at most 4 segments: \(literal)")
    }
}

/// The tree that `RouteTable` is made from.
final class RouteTree {
    private(set) var literals: [(text: String, node: RouteTree)] = []
    private(set) var capture: RouteTree?
    private(set) var routes: [Method: Int] = [:]

    func node(for segments: ArraySlice<RoutePattern.Segment>) -> RouteTree {
        guard let first = segments.first else { return self }
        let next: RouteTree
        switch first {
        case .literal(let text):
            if let known = literals.first(where: { $0.text == text }) {
                next = known.node
            } else {
                next = RouteTree()
                literals.append((text, next))
            }
        case .capture:
            next = capture ?? RouteTree()
            capture = next
        }
        return next.node(for: segments.dropFirst())
    }

    func add(_ route: Int, for method: Method, _ pattern: String) {
        precondition(routes[method] == nil, "two routes for \(pattern)")
        routes[method] = route
    }

    var allow: String {
        var methods = Set(routes.keys)
        if methods.contains(.get) { methods.insert(.head) }
        methods.insert(.options)
        return Method.allCases.filter(methods.contains).map(\.name.description).joined(separator: ", ")
    }
}
