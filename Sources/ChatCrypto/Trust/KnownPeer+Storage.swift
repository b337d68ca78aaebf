import Bytes

extension KnownPeer {
    private static let version: UInt8 = 1

    /// Encodes the peer for sealed storage.
    ///
    /// Shape: version 1 (1) ‖ keys (64) ‖ state (1) ‖ state before (1) ‖ pinned (1) ‖ petname and nickname, each after
    /// its length (1) ‖ highest bundle version (1) ‖ first seen (4) ‖ rotation counter (4) ‖ successor flag (1; 2 if it is
    /// contested) and keys (64) ‖ retired flag (1) and time (4) ‖ claimants and settled claimants, each after their
    /// count (1).
    func encoded() -> [UInt8] {
        var bytes = [Self.version] + identity.encoded + [state.code, priorState.code, isPinned ? 1 : 0]
        for name in [petname?.bytes ?? [], nickname?.bytes ?? []] {
            bytes += [UInt8(name.count)] + name
        }
        bytes += [highestBundleVersion] + firstSeen.bigEndianBytes + rotationCounter.bigEndianBytes
        bytes += successor.map { [isContested ? 2 : 1] + $0.encoded } ?? [0]
        bytes += retiredAt.map { [1] + $0.bigEndianBytes } ?? [0]
        for peers in [claimants, settledClaimants] {
            bytes += [UInt8(peers.count)] + peers.flatMap(\.bytes)
        }
        return bytes
    }

    /// Reads the output of `encoded()`.
    ///
    /// - Throws: `malformed` for any other bytes, and the errors of `Nickname`.
    init(decoding bytes: [UInt8]) throws(CryptoError) {
        var reader = ByteReader(bytes)
        guard reader.integer(UInt8.self) == Self.version,
            let identity = reader.bytes(PublicIdentity.byteCount).flatMap({ PublicIdentity(decoding: $0) }),
            let state = reader.integer(UInt8.self).flatMap({ TrustState(code: $0) }),
            let priorState = reader.integer(UInt8.self).flatMap({ TrustState(code: $0) }),
            let isPinned = reader.flag(), let petname = reader.shortField(), let nickname = reader.shortField(),
            let highestBundleVersion = reader.integer(UInt8.self),
            let firstSeen = reader.integer(UInt32.self), let rotationCounter = reader.integer(UInt32.self),
            let successor = Self.successor(&reader), let retiredAt = Self.time(&reader),
            let claimants = Self.peers(&reader), let settledClaimants = Self.peers(&reader), reader.isAtEnd
        else { throw CryptoError(.malformed, "The record is not a known peer.") }
        self.init(identity: identity, firstSeen: firstSeen)
        self.state = state
        self.priorState = priorState
        self.isPinned = isPinned
        self.highestBundleVersion = highestBundleVersion
        self.rotationCounter = rotationCounter
        self.successor = successor?.identity
        isContested = successor?.isContested ?? false
        self.retiredAt = retiredAt
        self.claimants = claimants
        self.settledClaimants = settledClaimants
        rename(
            petname: petname.isEmpty ? nil : try Nickname(decoding: petname),
            nickname: nickname.isEmpty ? nil : try Nickname(decoding: nickname)
        )
    }

    /// Reads the successor.
    ///
    /// The outer nil means that the bytes are wrong, the inner one that there is none; so in `time`.
    private static func successor(_ reader: inout ByteReader) -> (identity: PublicIdentity, isContested: Bool)?? {
        guard let flag = reader.integer(UInt8.self), flag <= 2 else { return nil }
        guard flag > 0 else { return .some(nil) }
        guard let keys = reader.bytes(PublicIdentity.byteCount), let successor = PublicIdentity(decoding: keys) else {
            return nil
        }
        return (successor, flag == 2)
    }

    private static func time(_ reader: inout ByteReader) -> UInt32?? {
        guard let exists = reader.flag() else { return nil }
        guard exists else { return .some(nil) }
        guard let time = reader.integer(UInt32.self) else { return nil }
        return time
    }

    private static func peers(_ reader: inout ByteReader) -> [PeerID]? {
        guard let count = reader.integer(UInt8.self), count <= TrustLimits.maximumClaimants else { return nil }
        var peers: [PeerID] = []
        for _ in 0..<count {
            guard let peer = reader.bytes(PeerID.byteCount).flatMap({ PeerID(bytes: $0) }) else { return nil }
            peers.append(peer)
        }
        return peers
    }
}
