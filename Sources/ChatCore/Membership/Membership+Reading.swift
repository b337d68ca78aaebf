import ChatCrypto

/// The presentation of groups, with the names that the contacts know.
extension Membership {
    /// Returns a group as it is shown; nil for an unknown one.
    func view(of group: GroupID, naming contacts: Contacts) -> ChatGroup? {
        guard let state = states[group] else { return nil }
        let session = table[group]
        if let welcome = state.welcome, session?.isMember != true, state.joiningLog == nil {
            return joiningView(of: welcome, state)
        }
        guard let log = session?.isMember == true ? session?.log : state.joiningLog ?? session?.log else {
            return importedView(of: group, naming: contacts)
        }
        let membershipStatus: ChatGroup.MembershipStatus =
            if session?.isMember == true {
                .member
            } else {
                state.welcome == nil ? .out : state.isRequest ? .invited : .joining
            }
        return ChatGroup(
            id: group,
            title: log.title?.text ?? String(group.description.prefix(8)),
            members: log.membersInOrder.map { member in
                let id = member.identity.id
                return ChatGroup.Member(
                    id: id,
                    name: name(of: member, naming: contacts),
                    isLeaving: session?.leavers.contains(id) ?? false,
                    isAdmin: log.isAdmin(id)
                )
            },
            owner: log.owner,
            successor: log.policy.successor.flatMap { log.table[$0.slot]?.member.identity.id },
            membershipStatus: membershipStatus,
            invitedBy: state.welcome == nil || session?.isMember == true ? nil : state.inviter,
            epoch: log.epoch,
            isFrozen: log.fork != nil,
            history: log.policy.history
        )
    }

    /// Returns a group whose state has not come yet.
    private func joiningView(of welcome: GroupWelcome, _ state: GroupState) -> ChatGroup {
        ChatGroup(
            id: welcome.groupID,
            title: String(welcome.groupID.description.prefix(8)),
            membershipStatus: state.isRequest ? .invited : .joining,
            invitedBy: state.inviter,
            epoch: welcome.epoch
        )
    }

    /// Returns the name of a peer in a group: the user's own for them, else that in the group's log.
    func name(of peer: PeerID, in group: GroupID, naming contacts: Contacts) -> String {
        if let member = table[group]?.log.member(peer) { return name(of: member, naming: contacts) }
        guard !contacts.trust.isOwn(peer) else { return contacts.nickname }
        guard contacts.trust[peer]?.name == nil else { return contacts.name(of: peer) }
        return importedName(of: peer, in: group) ?? contacts.name(of: peer)
    }

    private func name(of member: GroupMember, naming contacts: Contacts) -> String {
        let id = member.identity.id
        if contacts.trust.isOwn(id) { return contacts.nickname }
        let name = contacts.trust[id]?.name == nil ? member.nickname?.text : nil
        return name ?? contacts.name(of: id)
    }

    /// Returns a group that only an import knows; nil for any other.
    private func importedView(of group: GroupID, naming contacts: Contacts) -> ChatGroup? {
        guard let imported = states[group]?.imported else { return nil }
        return ChatGroup(
            id: group,
            title: imported.title,
            members: imported.members.compactMap { bytes in
                PeerID(bytes: bytes.prefix(PeerID.byteCount)).map {
                    ChatGroup.Member(id: $0, name: name(of: $0, in: group, naming: contacts), isLeaving: false)
                }
            },
            owner: nil,
            membershipStatus: .out,
            invitedBy: nil,
            epoch: 0,
            isFrozen: false
        )
    }

    /// Returns the name that an import gives a member of a group.
    private func importedName(of peer: PeerID, in group: GroupID) -> String? {
        let members = states[group]?.imported?.members
        guard let bytes = members?.first(where: { $0.starts(with: peer.bytes) }) else { return nil }
        let name = String(decoding: bytes.dropFirst(PeerID.byteCount), as: UTF8.self)
        return name.isEmpty ? nil : name
    }

    /// Finds the group that the user means by its title, its id or the first digits of it.
    static func group(named who: String, among all: [ChatGroup]) throws -> ChatGroup {
        let digits = who.lowercased()
        let isHex = digits.count >= 8 && digits.allSatisfy(\.isHexDigit)
        var fits = isHex ? all.filter { $0.id.description.hasPrefix(digits) } : []
        if fits.isEmpty { fits = all.filter { $0.title == who } }
        let present = fits.filter { $0.membershipStatus != .out }
        if !present.isEmpty { fits = present }
        guard let first = fits.first else {
            throw ChatError(.notFound, "No group is called '\(who)'. Run 'group list' to see your groups.")
        }
        guard fits.count == 1 else {
            let ids = fits.map { String($0.id.description.prefix(8)) }.joined(separator: ", ")
            throw ChatError(.ambiguous, "Several groups are called '\(who)': use an id, \(ids).")
        }
        return first
    }
}
