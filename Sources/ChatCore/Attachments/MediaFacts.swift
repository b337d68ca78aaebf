import Bytes

/// The description of a picture or a voice note in its message, so that it can be shown before the file arrives.
public enum MediaFacts: Hashable, Codable, Sendable {
    /// A picture.
    case image(ImageFacts)
    /// A voice note.
    case voice(VoiceFacts)

    /// Whether a file of this type and size can match these facts.
    package func allows(type: String, byteCount: UInt64) -> Bool {
        switch self {
        case .image: MediaLimits.imageTypes.contains(type) && 1...UInt64(MediaLimits.imageByteCount) ~= byteCount
        case .voice: type == MediaLimits.voiceType && 1...UInt64(MediaLimits.voiceByteCount) ~= byteCount
        }
    }
}

/// The description of a picture in its message.
public struct ImageFacts: Hashable, Codable, Sendable {
    /// The width as displayed.
    ///
    /// Units: pixels.
    public let width: Int
    /// The height as displayed.
    ///
    /// Units: pixels.
    public let height: Int

    /// Makes the facts of a size; nil if no picture may be this large or this small.
    public init?(width: Int, height: Int) {
        let edges = 1...MediaLimits.imageEdge
        guard edges ~= width, edges ~= height, width * height <= MediaLimits.imagePixelCount else { return nil }
        self.width = width
        self.height = height
    }

    /// Decodes the facts of a picture; impossible ones are refused.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let facts = ImageFacts(
            width: try container.decode(Int.self, forKey: .width),
            height: try container.decode(Int.self, forKey: .height)
        )
        self = try decoder.checked(facts, "No picture has this size.")
    }
}

/// The description of a voice note in its message.
public struct VoiceFacts: Hashable, Codable, Sendable {
    /// The duration.
    ///
    /// Units: milliseconds, at most a minute.
    public let milliseconds: Int
    /// The waveform: the loudest sample of each of 64 equal parts, from 0 to 255.
    public let peaks: [UInt8]
    /// Whether the recording was longer and only its first minute was sent.
    public let isCut: Bool

    /// Makes the facts of a voice note; nil if they are impossible.
    public init?(milliseconds: Int, peaks: [UInt8], isCut: Bool = false) {
        guard 1...MediaLimits.voiceMilliseconds ~= milliseconds, peaks.count == MediaLimits.voicePeakCount else {
            return nil
        }
        self.milliseconds = milliseconds
        self.peaks = peaks
        self.isCut = isCut
    }

    /// Decodes the facts of a voice note; impossible ones are refused.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let facts = VoiceFacts(
            milliseconds: try container.decode(Int.self, forKey: .milliseconds),
            peaks: try container.decode([UInt8].self, forKey: .peaks),
            isCut: try container.decode(Bool.self, forKey: .isCut)
        )
        self = try decoder.checked(facts, "No voice note has this duration or waveform.")
    }
}
