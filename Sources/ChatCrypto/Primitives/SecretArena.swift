import CSodium
import Synchronization

/// Slabs of memory that secrets of similar size share, and separate allocations for larger secrets.
///
/// Free granules are zero. A slot is a run of granules within one word of a slab's map. Slabs are made on demand and
/// kept. A limited number of slabs use guarded and locked memory, which is scarce. Further slabs, and those for which
/// the system gives no such memory, use ordinary memory, which is erased in the same way.
final class SecretArena: Sendable {
    struct Slot: Sendable {
        /// The address as an integer, because a pointer is not Sendable; only `pointer` reads it.
        let address: UInt
        /// The number of granules; zero for a separate allocation.
        let granuleCount: Int
        /// Whether the separate allocation is in ordinary memory.
        var isOrdinary = false

        var pointer: UnsafeMutableRawPointer {
            guard let pointer = UnsafeMutableRawPointer(bitPattern: address) else {
                preconditionFailure("a slot has an address")
            }
            return pointer
        }
    }

    private struct Slab {
        let base: UInt
        var freeGranuleCount: Int
        /// The map of taken granules, one bit each.
        var words: [UInt64]

        mutating func take(_ count: Int) -> Int? {
            for (index, word) in words.enumerated() where word != .max {
                var starts = ~word
                for step in stride(from: 1, to: count, by: 1) { starts &= ~word >> UInt64(step) }
                if starts != 0 {
                    let bit = starts.trailingZeroBitCount
                    words[index] |= Slab.mask(count) << UInt64(bit)
                    freeGranuleCount -= count
                    return index * 64 + bit
                }
            }
            return nil
        }

        mutating func release(_ granule: Int, _ count: Int) {
            words[granule / 64] &= ~(Slab.mask(count) << UInt64(granule % 64))
            freeGranuleCount += count
        }

        private static func mask(_ count: Int) -> UInt64 { (1 << UInt64(count)) - 1 }
    }

    private struct State {
        var slabs: [Slab] = []
        var ownCount = 0
        var areLocked = true
    }

    /// The arena for keys; it is process-wide, because the limit on locked memory is that of the process.
    ///
    /// A granule has the size of a key, because most secrets are keys.
    private static let keys = SecretArena(granuleByteCount: 32, largestSlotByteCount: 128)
    /// The arena for sessions and prekeys on their way to and from the disk.
    private static let records = SecretArena(granuleByteCount: 1_024, largestSlotByteCount: 16_384)

    static let slabByteCount = 65_536
    /// The number of slabs in locked memory, per arena.
    ///
    /// Both arenas together take half of the 8 MiB that systems commonly allow a process to lock.
    static let slabLimit = 32
    /// The number of separate allocations of guarded memory; each takes some of the memory mappings of the process.
    static let ownLimit = 1_024

    private let granuleByteCount: Int
    private let largestSlotByteCount: Int
    private let slabLimit: Int
    private let ownLimit: Int
    private let state = Mutex(State())

    /// Makes an arena; the arenas of the process use the default limits.
    init(
        granuleByteCount: Int,
        largestSlotByteCount: Int,
        slabLimit: Int = SecretArena.slabLimit,
        ownLimit: Int = SecretArena.ownLimit
    ) {
        self.granuleByteCount = granuleByteCount
        self.largestSlotByteCount = largestSlotByteCount
        self.slabLimit = slabLimit
        self.ownLimit = ownLimit
        // The first slab shows from the start whether memory can be locked.
        state.withLock { addSlab(to: &$0) }
    }

    /// Whether every slab of both arenas could be locked into memory.
    static var areAllLocked: Bool { [keys, records].allSatisfy(\.areLocked) }

    /// Whether every slab of this arena could be locked into memory.
    var areLocked: Bool { state.withLock { $0.areLocked } }

    /// Chooses the arena for secrets of this size.
    static func fitting(_ byteCount: Int) -> SecretArena {
        byteCount <= keys.largestSlotByteCount ? keys : records
    }

    func take(byteCount: Int) -> Slot {
        guard byteCount > largestSlotByteCount else {
            return takeGranules(max(1, byteCount.dividedUp(by: granuleByteCount)))
        }
        let isGuarded = state.withLock { state in
            guard state.ownCount < ownLimit else { return false }
            state.ownCount += 1
            return true
        }
        if isGuarded {
            if let own = SecretArena.allocateGuarded(byteCount) {
                return Slot(address: UInt(bitPattern: own), granuleCount: 0)
            }
            state.withLock { $0.ownCount -= 1 }
        }
        let own = SecretArena.allocateOrdinary(byteCount)
        return Slot(address: UInt(bitPattern: own), granuleCount: 0, isOrdinary: true)
    }

    func release(_ slot: Slot, byteCount: Int) {
        guard slot.granuleCount > 0 else { return releaseOwn(slot, byteCount: byteCount) }
        sodium_memzero(slot.pointer, byteCount)
        state.withLock { state in
            for index in state.slabs.indices {
                let base = state.slabs[index].base
                guard base <= slot.address, slot.address - base < UInt(SecretArena.slabByteCount) else { continue }
                return state.slabs[index].release(Int(slot.address - base) / granuleByteCount, slot.granuleCount)
            }
        }
    }

    private func releaseOwn(_ slot: Slot, byteCount: Int) {
        guard slot.isOrdinary else {
            sodium_free(slot.pointer)  // erases before it frees
            return state.withLock { $0.ownCount -= 1 }
        }
        sodium_memzero(slot.pointer, byteCount)
        slot.pointer.deallocate()
    }

    private func takeGranules(_ count: Int) -> Slot {
        state.withLock { state in
            while true {
                for index in state.slabs.indices where state.slabs[index].freeGranuleCount >= count {
                    guard let granule = state.slabs[index].take(count) else { continue }
                    let address = state.slabs[index].base + UInt(granule * granuleByteCount)
                    return Slot(address: address, granuleCount: count)
                }
                addSlab(to: &state)
            }
        }
    }

    private func addSlab(to state: inout State) {
        let guarded = state.slabs.count < slabLimit ? SecretArena.allocateGuarded(SecretArena.slabByteCount) : nil
        let memory = guarded ?? SecretArena.allocateOrdinary(SecretArena.slabByteCount)
        // sodium_malloc hides whether locking worked. A second lock of the same pages shows it.
        if guarded == nil || sodium_mlock(memory, SecretArena.slabByteCount) != 0 { state.areLocked = false }
        let granuleCount = SecretArena.slabByteCount / granuleByteCount
        let words = [UInt64](repeating: 0, count: granuleCount / 64)
        state.slabs.append(Slab(base: UInt(bitPattern: memory), freeGranuleCount: granuleCount, words: words))
    }

    /// Allocates zeroed memory between guard pages, locked if the system allows it; nil if the system has no more
    /// mappings or memory.
    private static func allocateGuarded(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        precondition(CryptoStart.isLibraryReady, "libsodium starts")
        guard let memory = sodium_malloc(byteCount) else { return nil }
        sodium_memzero(memory, byteCount)
        return memory
    }

    /// Allocates zeroed ordinary memory.
    private static func allocateOrdinary(_ byteCount: Int) -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
        sodium_memzero(memory, byteCount)
        return memory
    }
}

extension Int {
    fileprivate func dividedUp(by divisor: Int) -> Int { (self + divisor - 1) / divisor }
}
