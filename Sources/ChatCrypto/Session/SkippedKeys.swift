import Bytes

/// Message keys of packets that have not arrived yet, sealed under a key of the session.
///
/// They are sealed, so that memory does not hold thousands of clear keys, and bounded in count, chains and age.
/// Invariant: chains in rising order, none empty, message numbers rising within each. Source: PROTOCOL §8.
struct SkippedKeys: Sendable {
    /// The key of one message.
    struct Entry: Sendable {
        let number: UInt32
        /// The time at which the key was stored.
        ///
        /// Units: seconds since 1970 by the local clock.
        let storedAt: UInt32
        /// The sealed key.
        ///
        /// Shape: nonce (12) ‖ sealed key (48).
        let sealed: [UInt8]

        static let sealedByteCount = 60

        func isTooOld(at now: UInt32) -> Bool {
            now.subtractingClamped(storedAt) > SessionLimits.receiveOnlySeconds
        }
    }

    /// The keys of one receiving chain.
    struct Chain: Sendable {
        let ordinal: UInt32
        let headerKey: SecretBytes
        var entries: [Entry]
    }

    let wrappingKey: SecretBytes
    private(set) var chains: [Chain]

    /// Makes an empty store with a new wrapping key.
    init() {
        self.init(wrappingKey: .random(count: 32), chains: [])
    }

    /// Restores stored keys.
    init(wrappingKey: SecretBytes, chains: [Chain]) {
        self.wrappingKey = wrappingKey
        self.chains = chains
    }

    /// The number of keys.
    var count: Int { chains.reduce(0) { $0 + $1.entries.count } }

    /// Keeps the key of a skipped message of a chain.
    mutating func insert(_ messageKey: SecretBytes, number: UInt32, chain: RatchetChain, at now: UInt32) {
        // The nonce is random, not counted: a restored snapshot must not seal two keys under one nonce.
        let nonce = randomBytes(AEAD.nonceByteCount)
        let sealed = AEAD.sealSecret(
            messageKey,
            key: wrappingKey,
            nonce: nonce,
            associatedData: Self.place(number, chain.ordinal)
        )
        let entry = Entry(number: number, storedAt: now, sealed: nonce + sealed)
        if let last = chains.indices.last, chains[last].ordinal == chain.ordinal {
            chains[last].entries.append(entry)
        } else {
            chains.append(Chain(ordinal: chain.ordinal, headerKey: chain.headerKey, entries: [entry]))
        }
    }

    /// Removes and answers the key of a message; nil if the message was never skipped, or the key was used.
    mutating func remove(number: UInt32, chain ordinal: UInt32) -> SecretBytes? {
        guard let chain = chains.firstIndex(where: { $0.ordinal == ordinal }),
            let index = chains[chain].entries.firstIndex(where: { $0.number == number })
        else { return nil }
        let entry = chains[chain].entries.remove(at: index)
        if chains[chain].entries.isEmpty { chains.remove(at: chain) }
        return AEAD.openSecret(
            entry.sealed[AEAD.nonceByteCount...],
            key: wrappingKey,
            nonce: Array(entry.sealed[..<AEAD.nonceByteCount]),
            associatedData: Self.place(number, ordinal)
        )
    }

    /// Deletes keys that are too old or too many, oldest first.
    mutating func trim(at now: UInt32) {
        for index in chains.indices where chains[index].entries.contains(where: { $0.isTooOld(at: now) }) {
            chains[index].entries.removeAll { $0.isTooOld(at: now) }
        }
        chains.removeAll { $0.entries.isEmpty }
        chains.removeFirst(max(0, chains.count - SessionLimits.maximumSkippedChains))
        var surplus = count - SessionLimits.maximumSkippedKeys
        while surplus > 0 {
            let taken = min(surplus, chains[0].entries.count)
            chains[0].entries.removeFirst(taken)
            if chains[0].entries.isEmpty { chains.removeFirst() }
            surplus -= taken
        }
    }

    /// Whether `trim` would delete keys because of their age.
    func holdsExpired(at now: UInt32) -> Bool {
        chains.contains { $0.entries.contains { $0.isTooOld(at: now) } }
    }

    private static func place(_ number: UInt32, _ ordinal: UInt32) -> [UInt8] {
        ordinal.bigEndianBytes + number.bigEndianBytes
    }
}
