package import ChatCore
package import ChatCrypto

/// The one resolver of what users type: an id, its first eight or more digits, or a name.
extension ChatNode {
    /// Returns the peer of a complete id, known or not, or the one contact that a text matches.
    package func peer(named who: String) async throws(ChatError) -> PeerID {
        if let peer = PeerID(hex: who) { return peer }
        return try await contact(named: who).id
    }

    /// Returns the peer that a text means in a conversation; in a room, only its members match.
    package func peer(named who: String, in conversation: ConversationID) async throws(ChatError) -> PeerID {
        guard case .room(let id) = conversation, let room = await rooms().first(where: { $0.id == id }) else {
            return try await peer(named: who)
        }
        return try room.member(named: who)
    }

    /// Returns the peers that several texts mean.
    package func peers(named names: [String]) async throws(ChatError) -> [PeerID] {
        var peers: [PeerID] = []
        for name in names { peers.append(try await peer(named: name)) }
        return peers
    }

    /// Returns the conversation that a text means: a group or room by its id, or after `group:` or `room:`; else the
    /// direct conversation with a peer.
    package func conversation(named who: String) async throws(ChatError) -> ConversationID {
        if who.hasPrefix("room:") { return .room(try await room(named: String(who.dropFirst("room:".count))).id) }
        if who.hasPrefix("group:") { return .group(try await group(named: String(who.dropFirst("group:".count))).id) }
        if let bytes = [UInt8](hex: who), let group = GroupID(bytes: bytes) { return conversationID(of: group) }
        return .direct(try await peer(named: who))
    }
}

extension Group {
    /// Returns the member that a text means.
    package func member(named who: String) throws(ChatError) -> PeerID {
        try members.person(
            named: who,
            id: \.id,
            name: \.name,
            nobody: "No member of the group is called '\(who)'.",
            several: "Several members are called '\(who)'"
        )
    }
}

extension Room {
    /// Returns the member that a text means.
    package func member(named who: String) throws(ChatError) -> PeerID {
        try members.person(
            named: who,
            id: \.id,
            name: \.name,
            nobody: "No member of the room is called '\(who)'.",
            several: "Several are called '\(who)'"
        )
    }

    /// Returns the applicant that a text means.
    package func applicant(named who: String) throws(ChatError) -> PeerID {
        try (door?.waiting ?? []).person(
            named: who,
            id: \.id,
            name: \.name,
            nobody: "Nobody called '\(who)' wants to join.",
            several: "Several are called '\(who)'"
        )
    }
}

extension Array {
    /// Returns the elements that a text matches: by id if the text is eight or more hexadecimal digits of one, else by
    /// name.
    package func named(_ who: String, id: (Element) -> String, name: (Element) -> String) -> [Element] {
        let digits = who.lowercased()
        let isHex = digits.count >= 8 && digits.allSatisfy(\.isHexDigit)
        let fits = isHex ? filter { id($0).hasPrefix(digits) } : []
        return fits.isEmpty ? filter { name($0) == who } : fits
    }

    /// Returns the peer of the one element that a text matches.
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
            var error = ChatError(.ambiguous, "\(several): use an id.")
            error.candidates = fits.map(id)
            throw error
        }
        return id(first)
    }
}
