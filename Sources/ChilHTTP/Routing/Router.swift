/// Finds the handler of a request: a thin layer of handlers over `RouteTable`, inlined where the handler's type is known.
package struct Router<Handler: Sendable>: Sendable {
    package enum Match {
        case found(Handler, RouteCaptures)
        /// An OPTIONS request that no route of its own answers: 204 with this Allow.
        case options(allow: String)
        /// 405 with this Allow.
        case methodNotAllowed(allow: String)
        case notFound
    }

    package let patterns: [RoutePattern]
    package let table: RouteTable
    @usableFromInline package let handlers: [Handler]
    /// All methods of all routes: for `OPTIONS *`.
    package let serverAllow: String

    package init(_ routes: [(pattern: StaticString, handler: Handler)]) {
        patterns = routes.map { RoutePattern($0.pattern) }
        table = RouteTable(patterns)
        handlers = routes.map(\.handler)
        let tree = RouteTree()
        for method in Set(patterns.map(\.method)) { tree.add(0, for: method, "*") }
        serverAllow = tree.allow
    }

    /// HEAD falls to GET. CONNECT has no path and is never allowed.
    @inlinable
    package func match(_ head: RequestHead) -> Match {
        let path = head.pathRange
        // An absolute target may leave the path out, which means `/` (RFC 9112 §3.2.2).
        if path.isEmpty || head.isForWholeServer { return matchWithoutPath(head) }
        let answer = head.bytes.withUnsafeBytes {
            table.find(head.method, UnsafeRawBufferPointer(rebasing: $0[path]), from: path.lowerBound)
        }
        return match(answer, head.method)
    }

    @inlinable
    package func match(_ answer: RouteTable.Answer, _ method: Method) -> Match {
        switch answer {
        case .route(let number, let captures): return .found(handlers[number], captures)
        case .otherMethod(let endpoint):
            let allow = table.allows[endpoint]
            return method == .options ? .options(allow: allow) : .methodNotAllowed(allow: allow)
        case .unknownPath: return .notFound
        }
    }

    @usableFromInline
    package func matchWithoutPath(_ head: RequestHead) -> Match {
        if head.isForWholeServer { return .options(allow: serverAllow) }
        if head.hasAuthorityTarget { return .methodNotAllowed(allow: serverAllow) }
        let root: [UInt8] = [ASCII.slash]
        return match(root.withUnsafeBytes { table.find(head.method, $0, from: 0) }, head.method)
    }
}
