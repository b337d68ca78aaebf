import CSixel

/// The Sixel encoder by libsixel, which gets only pixels: it decodes nothing that came from a peer.
///
/// Source: DEC VT330/VT340 Programmer Reference Manual, volume 2, chapter 14.
enum SixelCodec {
    /// Units: pixels of one band; the library draws a lower picture one band below its place.
    static let bandHeight = 6

    /// Encodes the whole sequence: a device control string of seven-bit characters; nil for a picture lower than a
    /// band.
    ///
    /// It has at most 256 colours, and transparent pixels are drawn on white.
    static func encode(_ bitmap: Bitmap) -> [UInt8]? {
        guard bitmap.height >= bandHeight else { return nil }
        let format = Int32(SIXEL_PIXELFORMAT_RGB888)
        let (width, height) = (Int32(bitmap.width), Int32(bitmap.height))
        var colours: OpaquePointer?
        guard sixel_dither_new(&colours, Int32(SIXEL_PALETTE_MAX), nil) == SIXEL_OK else { return nil }
        defer { sixel_dither_unref(colours) }
        var pixels = opaqueColours(of: bitmap)
        var written: [UInt8] = []
        let isDone = withUnsafeMutablePointer(to: &written) { written in
            var output: OpaquePointer?
            guard sixel_output_new(&output, append, written, nil) == SIXEL_OK else { return false }
            defer { sixel_output_unref(output) }
            return sixel_dither_initialize(
                colours,
                &pixels,
                width,
                height,
                format,
                Int32(SIXEL_LARGE_AUTO),
                Int32(SIXEL_REP_AUTO),
                Int32(SIXEL_QUALITY_AUTO)
            ) == SIXEL_OK && sixel_encode(&pixels, width, height, 0, colours, output) == SIXEL_OK
        }
        return isDone ? written : nil
    }

    /// The callback that appends the output of the library to the array behind `place`.
    private static let append: sixel_write_function = { bytes, count, place in
        guard let bytes, let place, count > 0 else { return 0 }
        let written = place.assumingMemoryBound(to: [UInt8].self)
        written.pointee += UnsafeRawBufferPointer(start: bytes, count: Int(count))
        return count
    }

    /// Returns red, green and blue of each pixel on white, one byte each.
    private static func opaqueColours(of bitmap: Bitmap) -> [UInt8] {
        var colours: [UInt8] = []
        colours.reserveCapacity(bitmap.pixels.count * 3)
        for pixel in bitmap.pixels {
            let alpha = pixel >> 24
            for shift in [0, 8, 16] as [UInt32] {
                colours.append(UInt8(((pixel >> shift & 0xFF) * alpha + 0xFF * (0xFF - alpha) + 0x7F) / 0xFF))
            }
        }
        return colours
    }
}
