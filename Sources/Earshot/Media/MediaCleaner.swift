public import ChatCore

/// A cleaner that strips metadata from pictures and recordings: all that tells more than is seen or heard, such as
/// places, cameras, names and dates.
///
/// A node sends a picture or voice note only after its cleaner has cleaned it, and sends none without a cleaner. The
/// module `EarshotMedia` has one, `StandardMediaCleaner`, which needs libraries for each format. A program without
/// these libraries omits that module, or brings a cleaner of its own.
///
/// A node calls its cleaner for one file at a time, on an actor of its own. A call may take seconds.
public protocol MediaCleaner: Sendable {
    /// Returns the picture in `bytes` with nothing but what is visible.
    ///
    /// - Parameters:
    ///   - bytes: A file of any format, at most ``MediaLimits/sourceByteCount``.
    ///   - longestEdge: Units: pixels. A larger picture is made smaller, if its format allows.
    /// - Throws: `mediaRefused` if the picture cannot be cleaned, with the reason and what to do.
    func cleanImage(_ bytes: [UInt8], longestEdge: Int?) throws(ChatError) -> CleanMedia

    /// Returns the recording in `bytes` with nothing but what is audible; of a longer one, the first minute.
    ///
    /// - Parameter bytes: A file of any format, at most ``MediaLimits/sourceByteCount``.
    /// - Throws: `mediaRefused` if the recording cannot be cleaned, with the reason and what to do.
    func cleanVoice(_ bytes: [UInt8]) throws(ChatError) -> CleanMedia

    /// Compares a received file with the facts in its message, before anything shows or plays it.
    ///
    /// Nothing is decoded: a hostile file reaches only the parser of its first fields.
    ///
    /// - Throws: `mediaRefused` if the file does not match.
    func check(_ bytes: [UInt8], type: String, against facts: MediaFacts) throws(ChatError)
}

/// A picture or voice note that may be sent.
public struct CleanMedia: Hashable, Sendable {
    /// The whole file.
    public let bytes: [UInt8]
    /// Its media type.
    public let type: String
    /// The facts that the message states about it.
    public let facts: MediaFacts

    /// Describes a clean file.
    public init(bytes: [UInt8], type: String, facts: MediaFacts) {
        self.bytes = bytes
        self.type = type
        self.facts = facts
    }

    /// The file name extension of this type.
    var ending: String {
        switch type {
        case "image/jpeg": "jpg"
        default: type.split(separator: "/").last.map(String.init) ?? ""
        }
    }
}
