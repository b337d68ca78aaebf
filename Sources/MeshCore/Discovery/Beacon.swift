import Bytes

/// The announcement of a node to its segment: its presence and its endpoint, and nothing about a person.
///
/// Shape: 36 bytes, big-endian: "EAR1" ‖ type and version 0x01 ‖ flags (1) ‖ unicast port (2) ‖ node id (8) ‖ interval
/// (2, in 100 ms) ‖ sequence (2) ‖ shelf (2) ‖ depth (1) ‖ reserved (5) ‖ minutes (4) ‖ network tag (4); in a closed
/// mesh 16 bytes of MAC follow, over all that and the source address. A sender sets the reserved bytes to 0, and a
/// reader ignores them. Source: PROTOCOL §4.
struct Beacon: Equatable, Sendable {
    /// The bits of the flags byte; unknown ones are ignored.
    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8

        /// The sender asks the other nodes of the segment to answer.
        static let solicit = Flags(rawValue: 1)
        /// The sender leaves, or stops using this node id.
        static let leaving = Flags(rawValue: 2)
        /// A MAC with the network's key follows.
        static let authenticated = Flags(rawValue: 4)
    }

    var flags: Flags
    /// The port of the sender's unicast socket on the interface and family of the beacon; never 0.
    var unicastPort: UInt16
    var node: NodeID
    /// The interval of steady beacons.
    ///
    /// Units: 100 ms.
    var interval: UInt16
    var sequence: UInt16
    /// The places of what the sender stores for others.
    var shelf: Shelf
    /// The time on the sender's clock, which never falls under one node id and begins anywhere.
    ///
    /// Units: minutes.
    var minutes: UInt32
    /// The network's tag of the day; 0 in an open mesh.
    var networkTag: UInt32

    static let magic: [UInt8] = Array("EAR1".utf8)
    static let typeAndVersion: UInt8 = 0x01
    static let byteCount = 36
    static let codeByteCount = 16
    static let reservedByteCount = 5

    /// Encodes the beacon without its MAC.
    func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: Self.byteCount + Self.codeByteCount)
        writer.append(Self.magic)
        writer.append(integer: Self.typeAndVersion)
        writer.append(integer: flags.rawValue)
        writer.append(integer: unicastPort)
        writer.append(integer: node.value)
        writer.append(integer: interval)
        writer.append(integer: sequence)
        writer.append(integer: shelf.prefix)
        writer.append(integer: shelf.depth)
        writer.append(repeatElement(0, count: Self.reservedByteCount))
        writer.append(integer: minutes)
        writer.append(integer: networkTag)
        return writer.bytes
    }
}

extension Beacon {
    /// Decodes a beacon without a MAC; returns nil if the bytes are not a beacon.
    init?(decoding bytes: ArraySlice<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        var reader = ByteReader(bytes)
        guard let magic = reader.take(4), magic.elementsEqual(Self.magic),
            reader.integer(UInt8.self) == Self.typeAndVersion,
            let flags = reader.integer(UInt8.self),
            let port = reader.integer(UInt16.self), port != 0,
            let node = reader.integer(UInt64.self),
            let interval = reader.integer(UInt16.self),
            let sequence = reader.integer(UInt16.self),
            let prefix = reader.integer(UInt16.self),
            let depth = reader.integer(UInt8.self), let shelf = Shelf(prefix: prefix, depth: depth),
            reader.take(Self.reservedByteCount) != nil,
            let minutes = reader.integer(UInt32.self),
            let tag = reader.integer(UInt32.self)
        else { return nil }
        self.init(
            flags: Flags(rawValue: flags),
            unicastPort: port,
            node: NodeID(node),
            interval: interval,
            sequence: sequence,
            shelf: shelf,
            minutes: minutes,
            networkTag: tag
        )
    }

    /// Encodes the beacon for sending from an address: with the network's tag, and with a MAC if the network has a key.
    func sealed(from address: IPAddress, by cryptography: any MeshCryptography) -> [UInt8] {
        var beacon = self
        beacon.networkTag = cryptography.networkTags().first ?? 0
        guard let key = cryptography.beaconKey else { return beacon.encoded() }
        beacon.flags.insert(.authenticated)
        let bytes = beacon.encoded()
        return bytes + cryptography.authenticationCode(of: bytes + address.bytes, key: key)
    }

    /// Decodes a beacon of this node's own network; returns nil for damage, another version or another network, and for
    /// a beacon that another address sent.
    ///
    /// A member whose clock is wrong has another tag. Its MAC is checked all the same, but only as often as
    /// `otherTags` allows, so that the tag keeps the beacons of other meshes cheap.
    init?(
        opening bytes: [UInt8],
        from address: IPAddress,
        by cryptography: any MeshCryptography,
        otherTags: inout TokenBucket,
        now: MeshInstant
    ) {
        guard let beacon = Beacon(decoding: bytes.prefix(Self.byteCount)) else { return nil }
        let code = bytes.dropFirst(Self.byteCount)
        guard let key = cryptography.beaconKey else {
            guard code.isEmpty, beacon.networkTag == 0, !beacon.flags.contains(.authenticated) else { return nil }
            self = beacon
            return
        }
        guard beacon.flags.contains(.authenticated), code.count == Self.codeByteCount,
            cryptography.networkTags().contains(beacon.networkTag) || otherTags.take(now: now)
        else { return nil }
        let authenticated = Array(bytes.prefix(Self.byteCount)) + address.bytes
        let expected = cryptography.authenticationCode(of: authenticated, key: key)
        // Every byte is compared, so that the time does not reveal how many bytes were right.
        let difference = zip(code, expected).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
        guard expected.count == Self.codeByteCount, difference == 0 else { return nil }
        self = beacon
    }
}
