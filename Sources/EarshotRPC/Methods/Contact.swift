package import ChatCrypto
package import Earshot
package import Foundation

package struct ContactsCall: RPCMethod {
    package static let name = "contacts"
    package static let summary = "Lists the known peers."
    package static let example = ContactsCall()

    package init() {}

    package func perform(on node: ChatNode) async -> [ContactReply] { await node.contacts().map(ContactReply.init) }
}

package struct SafetyNumberCall: RPCMethod {
    package static let name = "safetyNumber"
    package static let summary = "Gives the number that both sides of a pair see."
    package static let parameters: RPCParameters = ["peer": Meaning.peer]
    package static let example = SafetyNumberCall(peer: "Bob")

    /// The safety number of a pair.
    package struct Reply: Codable, Hashable, Sendable {
        /// Shape: 60 digits.
        package let number: String
        /// The id of the other peer.
        package let peer: String
    }

    let peer: String

    package init(peer: String) { self.peer = peer }

    package func perform(on node: ChatNode) async throws -> Reply {
        let peer = try await node.peer(named: peer)
        return Reply(number: try await node.safetyNumber(with: peer), peer: peer.description)
    }
}

package struct VerifyCall: RPCMethod {
    package static let name = "verify"
    package static let summary =
        "Compares a safety number or a scanned code, and marks the peer as verified where it fits."
    package static let parameters: RPCParameters = [
        "peer": Meaning.peer, "number": "The number as the other side reads it out.",
        "code": "The content of the other side's QR code, instead of the number.",
    ]
    package static let example = VerifyCall(peer: "Bob", number: "{safetyNumber}")

    /// The state of trust from here on.
    package struct Reply: Codable, Hashable, Sendable {
        /// A state of trust.
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
        let peer = try await node.peer(named: peer)
        if let scanned { return Reply(trust: try await node.verify(peer, scanned: scanned).rawValue) }
        return Reply(trust: try await node.verify(peer, number: number ?? "").rawValue)
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
        return ContactReply(try await node.trust(try await node.peer(named: peer), decision))
    }
}

/// A contact on the wire.
package struct ContactReply: Codable, Hashable, Sendable {
    /// The peer id.
    package let id: String
    /// The peer's nickname.
    package let name: String
    /// One emoji that it wants to be shown with, where it wants that and the user talks to it.
    package let emoji: String?
    /// The name of a colour, likewise.
    package let colour: String?
    /// A state of trust.
    package let trust: String
    /// The peer id of the identity that its owner went on to, or, of one that is `changed`, wants to.
    package let successor: String?
    /// The peer ids of the identities that took its name, until the user decides; absent for none.
    package let claimants: [String]?
    /// Shape: 30 digits in groups of five.
    package let fingerprint: String
    /// Whether something came from it in the last two minutes.
    package let reachable: Bool
    /// Links between here and there, where that is known.
    package let hops: Int?
    /// The time there and back, where that is known.
    ///
    /// Units: seconds, to the microsecond.
    package let rtt: Double?
    /// The time at which something last came from it.
    package let lastSeen: Date?

    package init(_ contact: Contact) {
        id = contact.id.description
        name = contact.name
        emoji = contact.profile.emoji
        colour = contact.profile.colour?.rawValue
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

/// Something that happened to the trust in a peer, on the wire.
package struct TrustReply: Codable, Hashable, Sendable {
    /// The id of the peer that the event is about.
    package let peer: String
    /// The event's name.
    package let event: String
    /// The peer id of another identity that claims to be the peer, for `nameCollision` and `changed`.
    package let claimant: String?
    /// The peer id of the identity that the peer went on to, for `rotated`.
    package let to: String?

    package init(_ trust: TrustEvent) {
        peer = trust.peer.description
        event = trust.name
        switch trust {
        case .nameCollision(_, let stranger), .changed(_, let stranger):
            claimant = stranger.description
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
