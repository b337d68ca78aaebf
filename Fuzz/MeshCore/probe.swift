#if !FUZZING
    @testable import MeshCore
#endif

/// Checks probes, pushes, and the fields of beacons that outsiders can read: a decoded probe or push is encoded to the
/// same bytes, but for the reserved one, and none is a beacon.
func fuzzProbe(_ input: [UInt8]) {
    var choices = Choices(input)
    let bytes = choices.candidate(like: [
        Probe(asker: 1).encoded(), Probe(asker: 1, answerer: 2).encoded(), beacon.encoded(),
        PushDatagram(unicastPort: 9, node: NodeID(1), envelope: [1, 2, 3]).encoded(),
    ])
    let sighting = BeaconSighting(decoding: bytes)
    if let probe = Probe(decoding: bytes) {
        precondition(probe.encoded() == bytes && sighting == nil)
    }
    if let push = PushDatagram(decoding: bytes) {
        var encoded = push.encoded()
        encoded[5] = bytes[5]
        precondition(encoded == bytes && sighting == nil)
    }
    if let sighting {
        precondition(Beacon(decoding: bytes.prefix(Beacon.byteCount))?.node == sighting.node)
    }
}
