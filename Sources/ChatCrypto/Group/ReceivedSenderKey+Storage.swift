import Bytes

extension ReceivedSenderKey {
    private static let version: UInt8 = 1

    /// Encodes the key for sealed storage; its secrets stay wrapped.
    ///
    /// Shape: version 1 (1) ‖ owner (32) ‖ epoch (4) ‖ signing key (32) ‖ last used (4) ‖ next (4) ‖ chain key (60) ‖
    /// entry count (2) ‖ per entry iteration (4) ‖ time (4) ‖ used flag (1), digest (16) if 1 ‖ key (60).
    func encoded() -> SecretBytes {
        var bytes = [Self.version] + owner.bytes + epoch.bigEndianBytes + signingKey
        bytes += lastUsed.bigEndianBytes + next.bigEndianBytes + wrappedChainKey
        bytes += UInt16(entries.count).bigEndianBytes
        for entry in entries {
            bytes += entry.iteration.bigEndianBytes + entry.time.bigEndianBytes
            bytes += entry.digest.map { [1] + $0 } ?? [0]
            bytes += entry.wrapped
        }
        return SecretBytes(copying: bytes)
    }

    /// Reads the output of `encoded()`.
    ///
    /// - Throws: `malformed` for any other bytes, including those of another key.
    init(decoding record: SecretBytes, id: SenderKeyID, group: GroupID) throws(CryptoError) {
        var reader = SecretReader(record)
        guard let key = Self.read(&reader, id: id), reader.isAtEnd,
            id == SenderKeyID(group: group, epoch: key.epoch, member: key.owner, signingKey: key.signingKey)
        else { throw CryptoError(.malformed, "The record is not the sender key of a member.") }
        self = key
    }

    private static func read(_ reader: inout SecretReader, id: SenderKeyID) -> ReceivedSenderKey? {
        guard reader.integer(UInt8.self) == version, let owner = reader.bytes(32).flatMap({ PeerID(bytes: $0) }),
            let epoch = reader.integer(UInt32.self), let signingKey = reader.bytes(32),
            let lastUsed = reader.integer(UInt32.self), let next = reader.integer(UInt32.self),
            let chainKey = reader.bytes(KeyWrap.wrappedByteCount), let count = reader.integer(UInt16.self),
            count <= GroupLimits.messagesPerSenderKey
        else { return nil }
        var entries: [Entry] = []
        for _ in 0..<count {
            guard let iteration = reader.integer(UInt32.self), let time = reader.integer(UInt32.self),
                let isUsed = reader.flag()
            else { return nil }
            let digest = isUsed ? reader.bytes(Entry.digestByteCount) : nil
            guard !isUsed || digest != nil, let wrapped = reader.bytes(KeyWrap.wrappedByteCount) else { return nil }
            entries.append(Entry(iteration: iteration, time: time, digest: digest, wrapped: wrapped))
        }
        return ReceivedSenderKey(
            id: id,
            owner: owner,
            epoch: epoch,
            signingKey: signingKey,
            lastUsed: lastUsed,
            next: next,
            wrappedChainKey: chainKey,
            entries: entries
        )
    }
}
