import ChatCrypto
import SwiftProtobuf

/// The hubs at which the user and contacts read mail. Source: PROTOCOL §20.
extension Contacts {
    /// Sets the hubs at which the user reads mail; contacts learn them beside the next contents.
    ///
    /// - Parameter wall: Units: milliseconds since 1970.
    mutating func setHubs(_ hubs: [HubAddress], at wall: UInt64) {
        if ownHubs.set(hubs, at: wall) { writes.append(.node) }
    }

    /// Returns whether a contact lacks the present list of the user's hubs.
    ///
    /// Of all others none learns it.
    func lacksHubs(_ peer: PeerID) -> Bool {
        isAccepted(peer) && peers[peer]?.knownHubs ?? 0 < ownHubs.revision
    }

    /// Adds the list of the user's hubs to a content for a contact that lacks it.
    func withHubs(_ content: [UInt8], to peer: PeerID) -> [UInt8] {
        guard lacksHubs(peer) else { return content }
        return ownHubs.stated(behind: content, limit: SessionLimits.maximumFirstContentByteCount)
    }

    /// Notes that a contact has a content of the user, and the list of hubs in it.
    mutating func noteHubs(in content: [UInt8], knownTo peer: PeerID) {
        guard let content = try? ProtoContent(serializedBytes: content), let stated = HubStatement(in: content),
            stated.revision <= ownHubs.revision, peers.noteHubs(stated.revision, knownTo: peer)
        else { return }
        writes.append(.peer(peer, peers[peer]?.record))
    }

    /// Applies the list of a contact's hubs; those of unknown peers are ignored.
    mutating func takeHubs(in content: ProtoContent, of peer: PeerID) {
        guard isAccepted(peer), let stated = HubStatement(in: content), let isChange = peers.take(stated, of: peer)
        else { return }
        writes.append(.peer(peer, peers[peer]?.record))
        if isChange { effects.append(.changed(peer)) }
    }
}
