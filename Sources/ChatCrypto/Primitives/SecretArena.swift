import CSodium
import Synchronization

/// Slabs that secrets of like size share, and the way to memory for the others.
///
/// Free granules are zero. A slot is a run of granules within one word of a slab's map. Slabs are made as they are
/// needed, and kept. Only so many are of guarded and locked memory, which is scarce; further ones, and all that the
/// system gives no such memory for, are of ordinary memory, erased alike.
final class SecretArena: Sendable {
    struct Slot: Sendable {
        /// An integer, because a pointer is not Sendable; nothing but `pointer` reads it.
        let address: UInt
        /// Zero for an allocation of its own.
        let granuleCount: Int
        /// Whether its allocation of its own is of ordinary memory.
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
        /// Which granules are taken, one bit each.
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

        mutating func giveBack(_ granule: Int, _ count: Int) {
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

    /// Process-wide, because the limit on locked memory is the process's.
    ///
    /// A granule is the size of a key: most secrets are one.
    private static let keys = SecretArena(granuleByteCount: 32, largestSlotByteCount: 128)
    /// Sessions and prekeys on their way to and from the disk.
    private static let records = SecretArena(granuleByteCount: 1_024, largestSlotByteCount: 16_384)

    static let slabByteCount = 65_536
    /// The slabs of locked memory; both arenas together: half of the 8 MiB that systems commonly let a process lock.
    static let slabLimit = 32
    /// The allocations of guarded memory for secrets that fit no slot; each takes some of the mappings of a process.
    static let ownLimit = 1_024

    private let granuleByteCount: Int
    private let largestSlotByteCount: Int
    private let slabLimit: Int
    private let ownLimit: Int
    private let state = Mutex(State())

    /// Makes an arena; those of the process have the limits that are named here.
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
        // So that it is known from the start whether memory can be locked.
        state.withLock { addSlab(to: &$0) }
    }

    /// Whether every slab there is could be locked into memory.
    static var areAllLocked: Bool { [keys, records].allSatisfy(\.areLocked) }

    /// Whether all of its slabs could be locked into memory.
    var areLocked: Bool { state.withLock { $0.areLocked } }

    /// The arena for secrets of this size.
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

    func giveBack(_ slot: Slot, byteCount: Int) {
        guard slot.granuleCount > 0 else { return giveBackOwn(slot, byteCount: byteCount) }
        sodium_memzero(slot.pointer, byteCount)
        state.withLock { state in
            for index in state.slabs.indices {
                let base = state.slabs[index].base
                guard base <= slot.address, slot.address - base < UInt(SecretArena.slabByteCount) else { continue }
                return state.slabs[index].giveBack(Int(slot.address - base) / granuleByteCount, slot.granuleCount)
            }
        }
    }

    private func giveBackOwn(_ slot: Slot, byteCount: Int) {
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
        // sodium_malloc hides whether locking worked; asking again for the same pages tells.
        if guarded == nil || sodium_mlock(memory, SecretArena.slabByteCount) != 0 { state.areLocked = false }
        let granuleCount = SecretArena.slabByteCount / granuleByteCount
        let words = [UInt64](repeating: 0, count: granuleCount / 64)
        state.slabs.append(Slab(base: UInt(bitPattern: memory), freeGranuleCount: granuleCount, words: words))
    }

    /// Zeroed memory between guard pages, locked where the system allows it; nil if it has no more mappings or memory.
    private static func allocateGuarded(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        precondition(CryptoStart.isLibraryReady, "libsodium starts")
        guard let memory = sodium_malloc(byteCount) else { return nil }
        sodium_memzero(memory, byteCount)
        return memory
    }

    /// Zeroed memory like any other of the process.
    private static func allocateOrdinary(_ byteCount: Int) -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
        sodium_memzero(memory, byteCount)
        return memory
    }
}

extension Int {
    fileprivate func dividedUp(by divisor: Int) -> Int { (self + divisor - 1) / divisor }
}
