import Bytes
import MeshCore

/// The gateways of this network, by what they announce, and the announcement of this one.
///
/// Announcements are unsigned: a forged one delays envelopes by two seconds.
///
/// Shape of an announcement: random (16) ‖ load u8 ‖ count u8 ‖ count · hash of a hub (8) ‖ random, 252 bytes.
struct OtherGateways: Sendable {
    private struct Other: Sendable {
        let hubs: Set<[UInt8]>
        let until: MeshInstant
    }

    /// Units: bytes of an announcement.
    static let byteCount = 252
    private static let nameByteCount = 16
    private static let hubByteCount = 8
    private static let headerByteCount = nameByteCount + 2

    private let hash: @Sendable ([UInt8]) -> [UInt8]
    private let name: [UInt8]
    private var others: [[UInt8]: Other] = [:]
    private var ends = SortedSet<Keyed<MeshInstant, MailTag>>()
    /// The hubs of the last announcement; nil before the first.
    private var announced: [[UInt8]]?
    private var announcedAt = MeshInstant.zero
    private var dueAt = MeshInstant.zero

    init(hash: @escaping @Sendable ([UInt8]) -> [UInt8], random: inout MeshRandom) {
        self.hash = hash
        name = random.bytes(count: Self.nameByteCount)
    }

    /// The number of other gateways.
    var count: Int { others.count }

    /// Returns the hash by which announcements name a hub.
    func hubHash(_ hub: HubURL) -> [UInt8] {
        Array(hash(Array("earshot/v1/hub".utf8) + Array(hub.endpoint.utf8)).prefix(Self.hubByteCount))
    }

    /// Takes an announcement.
    mutating func take(_ body: [UInt8], now: MeshInstant) {
        expire(now: now)
        guard body.count == Self.byteCount, let tag = MailTag(bytes: body.prefix(Self.nameByteCount)) else { return }
        let key = Array(body.prefix(Self.nameByteCount))
        let hubCount = Int(body[Self.nameByteCount + 1])
        guard key != name, hubCount <= GatewayLimits.gatewayHubCount else { return }
        let hubs = (0..<hubCount).map { index in
            Array(
                body[
                    Self.headerByteCount + index * Self.hubByteCount..<Self.headerByteCount + (index + 1)
                        * Self.hubByteCount
                ]
            )
        }
        if let old = others[key] {
            ends.remove(Keyed(key: old.until, value: tag))
        } else if others.count >= GatewayLimits.gatewayCount {
            return
        }
        let until = now.advanced(by: GatewayLimits.gatewayTime)
        others[key] = Other(hubs: Set(hubs), until: until)
        ends.insert(Keyed(key: until, value: tag))
    }

    /// Returns the number of other gateways at a hub that publish mail of a tag before this one.
    mutating func rank(for tag: MailTag, at hub: [UInt8], now: MeshInstant) -> Int {
        expire(now: now)
        guard !others.isEmpty else { return 0 }
        return min(before(tag, at: hub).count, GatewayLimits.rankCount)
    }

    /// Forgets the gateways that should have published mail of a tag before this one, and have not.
    ///
    /// They count again with their next announcement.
    mutating func doubt(_ tag: MailTag, at hub: [UInt8]) {
        for name in before(tag, at: hub) {
            guard let other = others.removeValue(forKey: name), let key = MailTag(bytes: name) else { continue }
            ends.remove(Keyed(key: other.until, value: key))
        }
    }

    /// Returns the names of the gateways at a hub that publish mail of a tag before this one.
    private func before(_ tag: MailTag, at hub: [UInt8]) -> [[UInt8]] {
        let own = hash(name + tag.bytes)
        return others.filter { other, state in
            state.hubs.contains(hub) && hash(other + tag.bytes).lexicographicallyPrecedes(own)
        }.map(\.key)
    }

    /// Returns the announcement of this gateway if it is due: when its hubs change, and from time to time.
    ///
    /// - Parameters:
    ///   - hubs: The hubs that it is connected to.
    ///   - load: The part of its table that is in use, of 255.
    mutating func announcement(
        of hubs: [[UInt8]],
        load: UInt8,
        now: MeshInstant,
        random: inout MeshRandom
    ) -> [UInt8]? {
        guard let time = time(for: hubs), time <= now else { return nil }
        announced = hubs
        announcedAt = now
        dueAt = now.advanced(
            by: random.jittered(GatewayLimits.announcementTime, by: GatewayLimits.announcementJitter)
        )
        let used = name + [load, UInt8(clamping: hubs.count)] + hubs.joined()
        return used + random.bytes(count: max(0, Self.byteCount - used.count))
    }

    /// Returns the instant of the next announcement; nil before there is anything to announce.
    func time(for hubs: [[UInt8]]) -> MeshInstant? {
        guard let announced else { return hubs.isEmpty ? nil : .zero }
        let isChanged = announced != hubs
        return isChanged ? min(dueAt, announcedAt.advanced(by: GatewayLimits.announcementSpacing)) : dueAt
    }

    private mutating func expire(now: MeshInstant) {
        while let end = ends.first, end.key <= now {
            ends.remove(end)
            others[end.value.bytes] = nil
        }
    }
}
