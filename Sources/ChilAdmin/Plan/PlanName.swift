/// What a plan is called.
struct PlanName: ArgumentValue, Equatable, Sendable {
    static let expectation =
        "a plan's name: 1 to 63 small letters, digits and hyphens, first a letter or digit; none is not a name"

    let text: String

    init?(argument: String) {
        guard argument != "none", (1...63).contains(argument.utf8.count), argument.utf8.first != UInt8(ascii: "-"),
            argument.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D })
        else { return nil }
        text = argument
    }
}

/// The plan that a tenant gets.
enum PlanChoice: ArgumentValue, Equatable, Sendable {
    case none
    case plan(PlanName)

    static let expectation = "a plan's name, or none"

    init?(argument: String) {
        if argument == "none" {
            self = .none
        } else {
            guard let name = PlanName(argument: argument) else { return nil }
            self = .plan(name)
        }
    }
}
