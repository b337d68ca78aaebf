import Bytes

/// The host's decision about a joiner.
public enum JoinDecision: Sendable {
    /// The joiner is a member now.
    case welcome(GroupWelcome)
    /// The joiner has to wait for the host's approval; the result arrives over a session that this bundle begins.
    case pending(PrekeyBundle)
    /// The room is full.
    case full
    /// The host has rejected the joiner.
    case rejected
}

/// The fourth join message (J4): the host's decision.
///
/// Shape: 04 ‖ run (16) ‖ sealed decision, padded so that its envelope fills a bucket. A decision is 00 ‖ welcome, 01 ‖
/// bundle, 02 or 03. Source: PROTOCOL §17.
public struct JoinReply: Hashable, Sendable {
    /// The body of its envelope.
    public let bytes: [UInt8]
    /// The run that the message belongs to.
    public let run: JoinRunID
    let sealed: [UInt8]

    static let type: UInt8 = 4
    /// Units: bytes of the body that are not padded content.
    static let overheadByteCount = 1 + JoinRunID.byteCount + AEAD.tagByteCount
    private static let nonce = [UInt8](repeating: 0, count: AEAD.nonceByteCount)

    /// Seals a decision.
    ///
    /// - Throws: `contentSize` for a welcome that was not cut to `RoomLimits.maximumReplyByteCount`.
    init(run: JoinRunID, key: SecretBytes, decision: JoinDecision) throws(CryptoError) {
        let overhead = Padding.envelopeHeaderByteCount + Self.overheadByteCount
        guard let padded = Padding.pad(Self.content(of: decision), overheadByteCount: overhead) else {
            throw CryptoError(.contentSize, "The welcome is larger than one envelope holds.")
        }
        self.init(
            run: run,
            sealed: AEAD.sealSecret(padded, key: key, nonce: Self.nonce, associatedData: [])
        )
    }

    private init(run: JoinRunID, sealed: [UInt8]) {
        self.run = run
        self.sealed = sealed
        bytes = [Self.type] + run.bytes + sealed
    }

    init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard Padding.buckets.contains(Padding.envelopeHeaderByteCount + bytes.count),
            reader.integer(UInt8.self) == Self.type,
            let run = reader.bytes(JoinRunID.byteCount).flatMap({ JoinRunID(bytes: $0) }),
            let sealed = reader.bytes(reader.remainingCount)
        else { return nil }
        self.init(run: run, sealed: sealed)
    }

    /// Opens the host's decision; nil if it does not open or is not valid.
    func open(_ key: SecretBytes, from host: PublicIdentity, in room: GroupID) -> JoinDecision? {
        let opened = AEAD.openSecret(sealed[...], key: key, nonce: Self.nonce, associatedData: [])
        guard let content = opened.flatMap({ Padding.strip($0) }), content.count > 0 else { return nil }
        let rest = content.slice(1..<content.count)
        switch content.withBytes({ $0[0] }) {
        case 0:
            guard let welcome = try? GroupWelcome(decoding: rest), welcome.groupID == room else { return nil }
            return .welcome(welcome)
        case 1:
            guard let bundle = try? PrekeyBundle(verifying: rest.withBytes { Array($0) }), bundle.identity == host
            else { return nil }
            return .pending(bundle)
        case 2: return rest.count == 0 ? .full : nil
        case 3: return rest.count == 0 ? .rejected : nil
        default: return nil
        }
    }

    private static func content(of decision: JoinDecision) -> SecretBytes {
        var writer = SecretWriter()
        switch decision {
        case .welcome(let welcome):
            writer.append(integer: UInt8(0))
            writer.append(welcome.encoded())
        case .pending(let bundle): writer.append([1] + bundle.bytes)
        case .full: writer.append(integer: UInt8(2))
        case .rejected: writer.append(integer: UInt8(3))
        }
        return writer.finish()
    }
}
