import Bytes
import Synchronization

/// Seals the payloads of one path, for its two ends alone.
///
/// The end that opens a path makes a secret and sends it inside a session message. Only the intended peer can therefore
/// answer, and each end that opens a payload knows which peer sealed it. Both labels enter the keys: a relay that
/// replaces a label breaks the path and has no other effect. A payload needs no session step, and the keys are erased
/// with the path. Invariant: each number is used for one payload. Source: PROTOCOL §8.
package struct PathSeal: Sendable {
    /// An end of a path.
    package enum End: Sendable {
        /// The end that sent the hello.
        case opener
        /// The end that answered the hello.
        case answerer
    }

    /// Units: bytes.
    package static let secretByteCount = 32
    /// Units: bytes of the longest content whose payload is at most 20,480 bytes.
    package static let maximumContentByteCount = 20_222

    /// Units: bytes; the length of the padded content is a multiple of this.
    private static let paddingByteCount = 256
    private static let numberByteCount = 8

    private let sendingKey: SecretBytes
    private let receivingKey: SecretBytes
    private let numbers = Numbers()

    /// The counter of sealed payloads.
    ///
    /// It is a class, so that neither a copy of the seal nor a restored state uses a number twice.
    private final class Numbers: Sendable {
        private let next = Atomic<UInt64>(0)

        func take() -> UInt64 { next.wrappingAdd(1, ordering: .relaxed).oldValue }
    }

    /// Makes the keys of one end.
    ///
    /// - Parameters:
    ///   - secret: the secret in the hello; 32 bytes, never used for another path.
    ///   - opener: the label of the end that sent the hello; 8 bytes.
    ///   - answerer: the label of the end that answered; 8 bytes.
    package init(secret: SecretBytes, opener: [UInt8], answerer: [UInt8], end: End) {
        let keys = HKDF.derive(salt: opener + answerer, inputKey: secret, info: Label.path, count: 64)
        let (fromOpener, fromAnswerer) = (keys.slice(0..<32), keys.slice(32..<64))
        (sendingKey, receivingKey) = end == .opener ? (fromOpener, fromAnswerer) : (fromAnswerer, fromOpener)
    }

    /// Seals content of at most ``maximumContentByteCount`` bytes.
    ///
    /// Shape: number (8) ‖ sealed (length (2) ‖ content ‖ zeros to a multiple of 256) ‖ tag (16).
    package func seal(_ content: [UInt8]) -> [UInt8] {
        precondition(content.count <= Self.maximumContentByteCount, "\(content.count) bytes fit no payload")
        let padded = Padding.pad(content, toMultipleOf: Self.paddingByteCount)
        let number = numbers.take().bigEndianBytes
        return number
            + AEAD.seal(padded, key: sendingKey, nonce: Self.nonce(number), associatedData: [])
    }

    /// Opens a payload of the other end; nil if any other party sealed it.
    ///
    /// The caller has to check that the number did not occur before.
    package func open(_ payload: [UInt8]) -> (number: UInt64, content: ArraySlice<UInt8>)? {
        guard payload.count > Self.numberByteCount else { return nil }
        let number = Array(payload.prefix(Self.numberByteCount))
        let sealed = payload.dropFirst(Self.numberByteCount)
        guard let padded = AEAD.open(sealed, key: receivingKey, nonce: Self.nonce(number), associatedData: []),
            let content = Padding.strip(padded)
        else { return nil }
        return (number.reduce(0) { $0 << 8 | UInt64($1) }, content)
    }

    private static func nonce(_ number: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: AEAD.nonceByteCount - numberByteCount) + number
    }
}
