import CSodium
import Synchronization

/// Slabs that secrets of like size share, and the way to memory for the others.
///
/// Free granules are zero. A slot is a run of granules within one word of a slab's map. Slabs are made as they are
/// needed, up to a limit, and kept.
final class SecretArena: Sendable {
    struct Slot: Sendable {
        /// An integer, because a pointer is not Sendable; nothing but `pointer` reads it.
        let address: UInt
        /// Zero for an allocation of its own.
        let granuleCount: Int

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
        var areLocked = true
    }

    /// Process-wide, because the limit on locked memory is the process's.
    ///
    /// A granule is the size of a key: most secrets are one.
    private static let keys = SecretArena(granuleByteCount: 32, largestSlotByteCount: 128)
    /// Sessions and prekeys on their way to and from the disk.
    private static let records = SecretArena(granuleByteCount: 1_024, largestSlotByteCount: 16_384)

    static let slabByteCount = 65_536
    /// Both arenas together: half of the 8 MiB that systems commonly let a process lock.
    static let slabLimit = 32

    private let granuleByteCount: Int
    private let largestSlotByteCount: Int
    private let state: Mutex<State>

    private init(granuleByteCount: Int, largestSlotByteCount: Int) {
        self.granuleByteCount = granuleByteCount
        self.largestSlotByteCount = largestSlotByteCount
        var state = State()
        SecretArena.addSlab(to: &state, granuleByteCount: granuleByteCount)
        self.state = Mutex(state)
    }

    /// Whether every slab there is could be locked into memory.
    static var areAllLocked: Bool {
        [keys, records].allSatisfy { arena in arena.state.withLock { $0.areLocked } }
    }

    /// The arena for secrets of this size.
    static func fitting(_ byteCount: Int) -> SecretArena {
        byteCount <= keys.largestSlotByteCount ? keys : records
    }

    func take(byteCount: Int) -> Slot {
        if byteCount <= largestSlotByteCount, let slot = takeGranules(max(1, byteCount.dividedUp(by: granuleByteCount)))
        {
            return slot
        }
        let own = SecretArena.allocate(max(1, byteCount))
        return Slot(address: UInt(bitPattern: own), granuleCount: 0)
    }

    func giveBack(_ slot: Slot, byteCount: Int) {
        guard slot.granuleCount > 0 else { return sodium_free(slot.pointer) }  // erases before it frees
        sodium_memzero(slot.pointer, byteCount)
        state.withLock { state in
            for index in state.slabs.indices {
                let base = state.slabs[index].base
                guard base <= slot.address, slot.address - base < UInt(SecretArena.slabByteCount) else { continue }
                return state.slabs[index].giveBack(Int(slot.address - base) / granuleByteCount, slot.granuleCount)
            }
        }
    }

    private func takeGranules(_ count: Int) -> Slot? {
        state.withLock { state in
            for index in state.slabs.indices where state.slabs[index].freeGranuleCount >= count {
                if let slot = takeGranules(count, ofSlab: index, in: &state) { return slot }
            }
            guard state.slabs.count < SecretArena.slabLimit else { return nil }
            SecretArena.addSlab(to: &state, granuleByteCount: granuleByteCount)
            return takeGranules(count, ofSlab: state.slabs.count - 1, in: &state)
        }
    }

    private func takeGranules(_ count: Int, ofSlab index: Int, in state: inout State) -> Slot? {
        guard let granule = state.slabs[index].take(count) else { return nil }
        return Slot(address: state.slabs[index].base + UInt(granule * granuleByteCount), granuleCount: count)
    }

    private static func addSlab(to state: inout State, granuleByteCount: Int) {
        let memory = allocate(slabByteCount)
        // sodium_malloc hides whether locking worked; asking again for the same pages tells.
        if sodium_mlock(memory, slabByteCount) != 0 { state.areLocked = false }
        let granuleCount = slabByteCount / granuleByteCount
        let words = [UInt64](repeating: 0, count: granuleCount / 64)
        state.slabs.append(Slab(base: UInt(bitPattern: memory), freeGranuleCount: granuleCount, words: words))
    }

    private static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
        precondition(CryptoStart.isLibraryReady, "libsodium starts")
        guard let memory = sodium_malloc(byteCount) else { preconditionFailure("out of memory for secrets") }
        sodium_memzero(memory, byteCount)
        return memory
    }
}

extension Int {
    fileprivate func dividedUp(by divisor: Int) -> Int { (self + divisor - 1) / divisor }
}
