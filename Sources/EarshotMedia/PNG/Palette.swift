/// A picture of at most 256 colours; each pixel is the index of its colour.
struct Palette: Equatable {
    /// The colours, in the order of their first pixels.
    private(set) var colors: [UInt32] = []
    private(set) var indices: [UInt8]

    /// Collects the colours of a bitmap; nil if there are more.
    init?(of bitmap: Bitmap) {
        var places: [UInt32: UInt8] = [:]
        var (last, lastPlace): (UInt32?, UInt8) = (nil, 0)
        indices = []
        indices.reserveCapacity(bitmap.pixels.count)
        for pixel in bitmap.pixels {
            if pixel != last {
                if let place = places[pixel] {
                    lastPlace = place
                } else {
                    guard let place = UInt8(exactly: colors.count) else { return nil }
                    colors.append(pixel)
                    places[pixel] = place
                    lastPlace = place
                }
                last = pixel
            }
            indices.append(lastPlace)
        }
    }
}
