/// The four priorities of messages on a link, most urgent first.
///
/// Source: PROTOCOL §3.5.
public enum Lane: UInt8, Sendable, CaseIterable, Comparable {
    /// Control messages of the mesh, receipts, replies on paths.
    case control = 0
    /// New envelopes that a person waits for.
    case interactive = 1
    /// Envelopes learned by synchronisation.
    case background = 2
    /// Large objects.
    case bulk = 3

    /// Whether envelopes on this lane are fresh: their authors wrote them a short time ago.
    var isFresh: Bool { self <= .interactive }

    /// Orders by value, so that iteration is repeatable.
    public static func < (left: Lane, right: Lane) -> Bool {
        left.rawValue < right.rawValue
    }
}
