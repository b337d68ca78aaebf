import MeshCore

/// Makes an address from bytes that a test gives.
func address(_ bytes: [UInt8]) -> IPAddress {
    guard let address = IPAddress(bytes: bytes) else { preconditionFailure("\(bytes) is no address") }
    return address
}
