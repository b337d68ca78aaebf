import CWebP

/// The codec for single WebP pictures by libwebp, from memory to memory.
enum WebPCodec {
    /// The fields that the library reads in the headers of one picture.
    struct Features {
        let width: Int
        let height: Int
        let isLossless: Bool
        let hasAlpha: Bool
    }

    /// The quality of lossy pictures that are packed again, on the library's scale from 0 to 100.
    static let quality: Float = 88

    static func features(of picture: UnsafeRawBufferPointer) -> Features? {
        var features = WebPBitstreamFeatures()
        let start = picture.bindMemory(to: UInt8.self).baseAddress
        let status = WebPGetFeaturesInternal(start, picture.count, &features, WEBP_DECODER_ABI_VERSION)
        guard status == VP8_STATUS_OK, features.has_animation == 0, features.width > 0, features.height > 0 else {
            return nil
        }
        return Features(
            width: Int(features.width),
            height: Int(features.height),
            isLossless: features.format == 2,
            hasAlpha: features.has_alpha != 0
        )
    }

    static func decode(_ picture: UnsafeRawBufferPointer, _ features: Features) -> Bitmap? {
        let start = picture.bindMemory(to: UInt8.self).baseAddress
        return Bitmap(width: features.width, height: features.height) {
            WebPDecodeRGBAInto(start, picture.count, $0, features.width * features.height * 4, CInt(features.width * 4))
                != nil
        }
    }

    static func encode(_ bitmap: Bitmap, lossless: Bool) -> [UInt8]? {
        let bitmap = bitmap.withoutHiddenColors
        let (width, height, stride) = (CInt(bitmap.width), CInt(bitmap.height), CInt(bitmap.bytesPerRow))
        var start: UnsafeMutablePointer<UInt8>?
        defer { WebPFree(start) }
        let count = bitmap.pixels.withUnsafeBytes { buffer in
            let pixels = buffer.bindMemory(to: UInt8.self).baseAddress
            return lossless
                ? WebPEncodeLosslessRGBA(pixels, width, height, stride, &start)
                : WebPEncodeRGBA(pixels, width, height, stride, quality, &start)
        }
        guard count > 0, let start else { return nil }
        return Array(UnsafeBufferPointer(start: start, count: count))
    }
}
