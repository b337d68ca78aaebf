import Bytes
import Synchronization

/// Seals what goes along one path, for its two ends alone.
///
/// The end that opens a path makes a secret and sends it inside a session message, so only the peer it is meant for
/// can answer, and whoever opens a payload knows who sealed it. Both labels are in the keys: a relay that puts others
/// in their place breaks the path and nothing else. Payloads need no session step each, and the keys go with the path.
/// Invariant: a number is sealed under once. Source: PROTOCOL §8.
package struct PathSeal: Sendable {
    /// Which end of a path this is.
    package enum End: Sendable {
        /// The one that sent the hello.
        case opener
        /// The one that answered it.
        case answerer
    }

    /// Units: bytes.
    package static let secretByteCount = 32
    /// Units: bytes of the longest content whose payload is at most 20,480 bytes.
    package static let maximumContentByteCount = 20_223

    /// Units: bytes that the padded content is a multiple of.
    private static let paddingByteCount = 256
    private static let numberByteCount = 8

    private let sendingKey: SecretBytes
    private let receivingKey: SecretBytes
    private let numbers = Numbers()

    /// Counts what was sealed; a class, so that a copy of the seal, or a state put back, never uses a number twice.
    private final class Numbers: Sendable {
        private let next = Atomic<UInt64>(0)

        func take() -> UInt64 { next.wrappingAdd(1, ordering: .relaxed).oldValue }
    }

    /// Makes the keys of one end.
    ///
    /// - Parameters:
    ///   - secret: What the hello said; 32 bytes, never used for another path.
    ///   - opener: The label of the end that sent the hello; 8 bytes.
    ///   - answerer: The label of the end that answered; 8 bytes.
    package init(secret: SecretBytes, opener: [UInt8], answerer: [UInt8], end: End) {
        let keys = HKDF.derive(salt: opener + answerer, inputKey: secret, info: Label.path, count: 64)
        let (fromOpener, fromAnswerer) = (keys.slice(0..<32), keys.slice(32..<64))
        (sendingKey, receivingKey) = end == .opener ? (fromOpener, fromAnswerer) : (fromAnswerer, fromOpener)
    }

    /// Seals content of at most ``maximumContentByteCount`` bytes.
    ///
    /// Shape: number (8) ‖ sealed (content ‖ 80 ‖ zeros to a multiple of 256) ‖ tag (16).
    package func seal(_ content: [UInt8]) -> [UInt8] {
        precondition(content.count <= Self.maximumContentByteCount, "\(content.count) bytes fit no payload")
        let zeroCount = Self.paddingByteCount - 1 - content.count % Self.paddingByteCount
        let padded = content + [0x80] + [UInt8](repeating: 0, count: zeroCount)
        let number = numbers.take().bigEndianBytes
        return number
            + AEAD.seal(padded, key: sendingKey, nonce: Self.nonce(number), associatedData: [])
    }

    /// Opens a payload of the other end; nil if it is anybody else's.
    ///
    /// Whether the number has come before is for the caller to see.
    package func open(_ payload: [UInt8]) -> (number: UInt64, content: ArraySlice<UInt8>)? {
        guard payload.count > Self.numberByteCount else { return nil }
        let number = Array(payload.prefix(Self.numberByteCount))
        let sealed = payload.dropFirst(Self.numberByteCount)
        guard let padded = AEAD.open(sealed, key: receivingKey, nonce: Self.nonce(number), associatedData: []),
            let contentByteCount = Padding.contentByteCount(padded)
        else { return nil }
        return (number.reduce(0) { $0 << 8 | UInt64($1) }, padded[..<contentByteCount])
    }

    private static func nonce(_ number: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: AEAD.nonceByteCount - numberByteCount) + number
    }
}
