import ChatCrypto
import MeshCore
import Testing

@testable import ChatCore

/// A node of one user.
///
/// `changes` states the order in which its groups changed.
struct MemberSources: MembershipSources {
    var time = ChatTime(wall: 1_750_000_000_000, monotonic: .zero)
    var contacts: Contacts
    var controlCount = 0
    var isRoom = false
    var changes: [GroupID: UInt64] = [:]

    init(_ name: String) throws {
        contacts = try Contacts(making: Identity(), named: Nickname(name), at: 1_750_000_000)
    }

    var member: GroupMember {
        get throws {
            GroupMember(
                identity: contacts.history.sessions.identity.publicIdentity,
                nickname: try Nickname(contacts.nickname)
            )
        }
    }

    func admits(_ group: GroupID) -> Bool { true }
    func isApplicant(_ peer: PeerID) -> Bool { false }
    func inFlightCount(to peer: PeerID) -> Int { 0 }
    func changedAt(_ group: GroupID) -> UInt64 { changes[group] ?? 0 }

    /// Creates a group.
    func create(in groups: inout Membership) throws -> GroupID {
        try groups.create(member, GroupTitle("Trees"), .standard, ownerKey: GroupOwnerKey(), among: self)
    }

    /// Creates a group, and returns the groups after that.
    func created() throws -> (groups: Membership, id: GroupID) {
        var groups = Membership()
        let id = try create(in: &groups)
        return (groups, id)
    }
}

extension MembershipEffect {
    /// Returns the names of effects, in order.
    static func names(_ effects: [MembershipEffect]) -> [String] {
        effects.map { String(describing: $0).prefix { $0 != "(" }.description }
    }
}

extension Membership {
    /// Makes the welcome into a group.
    func welcome(_ member: PeerID, into group: GroupID, maximumByteCount: Int = 16_000) throws -> GroupWelcome {
        let session = try #require(membership(group))
        return try #require(
            session.welcome(for: member, remainingSeconds: 0, bundles: [], maximumByteCount: maximumByteCount)
        )
    }
}
