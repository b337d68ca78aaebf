/// The part of a beacon that is readable without the key of a mesh: the presence of a node.
package struct BeaconSighting: Equatable, Sendable {
    /// The current node id.
    package let node: NodeID
    /// Whether the node belongs to a mesh with a passphrase.
    ///
    /// Such a beacon is not authenticated here and may be forged.
    package let isOfClosedMesh: Bool

    /// Decodes a beacon; returns nil if the bytes are not a beacon, or announce that the node leaves.
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
