/// What a node that has nothing to say sends and hears.
struct Idleness: Codable, Sendable {
    let seconds: Double
    /// Units: bytes of IP packets a second.
    let sentBytesPerSecond: Double
    /// Units: bytes of IP packets a second.
    let receivedBytesPerSecond: Double
}
