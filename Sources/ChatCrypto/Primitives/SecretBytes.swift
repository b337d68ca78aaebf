import CSodium

/// Secret bytes in locked memory as far as it is available, erased with the last reference.
///
/// A class, so that a copied state shares its secrets and does not duplicate them. Immutable, never encoded and never
/// printed. Keys use slots of guarded and locked slabs, because locked memory is scarce. Records of a few keys use
/// slots of other slabs, because guarding a page takes the system longer than sealing its content. Larger secrets have
/// separate allocations. Secrets that find no room in locked memory are kept in ordinary memory.
public final class SecretBytes: Sendable {
    /// The number of secret bytes.
    public let count: Int

    private let slot: SecretArena.Slot

    /// Allocates `count` zero bytes and lets `fill` write them once.
    package init<Failure: Error>(
        count: Int,
        filling fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        precondition(count >= 0, "a secret has no negative length")
        self.count = count
        slot = SecretArena.fitting(count).take(byteCount: count)
        try fill(UnsafeMutableRawBufferPointer(start: slot.pointer, count: count))
    }

    /// Copies bytes; the caller still owns the original and must erase it.
    public convenience init(copying bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    deinit {
        SecretArena.fitting(count).release(slot, byteCount: count)
    }

    /// Makes a secret of random bytes.
    public static func random(count: Int) -> SecretBytes {
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

    /// Copies a part of the bytes to a new secret.
    package func slice(_ range: Range<Int>) -> SecretBytes {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a slice lies within its secret")
        return withBytes { SecretBytes(copying: $0[range]) }
    }

    /// Compares with another secret; the time does not depend on the position of a difference.
    package func isEqual(to other: SecretBytes) -> Bool {
        guard count == other.count else { return false }
        return withPointer { mine in other.withPointer { sodium_memcmp(mine, $0, count) == 0 } }
    }

    /// Whether the slabs could be locked into memory, so that secrets never reach the swap.
    static var isSlabLocked: Bool { SecretArena.areAllLocked }
}

extension SecretBytes: CustomStringConvertible {
    /// The type and the length, never the content.
    public var description: String { "SecretBytes(\(count))" }
}

extension SecretBytes: CustomReflectable {
    /// A mirror without children, so that a dump of a state does not even show the location of its secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
