/// The limits of a picture or a voice note, for its sender and its recipients.
///
/// Source: PROTOCOL §10, §12.
public enum MediaLimits {
    /// The largest picture.
    ///
    /// Units: bytes.
    public static let imageByteCount = 32 << 20
    /// The longer edge of the largest picture.
    ///
    /// Units: pixels.
    public static let imageEdge = 16_384
    /// The area of the largest picture.
    ///
    /// Units: pixels.
    public static let imagePixelCount = 50_000_000
    /// The media types of pictures.
    public static let imageTypes = ["image/gif", "image/jpeg", "image/png", "image/webp"]
    /// The largest voice note.
    ///
    /// Units: bytes.
    public static let voiceByteCount = 4 << 20
    /// The longest voice note.
    ///
    /// Units: milliseconds.
    public static let voiceMilliseconds = 60_000
    /// The number of values of a voice note's waveform.
    public static let voicePeakCount = 64
    /// The media type of voice notes.
    public static let voiceType = "audio/ogg"
    /// The largest picture or recording before its metadata is stripped; a larger one is not read.
    ///
    /// Units: bytes.
    public static let sourceByteCount = 32 << 20
}
