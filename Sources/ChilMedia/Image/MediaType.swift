/// The media types that the service stores or makes; the raw value is the registered name (IANA media types).
package enum MediaType: String, Hashable, Sendable, CaseIterable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case pdf = "application/pdf"
    /// Pages as dots (PWG 5102.4); never a picture that is stored.
    case pwgRaster = "image/pwg-raster"
}
