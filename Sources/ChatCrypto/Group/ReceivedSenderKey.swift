import Bytes

/// The sender key of another member; it opens that member's messages and proves that the member signed two contents.
///
/// No key lies in the clear: chain and message keys are wrapped under the key of the group. Invariant: entries in
/// rising order of iteration, all below `next`. Source: PROTOCOL §16.
struct ReceivedSenderKey: Sendable {
    /// The key of a missing message, or of a message that was opened recently.
    struct Entry: Sendable {
        let iteration: UInt32
        /// The time at which the key was skipped or used.
        ///
        /// Units: seconds since 1970 by the local clock.
        let time: UInt32
        /// The digest of the padded content of an opened message.
        ///
        /// A different content under the same iteration is an equivocation.
        ///
        /// Shape: 16 bytes; nil for a message that is missing.
        let digest: [UInt8]?
        let wrapped: [UInt8]

        static let digestByteCount = 16

        func isTooOld(at now: UInt32) -> Bool {
            let limit = digest == nil ? GroupLimits.receiveOnlySeconds : GroupLimits.usedKeySeconds
            return now.subtractingClamped(time) > limit
        }
    }

    let id: SenderKeyID
    /// The member that made the key; the key opens only this member's messages.
    let owner: PeerID
    /// The epoch in which the key was made.
    let epoch: UInt32
    let signingKey: [UInt8]
    /// The time of receipt or of the last use.
    ///
    /// Units: seconds since 1970 by the local clock.
    private(set) var lastUsed: UInt32
    /// The iteration that the chain key belongs to.
    private(set) var next: UInt32
    private(set) var wrappedChainKey: [UInt8]
    private(set) var entries: [Entry] = []

    /// Takes a key that its maker has sent.
    init(_ message: SenderKeyMessage, from owner: PeerID, wrap: KeyWrap, at now: UInt32) {
        id = message.id
        self.owner = owner
        epoch = message.epoch
        signingKey = message.signingKey
        lastUsed = now
        next = message.iteration
        wrappedChainKey = wrap.wrap(message.chainKey, for: Self.place(message.id, next))
    }

    /// Restores a stored key; nil if the entries break the invariant.
    init?(
        id: SenderKeyID,
        owner: PeerID,
        epoch: UInt32,
        signingKey: [UInt8],
        lastUsed: UInt32,
        next: UInt32,
        wrappedChainKey: [UInt8],
        entries: [Entry]
    ) {
        let rises = zip(entries, entries.dropFirst()).allSatisfy { $0.iteration < $1.iteration }
        guard rises, entries.last.map({ $0.iteration < next }) ?? true, next <= GroupLimits.maximumIteration + 1 else {
            return nil
        }
        self.id = id
        self.owner = owner
        self.epoch = epoch
        self.signingKey = signingKey
        self.lastUsed = lastUsed
        self.next = next
        self.wrappedChainKey = wrappedChainKey
        self.entries = entries
    }

    /// The state of an iteration.
    enum Lookup {
        /// The message was not opened yet.
        case open(SecretBytes)
        /// The message was opened and had content with this digest.
        case used(SecretBytes, digest: [UInt8])
        /// The key is erased, or past the end of the chain.
        case missing
    }

    /// The number of keys of missing messages.
    var skippedCount: Int { entries.count { $0.digest == nil } }

    /// Looks up the message key of an iteration without a change.
    func lookUp(_ iteration: UInt32, wrap: KeyWrap) -> Lookup {
        guard iteration >= next else {
            guard let entry = entries.first(where: { $0.iteration == iteration }),
                let key = wrap.unwrap(entry.wrapped, for: Self.place(id, iteration))
            else { return .missing }
            return entry.digest.map { .used(key, digest: $0) } ?? .open(key)
        }
        guard iteration <= GroupLimits.maximumIteration, var chain = chain(wrap) else { return .missing }
        while chain.next < iteration { chain.skip() }
        return .open(chain.advance())
    }

    /// Notes that the message of an iteration was opened, and keeps the keys of the missing messages before it.
    mutating func use(_ iteration: UInt32, digest: [UInt8], wrap: KeyWrap, at now: UInt32) {
        if iteration >= next, var chain = chain(wrap) {
            while chain.next <= iteration {
                let number = chain.next
                let wrapped = wrap.wrap(chain.advance(), for: Self.place(id, number))
                entries.append(Entry(iteration: number, time: now, digest: nil, wrapped: wrapped))
            }
            next = chain.next
            wrappedChainKey = wrap.wrap(chain.chainKey, for: Self.place(id, next))
        }
        guard let index = entries.firstIndex(where: { $0.iteration == iteration }) else { return }
        entries[index] = Entry(iteration: iteration, time: now, digest: digest, wrapped: entries[index].wrapped)
        lastUsed = now
        trim(at: now)
    }

    /// Deletes entries that are too old or too many, oldest first.
    mutating func trim(at now: UInt32) {
        entries.removeAll { $0.isTooOld(at: now) }
        var surplus = entries.count { $0.digest != nil } - GroupLimits.usedKeysPerSenderKey
        entries.removeAll { entry in
            guard surplus > 0, entry.digest != nil else { return false }
            surplus -= 1
            return true
        }
    }

    /// Drops this number of keys of missing messages, the oldest iterations first.
    mutating func dropSkipped(_ count: Int) {
        var count = count
        entries.removeAll { entry in
            guard count > 0, entry.digest == nil else { return false }
            count -= 1
            return true
        }
    }

    /// Whether `trim` would delete keys because of their age.
    func holdsExpired(at now: UInt32) -> Bool {
        entries.contains { $0.isTooOld(at: now) }
    }

    /// Whether no message under this key can arrive any more.
    func isExpired(at now: UInt32) -> Bool {
        now.subtractingClamped(lastUsed) > GroupLimits.receiveOnlySeconds
    }

    private func chain(_ wrap: KeyWrap) -> SenderChain? {
        wrap.unwrap(wrappedChainKey, for: Self.place(id, next)).map { SenderChain(chainKey: $0, next: next) }
    }

    private static func place(_ id: SenderKeyID, _ iteration: UInt32) -> [UInt8] {
        id.bytes + iteration.bigEndianBytes
    }
}
