import ChilCore

/// What an operator says of how a service is to be asked, beside its model: a JSON object. What is not said is not sent, or the kind's usual.
package struct ServiceOptions: Equatable, Sendable {
    package enum ResponseFormat: String, Sendable, CaseIterable { case base64 = "b64_json", url, none }

    package struct Fault: Error, Equatable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Pixels, width by height.
    package var size: (width: Int, height: Int)?
    package var quality: String?
    /// `nil`: by the model. `none`: the member is never sent.
    package var responseFormat: ResponseFormat?
    package var background: String?
    package var moderation: String?
    package var steps: Int?
    package var guidance: Double?
    package var sampler: String?

    package init() {}

    package static let bytesMax = 4_096
    package static let sideRange = 64...4_096
    private static let limits = JSONLimits(bytesMax: bytesMax, depthMax: 2, valuesMax: 64)
    private static let names = "size, quality, responseFormat, background, moderation, steps, guidance, sampler"

    /// - Parameter text: JSON, as an operator writes it.
    package init(parsing text: String) throws(Fault) {
        guard let object = try? StrictJSON.parse(Array(text.utf8), limits: Self.limits).object else {
            throw Fault(description: "it is no JSON object: write one like {\"size\":\"1024x1024\"}")
        }
        for member in object.members {
            let value = member.value
            switch member.name {
            case "size": size = try Self.size(value)
            case "quality": quality = try Self.word(value, member.name)
            case "background": background = try Self.word(value, member.name)
            case "moderation": moderation = try Self.word(value, member.name)
            case "sampler": sampler = try Self.word(value, member.name)
            case "responseFormat":
                guard let format = value.string.flatMap(ResponseFormat.init(rawValue:)) else {
                    throw Fault(description: "responseFormat is one of b64_json, url, none")
                }
                responseFormat = format
            case "steps":
                guard let number = value.int64, 1...150 ~= number else { throw Fault(description: "steps is 1 to 150") }
                steps = Int(number)
            case "guidance":
                guard let number = value.number?.double, 0...30 ~= number else {
                    throw Fault(description: "guidance is 0 to 30")
                }
                guidance = number
            default: throw Fault(description: "there is no option '\(member.name.prefix(40))': there are \(Self.names)")
            }
        }
    }

    private static func size(_ value: JSONValue) throws(Fault) -> (width: Int, height: Int) {
        let numbers = (value.string ?? "").split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let width = numbers[0], let height = numbers[1], sideRange ~= width,
            sideRange ~= height
        else {
            throw Fault(description: "size is like 1024x1024, of 64 to 4096 pixels each way")
        }
        return (width, height)
    }

    private static func word(_ value: JSONValue, _ name: String) throws(Fault) -> String {
        guard let text = value.string, 1...64 ~= text.utf8.count, TextRule(bytesMax: 64).fault(in: text) == nil else {
            throw Fault(description: "\(name) is a word of at most 64 bytes")
        }
        return text
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.size?.width == right.size?.width && left.size?.height == right.size?.height
            && left.quality == right.quality
            && left.responseFormat == right.responseFormat && left.background == right.background
            && left.moderation == right.moderation && left.steps == right.steps && left.guidance == right.guidance
            && left.sampler == right.sampler
    }
}
