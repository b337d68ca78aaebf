package import ChatCrypto
package import Earshot

/// A call that does something to one member of a group.
package protocol GroupMemberCall: RPCMethod where Reply == GroupReply {
    /// The group: its id, the beginning of it, or its title.
    var group: String { get }
    /// Who: a peer id, its beginning, or a name in the group.
    var member: String { get }
    /// Does it.
    func change(_ peer: PeerID, in group: GroupID, by node: any RPCNode) async throws(ChatError) -> Group
}

extension GroupMemberCall {
    /// The names of its parameters.
    package static var parameters: [String] { ["group", "member"] }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> GroupReply {
        try await RPCError.translating { () throws(ChatError) in
            let known = try await node.group(named: group)
            return GroupReply(try await change(try known.member(named: member), in: known.id, by: node))
        }
    }
}
