import CPNG

/// The PNG codec by libpng's simplified interface, which never jumps out of the library; it unpacks profiles by zlib.
enum PNGCodec {
    /// Unpacks the pixels into sRGB, eight bits each.
    static func decode(_ bytes: [UInt8], width: Int, height: Int) -> Bitmap? {
        withImage { image in
            bytes.withUnsafeBytes { input in
                guard png_image_begin_read_from_memory(image, input.baseAddress, input.count) != 0,
                    image.pointee.width == width, image.pointee.height == height
                else { return nil }
                image.pointee.format = format(alpha: true)
                // Without this flag the library takes sixteen bits for linear light instead of for codes of sRGB.
                image.pointee.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
                return Bitmap(width: width, height: height) {
                    png_image_finish_read(image, nil, $0, 0, nil) != 0
                }
            }
        }
    }

    /// Packs the picture in the smallest usual form that keeps every visible pixel: a palette, grey, colours, or
    /// colours with alpha.
    static func encode(_ bitmap: Bitmap) -> [UInt8]? {
        let bitmap = bitmap.withoutHiddenColors
        if let palette = Palette(of: bitmap) {
            return write(
                bitmap,
                format: format(alpha: true) | png_uint_32(PNG_FORMAT_FLAG_COLORMAP),
                rows: palette.indices,
                colors: palette.colors
            )
        }
        guard bitmap.isOpaque else { return write(bitmap, format: format(alpha: true), rows: bitmap.pixels) }
        if bitmap.isGrey { return write(bitmap, format: 0, rows: bitmap.pixels.map { UInt8($0 & 0xFF) }) }
        var rows: [UInt8] = []
        rows.reserveCapacity(bitmap.pixels.count * 3)
        for pixel in bitmap.pixels {
            rows.append(UInt8(truncatingIfNeeded: pixel))
            rows.append(UInt8(truncatingIfNeeded: pixel >> 8))
            rows.append(UInt8(truncatingIfNeeded: pixel >> 16))
        }
        return write(bitmap, format: format(alpha: false), rows: rows)
    }

    /// Unpacks a profile that zlib packed.
    ///
    /// - Returns: Nil if it is damaged.
    /// - Throws: `unsupportedColor` if it unpacks to more bytes than any simple profile has.
    static func unpackProfile(_ packed: ArraySlice<UInt8>) throws(MediaRefusal) -> [UInt8]? {
        var profile = [UInt8](repeating: 0, count: ImageLimits.profileByteCount)
        var count = uLongf(profile.count)
        let status = packed.withUnsafeBufferPointer {
            uncompress(&profile, &count, $0.baseAddress, uLong($0.count))
        }
        guard status != Z_BUF_ERROR || count < profile.count else { throw .unsupportedColor }
        return status == Z_OK ? Array(profile.prefix(Int(count))) : nil
    }

    private static func format(alpha: Bool) -> png_uint_32 {
        png_uint_32(PNG_FORMAT_FLAG_COLOR) | (alpha ? png_uint_32(PNG_FORMAT_FLAG_ALPHA) : 0)
    }

    private static func write(
        _ bitmap: Bitmap,
        format: png_uint_32,
        rows: [some Any],
        colors: [UInt32] = []
    ) -> [UInt8]? {
        withImage { image in
            image.pointee.width = png_uint_32(bitmap.width)
            image.pointee.height = png_uint_32(bitmap.height)
            image.pointee.format = format
            image.pointee.colormap_entries = png_uint_32(colors.count)
            let bytes = rows.withUnsafeBytes { rows in
                // Pixels that do not compress grow by 5 bytes per 16 KiB and one per row.
                let room = rows.count + rows.count / 1_000 + bitmap.height + 4_096
                return [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                    var size = png_alloc_size_t(room)
                    let written = png_image_write_to_memory(
                        image,
                        buffer.baseAddress,
                        &size,
                        0,
                        rows.baseAddress,
                        0,
                        colors
                    )
                    count = written != 0 && size <= room ? Int(size) : 0
                }
            }
            return bytes.isEmpty ? nil : bytes
        }
    }

    /// Calls `body` with a structure at a fixed address, because the library keeps that address until the end.
    private static func withImage<Result>(_ body: (UnsafeMutablePointer<png_image>) -> Result?) -> Result? {
        let image = UnsafeMutablePointer<png_image>.allocate(capacity: 1)
        image.initialize(to: png_image())
        image.pointee.version = png_uint_32(PNG_IMAGE_VERSION)
        defer {
            png_image_free(image)
            image.deallocate()
        }
        return body(image)
    }
}
