import ChatCrypto

/// An effect of the attachments: something that is to be done outside of them.
enum AttachmentEffect: Sendable {
    /// Writes the record of an object.
    case put(BlobTable.Entry)
    /// Deletes the record and the file of an object, and ends its transfers.
    case drop(BlobTable.Entry)
    /// Writes bytes into a file.
    case write([UInt8], at: UInt64, file: String)
    /// Tells the transfers of large objects.
    case transfer(TransferNews)
    /// Has the pieces with these tags handed over that the mesh holds here.
    case recall(tags: [[UInt8]])
    /// Tells the subscribers.
    case tell(ChatEvent)
    /// Counts an object, all of which is here now.
    case arrived(BlobTable.Entry)
    /// Puts a long text, which is in these sealed bytes, into its message.
    case longText([UInt8], MessageID)
    /// Keeps the receipt of a message back until it is completed.
    case waits(MessageID)
    /// Lets the receipt go that has waited for a message's objects.
    case completed(MessageID)
    /// Lets the receipts go at once that are owed to a peer.
    case releaseReceipts(PeerID, isMember: Bool)
    /// Forgets the receipt of a message whose objects have not come.
    case expired(MessageID)
}

/// Answers about the peers that objects come from.
protocol AttachmentSources {
    /// The present moment.
    var time: ChatTime { get }
    /// Whether files that a peer sends are fetched, those to a group or those of a direct conversation.
    func wantsFiles(of peer: PeerID, in group: GroupID?) -> Bool
    /// The other members of a group, the most recently seen first.
    func fellows(in group: GroupID) -> [PeerID]
    /// Whether a peer was seen within ``ChatLimits/reachableAge``.
    func isReachable(_ peer: PeerID) -> Bool
    /// Whether a path to a peer may be opened.
    func mayOpenPath(to peer: PeerID) -> Bool
    /// The members of a group who attest a message, in the order in which they did.
    func vouchers(of message: MessageID) -> [PeerID]
}
