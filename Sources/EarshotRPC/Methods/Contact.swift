package import ChatCrypto
package import Earshot
package import Foundation

package struct ContactsCall: RPCMethod {
    package static let name = "contacts"
    package static let summary = "Lists the known peers."
    package static let example = ContactsCall()

    package init() {}

    package func perform(on node: ChatNode) async throws -> [ContactReply] {
        try await node.contacts.all().map(ContactReply.init)
    }
}

package struct SafetyNumberCall: RPCMethod {
    package static let name = "safetyNumber"
    package static let summary = "Returns the safety number that both sides see."
    package static let parameters: RPCParameters = ["peer": Meaning.peer]
    package static let example = SafetyNumberCall(peer: "Bob")

    /// The safety number of a pair.
    package struct Reply: Codable, Hashable, Sendable {
        /// The safety number.
        ///
        /// Shape: 60 digits.
        package let number: String
        /// The ID of the other peer.
        package let peer: String
    }

    let peer: String

    package init(peer: String) { self.peer = peer }

    package func perform(on node: ChatNode) async throws -> Reply {
        let peer = try await node.contacts.id(named: peer)
        return Reply(number: try await node.contacts.safetyNumber(with: peer), peer: peer.description)
    }
}

package struct VerifyCall: RPCMethod {
    package static let name = "verify"
    package static let summary =
        "Compares a safety number or a scanned code, and marks the peer as verified if it matches."
    package static let parameters: RPCParameters = [
        "peer": Meaning.peer, "number": "The number that the other side reads out.",
        "code": "The content of the other side's QR code, instead of the number.",
    ]
    package static let example = VerifyCall(peer: "Bob", number: "{safetyNumber}")

    /// The trust state after the call.
    package struct Reply: Codable, Hashable, Sendable {
        /// The name of a trust state.
        package let trust: String
    }

    let peer: String
    let number: String?
    let code: String?

    package init(peer: String, number: String? = nil, code: String? = nil) {
        (self.peer, self.number, self.code) = (peer, number, code)
    }

    package func perform(on node: ChatNode) async throws -> Reply {
        guard (number == nil) != (code == nil) else {
            throw RPCError(.invalidParameters, "Give either `number` or `code`.")
        }
        let scanned = code.flatMap { IdentityCode($0) }
        guard code == nil || scanned != nil else {
            throw RPCError(.invalidParameters, "The code of an identity begins with earshot:peer.")
        }
        let peer = try await node.contacts.id(named: peer)
        if let scanned { return Reply(trust: try await node.contacts.verify(peer, scanned: scanned).rawValue) }
        return Reply(trust: try await node.contacts.verify(peer, number: number ?? "").rawValue)
    }
}

package struct TrustCall: RPCMethod {
    package static let name = "trust"
    package static let summary = "Accepts, blocks or unblocks a peer."
    package static let parameters: RPCParameters = ["peer": Meaning.peer, "action": "`accept`, `block` or `unblock`."]
    package static let example = TrustCall(peer: "Carol", action: "accept")

    let peer: String
    let action: String

    package init(peer: String, action: String) { (self.peer, self.action) = (peer, action) }

    package func perform(on node: ChatNode) async throws -> ContactReply {
        guard let decision = TrustDecision(rawValue: action) else {
            throw RPCError(.invalidParameters, "The parameter `action` is accept, block or unblock.")
        }
        return ContactReply(try await node.contacts.decide(decision, about: try await node.contacts.id(named: peer)))
    }
}

package struct RenameContactCall: RPCMethod {
    package static let name = "contact.rename"
    package static let summary =
        "Gives a peer a name of the user's own, which no peer learns; an unknown peer with a name is accepted."
    package static let parameters: RPCParameters = [
        "peer": Meaning.peer, "name": "The name; without it, the nickname is shown again.",
    ]
    package static let example = RenameContactCall(peer: "Carol", name: "Carol from work")

    let peer: String
    let name: String?

    package init(peer: String, name: String?) { (self.peer, self.name) = (peer, name) }

    package func perform(on node: ChatNode) async throws -> ContactReply {
        let peer = try await node.contacts.id(named: peer)
        return ContactReply(try await node.contacts.setLocalName(name, of: peer))
    }
}

/// A contact on the wire.
package struct ContactReply: Codable, Hashable, Sendable {
    /// The peer ID.
    package let id: String
    /// The name to show: the user's own for the peer, else the peer's nickname.
    package let name: String
    /// The name that the user gave the peer; absent for none.
    package let localName: String?
    /// The nickname of a peer with a name of the user's own; absent for others, whose `name` it is.
    package let claimedName: String?
    /// The emoji of the contact's profile; absent if the contact has none, or the user does not talk to the contact.
    package let emoji: String?
    /// The name of the profile's colour; absent in the same cases.
    package let colour: String?
    /// The addresses of the hubs at which the contact reads mail, as the contact states them; absent for none.
    package let hubs: [String]?
    /// The name of the trust state.
    package let trust: String
    /// The peer ID of the identity that replaced the contact's, or, for a `changed` contact, wants to.
    package let successor: String?
    /// The peer IDs of the identities that claim the contact's name, until the user decides; absent for none.
    package let claimants: [String]?
    /// The fingerprint.
    ///
    /// Shape: 30 digits in groups of five.
    package let fingerprint: String
    /// Whether a message or envelope from the contact arrived in the last two minutes.
    package let reachable: Bool
    /// The number of links on the path to the contact; absent if unknown.
    package let hops: Int?
    /// The round-trip time; absent if unknown.
    ///
    /// Units: seconds, to the microsecond.
    package let rtt: Double?
    /// The time at which the contact was last heard.
    package let lastSeen: Date?

    package init(_ contact: Contact) {
        id = contact.id.description
        name = contact.name
        localName = contact.localName
        claimedName = contact.localName == nil ? nil : contact.claimedName
        emoji = contact.profile.emoji
        colour = contact.profile.colour?.rawValue
        hubs = contact.hubs.isEmpty ? nil : contact.hubs
        trust = contact.trust.rawValue
        successor = contact.successor?.description
        claimants = contact.claimants.isEmpty ? nil : contact.claimants.map(\.description)
        fingerprint = contact.fingerprint
        reachable = contact.isReachable
        hops = contact.hops
        rtt = contact.roundTrip.map(\.fractionalSeconds)
        lastSeen = contact.lastSeen
    }
}

/// An event about the trust in a peer, on the wire.
package struct TrustReply: Codable, Hashable, Sendable {
    /// The ID of the peer that the event is about.
    package let peer: String
    /// The event's name.
    package let event: String
    /// The peer ID of another identity that claims to be the peer, for `nameCollision` and `changed`.
    package let claimant: String?
    /// The peer ID of the identity that the peer moved to, for `rotated`.
    package let to: String?

    package init(_ trust: TrustEvent) {
        peer = trust.peer.description
        event = trust.name
        switch trust {
        case .nameCollision(_, let unknownPeer), .changed(_, let unknownPeer):
            claimant = unknownPeer.description
            to = nil
        case .rotated(_, let next):
            claimant = nil
            to = next.description
        case .newPeer, .verified, .revoked, .suiteDowngrade:
            claimant = nil
            to = nil
        }
    }
}
