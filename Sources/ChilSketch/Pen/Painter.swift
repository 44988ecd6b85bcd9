/// Puts a drawing on a canvas.
struct Painter {
    private static let tolerance = 0.1

    private(set) var canvas: Canvas
    private var edges = EdgeList()
    /// Masks of clips that ended, cleared: a page takes as much memory as its deepest clip, not as all of them.
    private var spareMasks: [Canvas] = []

    init(width: Int, height: Int) {
        canvas = Canvas(width: width, height: height, tone: Drawing.Tone.white.rawValue)
    }

    /// `pen`: the width of the page's pen, in pixels. A stroke narrower than nothing leaves nothing.
    mutating func paint(_ drawing: Drawing, by transform: Transform = .identity, pen: Double) {
        var masks: [(canvas: Canvas, rows: Range<Int>)] = []
        for mark in drawing.marks {
            switch mark {
            case .fill(let path, let tone):
                outline(path.mapped(transform))
                canvas.fill(edges, tone: tone.rawValue, mask: masks.last?.canvas)
            case .stroke(let path, let width, let tone):
                let reach = (width.units * transform.scale + width.pens * pen) / 2
                guard reach > 0 else { continue }
                edges.removeAll()
                let stroker = Stroker(reach: reach)
                for line in path.mapped(transform).flattened(tolerance: Self.tolerance) {
                    stroker.outline(line, into: &edges)
                }
                canvas.fill(edges, tone: tone.rawValue, mask: masks.last?.canvas)
            case .clip(let path):
                outline(path.mapped(transform))
                var mask = spareMasks.popLast() ?? Canvas(width: canvas.width, height: canvas.height, tone: 0)
                mask.fill(edges, tone: 255, mask: masks.last?.canvas)
                masks.append((mask, edges.rows(of: canvas.height)))
            case .unclip:
                guard var ended = masks.popLast() else { continue }
                ended.canvas.clear(rows: ended.rows)
                spareMasks.append(ended.canvas)
            }
        }
    }

    private mutating func outline(_ path: Path) {
        edges.removeAll()
        for line in path.flattened(tolerance: Self.tolerance) { edges.add(line.points) }
    }
}
