/// One side of CPace: a key agreement that only two sides with the same code can complete, and that does not reveal the
/// code.
///
/// The group is ristretto255, the hash SHA-512, and the roles are initiator and responder. Each side sends a uniform
/// element for every code, so a recording does not allow an attacker to test a guess. Each guess takes a run with a
/// side that knows the code. Source: draft-irtf-cfrg-cpace-21, sections 6 to 8; PROTOCOL §17.
struct CPace: Sendable {
    /// The data that both sides have sent in the clear.
    struct Transcript: Sendable {
        let initiatorPoint: [UInt8]
        let initiatorData: [UInt8]
        let responderPoint: [UInt8]
        let responderData: [UInt8]
    }

    /// The element of this side, to be sent.
    ///
    /// Shape: 32 bytes.
    let point: [UInt8]
    private let scalar: SecretBytes
    private let session: [UInt8]

    /// Units: bytes in one block of SHA-512.
    private static let hashBlockByteCount = 128
    private static let purpose = Array("CPaceRistretto255".utf8)
    private static let keyPurpose = Array("CPaceRistretto255_ISK".utf8)

    /// Begins a run.
    ///
    /// - Parameters:
    ///   - password: the secret part of the code; known to both sides.
    ///   - channel: the parties that want to talk, the same on both sides.
    ///   - session: the name of this meeting, the same on both sides.
    ///   - scalar: random; only known-answer tests supply their own.
    init(
        password: SecretBytes,
        channel: [UInt8],
        session: [UInt8],
        scalar: SecretBytes = Ristretto255.randomScalar()
    ) {
        let generator = Self.generator(password: password, channel: channel, session: session)
        guard let product = Ristretto255.multiply(generator, by: scalar) else {
            preconditionFailure("neither a generator nor a scalar is zero, but with a chance of 2^-252")
        }
        self.scalar = scalar
        self.session = session
        point = product.withBytes { Array($0) }
    }

    /// Computes the key that both sides share if they used the same code; nil if the other side's bytes are not an
    /// element, or the product is the neutral element.
    ///
    /// Shape: 64 bytes.
    func sharedKey(with otherPoint: [UInt8], transcript: Transcript) -> SecretBytes? {
        guard let shared = Ristretto255.multiply(SecretBytes(copying: otherPoint), by: scalar) else { return nil }
        var writer = SecretWriter()
        writer.append(Self.joined(Self.keyPurpose, session))
        writer.append([UInt8(shared.count)])
        writer.append(shared)
        writer.append(Self.joined(transcript.initiatorPoint, transcript.initiatorData))
        writer.append(Self.joined(transcript.responderPoint, transcript.responderData))
        return SHA512.secretHash(writer.finish())
    }

    /// Computes the element that a code stands for in a meeting; it is as secret as the code.
    static func generator(password: SecretBytes, channel: [UInt8], session: [UInt8]) -> SecretBytes {
        let head = joined(purpose)
        let zeroCount = hashBlockByteCount - 1 - length(password.count).count - password.count - head.count
        var writer = SecretWriter()
        writer.append(head + length(password.count))
        writer.append(password)
        writer.append(joined([UInt8](repeating: 0, count: max(0, zeroCount)), channel, session))
        return Ristretto255.element(ofHash: SHA512.secretHash(writer.finish()))
    }

    /// Joins the parts, each after its length: `lv_cat`.
    static func joined(_ parts: [UInt8]...) -> [UInt8] {
        parts.flatMap { length($0.count) + $0 }
    }

    /// Encodes a length in LEB128.
    private static func length(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = count
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
