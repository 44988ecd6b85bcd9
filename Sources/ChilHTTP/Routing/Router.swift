/// Finds a request's route: the number that its pattern has among those given. Who has handlers keeps them in the same order, so that
/// nothing here is generic: the compiler makes no version for one handler across modules, and a generic match costs each request.
package struct Router: Sendable {
    package enum Match: Sendable {
        case found(Int, RouteCaptures)
        /// An OPTIONS request that no route of its own answers: 204 with this Allow.
        case options(allow: String)
        /// 405 with this Allow.
        case methodNotAllowed(allow: String)
        case notFound
    }

    package let table: RouteTable
    /// All methods of all routes: for `OPTIONS *`.
    package let serverAllow: String

    package init(_ texts: [StaticString]) {
        let patterns = texts.map { RoutePattern($0) }
        table = RouteTable(patterns)
        let tree = RouteTree()
        for method in Set(patterns.map(\.method)) { tree.add(0, for: method, "*") }
        serverAllow = tree.allow
    }

    /// HEAD falls to GET. CONNECT has no path and is never allowed.
    package func match(_ head: RequestHead) -> Match {
        let path = head.pathRange
        // An absolute target may leave the path out, which means `/` (RFC 9112 §3.2.2).
        if path.isEmpty || head.isForWholeServer { return matchWithoutPath(head) }
        let answer = head.bytes.withUnsafeBytes {
            table.find(head.method, UnsafeRawBufferPointer(rebasing: $0[path]), from: path.lowerBound)
        }
        return match(answer, head.method)
    }

    private func match(_ answer: RouteTable.Answer, _ method: Method) -> Match {
        switch answer {
        case .route(let number, let captures): return .found(number, captures)
        case .otherMethod(let endpoint):
            let allow = table.allows[endpoint]
            return method == .options ? .options(allow: allow) : .methodNotAllowed(allow: allow)
        case .unknownPath: return .notFound
        }
    }

    private func matchWithoutPath(_ head: RequestHead) -> Match {
        if head.isForWholeServer { return .options(allow: serverAllow) }
        if head.hasAuthorityTarget { return .methodNotAllowed(allow: serverAllow) }
        let root: [UInt8] = [ASCII.slash]
        return match(root.withUnsafeBytes { table.find(head.method, $0, from: 0) }, head.method)
    }
}
