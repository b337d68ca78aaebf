/// What somebody without the key of a mesh reads off a beacon: that a node is there.
package struct BeaconSighting: Equatable, Sendable {
    /// The node's name of the day.
    package let node: NodeID
    /// Whether the node belongs to a mesh with a passphrase; then the beacon may be anybody's invention.
    package let isOfClosedMesh: Bool

    /// Reads a beacon; nil if it is none, or a goodbye.
    package init?(decoding bytes: [UInt8]) {
        guard let beacon = Beacon(decoding: bytes.prefix(Beacon.byteCount)), !beacon.flags.contains(.leaving) else {
            return nil
        }
        let isOfClosedMesh = beacon.flags.contains(.authenticated)
        guard bytes.count == Beacon.byteCount + (isOfClosedMesh ? Beacon.codeByteCount : 0) else { return nil }
        node = beacon.node
        self.isOfClosedMesh = isOfClosedMesh
    }
}
