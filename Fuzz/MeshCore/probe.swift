#if !FUZZING
    @testable import MeshCore
#endif

/// Checks probes and the fields of beacons that outsiders can read: a decoded probe is encoded to the same bytes, and
/// none is a beacon.
func fuzzProbe(_ input: [UInt8]) {
    var choices = Choices(input)
    let bytes = choices.candidate(like: [
        Probe(asker: 1).encoded(), Probe(asker: 1, answerer: 2).encoded(), beacon.encoded(),
    ])
    let sighting = BeaconSighting(decoding: bytes)
    if let probe = Probe(decoding: bytes) {
        precondition(probe.encoded() == bytes && sighting == nil)
    }
    if let sighting {
        precondition(Beacon(decoding: bytes.prefix(Beacon.byteCount))?.node == sighting.node)
    }
}
