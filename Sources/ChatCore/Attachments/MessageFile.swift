/// A file of a message as users and programs see it.
public struct MessageFile: Hashable, Codable, Sendable {
    /// The sender's name of the file; safe to show and to use for a file.
    public let name: String
    /// The media type that the sender states.
    public let type: String
    /// The size.
    ///
    /// Units: bytes.
    public let byteCount: UInt64
    /// Whether the whole file is here.
    public let isComplete: Bool
    /// Whether the file is on its way, or is fetched when there is room; a file that is neither complete nor expected
    /// can be fetched.
    public var isExpected = false
    /// The sender's description of a picture or voice note; nil for a plain file.
    public var media: MediaFacts?

    /// Makes a file from its parts.
    public init(
        name: String,
        type: String,
        byteCount: UInt64,
        isComplete: Bool = true,
        isExpected: Bool = false,
        media: MediaFacts? = nil
    ) {
        self.name = name
        self.type = type
        self.byteCount = byteCount
        self.isComplete = isComplete
        self.isExpected = isExpected
        self.media = media
    }
}
