/// A file of a message as people and programs see it.
public struct MessageFile: Hashable, Sendable {
    /// What its sender calls it; made safe to be shown and to be given to a file.
    public let name: String
    /// The media type its sender names.
    public let type: String
    /// Units: bytes.
    public let byteCount: UInt64
    /// Whether all of it is here.
    public let isComplete: Bool
    /// Whether it is on its way, or comes when there is room; what is neither here nor expected can be fetched.
    public var isExpected = false
    /// What its sender says of a picture or voice note; nil for what is only a file.
    public var media: MediaFacts?

    /// Makes one of its parts.
    package init(
        name: String,
        type: String,
        byteCount: UInt64,
        isComplete: Bool,
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
