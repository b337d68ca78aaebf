/// What a message says of a picture or a voice note that goes with it, so that it can be shown before it is here.
public enum MediaFacts: Hashable, Sendable {
    /// A picture.
    case image(ImageFacts)
    /// A voice note.
    case voice(VoiceFacts)

    /// Whether a file of this type and size can be what these facts are about.
    package func allows(type: String, byteCount: UInt64) -> Bool {
        switch self {
        case .image: MediaLimits.imageTypes.contains(type) && 1...UInt64(MediaLimits.imageByteCount) ~= byteCount
        case .voice: type == MediaLimits.voiceType && 1...UInt64(MediaLimits.voiceByteCount) ~= byteCount
        }
    }
}

/// What a message says of a picture.
public struct ImageFacts: Hashable, Sendable {
    /// Units: pixels, as it is seen.
    public let width: Int
    /// Units: pixels, as it is seen.
    public let height: Int

    /// Takes a size; nil if no picture may be so large, or so small.
    public init?(width: Int, height: Int) {
        let edges = 1...MediaLimits.imageEdge
        guard edges ~= width, edges ~= height, width * height <= MediaLimits.imagePixelCount else { return nil }
        self.width = width
        self.height = height
    }
}

/// What a message says of a voice note.
public struct VoiceFacts: Hashable, Sendable {
    /// Units: milliseconds, at most a minute.
    public let milliseconds: Int
    /// The waveform: the loudest sample of each of 64 equal parts, from 0 to 255.
    public let peaks: [UInt8]
    /// Whether what was recorded was longer, and only its first minute went.
    public let isCut: Bool

    /// Takes what is said; nil if no voice note can be so.
    public init?(milliseconds: Int, peaks: [UInt8], isCut: Bool = false) {
        guard 1...MediaLimits.voiceMilliseconds ~= milliseconds, peaks.count == MediaLimits.voicePeakCount else {
            return nil
        }
        self.milliseconds = milliseconds
        self.peaks = peaks
        self.isCut = isCut
    }
}
