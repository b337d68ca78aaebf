package import ChatCore
package import ChatCrypto

/// The one resolver of what people type: an id, its first eight or more digits, or a name.
extension ChatNode {
    /// The peer of an id in full, known or not, or the one contact that a text fits.
    package func peer(named who: String) async throws(ChatError) -> PeerID {
        if let peer = PeerID(hex: who) { return peer }
        return try await contact(named: who).id
    }

    /// The peer that a text means in a conversation; in a room these are its members only.
    package func peer(named who: String, in conversation: ConversationID) async throws(ChatError) -> PeerID {
        guard case .room(let id) = conversation, let room = await rooms().first(where: { $0.id == id }) else {
            return try await peer(named: who)
        }
        return try room.member(named: who)
    }

    /// The peers of several texts.
    package func peers(named names: [String]) async throws(ChatError) -> [PeerID] {
        var peers: [PeerID] = []
        for name in names { peers.append(try await peer(named: name)) }
        return peers
    }

    /// The conversation that a text means: a group or room by its id, or after `group:` or `room:`; else that with a peer.
    package func conversation(named who: String) async throws(ChatError) -> ConversationID {
        if who.hasPrefix("room:") { return .room(try await room(named: String(who.dropFirst("room:".count))).id) }
        if who.hasPrefix("group:") { return .group(try await group(named: String(who.dropFirst("group:".count))).id) }
        if let bytes = [UInt8](hex: who), let group = GroupID(bytes: bytes) { return conversationID(of: group) }
        return .direct(try await peer(named: who))
    }
}

extension Group {
    /// The member that a text means.
    package func member(named who: String) throws(ChatError) -> PeerID {
        try members.person(
            named: who,
            id: \.id,
            name: \.name,
            nobody: "Nobody in the group is called '\(who)'.",
            several: "Several members are called '\(who)'"
        )
    }
}

extension Room {
    /// The member that a text means.
    package func member(named who: String) throws(ChatError) -> PeerID {
        try members.person(
            named: who,
            id: \.id,
            name: \.name,
            nobody: "Nobody in the room is called '\(who)'.",
            several: "Several are called '\(who)'"
        )
    }

    /// The applicant that a text means.
    package func applicant(named who: String) throws(ChatError) -> PeerID {
        try (door?.waiting ?? []).person(
            named: who,
            id: \.id,
            name: \.name,
            nobody: "Nobody called '\(who)' waits at the door.",
            several: "Several are called '\(who)'"
        )
    }
}

extension Array {
    /// The elements that a text fits: by their ids where it is eight or more hexadecimal digits, else by their names.
    package func named(_ who: String, id: (Element) -> String, name: (Element) -> String) -> [Element] {
        let digits = who.lowercased()
        let isHex = digits.count >= 8 && digits.allSatisfy(\.isHexDigit)
        let fits = isHex ? filter { id($0).hasPrefix(digits) } : []
        return fits.isEmpty ? filter { name($0) == who } : fits
    }

    /// The peer of the one element that a text fits.
    ///
    /// - Throws: `notFound`, or `ambiguous` with the candidates.
    fileprivate func person(
        named who: String,
        id: (Element) -> PeerID,
        name: (Element) -> String,
        nobody: String,
        several: String
    ) throws(ChatError) -> PeerID {
        let fits = named(who, id: { id($0).description }, name: name)
        guard let first = fits.first else { throw ChatError(.notFound, nobody) }
        guard fits.count == 1 else {
            var error = ChatError(.ambiguous, "\(several): use the id of the one you mean.")
            error.candidates = fits.map(id)
            throw error
        }
        return id(first)
    }
}
