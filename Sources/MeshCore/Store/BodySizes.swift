/// The sizes that the bodies of one kind of envelope may have.
///
/// Relays check them too, so that junk is no smaller than what it imitates. Source: PROTOCOL §2.
public enum BodySizes: Hashable, Sendable {
    /// All sizes of at least one byte.
    case any
    /// All sizes in a range of bytes.
    case range(ClosedRange<Int>)
    /// The listed sizes, in bytes.
    case oneOf(Set<Int>)

    /// Returns whether a body of this size, in bytes, is allowed.
    func contains(_ byteCount: Int) -> Bool {
        switch self {
        case .any: byteCount > 0
        case .range(let range): range.contains(byteCount)
        case .oneOf(let sizes): sizes.contains(byteCount)
        }
    }
}
