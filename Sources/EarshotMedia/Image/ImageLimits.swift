/// The limits of a picture; they are checked before a library sees the bytes or memory is allocated for pixels.
public struct ImageLimits: Hashable, Sendable {
    /// Units: bytes of a file.
    public var byteCount = 33_554_432
    /// Units: pixels of the longer edge.
    public var edge = 16_384
    /// Units: pixels of a picture, or of the canvas of an animation.
    public var pixelCount = 50_000_000
    /// The number of frames of an animation.
    public var frameCount = 1_000
    /// Units: bytes of all frames unpacked, four per pixel.
    public var decodedByteCount = 600_000_000

    /// The limits that fit pictures of phones and animations in chats, and the memory of a small machine.
    public static let standard = ImageLimits()

    /// Units: bytes of a colour profile; those of screens and cameras have a few thousand.
    static let profileByteCount = 1_048_576
    /// The number of chunks of a PNG, with those of its pixels, which encoders cut into pieces of 8 KiB or more.
    static let pngPartCount = 100_000

    /// Checks a picture by its first fields.
    ///
    /// - Throws: `tooLarge`.
    public func check(_ header: ImageHeader) throws(MediaRefusal) {
        try checkSize(width: header.width, height: header.height)
    }

    func checkSize(width: Int, height: Int) throws(MediaRefusal) {
        guard width <= edge, height <= edge else {
            throw MediaRefusal(
                .tooLarge,
                "The picture has \(width) by \(height) pixels; an edge has at most \(edge). Make it smaller first.",
                limit: edge
            )
        }
        guard width * height <= pixelCount else {
            throw MediaRefusal(
                .tooLarge,
                "The picture has \(width * height) pixels, at most \(pixelCount) are allowed. Make it smaller first.",
                limit: pixelCount
            )
        }
    }

    func checkByteCount(_ count: Int) throws(MediaRefusal) {
        guard count <= byteCount else { throw MediaFile.tooManyBytes(limit: byteCount) }
    }

    func checkFrameCount(_ count: Int) throws(MediaRefusal) {
        guard count <= frameCount else {
            throw MediaRefusal(
                .tooManyFrames,
                "The animation has more than \(frameCount) frames. Shorten it, or send it as a file.",
                limit: frameCount
            )
        }
    }

    func checkDecoded(pixelCount: Int) throws(MediaRefusal) {
        guard pixelCount <= decodedByteCount / 4 else {
            throw MediaRefusal(
                .tooMuchDecoded,
                "The frames of this animation unpack to more than \(decodedByteCount / 1_000_000) MB. Make it smaller.",
                limit: decodedByteCount
            )
        }
    }
}
