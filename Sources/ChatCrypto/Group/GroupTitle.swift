import Foundation

/// The title of a group: a label to read, never an identity.
///
/// Invariant: composed (NFC), 1 to 128 bytes of UTF-8, with the characters that nicknames may have. Foundation is
/// needed for NFC alone. Source: PROTOCOL §16.
public struct GroupTitle: Hashable, Sendable, CustomStringConvertible {
    /// The title as it is shown.
    public let text: String

    /// Takes a typed title and brings it into composed form.
    ///
    /// - Throws: `titleForbidden`.
    public init(_ typed: String) throws(CryptoError) {
        let text = typed.precomposedStringWithCanonicalMapping
        guard Self.isAllowed(text) else {
            throw CryptoError(.titleForbidden, "A title needs 1 to 128 bytes of visible characters.")
        }
        self.text = text
    }

    /// Reads a received title, which has to be in composed form.
    init?(decoding bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self), Self.isAllowed(text),
            text.precomposedStringWithCanonicalMapping.utf8.elementsEqual(bytes)
        else { return nil }
        self.text = text
    }

    /// The title in UTF-8.
    ///
    /// Shape: 1 to 128 bytes of UTF-8.
    public var bytes: [UInt8] { Array(text.utf8) }

    /// The title as it is shown.
    public var description: String { text }

    private static func isAllowed(_ text: String) -> Bool {
        text.utf8.count <= GroupLimits.maximumTitleByteCount && NameCharacters.areAllowed(in: text)
            && NameCharacters.isVisible(text)
    }
}
