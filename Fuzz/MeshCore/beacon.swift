import Bytes

#if !FUZZING
    @testable import MeshCore
    @testable import MeshSimulation
#endif

/// Checks beacons of an open and of a closed mesh, the latter with a code that matches the changes.
func fuzzBeacon(_ input: [UInt8]) {
    var choices = Choices(input)
    let mesh = choices.flag() ? closedMesh : openMesh
    let isAuthentic = choices.flag()
    guard let address = IPAddress(bytes: [10, 0, 0, 1]) else { preconditionFailure("four bytes are an address") }
    var bytes = choices.candidate(like: [beacon.sealed(from: address, by: mesh)])
    if isAuthentic, let key = mesh.beaconKey {
        bytes = Array(bytes.prefix(Beacon.byteCount))
        bytes += mesh.authenticationCode(of: bytes + address.bytes, key: key)
    }
    var otherTags = TokenBucket(rate: 1, burst: 1)
    guard let opened = Beacon(opening: bytes, from: address, by: mesh, otherTags: &otherTags, now: .zero) else {
        return
    }
    precondition(opened.unicastPort != 0)
    precondition(Beacon(decoding: opened.encoded()[...]) == opened)
}

private let openMesh = NullCryptography()
private let closedMesh = NullCryptography(networkTags: [7, 8], beaconKey: [1, 2, 3])

/// A beacon of an open mesh.
let beacon = Beacon(
    flags: .solicit,
    unicastPort: 4_000,
    node: NodeID(1),
    interval: 20,
    sequence: 3,
    shelf: Shelf(of: 0xABCD, depth: 4),
    minutes: 77,
    networkTag: 0
)
