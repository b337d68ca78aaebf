import Bytes

extension Ratchet {
    private static let version: UInt8 = 1

    /// Appends all state of the ratchet but the exchange, which has a record of its own.
    ///
    /// Shape: version 1 (1) ‖ associated data (32) ‖ epoch (4) ‖ its secret (32) ‖ root key (32) ‖ own key (32) ‖ next
    /// header keys, sending and receiving (64) ‖ previous count (4) ‖ sending chain ‖ receiving chain ‖ wrapping key
    /// (32) ‖ chain count (2) ‖ skipped chains. A chain is a flag (1), then ordinal (4) ‖ header key (32) ‖ chain key
    /// (32) ‖ next (4).
    func encode(into writer: inout SecretWriter) {
        writer.append(integer: Self.version)
        writer.append(associatedData)
        writer.append(integer: epoch)
        writer.append(epochSecret)
        writer.append(rootKey)
        writer.append(ownKey.seed)
        writer.append(nextSendingHeaderKey)
        writer.append(nextReceivingHeaderKey)
        writer.append(integer: previousCount)
        Self.encode(sending, into: &writer)
        Self.encode(receiving, into: &writer)
        skipped.encode(into: &writer)
    }

    /// Reads the output of `encode`; nil for any other bytes, and for an exchange that leads to another epoch.
    init?(decoding reader: inout SecretReader, exchange: KEMExchange) {
        guard reader.integer(UInt8.self) == Self.version, let associatedData = reader.bytes(32),
            let epoch = reader.integer(UInt32.self), epoch.addingClamped(1) == exchange.number,
            let epochSecret = reader.secret(32), let rootKey = reader.secret(32), let ownSeed = reader.secret(32),
            let nextSending = reader.secret(32),
            let nextReceiving = reader.secret(32), let previousCount = reader.integer(UInt32.self),
            let sending = Self.chain(decoding: &reader), let receiving = Self.chain(decoding: &reader),
            let skipped = SkippedKeys(decoding: &reader)
        else { return nil }
        // This side uses its own chain until the peer's chain arrives. Skipped keys belong to a chain that has begun.
        guard (skipped.chains.last?.ordinal ?? 0) <= (receiving?.ordinal ?? 0) else { return nil }
        self.associatedData = associatedData
        self.epoch = epoch
        self.epochSecret = epochSecret
        self.exchange = exchange
        self.rootKey = rootKey
        ownKey = X25519.PrivateKey(seed: ownSeed)
        nextSendingHeaderKey = nextSending
        nextReceivingHeaderKey = nextReceiving
        self.previousCount = previousCount
        self.sending = sending
        self.receiving = receiving
        self.skipped = skipped
    }

    private static func encode(_ chain: RatchetChain?, into writer: inout SecretWriter) {
        writer.append(flag: chain != nil)
        guard let chain else { return }
        writer.append(integer: chain.ordinal)
        writer.append(chain.headerKey)
        writer.append(chain.chainKey)
        writer.append(integer: chain.next)
    }

    /// Reads a chain; the outer nil means that the bytes are wrong, the inner one that there is no chain.
    private static func chain(decoding reader: inout SecretReader) -> RatchetChain?? {
        guard let exists = reader.flag() else { return nil }
        guard exists else { return .some(nil) }
        guard let ordinal = reader.integer(UInt32.self), let headerKey = reader.secret(32),
            let chainKey = reader.secret(32), let next = reader.integer(UInt32.self),
            next <= SessionLimits.maximumMessageNumber + 1
        else { return nil }
        return RatchetChain(ordinal: ordinal, headerKey: headerKey, chainKey: chainKey, next: next)
    }
}

extension SkippedKeys {
    /// Appends the keys, which stay sealed.
    ///
    /// Shape: wrapping key (32) ‖ chain count (2), then per chain ordinal (4) ‖ header key (32) ‖ entry count (2), then
    /// per entry number (4) ‖ time (4) ‖ sealed key (60).
    func encode(into writer: inout SecretWriter) {
        writer.append(wrappingKey)
        writer.append(integer: UInt16(chains.count))
        for chain in chains {
            writer.append(integer: chain.ordinal)
            writer.append(chain.headerKey)
            writer.append(integer: UInt16(chain.entries.count))
            var entries: [UInt8] = []
            for entry in chain.entries {
                entries += entry.number.bigEndianBytes + entry.storedAt.bigEndianBytes + entry.sealed
            }
            writer.append(entries)
        }
    }

    /// Reads the output of `encode`; nil for any other bytes, including more keys than the limit.
    init?(decoding reader: inout SecretReader) {
        guard let wrappingKey = reader.secret(32), let chainCount = reader.integer(UInt16.self),
            chainCount <= SessionLimits.maximumSkippedChains
        else { return nil }
        var chains: [Chain] = []
        for _ in 0..<chainCount {
            guard let ordinal = reader.integer(UInt32.self), ordinal > (chains.last?.ordinal ?? 0),
                let headerKey = reader.secret(32), let entryCount = reader.integer(UInt16.self), entryCount > 0
            else { return nil }
            var entries: [Entry] = []
            for _ in 0..<entryCount {
                guard let number = reader.integer(UInt32.self), entries.last.map({ $0.number < number }) ?? true,
                    let storedAt = reader.integer(UInt32.self), let sealed = reader.bytes(Entry.sealedByteCount)
                else { return nil }
                entries.append(Entry(number: number, storedAt: storedAt, sealed: sealed))
            }
            chains.append(Chain(ordinal: ordinal, headerKey: headerKey, entries: entries))
        }
        self.init(wrappingKey: wrappingKey, chains: chains)
        guard count <= SessionLimits.maximumSkippedKeys else { return nil }
    }
}
