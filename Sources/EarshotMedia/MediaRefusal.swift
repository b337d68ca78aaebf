/// The reason why a picture or a recording is not sent or not accepted, with advice.
public struct MediaRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a refusal; the set is open.
    public struct Code: Hashable, Sendable {
        /// The name that programs read.
        public let name: String

        /// The format of the bytes is not known.
        public static let unknownFormat = Code(name: "unknownFormat")
        /// The format is known, but Earshot cannot clean it.
        public static let unsupportedFormat = Code(name: "unsupportedFormat")
        /// The file has more bytes than the limit.
        public static let tooManyBytes = Code(name: "tooManyBytes")
        /// The picture is wider or higher, or has more pixels, than the limit.
        public static let tooLarge = Code(name: "tooLarge")
        /// The animation has more frames than the limit.
        public static let tooManyFrames = Code(name: "tooManyFrames")
        /// All frames together unpack to more bytes than the limit.
        public static let tooMuchDecoded = Code(name: "tooMuchDecoded")
        /// The colours are described in a way that cannot be converted into sRGB.
        public static let unsupportedColor = Code(name: "unsupportedColor")
        /// The format can be cleaned, but not as an animation.
        public static let unsupportedAnimation = Code(name: "unsupportedAnimation")
        /// The file breaks the rules of its own format.
        public static let damaged = Code(name: "damaged")
        /// The file cannot be read from this machine's disk.
        public static let unreadable = Code(name: "unreadable")
        /// The claim of a message about its picture or voice note is out of bounds, or does not match the file.
        public static let falseClaim = Code(name: "falseClaim")
    }

    /// The kind of the refusal.
    public let code: Code
    /// One or two sentences for a person, with advice.
    public let reason: String
    /// The allowed number of bytes, pixels or frames, for the codes that name a limit.
    public let limit: Int?

    /// Makes a refusal.
    public init(_ code: Code, _ reason: String, limit: Int? = nil) {
        self.code = code
        self.reason = reason
        self.limit = limit
    }

    /// The reason.
    public var description: String { reason }
}

extension MediaRefusal {
    /// Makes the refusal of a picture that breaks the rules of its format.
    static func damaged(_ format: ImageFormat) -> MediaRefusal {
        MediaRefusal(
            .damaged,
            """
            This \(format.name) file is damaged or cut short. Open it in a picture program, save it again and send \
            that.
            """
        )
    }

    /// The refusal of colours that no simple profile describes.
    static let unsupportedColor = MediaRefusal(
        .unsupportedColor,
        "The colours of this picture are for printing or for one device. Export it with the colour profile sRGB."
    )

    /// The refusal of a recording that breaks the rules of its format.
    static let damagedRecording = MediaRefusal(.damaged, "This recording is damaged or cut short. Record it again.")
}
