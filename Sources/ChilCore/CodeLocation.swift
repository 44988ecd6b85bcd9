/// Where in the code an error was made: for the log, never for an answer.
package struct CodeLocation: Sendable, CustomStringConvertible {
    package let function: StaticString
    package let file: StaticString
    package let line: UInt

    package init(function: StaticString, file: StaticString, line: UInt) {
        self.function = function
        self.file = file
        self.line = line
    }

    package static func here(
        function: StaticString = #function,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        Self(function: function, file: file, line: line)
    }

    package var description: String { "\(file):\(line) \(function)" }
}
