package import ChatCrypto

/// Reads of groups, which change neither the engine nor the store.
extension ChatEngine {
    /// All groups, the most recently changed first.
    package var groupList: [Group] {
        conversations.newestFirst.compactMap(\.id.group).compactMap { view(of: $0) }
    }

    /// A group as it is shown; nil for one that is not known.
    package func view(of group: GroupID) -> Group? {
        guard let state = groups.states[group] else { return nil }
        let session = groups.table[group]
        guard let log = state.welcome?.log ?? session?.log else { return importedView(of: group) }
        let standing: Group.Standing =
            if state.welcome != nil {
                state.record.request ? .invited : .joining
            } else {
                session?.isMember == true ? .member : .out
            }
        return Group(
            id: group,
            title: log.title?.text ?? String(group.description.prefix(8)),
            members: log.members.map { member in
                let id = member.identity.id
                let isLeaving = session?.leavers.contains(id) ?? false
                return Group.Member(id: id, name: name(of: member), isLeaving: isLeaving)
            },
            owner: log.owner,
            standing: standing,
            invitedBy: state.welcome == nil ? nil : state.inviter,
            epoch: log.epoch,
            isFrozen: log.fork != nil,
            history: log.policy.history
        )
    }

    /// The group that a person means by its title, its id or the first digits of it.
    package func group(named who: String) throws -> Group {
        let all = groupList
        let digits = who.lowercased()
        let isHex = digits.count >= 8 && digits.allSatisfy(\.isHexDigit)
        var fits = isHex ? all.filter { $0.id.description.hasPrefix(digits) } : []
        if fits.isEmpty { fits = all.filter { $0.title == who } }
        let present = fits.filter { $0.standing != .out }
        if !present.isEmpty { fits = present }
        guard let first = fits.first else {
            throw ChatError(.notFound, "No group is called '\(who)' here: 'group list' lists them.")
        }
        guard fits.count == 1 else {
            let ids = fits.map { String($0.id.description.prefix(8)) }.joined(separator: ", ")
            throw ChatError(.ambiguous, "Several groups are called '\(who)': use the id of the one you mean, \(ids).")
        }
        return first
    }

    /// The name of a peer in a conversation: the user's own for it, else that in the group's log.
    package func name(of peer: PeerID, in conversation: ConversationID) -> String {
        guard !trust.isOwn(peer) else { return nickname }
        guard let group = conversation.group, let member = groups.table[group]?.log.member(peer) else {
            guard trust[peer]?.name == nil, let group = conversation.group else { return name(of: peer) }
            return importedName(of: peer, in: group) ?? name(of: peer)
        }
        return name(of: member)
    }

    private func name(of member: GroupMember) -> String {
        let id = member.identity.id
        if trust.isOwn(id) { return nickname }
        return trust[id]?.name == nil ? member.nickname?.text ?? name(of: id) : name(of: id)
    }

    // MARK: - Groups that only an import has told of

    /// A group that only an import knows; nil for any other.
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

    /// The name that an import gives a member of a group.
    func importedName(of peer: PeerID, in group: GroupID) -> String? {
        let imported = groups.states[group]?.record.imported.first
        guard let bytes = imported?.members.first(where: { $0.starts(with: peer.bytes) }) else { return nil }
        let name = String(decoding: bytes.dropFirst(PeerID.byteCount), as: UTF8.self)
        return name.isEmpty ? nil : name
    }
}
