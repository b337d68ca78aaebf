import ChatCrypto
package import Earshot
package import Foundation

/// Who is known.
package struct ContactsCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "contacts"
    /// It takes none.
    package static let parameters: [String] = []

    /// Makes the call.
    package init() {}

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> [ContactReply] {
        await node.contacts().map(ContactReply.init)
    }
}

/// A contact on the wire.
package struct ContactReply: Codable, Hashable, Sendable {
    /// The peer id.
    package let id: String
    /// What the peer calls itself.
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
    /// When something last came from it.
    package let lastSeen: Date?

    /// Puts a contact into words of the wire.
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
        rtt = contact.roundTrip.map(RPCCoding.seconds)
        lastSeen = contact.lastSeen
    }
}
