#if !FUZZING
    @testable import MeshCore
    @testable import MeshSimulation
#endif

/// Checks beacons of an open and of a closed mesh, the latter with a code that matches the changes.
func fuzzBeacon(_ input: [UInt8]) {
    var choices = Choices(input)
    let mesh = choices.flag() ? closedMesh : openMesh
    let isAuthentic = choices.flag()
    var bytes = choices.candidate(like: [beacon.sealed(by: mesh)])
    if isAuthentic, let key = mesh.beaconKey {
        bytes = Array(bytes.prefix(Beacon.byteCount))
        bytes += mesh.authenticationCode(of: bytes, key: key)
    }
    guard let opened = Beacon(opening: bytes, by: mesh) else { return }
    precondition(opened.unicastPort != 0)
    precondition(opened.encoded() == Array(bytes.prefix(Beacon.byteCount)))
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
    linkCount: 2,
    freeSlotCount: 10,
    visibleCount: 5,
    root: NodeID(9),
    rootSequence: 77,
    networkTag: 0
)
