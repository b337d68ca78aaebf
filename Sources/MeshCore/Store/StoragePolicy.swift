/// The lengths and times that are the same for every envelope.
///
/// Source: PROTOCOL §2 envelope, §5 flooding and store.
enum StoragePolicy {
    /// The size of the release hash at the front of sealed and prekey bodies, and of each delivery proof.
    ///
    /// Units: bytes.
    static let releaseByteCount = 16
    /// The allowed numbers of delivery proofs in one envelope.
    static let releaseCounts: Set<Int> = [1, 4, 16, 64]
    /// The allowed sizes of the body of a probe.
    ///
    /// Units: bytes.
    static let probeByteCounts = 1...256
    /// The length of a tick of an envelope's life.
    ///
    /// Units: nanoseconds.
    static let tickNanoseconds: UInt64 = 10_000_000_000

    /// Returns the time at which an envelope with this remaining life expires.
    static func deadline(life: UInt16, now: MeshInstant) -> MeshInstant {
        now.advanced(nanoseconds: UInt64(life) * tickNanoseconds)
    }

    /// Returns the remaining life until `deadline` for an outgoing envelope.
    ///
    /// The holding time counts in whole ticks only.
    static func life(until deadline: MeshInstant, now: MeshInstant) -> UInt16 {
        guard deadline > now else { return 0 }
        let left = deadline.nanoseconds - now.nanoseconds
        return UInt16(clamping: left / tickNanoseconds + (left % tickNanoseconds == 0 ? 0 : 1))
    }
}
