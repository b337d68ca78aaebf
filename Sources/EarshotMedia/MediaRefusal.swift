/// Why a picture or a recording is not sent or not taken, with what to do about it.
public struct MediaRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of refusal it is; the set is open.
    public struct Code: Hashable, Sendable {
        /// The name that programs read.
        public let name: String

        /// The bytes are of no format that is known.
        public static let unknownFormat = Code(name: "unknownFormat")
        /// The format is known, but nothing here can clean it.
        public static let unsupportedFormat = Code(name: "unsupportedFormat")
        /// The file has more bytes than the limit.
        public static let tooManyBytes = Code(name: "tooManyBytes")
        /// The picture is wider or higher, or has more pixels, than the limit.
        public static let tooLarge = Code(name: "tooLarge")
        /// The animation has more frames than the limit.
        public static let tooManyFrames = Code(name: "tooManyFrames")
        /// All frames together unpack to more bytes than the limit.
        public static let tooMuchDecoded = Code(name: "tooMuchDecoded")
        /// The colours are described in a way that cannot be turned into sRGB.
        public static let unsupportedColor = Code(name: "unsupportedColor")
        /// The format is cleaned, but not when it moves.
        public static let unsupportedAnimation = Code(name: "unsupportedAnimation")
        /// The file breaks the rules of its own format.
        public static let damaged = Code(name: "damaged")
        /// The file cannot be read from this machine's disk.
        public static let unreadable = Code(name: "unreadable")
        /// What a message claims about a voice note is out of bounds, or not what the note is.
        public static let falseClaim = Code(name: "falseClaim")
    }

    /// What kind of refusal it is.
    public let code: Code
    /// One or two sentences for a person, with what to do.
    public let reason: String
    /// What is allowed, for the codes that name a limit; in the unit of the reason.
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
    /// The refusal of a picture that breaks its format's rules.
    static func damaged(_ format: ImageFormat) -> MediaRefusal {
        MediaRefusal(
            .damaged,
            "This \(format.name) file is damaged or cut short. Open it in a picture program, save it again and send that."
        )
    }

    /// The refusal of colours that no simple profile describes.
    static let unsupportedColor = MediaRefusal(
        .unsupportedColor,
        "The colours of this picture are meant for printing or for one device. Export it with the colour profile sRGB."
    )

    /// The refusal of a recording that breaks its format's rules.
    static let damagedRecording = MediaRefusal(.damaged, "This recording is damaged or cut short. Record it again.")
}
