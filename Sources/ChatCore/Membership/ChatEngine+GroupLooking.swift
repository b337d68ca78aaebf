package import ChatCrypto

/// What is only read of groups: nothing here changes the engine or the store.
extension ChatEngine {
    /// All groups, the most recently changed first.
    package var groupList: [Group] {
        let all = groups.states.map { (changedAt: $0.value.record.changedAt, id: $0.key) }
        return all.sorted { ($1.changedAt, $1.id) < ($0.changedAt, $0.id) }.compactMap { view(of: $0.id) }
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

    /// Groups as a list of conversations shows them, each with when it changed.
    func groupConversations() throws -> [(changedAt: UInt64, name: [UInt8], conversation: Conversation)] {
        try groupList.map { group in
            let changedAt = groups.states[group.id]?.record.changedAt ?? 0
            return (changedAt, group.id.bytes, try conversation(of: group))
        }
    }

    /// A group as a list of conversations shows it.
    func conversation(of group: Group) throws -> Conversation {
        let record = groups.states[group.id]?.record ?? ProtoGroupRecord()
        return Conversation(
            id: conversationID(of: group.id),
            title: group.title,
            members: group.members.map(\.id).filter { !trust.isOwn($0) },
            unreadCount: Int(clamping: record.unread),
            last: try newest(1, in: conversationID(of: group.id), before: nil).first,
            isRequest: record.request,
            muteEnd: muteEnd(record.mutedUntil),
            isPinned: isPinned(conversationID(of: group.id))
        )
    }

    /// What somebody is called in a conversation: as the user knows it, else as the group's log does.
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

    /// Whether a conversation waits for the user to accept who began it.
    func isRequest(_ conversation: ConversationID) -> Bool {
        switch conversation {
        case .direct(let peer): conversations[peer]?.record.request ?? false
        case .group(let group), .room(let group): groups.states[group]?.record.request ?? false
        }
    }
}
