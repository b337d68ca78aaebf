import ChatCrypto
import Earshot

/// How parameters name people and conversations.
extension RPCNode {
    /// The peer that a parameter names: an id in full, or anything that fits one contact.
    func peer(named who: String) async throws(ChatError) -> PeerID {
        if let peer = PeerID(hex: who) { return peer }
        return try await contact(named: who).id
    }

    /// The peer that a parameter names in a conversation; in a room its members are meant and nobody else.
    func peer(named who: String, in conversation: ConversationID) async throws(ChatError) -> PeerID {
        guard case .room(let room) = conversation else { return try await peer(named: who) }
        return try await member(named: who, of: room)
    }

    /// The peers that a parameter names.
    func peers(named names: [String]) async throws(ChatError) -> [PeerID] {
        var peers: [PeerID] = []
        for name in names { peers.append(try await peer(named: name)) }
        return peers
    }

    /// The group that a parameter names: an id in full, or anything that fits one group.
    func groupID(named who: String) async throws(ChatError) -> GroupID {
        try await group(named: who).id
    }

    /// The conversation that a parameter names: a group or room by its id, after `group:` or `room:`, else that with a
    /// peer.
    func conversation(named who: String) async throws(ChatError) -> ConversationID {
        if who.hasPrefix("room:") { return .room(try await room(named: String(who.dropFirst("room:".count))).id) }
        if who.hasPrefix("group:") { return .group(try await groupID(named: String(who.dropFirst("group:".count)))) }
        if let bytes = [UInt8](hex: who), let group = GroupID(bytes: bytes) { return await conversationID(of: group) }
        return .direct(try await peer(named: who))
    }
}

extension Group {
    /// The member that a parameter names: by an id, its first eight or more digits, or the name in this group.
    func member(named who: String) throws(ChatError) -> PeerID {
        let digits = who.lowercased()
        let isHex = digits.count >= 8 && digits.allSatisfy(\.isHexDigit)
        var fits = isHex ? members.filter { $0.id.description.hasPrefix(digits) } : []
        if fits.isEmpty { fits = members.filter { $0.name == who } }
        guard let first = fits.first else { throw ChatError(.notFound, "Nobody in the group is called '\(who)'.") }
        guard fits.count == 1 else {
            var error = ChatError(.ambiguous, "Several members are called '\(who)': use the id of the one you mean.")
            error.candidates = fits.map(\.id)
            throw error
        }
        return first.id
    }
}
