import Foundation

/// The nickname of a user: a label to read, never an identity.
///
/// Invariant: composed (NFC), 1 to 32 bytes of UTF-8, with the characters that `NameCharacters` allows. Foundation is
/// needed for NFC alone. Source: PROTOCOL §6.
public struct Nickname: Hashable, Sendable, CustomStringConvertible {
    /// The name as it is shown.
    public let text: String

    /// Units: bytes of UTF-8.
    public static let maximumByteCount = 32

    /// Takes a typed name and brings it into composed form.
    ///
    /// - Throws: `nicknameEmpty`, `nicknameTooLong`, `nicknameForbidden`.
    public init(_ typed: String) throws(CryptoError) {
        text = try Self.checked(typed.precomposedStringWithCanonicalMapping)
    }

    /// Reads a received name, which has to be in composed form.
    ///
    /// - Throws: `nicknameEmpty`, `nicknameTooLong`, `nicknameForbidden`, and `malformed` if the bytes are not UTF-8.
    init(decoding bytes: [UInt8]) throws(CryptoError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CryptoError(.malformed, "The nickname is not UTF-8.")
        }
        guard text.precomposedStringWithCanonicalMapping.utf8.elementsEqual(bytes) else {
            throw CryptoError(.nicknameForbidden, "The nickname is not in composed form.")
        }
        self.text = try Self.checked(text)
    }

    /// The name in UTF-8.
    ///
    /// Shape: 1 to 32 bytes of UTF-8.
    public var bytes: [UInt8] { Array(text.utf8) }

    /// The name as it is shown.
    public var description: String { text }

    /// Whether the two names look alike, or are the same.
    public func isConfusable(with other: Nickname) -> Bool {
        skeleton == other.skeleton
    }

    /// The name with look-alikes replaced by one letter each.
    var skeleton: String {
        Confusables.skeleton(of: text.precomposedStringWithCompatibilityMapping)
    }

    private static func checked(_ text: String) throws(CryptoError) -> String {
        guard !text.isEmpty else { throw CryptoError(.nicknameEmpty, "Give a nickname.") }
        guard text.utf8.count <= maximumByteCount else {
            throw CryptoError(.nicknameTooLong, "A nickname has at most \(maximumByteCount) bytes of UTF-8.")
        }
        guard NameCharacters.areAllowed(in: text) else {
            throw CryptoError(.nicknameForbidden, "The nickname contains an invisible character.")
        }
        guard NameCharacters.isVisible(text) else {
            throw CryptoError(.nicknameEmpty, "A nickname needs a visible character.")
        }
        return text
    }
}
