/// A field with its value as it stands in an answer's head: made once, for many answers.
package struct PreparedField: Sendable {
    let bytes: [UInt8]

    package init(_ name: StaticString, _ value: [UInt8]) {
        var response = Response(.ok)
        response.add(name, value)
        bytes = response.fieldLines
    }
}
