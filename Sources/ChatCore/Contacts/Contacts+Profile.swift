import ChatCrypto
import SwiftProtobuf

/// The profile of the user, and those of contacts: labels, never an identity. Source: PROTOCOL §10.
extension Contacts {
    /// The profile with which the user is shown to others.
    package var profile: Profile { ownProfile.profile }

    /// Changes the user's emoji and colour; false if they are the same already.
    mutating func setProfile(_ profile: Profile, at wall: UInt64) throws -> Bool {
        guard try ownProfile.set(profile, at: wall) else { return false }
        writes.append(.node)
        return true
    }

    /// Adds the user's profile to a content.
    func withProfile(_ content: [UInt8]) -> [UInt8] {
        ownProfile.stated(behind: content, limit: SessionLimits.maximumFirstContentByteCount)
    }

    /// Applies what a contact states beside a content: profile and hubs; those of unknown peers are ignored.
    mutating func takeStatements(in content: [UInt8], of peer: PeerID) {
        guard isAccepted(peer), let content = try? ProtoContent(serializedBytes: content) else { return }
        takeProfile(in: content, of: peer)
        takeHubs(in: content, of: peer)
    }

    /// Applies the profile of a contact, which consists of labels only.
    private mutating func takeProfile(in content: ProtoContent, of peer: PeerID) {
        guard let stated = ProfileStatement(in: content), let isChange = peers.take(stated, of: peer) else { return }
        writes.append(.peer(peer, peers[peer]?.record))
        if isChange { effects.append(.changed(peer)) }
    }
}
