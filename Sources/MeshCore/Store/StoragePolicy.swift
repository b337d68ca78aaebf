/// The lengths and times that are the same for every envelope.
///
/// Source: PROTOCOL §2 envelope, §5 flooding and store.
enum StoragePolicy {
    /// Units: bytes; the release hash at the front of sealed and prekey bodies, and the preimage of a release.
    static let releaseByteCount = 16
    /// Units: bytes; the body of a probe, which begins with a label.
    static let probeByteCounts = PathLabel.byteCount...256
    /// Units: nanoseconds in a tick of an envelope's life.
    static let tickNanoseconds: UInt64 = 10_000_000_000

    /// When an envelope with this much life left dies.
    static func deadline(life: UInt16, now: MeshInstant) -> MeshInstant {
        now.advanced(nanoseconds: UInt64(life) * tickNanoseconds)
    }

    /// The life left until `deadline`, as a holder writes it: the holding time counts in whole ticks only.
    static func life(until deadline: MeshInstant, now: MeshInstant) -> UInt16 {
        guard deadline > now else { return 0 }
        let left = deadline.nanoseconds - now.nanoseconds
        return UInt16(clamping: left / tickNanoseconds + (left % tickNanoseconds == 0 ? 0 : 1))
    }
}
