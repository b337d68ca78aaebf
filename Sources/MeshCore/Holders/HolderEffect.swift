/// The effects of the exchange with holders.
enum HolderEffect: Equatable, Sendable {
    /// Floods a probe, and notes under which label it went for this object.
    case seek(Seek, for: ObjectTag)
    /// Sends a payload along a path.
    case send(PathMessage)
    /// An own label is no longer used.
    case end(PathLabel)
    /// Takes a piece that came to this own label: keeps it for others, or only delivers it.
    case take(Envelope, EnvelopeID, keeps: Bool, at: PathLabel)
    /// Confirms to a label that all pieces are kept, if they are.
    case confirm(PathLabel, at: PathLabel)
}
