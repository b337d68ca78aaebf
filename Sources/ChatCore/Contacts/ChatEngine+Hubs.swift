import ChatCrypto
import SwiftProtobuf

/// The hubs at which people read mail, as contacts state them to each other.
///
/// No node joins a hub by this alone. Source: PROTOCOL §20.
extension ChatEngine {
    /// Sets the hubs at which the user reads mail.
    ///
    /// Contacts learn them beside the next contents for them; nothing is sent because of it.
    ///
    /// - Parameter addresses: The addresses without logins, of which the first four count; others than ``HubAddress``
    ///   reads are left out.
    package mutating func setHubs(_ addresses: [String]) {
        guard room == nil else { return }
        contacts.setHubs(addresses.compactMap(HubAddress.init), at: step.time.wall)
        writeContacts()
    }

    /// Removes an entry from the outbox, because its recipient has it: they know the hubs in it.
    mutating func takeOutArrived(_ id: MessageID) throws {
        defer { takeOut(id) }
        guard let entry = outbox[id], let peer = entry.peer, contacts.lacksHubs(peer),
            let content = try outbox.content(of: id, in: step)
        else { return }
        contacts.noteHubs(in: content, knownTo: peer)
        writeContacts()
    }

    /// Takes the hubs that a peer stated in its request, which the user has accepted.
    mutating func takeEarlierHubs(of peer: PeerID) throws {
        guard isAccepted(peer), conversations[.direct(peer)] != nil else { return }
        let page = try step.page(of: .direct(peer), before: nil, limit: ChatLimits.requestMessageCount)
        for record in page where !record.outgoing {
            guard let content = try? ProtoContent(serializedBytes: record.content) else { continue }
            contacts.takeHubs(in: content, of: peer)
        }
        try settleContacts()
    }
}
