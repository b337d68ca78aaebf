import MeshCore

/// An address whose bytes a test wrote down.
func address(_ bytes: [UInt8]) -> IPAddress {
    guard let address = IPAddress(bytes: bytes) else { preconditionFailure("\(bytes) is no address") }
    return address
}
