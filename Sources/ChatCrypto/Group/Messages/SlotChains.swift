import Bytes

/// The runs of all devices of one member in one epoch, and the chains of those that were begun.
///
/// Source: PROTOCOL §16.
struct SlotChains: Sendable {
    private var runs: [DeviceRuns]
    /// The chains of the runs that were begun, in rising order of device and run.
    private(set) var chains: [MessageChain] = []

    /// The name of a record with keys of a chain.
    struct Page: Hashable, Sendable {
        let device: UInt8
        let run: UInt32
        let number: UInt16
    }

    /// Begins the runs of all devices of a member from the secret of the member's leaf.
    init(epoch: UInt32, slot: UInt16, leaf: SecretBytes, wrap: KeyWrap) {
        runs = (0..<GroupLimits.maximumDevices).map { device in
            let name = MessageChain.Name(epoch: epoch, slot: slot, device: UInt8(device))
            return DeviceRuns(name, leaf: leaf, wrap: wrap)
        }
    }

    /// The first run of a device that was not begun.
    func nextRun(of device: UInt8) -> UInt32 { runs[Int(device)].next }

    /// The chain of a run without a change; nil if its secrets are erased.
    func chain(_ device: UInt8, run: UInt32, wrap: KeyWrap) -> MessageChain? {
        chains.first { $0.name.device == device && $0.name.run == run } ?? runs[Int(device)].chain(of: run, wrap: wrap)
    }

    /// Keeps a chain after its use, and answers the pages of a chain that is dropped for it.
    mutating func keep(_ chain: MessageChain, wrap: KeyWrap) -> [Page] {
        let name = chain.name
        if let index = chains.firstIndex(where: { $0.name == name }) {
            chains[index] = chain
            return []
        }
        runs[Int(name.device)].take(name.run, wrap: wrap)
        chains.append(chain)
        chains.sort { $0.name.isBefore($1.name) }
        guard chains.count(where: { $0.name.device == name.device }) > GroupLimits.runsPerDevice,
            let oldest = chains.firstIndex(where: { $0.name.device == name.device })
        else { return [] }
        return Self.pages(of: chains.remove(at: oldest))
    }

    private static func pages(of chain: MessageChain) -> [Page] {
        chain.pages.map { Page(device: chain.name.device, run: chain.name.run, number: $0) }
    }

    /// The number of keys of missing messages.
    var skippedCount: Int { chains.reduce(0) { $0 + $1.skippedCount } }

    /// The pages of entries that changed since the last call.
    mutating func takeChangedPages() -> [Page] {
        chains.indices.flatMap { index in
            let name = chains[index].name
            return chains[index].takeChangedPages().map { Page(device: name.device, run: name.run, number: $0) }
        }
    }

    /// The pages that have entries.
    var pages: [Page] { chains.flatMap { Self.pages(of: $0) } }

    /// Whether `trim` would delete keys because of their age.
    func holdsExpired(at now: UInt32) -> Bool { chains.contains { $0.holdsExpired(at: now) } }

    /// Deletes keys that are too old or too many.
    mutating func trim(at now: UInt32) {
        for index in chains.indices { chains[index].trim(at: now) }
    }

    /// Drops keys of missing messages, the oldest iterations first.
    mutating func dropSkipped(_ count: Int) {
        var count = count
        for index in chains.indices {
            let dropped = min(count, chains[index].skippedCount)
            chains[index].dropSkipped(dropped)
            count -= dropped
        }
    }

    // MARK: - Storage

    private static let version: UInt8 = 1

    /// Encodes runs and chains without their entries for sealed storage; their secrets stay wrapped.
    ///
    /// Shape: version 1 (1) ‖ runs of each device ‖ chain count (2) ‖ per chain device (1) ‖ run (4) ‖ next (4) ‖ chain
    /// key (60).
    func encoded() -> SecretBytes {
        var bytes = [Self.version] + runs.flatMap(\.encoded)
        bytes += UInt16(clamping: chains.count).bigEndianBytes
        for chain in chains {
            bytes += [chain.name.device] + chain.name.run.bigEndianBytes
            bytes += chain.next.bigEndianBytes + chain.wrappedChainKey
        }
        return SecretBytes(copying: bytes)
    }

    /// Encodes a page of a chain's entries; nil for a page without entries.
    ///
    /// Shape: version 1 (1) ‖ per entry iteration (4) ‖ time (4) ‖ used flag (1), digest (16) if 1 ‖ key (60).
    func encoded(_ page: Page) -> SecretBytes? {
        let chain = chains.first { $0.name.device == page.device && $0.name.run == page.run }
        let entries = (chain?.entries ?? []).filter { MessageChain.page(of: $0.iteration) == page.number }
        guard !entries.isEmpty else { return nil }
        var bytes = [Self.version]
        for entry in entries {
            bytes += entry.iteration.bigEndianBytes + entry.time.bigEndianBytes
            bytes += entry.digest.map { [1] + $0 } ?? [0]
            bytes += entry.wrapped
        }
        return SecretBytes(copying: bytes)
    }

    /// Reads the output of `encoded()`, with the entries of each page; nil if they do not fit.
    init?(decoding record: SecretBytes, epoch: UInt32, slot: UInt16, entries: [Page: [MessageChain.Entry]]) {
        var reader = SecretReader(record)
        guard reader.integer(UInt8.self) == Self.version else { return nil }
        var (runs, chains): ([DeviceRuns], [MessageChain]) = ([], [])
        for device in 0..<UInt8(GroupLimits.maximumDevices) {
            let name = MessageChain.Name(epoch: epoch, slot: slot, device: device)
            guard let read = DeviceRuns(name, decoding: &reader) else { return nil }
            runs.append(read)
        }
        var rest = entries
        guard let count = reader.integer(UInt16.self),
            Int(count) <= GroupLimits.maximumDevices * GroupLimits.runsPerDevice
        else { return nil }
        for _ in 0..<count {
            guard let chain = Self.chain(&reader, epoch, slot, &rest),
                chains.last.map({ $0.name.isBefore(chain.name) }) ?? true,
                chain.name.run < runs[Int(chain.name.device)].next
            else { return nil }
            chains.append(chain)
        }
        guard reader.isAtEnd, rest.isEmpty else { return nil }
        self.runs = runs
        self.chains = chains
    }

    private static func chain(
        _ reader: inout SecretReader,
        _ epoch: UInt32,
        _ slot: UInt16,
        _ rest: inout [Page: [MessageChain.Entry]]
    ) -> MessageChain? {
        guard let device = reader.integer(UInt8.self), device < GroupLimits.maximumDevices,
            let run = reader.integer(UInt32.self), let next = reader.integer(UInt32.self),
            let key = reader.bytes(KeyWrap.wrappedByteCount)
        else { return nil }
        let pages = rest.keys.filter { $0.device == device && $0.run == run }.sorted { $0.number < $1.number }
        let entries = pages.flatMap { rest.removeValue(forKey: $0) ?? [] }
        let name = MessageChain.Name(epoch: epoch, slot: slot, device: device, run: run)
        return MessageChain(name, next: next, wrappedChainKey: key, entries: entries)
    }

    /// Reads the output of `encoded(_:)`; nil for any other bytes.
    static func entries(page: UInt16, _ record: SecretBytes) -> [MessageChain.Entry]? {
        var reader = SecretReader(record)
        guard reader.integer(UInt8.self) == version else { return nil }
        var entries: [MessageChain.Entry] = []
        while !reader.isAtEnd {
            guard let iteration = reader.integer(UInt32.self), MessageChain.page(of: iteration) == page,
                iteration <= GroupLimits.maximumIteration, let time = reader.integer(UInt32.self),
                let isUsed = reader.flag()
            else { return nil }
            let digest = isUsed ? reader.bytes(MessageChain.Entry.digestByteCount) : nil
            guard !isUsed || digest != nil, let wrapped = reader.bytes(KeyWrap.wrappedByteCount) else { return nil }
            entries.append(MessageChain.Entry(iteration: iteration, time: time, digest: digest, wrapped: wrapped))
        }
        return entries
    }
}

extension MessageChain.Name {
    /// Whether the device, or else the run, comes first.
    fileprivate func isBefore(_ other: Self) -> Bool { (device, run) < (other.device, other.run) }
}
