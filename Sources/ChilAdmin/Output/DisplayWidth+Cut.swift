extension DisplayWidth {
    /// The beginning of a text, with … at its end if anything is missing; never wider than that, never half of an emoji.
    static func cut(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        guard width > 0 else { return "" }
        var kept = ""
        var used = 0
        for cluster in text {
            let cells = of(String(cluster))
            guard used + cells <= width - 1 else { break }
            kept.append(cluster)
            used += cells
        }
        return kept + "…"
    }
}
