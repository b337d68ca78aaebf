/// The effects of the exchange with holders.
enum HolderEffect: Equatable, Sendable {
    /// Floods a probe, and notes under which label it went for this object.
    case seek(Seek, for: ObjectTag)
    /// Sends a payload along a path.
    case send(PathMessage)
    /// An own label is no longer used.
    case end(PathLabel)
    /// Takes a piece: keeps it for others, or only delivers it.
    case take(Envelope, EnvelopeID, keeps: Bool)
}
