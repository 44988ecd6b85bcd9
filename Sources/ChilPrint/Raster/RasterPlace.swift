/// Where a picture stands on the upright sheet, in dots from its upper left corner.
package struct RasterPlace: Hashable, Sendable {
    package let left, top, width, height: Int

    init(of box: PageLayout.Box, on layout: PageLayout, _ form: RasterForm) {
        let sheetWidth = PageLayout.points(layout.tray.paper.width)
        let sheetHeight = PageLayout.points(layout.tray.paper.height)
        // A turned page's left edge is the sheet's lower one, and its lower edge the sheet's right one.
        let (x, y) = layout.isTurned ? (sheetWidth - box.top, box.left) : (box.left, box.bottom)
        let (width, height) = layout.isTurned ? (box.height, box.width) : (box.width, box.height)
        left = form.dots(points: x)
        top = form.dots(points: sheetHeight - y - height)
        self.width = max(1, form.dots(points: x + width) - left)
        self.height = max(1, form.dots(points: sheetHeight - y) - top)
    }

    /// Of the picture of a layout.
    package init(_ layout: PageLayout, _ form: RasterForm) {
        self.init(of: layout.picture, on: layout, form)
    }
}
