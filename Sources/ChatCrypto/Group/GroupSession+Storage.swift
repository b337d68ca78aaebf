import Bytes

extension GroupSession {
    private static let version: UInt8 = 1

    /// Encodes the group without its sender keys, for sealed storage.
    ///
    /// Shape: version 1 (1) ‖ own keys (64) ‖ wrapping key (32) ‖ owner key flag (1), seed (32) if 1 ‖ offered key in
    /// the same form ‖ leaver count (1), IDs ‖ epoch count (1) ‖ per epoch number (4), header key (32), fresh since
    /// (4), begun (4), ended flag (1) and time (4) if 1 ‖ log length (4) ‖ log.
    func encoded() -> SecretBytes {
        var writer = SecretWriter()
        writer.append(integer: Self.version)
        writer.append(own.encoded)
        writer.append(wrap.key)
        for key in [ownerKey, offeredKey] {
            writer.append(flag: key != nil)
            if let key { writer.append(key.signing.seed) }
        }
        writer.append([UInt8(leavers.count)] + leavers.flatMap(\.bytes))
        writer.append(integer: UInt8(epochs.count))
        for epoch in epochs {
            writer.append(integer: epoch.number)
            writer.append(epoch.headerKey)
            writer.append(epoch.freshSince.bigEndianBytes + epoch.begunAt.bigEndianBytes)
            writer.append(flag: epoch.endedAt != nil)
            if let endedAt = epoch.endedAt { writer.append(integer: endedAt) }
        }
        let log = log.encoded()
        writer.append(integer: UInt32(log.count))
        writer.append(log)
        return writer.finish()
    }

    /// Reads the output of `encoded()`.
    ///
    /// - Throws: `malformed`.
    init(decoding record: SecretBytes) throws(CryptoError) {
        var reader = SecretReader(record)
        guard let session = Self.read(&reader), reader.isAtEnd else {
            throw CryptoError(.malformed, "The record is not a group.")
        }
        self = session
    }

    private static func read(_ reader: inout SecretReader) -> GroupSession? {
        guard reader.integer(UInt8.self) == version,
            let own = reader.bytes(PublicIdentity.byteCount).flatMap({ PublicIdentity(decoding: $0) }),
            let wrappingKey = reader.secret(32), let hasOwnerKey = reader.flag()
        else { return nil }
        let ownerSeed = hasOwnerKey ? reader.secret(32) : nil
        guard hasOwnerKey == (ownerSeed != nil), let hasOfferedKey = reader.flag() else { return nil }
        let offeredSeed = hasOfferedKey ? reader.secret(32) : nil
        guard hasOfferedKey == (offeredSeed != nil), let leavers = peers(&reader), let kept = epochs(&reader),
            let logByteCount = reader.integer(UInt32.self), let logBytes = reader.bytes(Int(logByteCount)),
            let log = try? MembershipLog(decoding: logBytes)
        else { return nil }
        let isKeyRight = ownerSeed.map { GroupOwnerKey(seed: $0).publicKey == log.signingKey } ?? true
        guard isKeyRight, leavers.allSatisfy({ log.member($0) != nil }) else { return nil }
        guard kept.isEmpty || kept.last?.number == log.epoch && log.member(own.id) != nil else { return nil }
        let epochs = kept.map { epoch in
            var restored = GroupEpoch(
                number: epoch.number,
                group: log.groupID,
                hash: log.operations[Int(epoch.number) - 1].hash,
                headerKey: epoch.headerKey,
                freshSince: epoch.freshSince,
                begunAt: epoch.begunAt
            )
            restored.endedAt = epoch.endedAt
            return restored
        }
        var session = GroupSession(own: own, log: log, epochs: epochs, wrap: KeyWrap(key: wrappingKey))
        session.ownerKey = ownerSeed.map { GroupOwnerKey(seed: $0) }
        session.offeredKey = offeredSeed.map { GroupOwnerKey(seed: $0) }
        session.leavers = leavers
        return session
    }

    /// The stored part of an epoch; the rest follows from the log.
    private struct StoredEpoch {
        let number: UInt32
        let headerKey: SecretBytes
        let freshSince: UInt32
        let begunAt: UInt32
        let endedAt: UInt32?
    }

    /// Reads consecutive epochs, of which all but the last are over.
    private static func epochs(_ reader: inout SecretReader) -> [StoredEpoch]? {
        guard let count = reader.integer(UInt8.self), count <= GroupLimits.maximumPastEpochs + 1 else { return nil }
        var epochs: [StoredEpoch] = []
        for index in 0..<count {
            guard let number = reader.integer(UInt32.self), number > 0, let headerKey = reader.secret(32),
                let freshSince = reader.integer(UInt32.self), let begunAt = reader.integer(UInt32.self),
                let isOver = reader.flag(), isOver == (index + 1 < count), freshSince <= number, freshSince > 0,
                epochs.last.map({ number == $0.number.addingClamped(1) }) ?? true
            else { return nil }
            var endedAt: UInt32?
            if isOver {
                guard let time = reader.integer(UInt32.self) else { return nil }
                endedAt = time
            }
            epochs.append(
                StoredEpoch(
                    number: number,
                    headerKey: headerKey,
                    freshSince: freshSince,
                    begunAt: begunAt,
                    endedAt: endedAt
                )
            )
        }
        return epochs
    }

    private static func peers(_ reader: inout SecretReader) -> [PeerID]? {
        guard let count = reader.integer(UInt8.self) else { return nil }
        var peers: [PeerID] = []
        for _ in 0..<count {
            guard let peer = reader.bytes(32).flatMap({ PeerID(bytes: $0) }), peers.last.map({ $0 < peer }) ?? true
            else { return nil }
            peers.append(peer)
        }
        return peers
    }
}
