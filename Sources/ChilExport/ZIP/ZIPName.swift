/// What an entry is called, small enough to be kept for each: the directory at a ZIP's end names them all again.
package protocol ZIPName: Sendable {
    /// UTF-8, relative, without `..`.
    var text: String { get }
}
