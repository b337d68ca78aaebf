/// The traffic of an idle node.
struct Idleness: Codable, Sendable {
    let seconds: Double
    /// Units: bytes of IP packets a second.
    let sentBytesPerSecond: Double
    /// Units: bytes of IP packets a second.
    let receivedBytesPerSecond: Double
}
