package import ChatCrypto
package import Earshot
package import Foundation

/// What the methods need of a node.
///
/// A protocol, although there is one node: the dispatcher's tests answer with values written down in the test, which a
/// node with real keys and a real clock cannot.
package protocol RPCNode: RPCArchiveNode, RPCContentNode, RPCIdentityNode, RPCKeepingNode, RPCProfileNode, RPCRoomNode,
    RPCVaultNode
{
    /// How the node is doing.
    var status: NodeStatus { get async }
    /// What monitoring programs want to know.
    var metrics: [Metric] { get async }
    /// Who is known.
    func contacts() async -> [Contact]
    /// The one contact that a name, an id or the beginning of an id fits.
    func contact(named who: String) async throws(ChatError) -> Contact
    /// The 60 digits that both sides see.
    func safetyNumber(with peer: PeerID) async throws(ChatError) -> String
    /// Compares a number and, where it is the one, remembers the peer as verified.
    func verify(_ peer: PeerID, number: String) async throws(ChatError) -> TrustState
    /// Compares a scanned code and, where it is of this peer, remembers the peer as verified.
    func verify(_ peer: PeerID, scanned code: IdentityCode) async throws(ChatError) -> TrustState
    /// Carries out a decision of the user.
    func trust(_ peer: PeerID, _ decision: TrustDecision) async throws(ChatError) -> Contact
    /// The conversation that a group or room is.
    func conversationID(of group: GroupID) async -> ConversationID
    /// The conversations, the one with the newest message first.
    func conversations() async throws(ChatError) -> [Conversation]
    /// A page of messages, oldest first.
    func history(
        _ conversation: ConversationID,
        limit: Int,
        within span: HistorySpan
    ) async throws(ChatError) -> [Message]
    /// A part of a conversation, and how much there is around it.
    func historyWindow(
        _ conversation: ConversationID,
        limit: Int,
        at place: HistoryWindow.Place
    ) async throws(ChatError) -> HistoryWindow
    /// Notes that the user has seen everything up to a message, or up to here.
    func markRead(_ conversation: ConversationID, upTo last: MessageID?) async throws(ChatError)
    /// Puts a text and files into the outbox.
    func send(
        _ text: String,
        files: [FileDraft],
        _ options: MessageOptions,
        to conversation: ConversationID
    ) async throws(ChatError) -> Message
    /// Takes an own message out of the outbox.
    func cancel(_ message: MessageID) async throws(ChatError)
    /// How far a message to a group has come to each of those it is for.
    func deliveries(of message: MessageID) async throws(ChatError) -> [GroupDelivery]
    /// The groups, the most recently changed first.
    func groups() async throws(ChatError) -> [Group]
    /// The one group that a title, an id or the beginning of an id fits.
    func group(named who: String) async throws(ChatError) -> Group
    /// Founds a group.
    func createGroup(
        title: String,
        members: [PeerID],
        history: GroupPolicy.History
    ) async throws(ChatError) -> Group
    /// Decides anew what newcomers to a group may be given.
    func setHistory(_ history: GroupPolicy.History, of group: GroupID) async throws(ChatError) -> Group
    /// Takes people into a group.
    func add(_ peers: [PeerID], to group: GroupID) async throws(ChatError) -> Group
    /// Puts somebody out of a group.
    func remove(_ peer: PeerID, from group: GroupID) async throws(ChatError) -> Group
    /// Gives a group another title.
    func rename(_ group: GroupID, to title: String) async throws(ChatError) -> Group
    /// Hands a group over to another member.
    func handOver(_ group: GroupID, to peer: PeerID) async throws(ChatError) -> Group
    /// Leaves a group.
    func leave(_ group: GroupID) async throws(ChatError) -> Group
    /// Joins a group that somebody wants this node in, or turns it down.
    func answerInvitation(to group: GroupID, accepts: Bool) async throws(ChatError) -> Group
    /// Makes a plain copy of a message's file.
    func media(_ message: MessageID, index: Int, folder: URL?) async throws(ChatError) -> URL
    /// Asks for a file of a message that is neither here nor on its way.
    func fetchFile(_ message: MessageID, index: Int) async throws(ChatError)
    /// Gives up a file of an incoming message that is not here yet.
    func cancelFile(_ message: MessageID, index: Int) async throws(ChatError)
    /// Asks a peer to answer and measures how far away it is.
    func ping(_ peer: PeerID, isLive: Bool) async throws(ChatError) -> PingAnswer
    /// What the node knows of the mesh.
    func map() async -> MeshMap
    /// What happens from here on.
    func events() async -> AsyncStream<ChatEvent>
}

extension ChatNode: RPCNode {}
