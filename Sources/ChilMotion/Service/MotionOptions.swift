import ChilCore

/// What an operator says of a motion service, as its row keeps it: a JSON object.
package struct MotionOptions: Equatable, Sendable {
    package let field: MotionForm.Field

    package init(field: MotionForm.Field) {
        self.field = field
    }

    /// What a newer release wrote beside it is left out.
    ///
    /// - Returns: `nil`: this is no such text.
    package init?(parsing text: String) {
        guard let object = try? StrictJSON.parse(Array(text.utf8)).object else { return nil }
        guard let field = object["field"] else {
            self.field = .motionType
            return
        }
        guard let known = field.string.flatMap(MotionForm.Field.init(rawValue:)) else { return nil }
        self.field = known
    }

    package var text: String { "{\"field\":\"\(field.rawValue)\"}" }
}
