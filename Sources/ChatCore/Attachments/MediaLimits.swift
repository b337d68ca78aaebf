/// What a picture or a voice note may be, for who sends one and for who is sent one.
///
/// Source: PROTOCOL §10, §12.
public enum MediaLimits {
    /// Units: bytes of a picture.
    public static let imageByteCount = 32 << 20
    /// Units: pixels of a picture's longer edge.
    public static let imageEdge = 16_384
    /// Units: pixels of a picture.
    public static let imagePixelCount = 50_000_000
    /// The media types of pictures.
    public static let imageTypes = ["image/gif", "image/jpeg", "image/png", "image/webp"]
    /// Units: bytes of a voice note.
    public static let voiceByteCount = 4 << 20
    /// Units: milliseconds of a voice note.
    public static let voiceMilliseconds = 60_000
    /// The values of a voice note's waveform.
    public static let voicePeakCount = 64
    /// The media type of voice notes.
    public static let voiceType = "audio/ogg"
    /// Units: bytes of a picture or a recording before it is cleaned; more is not read.
    public static let sourceByteCount = 32 << 20
}
