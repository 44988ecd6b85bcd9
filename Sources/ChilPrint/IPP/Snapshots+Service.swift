extension PrinterSnapshot {
    /// What a service says of a printer that does not speak IPP itself, in IPP's words.
    ///
    /// - Parameters:
    ///   - state: 3 idle, 4 processing, 5 stopped.
    ///   - formats: media types that it takes.
    ///   - media: self-describing names of paper (PWG 5101.1 §5).
    package init(
        model: String? = nil,
        state: Int32? = nil,
        stateReasons: [String] = [],
        formats: [String] = [],
        media: [String] = []
    ) {
        var attributes: [IPPAttribute] = []
        if let model { attributes.append(IPPAttribute("printer-make-and-model", .text(model))) }
        if let state { attributes.append(IPPAttribute("printer-state", .enumeration(state))) }
        let lists = [
            ("printer-state-reasons", stateReasons.map { IPPValue.keyword($0) }),
            ("document-format-supported", formats.map { IPPValue.mimeMediaType($0) }),
            ("media-supported", media.map { IPPValue.keyword($0) }),
        ]
        for (name, values) in lists where !values.isEmpty { attributes.append(IPPAttribute(name, values: values)) }
        self.init(IPPMessage.Group(.printer, attributes))
    }
}
