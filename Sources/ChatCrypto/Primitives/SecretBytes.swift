import CSodium
import Synchronization

/// Secret bytes in locked memory, erased when the last reference goes.
///
/// A class, so that a copied state shares its secrets instead of doubling them. Immutable, never encoded and never
/// printed. Keys are slots of one guarded, locked slab, because locked memory is scarce, and records of a few keys of
/// another, because guarding a page takes the system longer than sealing what is in it; larger ones, and those that
/// find no room, have an allocation of their own.
public final class SecretBytes: Sendable {
    /// The number of secret bytes.
    public let count: Int

    private let slot: SecretArena.Slot

    /// Makes room for `count` zero bytes, and lets `fill` write them once.
    package init<Failure: Error>(
        count: Int,
        filling fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        precondition(count >= 0, "a secret has no negative length")
        self.count = count
        slot = SecretArena.fitting(count).take(byteCount: count)
        try fill(UnsafeMutableRawBufferPointer(start: slot.pointer, count: count))
    }

    /// Copies bytes that lie elsewhere; the caller still owns, and must erase, the original.
    package convenience init(copying bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    deinit {
        SecretArena.fitting(count).giveBack(slot, byteCount: count)
    }

    /// Makes a secret of random bytes.
    package static func random(count: Int) -> SecretBytes {
        SecretBytes(count: count) { Randomness.fill($0) }
    }

    /// Lends the bytes to `body`, which must not let the pointer escape.
    ///
    /// The base address is never nil.
    package func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try body(UnsafeRawBufferPointer(start: slot.pointer, count: count))
    }

    /// Lends the bytes to a C function.
    func withPointer<R>(_ body: (UnsafePointer<UInt8>) throws -> R) rethrows -> R {
        try body(UnsafePointer(slot.pointer.assumingMemoryBound(to: UInt8.self)))
    }

    /// Copies a part of the bytes to a secret of its own.
    package func slice(_ range: Range<Int>) -> SecretBytes {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a slice lies within its secret")
        return withBytes { SecretBytes(copying: $0[range]) }
    }

    /// Compares in a time that does not depend on where the bytes differ.
    package func isEqual(to other: SecretBytes) -> Bool {
        guard count == other.count else { return false }
        return withPointer { mine in other.withPointer { sodium_memcmp(mine, $0, count) == 0 } }
    }

    /// Whether the slabs could be locked into memory, so that secrets never reach the swap.
    static var isSlabLocked: Bool { keyArena.isLocked && recordArena.isLocked }
}

extension SecretBytes: CustomStringConvertible {
    /// The type and the length, never the content.
    public var description: String { "SecretBytes(\(count))" }
}

extension SecretBytes: CustomReflectable {
    /// No children, so that dumping a state does not even tell where its secrets lie.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: - Arena

/// Process-wide, because the limit on locked memory is the process's.
///
/// A granule is the size of a key: most secrets are one.
private let keyArena = SecretArena(granuleByteCount: 32, largestSlotByteCount: 128)
/// Sessions and prekeys on their way to and from the disk.
private let recordArena = SecretArena(granuleByteCount: 1_024, largestSlotByteCount: 16_384)

/// A slab that secrets of like size share, and the way to memory for the others.
///
/// Free granules are zero. A slot is a run of granules within one word of the map.
private final class SecretArena: Sendable {
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

    /// Which granules are taken, one bit each.
    private struct Occupancy {
        var words: [UInt64]

        mutating func take(_ count: Int) -> Int? {
            for (index, word) in words.enumerated() where word != .max {
                var starts = ~word
                for step in stride(from: 1, to: count, by: 1) { starts &= ~word >> UInt64(step) }
                if starts != 0 {
                    let bit = starts.trailingZeroBitCount
                    words[index] |= Occupancy.mask(count) << UInt64(bit)
                    return index * 64 + bit
                }
            }
            return nil
        }

        mutating func giveBack(_ granule: Int, _ count: Int) {
            words[granule / 64] &= ~(Occupancy.mask(count) << UInt64(granule % 64))
        }

        static func mask(_ count: Int) -> UInt64 { (1 << UInt64(count)) - 1 }
    }

    static let slabByteCount = 65_536

    let isLocked: Bool
    private let granuleByteCount: Int
    private let largestSlotByteCount: Int
    private let base: UInt
    private let occupancy: Mutex<Occupancy>

    init(granuleByteCount: Int, largestSlotByteCount: Int) {
        self.granuleByteCount = granuleByteCount
        self.largestSlotByteCount = largestSlotByteCount
        let wordCount = SecretArena.slabByteCount / granuleByteCount / 64
        occupancy = Mutex(Occupancy(words: [UInt64](repeating: 0, count: wordCount)))
        let slab = SecretArena.allocate(SecretArena.slabByteCount)
        base = UInt(bitPattern: slab)
        // sodium_malloc hides whether locking worked; asking again for the same pages tells.
        isLocked = sodium_mlock(slab, SecretArena.slabByteCount) == 0
    }

    /// The arena for secrets of this size.
    static func fitting(_ byteCount: Int) -> SecretArena {
        byteCount <= keyArena.largestSlotByteCount ? keyArena : recordArena
    }

    func take(byteCount: Int) -> Slot {
        let granuleCount = max(1, (byteCount + granuleByteCount - 1) / granuleByteCount)
        if byteCount <= largestSlotByteCount,
            let granule = occupancy.withLock({ $0.take(granuleCount) })
        {
            return Slot(address: base + UInt(granule * granuleByteCount), granuleCount: granuleCount)
        }
        let own = SecretArena.allocate(max(1, byteCount))
        return Slot(address: UInt(bitPattern: own), granuleCount: 0)
    }

    func giveBack(_ slot: Slot, byteCount: Int) {
        guard slot.granuleCount > 0 else { return sodium_free(slot.pointer) }  // erases before it frees
        sodium_memzero(slot.pointer, byteCount)
        let granule = Int(slot.address - base) / granuleByteCount
        occupancy.withLock { $0.giveBack(granule, slot.granuleCount) }
    }

    private static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
        precondition(CryptoStart.isLibraryReady, "libsodium starts")
        guard let memory = sodium_malloc(byteCount) else { preconditionFailure("out of memory for secrets") }
        sodium_memzero(memory, byteCount)
        return memory
    }
}
