import ChilCore
import ChilHTTP
import ChilStore

/// The query of `GET drawings`.
struct DrawingList {
    static let limitDefault = 50
    /// The first app reads one page and no other.
    static let guestLimitDefault = DrawingPageRequest.countMax

    let type: DrawingType?
    let place: DrawingPageRequest.Place
    let page: Int?
    let limit: Int

    init(_ call: Call, _ principal: Principal, _ cursor: ListCursor) throws(Problem) {
        let query: QueryItems
        do {
            query = try call.head.queryItems()
        } catch {
            throw .malformedRequest("\(error.remedy)")
        }
        var faults: [Problem.FieldFault] = []
        var type: DrawingType?
        var page: Int?
        var limit = principal.isGuest ? Self.guestLimitDefault : Self.limitDefault
        for (name, value) in query.items {
            switch name {
            case "type":
                type = DrawingType(rawValue: value)
                if type == nil {
                    let words = DrawingType.allCases.map(\.rawValue).joined(separator: ", ")
                    faults.append(Problem.FieldFault(pointer: "/type", detail: "Send one of: \(words)."))
                }
            case "page":
                page = Int(decimal: value)
                if page == nil || page! < 1 {
                    faults.append(Problem.FieldFault(pointer: "/page", detail: "Send a number from 1."))
                }
            case "limit":
                if let number = Int(decimal: value), (1...DrawingPageRequest.countMax).contains(number) {
                    limit = number
                } else {
                    faults.append(
                        Problem.FieldFault(
                            pointer: "/limit",
                            detail: "Send a number from 1 to \(DrawingPageRequest.countMax)."
                        )
                    )
                }
            case "cursor": break
            default:
                faults.append(Problem.FieldFault(pointer: "/" + name.prefix(64), detail: "There is no such parameter."))
            }
        }
        var place = page.map(DrawingPageRequest.Place.page) ?? .newest
        if let text = query["cursor"] {
            if page != nil {
                faults.append(Problem.FieldFault(pointer: "/cursor", detail: "Send either page or cursor."))
            }
            if let drawing = cursor.drawing(text, of: principal.user, in: principal.tenant, type: type) {
                place = .before(drawing)
            } else {
                faults.append(
                    Problem.FieldFault(pointer: "/cursor", detail: "Send nextCursor of the same list, unchanged.")
                )
            }
        }
        guard faults.isEmpty else { throw .invalidFields(faults) }
        self.type = type
        self.place = place
        self.page = query["cursor"] == nil ? page ?? 1 : nil
        self.limit = limit
    }
}
