/// How items of a list are known again: in a file, and in the tenant that it is of.
struct FileItems: Sendable {
    /// Each is a command or several, in one transaction.
    static let countMax = 2_000

    /// The members that name one.
    let key: [String]
    /// Two of the same name are two of them: services that differ in what a file does not know.
    var mayRepeat = false

    /// What an item is called: `drawings tenant none`.
    func name(of item: FileValue) -> String {
        key.compactMap { item[$0] }.filter { $0 != .none }.map(\.word).joined(separator: " ")
    }

    /// In the order of their names; those of one name by all that is said of them but for secrets, which are not compared.
    func sorted(_ items: [FileValue]) -> [FileValue] { order(items).map { items[$0] } }

    /// The places of the items in that order.
    func order(_ items: [FileValue]) -> [Int] {
        let names = items.map { Array(name(of: $0).utf8) }
        let rests = mayRepeat ? items.map { Array($0.withoutSecrets.json().utf8) } : []
        return items.indices.sorted { one, other in
            guard names[one] == names[other], mayRepeat else {
                return names[one].lexicographicallyPrecedes(names[other])
            }
            return rests[one].lexicographicallyPrecedes(rests[other])
        }
    }

    /// The names of sorted items, the second of one name with its number: `openai #2`.
    func names(_ sorted: [FileValue]) -> [String] {
        var seen: [[UInt8]: Int] = [:]
        return sorted.map { item in
            let name = name(of: item)
            let count = seen[Array(name.utf8), default: 0] + 1
            seen[Array(name.utf8)] = count
            return count == 1 ? name : "\(name) #\(count)"
        }
    }
}

extension FileValue {
    fileprivate var withoutSecrets: FileValue {
        guard case .members(var members) = self else { return self }
        members["hasKey"] = nil
        members["keyFile"] = nil
        return .members(members)
    }
}
