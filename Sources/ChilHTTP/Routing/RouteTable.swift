import Glibc

/// Patterns as a tree in flat arrays, asked with the bytes of a path. Knows numbers of routes, no handlers.
///
/// - A literal segment beats a capture, and a literal once taken is not given up: below `/healthz` nothing is a tenant.
/// - Segments are compared percent-decoded (RFC 3986 §6.2.2.2). A path with an empty segment (so with a slash at its end), a dot
///   segment, or an encoded slash or NUL names nothing here: it is never repaired, as others might repair it otherwise.
package struct RouteTable: Sendable {
    package enum Answer: Sendable {
        case route(Int, RouteCaptures)
        /// The path is known; the number picks its `allow`.
        case otherMethod(endpoint: Int)
        case unknownPath
    }

    private struct Node {
        var edges: Range<Int> = 0..<0
        var captureNode = -1
        var endpoint = -1
    }

    private struct Edge {
        let text: Range<Int>
        let node: Int
    }

    private var nodes: ContiguousArray<Node> = []
    private var edges: ContiguousArray<Edge> = []
    private var texts: [UInt8] = []
    /// For each endpoint a route's number for each method, or -1.
    private var routes: [Int] = []
    /// For each endpoint the value of its Allow field.
    package private(set) var allows: [String] = []

    /// Builds the table. The patterns are code: a malformed or repeated one stops the program.
    package init(_ patterns: [RoutePattern]) {
        let root = RouteTree()
        for (number, pattern) in patterns.enumerated() {
            root.node(for: pattern.segments[...]).add(number, for: pattern.method, pattern.text)
        }
        nodes = [Node()]
        flatten(root, into: 0)
    }

    private mutating func flatten(_ tree: RouteTree, into index: Int) {
        if !tree.routes.isEmpty {
            nodes[index].endpoint = allows.count
            allows.append(tree.allow)
            routes += Method.allCases.map { tree.routes[$0] ?? -1 }
        }
        let start = edges.count
        nodes[index].edges = start..<(start + tree.literals.count)
        for (text, _) in tree.literals {
            edges.append(Edge(text: texts.count..<(texts.count + text.utf8.count), node: nodes.count))
            texts += text.utf8
            nodes.append(Node())
        }
        for (offset, literal) in tree.literals.enumerated() { flatten(literal.node, into: edges[start + offset].node) }
        if let capture = tree.capture {
            nodes[index].captureNode = nodes.count
            nodes.append(Node())
            flatten(capture, into: nodes[index].captureNode)
        }
    }

    /// - Parameter start: where `path` stands in the head, so that captures are ranges of the head.
    package func find(_ method: Method, _ path: UnsafeRawBufferPointer, from start: Int) -> Answer {
        let end = path.count
        guard end > 0, path[0] == ASCII.slash else { return .unknownPath }
        var captures = RouteCaptures()
        var node = 0
        var at = 1
        while end > 1 {
            let segmentStart = at
            var isPlain = true
            while at < end, path[at] != ASCII.slash {
                if path[at] == ASCII.percent { isPlain = false }
                at &+= 1
            }
            let segment = UnsafeRawBufferPointer(rebasing: path[segmentStart..<at])
            let next = isPlain ? step(node, segment) : decodedStep(node, segment)
            guard let next else { return .unknownPath }
            if next.isCapture { captures.append(start + segmentStart, start + at) }
            node = next.node
            if at == end { break }
            at &+= 1
        }
        let endpoint = nodes[node].endpoint
        guard endpoint >= 0 else { return .unknownPath }
        let base = endpoint * Method.allCases.count
        var route = routes[base + Int(method.rawValue)]
        if route < 0, method == .head { route = routes[base + Int(Method.get.rawValue)] }
        return route < 0 ? .otherMethod(endpoint: endpoint) : .route(route, captures)
    }

    @inline(__always)
    private func step(_ node: Int, _ segment: UnsafeRawBufferPointer) -> (node: Int, isCapture: Bool)? {
        guard let start = segment.baseAddress, segment.count > 0 else { return nil }
        if segment[0] == ASCII.dot, segment.count == 1 || (segment.count == 2 && segment[1] == ASCII.dot) { return nil }
        let current = nodes[node]
        for index in current.edges {
            let edge = edges[index]
            guard edge.text.count == segment.count else { continue }
            let isEqual = texts.withUnsafeBytes { texts in
                texts.baseAddress.map { memcmp(start, $0 + edge.text.lowerBound, segment.count) == 0 } ?? false
            }
            if isEqual { return (edge.node, false) }
        }
        return current.captureNode >= 0 ? (current.captureNode, true) : nil
    }

    private func decodedStep(_ node: Int, _ segment: UnsafeRawBufferPointer) -> (node: Int, isCapture: Bool)? {
        guard let decoded = PercentCoding.decode(segment), !decoded.contains(ASCII.slash), !decoded.contains(0) else {
            return nil
        }
        return decoded.withUnsafeBytes { step(node, $0) }
    }
}
