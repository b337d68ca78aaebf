import Bytes

/// The chain of message keys of one run of a member's device in one epoch; it opens messages and proves that a member sealed
/// two contents under one key.
///
/// No key lies in the clear: chain and message keys are wrapped under the key of the group. Invariant: entries in
/// rising order of iteration, all below `next`. Source: PROTOCOL §16.
struct MessageChain: Sendable {
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

    /// The name of a chain.
    struct Name: Hashable, Sendable {
        let epoch: UInt32
        let slot: UInt16
        let device: UInt8
        let run: UInt32

        init(epoch: UInt32, slot: UInt16, device: UInt8, run: UInt32 = 0) {
            self.epoch = epoch
            self.slot = slot
            self.device = device
            self.run = run
        }

        /// Shape: 1 (1) ‖ epoch (4) ‖ slot (2) ‖ device (1) ‖ run (4) ‖ iteration (4).
        func place(_ iteration: UInt32) -> [UInt8] {
            [1] + epoch.bigEndianBytes + slot.bigEndianBytes + [device] + run.bigEndianBytes + iteration.bigEndianBytes
        }
    }

    /// The state of an iteration.
    enum Lookup {
        /// The message was not opened yet.
        case open(SecretBytes)
        /// The message was opened and had content with this digest.
        case used(SecretBytes, digest: [UInt8])
        /// The key is erased, or too far ahead.
        case missing
    }

    let name: Name
    /// The iteration that the chain key belongs to.
    private(set) var next: UInt32
    private(set) var wrappedChainKey: [UInt8]
    private(set) var entries: [Entry]
    /// The pages of entries that changed since `takeChangedPages`.
    private(set) var changedPages: Set<UInt16> = []

    /// Iterations whose entries one record stores.
    static let pageSize: UInt32 = 64

    /// Begins the chain of a run.
    init(_ name: Name, chainKey: SecretBytes, wrap: KeyWrap) {
        self.name = name
        next = 0
        wrappedChainKey = wrap.wrap(chainKey, for: name.place(0))
        entries = []
    }

    /// Restores a stored chain; nil if the entries break the invariant.
    init?(_ name: Name, next: UInt32, wrappedChainKey: [UInt8], entries: [Entry]) {
        let rises = zip(entries, entries.dropFirst()).allSatisfy { $0.iteration < $1.iteration }
        let limit = GroupLimits.skippedPerMember + GroupLimits.usedKeysPerChain
        guard rises, entries.count <= limit, entries.last.map({ $0.iteration < next }) ?? true,
            next <= GroupLimits.maximumIteration + 1
        else {
            return nil
        }
        self.name = name
        self.next = next
        self.wrappedChainKey = wrappedChainKey
        self.entries = entries
    }

    /// The number of keys of missing messages.
    var skippedCount: Int { entries.count { $0.digest == nil } }

    /// Whether nothing was sealed or opened with the chain.
    var isUnused: Bool { next == 0 }

    /// Looks up the message key of an iteration without a change of the chain.
    ///
    /// - Parameters:
    ///   - limit: the number of missing messages before the iteration that are allowed.
    ///   - ahead: positions that earlier packets have cost.
    func lookUp(
        _ iteration: UInt32,
        limit: UInt32 = GroupLimits.maximumSkip,
        ahead: inout AheadKeys,
        wrap: KeyWrap
    ) -> Lookup {
        guard iteration >= next else {
            guard let entry = entries.first(where: { $0.iteration == iteration }),
                let key = wrap.unwrap(entry.wrapped, for: name.place(iteration))
            else { return .missing }
            return entry.digest.map { .used(key, digest: $0) } ?? .open(key)
        }
        guard iteration <= GroupLimits.maximumIteration, iteration - next <= limit,
            var chain = ahead.nearest(name, before: iteration, wrap: wrap) ?? chain(wrap)
        else { return .missing }
        var places: [UInt32: [UInt8]] = [:]
        while chain.next < iteration {
            chain.skip()
            guard chain.next.isMultiple(of: AheadKeys.distance) else { continue }
            places[chain.next] = wrap.wrap(chain.chainKey, for: name.place(chain.next))
        }
        ahead.keep(name, places)
        return .open(chain.advance())
    }

    /// Notes that the message of an iteration was opened, and keeps the keys of the missing messages before it.
    mutating func use(_ iteration: UInt32, digest: [UInt8], wrap: KeyWrap, at now: UInt32) {
        if iteration >= next, var chain = chain(wrap) {
            while chain.next <= iteration {
                let number = chain.next
                let wrapped = wrap.wrap(chain.advance(), for: name.place(number))
                entries.append(Entry(iteration: number, time: now, digest: nil, wrapped: wrapped))
                changedPages.insert(Self.page(of: number))
            }
            keep(chain, wrap)
        }
        guard let index = entries.firstIndex(where: { $0.iteration == iteration }) else { return }
        entries[index] = Entry(iteration: iteration, time: now, digest: digest, wrapped: entries[index].wrapped)
        changedPages.insert(Self.page(of: iteration))
        trim(at: now)
    }

    /// Answers the iteration and the key of this device's next message, and moves past it; nil at the end of the chain.
    mutating func advance(_ wrap: KeyWrap) -> (iteration: UInt32, messageKey: SecretBytes)? {
        guard next <= GroupLimits.maximumIteration, var chain = chain(wrap) else { return nil }
        let key = chain.advance()
        defer { keep(chain, wrap) }
        return (next, key)
    }

    /// Deletes entries that are too old or too many, oldest first.
    mutating func trim(at now: UInt32) {
        removeEntries { $0.isTooOld(at: now) }
        var surplus = entries.count { $0.digest != nil } - GroupLimits.usedKeysPerChain
        removeEntries { entry in
            guard surplus > 0, entry.digest != nil else { return false }
            surplus -= 1
            return true
        }
    }

    /// Drops this number of keys of missing messages, the oldest iterations first.
    mutating func dropSkipped(_ count: Int) {
        var count = count
        removeEntries { entry in
            guard count > 0, entry.digest == nil else { return false }
            count -= 1
            return true
        }
    }

    private mutating func removeEntries(where isOver: (Entry) -> Bool) {
        entries.removeAll { entry in
            guard isOver(entry) else { return false }
            changedPages.insert(Self.page(of: entry.iteration))
            return true
        }
    }

    /// Answers the pages that changed since the last call.
    mutating func takeChangedPages() -> Set<UInt16> {
        defer { changedPages = [] }
        return changedPages
    }

    /// The pages that have entries.
    var pages: Set<UInt16> { Set(entries.map { Self.page(of: $0.iteration) }) }

    /// The page that stores the entry of an iteration.
    static func page(of iteration: UInt32) -> UInt16 { UInt16(truncatingIfNeeded: iteration / pageSize) }

    /// Whether `trim` would delete keys because of their age.
    func holdsExpired(at now: UInt32) -> Bool { entries.contains { $0.isTooOld(at: now) } }

    private func chain(_ wrap: KeyWrap) -> SenderChain? {
        wrap.unwrap(wrappedChainKey, for: name.place(next)).map { SenderChain(chainKey: $0, next: next) }
    }

    private mutating func keep(_ chain: SenderChain, _ wrap: KeyWrap) {
        next = chain.next
        wrappedChainKey = wrap.wrap(chain.chainKey, for: name.place(next))
    }
}
