import ChatCrypto

/// Groups that only an import has told of.
extension ChatEngine {
    /// A group of which only an import tells; nil for any other.
    func importedView(of group: GroupID) -> Group? {
        guard let imported = groups.states[group]?.record.imported.first else { return nil }
        return Group(
            id: group,
            title: imported.title,
            members: imported.members.compactMap { bytes in
                PeerID(bytes: bytes.prefix(PeerID.byteCount)).map {
                    Group.Member(id: $0, name: name(of: $0, in: conversationID(of: group)), isLeaving: false)
                }
            },
            owner: nil,
            standing: .out,
            invitedBy: nil,
            epoch: 0,
            isFrozen: false
        )
    }

    /// What an import calls somebody in a group.
    func importedName(of peer: PeerID, in group: GroupID) -> String? {
        let imported = groups.states[group]?.record.imported.first
        guard let bytes = imported?.members.first(where: { $0.starts(with: peer.bytes) }) else { return nil }
        let name = String(decoding: bytes.dropFirst(PeerID.byteCount), as: UTF8.self)
        return name.isEmpty ? nil : name
    }
}
