public import ChatCore

/// Takes out of pictures and recordings what tells more than is seen or heard: places, cameras, names, dates.
///
/// A node sends nothing as a picture or voice note that has not come out of its cleaner, and without one it sends none.
/// The module `EarshotMedia` has one, `StandardMediaCleaner`, which needs libraries for each format; a program that does
/// without them does without that module, or brings a cleaner of its own.
///
/// A cleaner is asked for one thing at a time, off every actor, and may take seconds.
public protocol MediaCleaner: Sendable {
    /// The picture in `bytes` with nothing but what is seen.
    ///
    /// - Parameters:
    ///   - bytes: A file of any format, at most ``MediaLimits/sourceByteCount``.
    ///   - longestEdge: Units: pixels. A larger picture is made smaller, if its format allows.
    /// - Throws: `mediaRefused` for what cannot be cleaned, with the reason and what to do.
    func cleanImage(_ bytes: [UInt8], longestEdge: Int?) throws(ChatError) -> CleanMedia

    /// The recording in `bytes` with nothing but what is heard, of a longer one the first minute.
    ///
    /// - Parameter bytes: A file of any format, at most ``MediaLimits/sourceByteCount``.
    /// - Throws: `mediaRefused` for what cannot be cleaned, with the reason and what to do.
    func cleanVoice(_ bytes: [UInt8]) throws(ChatError) -> CleanMedia

    /// Compares a file that has come with what its message says of it, before anything shows or plays it.
    ///
    /// Nothing is decoded: a hostile file meets only the reader of its first fields.
    ///
    /// - Throws: `mediaRefused` where it is something else.
    func check(_ bytes: [UInt8], type: String, against facts: MediaFacts) throws(ChatError)
}

/// A picture or voice note that may be sent.
public struct CleanMedia: Hashable, Sendable {
    /// The whole file.
    public let bytes: [UInt8]
    /// Its media type.
    public let type: String
    /// What the message will say of it.
    public let facts: MediaFacts

    /// Describes a clean file.
    public init(bytes: [UInt8], type: String, facts: MediaFacts) {
        self.bytes = bytes
        self.type = type
        self.facts = facts
    }

    /// The ending that a file of this type has.
    var ending: String {
        switch type {
        case "image/jpeg": "jpg"
        default: type.split(separator: "/").last.map(String.init) ?? ""
        }
    }
}
